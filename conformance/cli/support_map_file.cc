// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the support map of a run (the number of supported operators of each class) with the map in the file. Lost
// support is a failure. Gained support asks for an update of the file.

#include "conformance/cli/support_map_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/files.h"
#include "conformance/cli/exit_code.h"

namespace conformance {
namespace {

/// Prints the changes of one kind, at most kShown of them. `change`: "lost support" or "gained support".
void PrintChanges(const std::string& path, const char* change, const std::vector<std::string>& lines) {
  constexpr std::size_t kShown = 20;
  const std::size_t shown = std::min(kShown, lines.size());
  for (std::size_t i = 0; i < shown; ++i) fmt::print("{}: {}: {}\n", path, change, lines[i]);
  if (shown < lines.size()) fmt::print("{}: {}: ... and {} more classes\n", path, change, lines.size() - shown);
}

}  // namespace

std::string SupportMapFile::Open(const std::string& path, bool update, bool all_cases) {
  path_ = path;
  if (path.empty()) return update ? "--update-support-map: needs the file to update; add --support-map FILE" : "";
  if (update && !all_cases) {
    return fmt::format(
        "--update-support-map: {} would lose the cases that are not selected; leave out --suite, --filter, --shard, "
        "--budget and cases given by hand",
        path);
  }
  if (update) return output_.Open(path);
  const auto text = ReadWholeFile(path, kMostBytesOfList);
  if (!text) {
    return fmt::format("{}: cannot be read: {}; expected a support map, which --update-support-map writes", path,
                       std::strerror(errno));
  }
  auto read = ReadPinnedSupport(*text);
  if (const auto* error = std::get_if<std::string>(&read)) return fmt::format("{}: {}", path, *error);
  pinned_ = std::get<PinnedSupport>(std::move(read));
  return "";
}

int SupportMapFile::Close(const SupportMap& now, const std::string& backend, bool whole) {
  if (path_.empty()) return kExitConforms;
  if (output_.is_open()) {
    if (!whole) return UsageError(fmt::format("{}: not written, because cases of the run have no verdict", path_));
    const std::string error = output_.Commit(PinnedSupportText(PinnedSupportOf(now), backend));
    if (!error.empty()) return UsageError(error);
    fmt::print("{}: {} classes of operators written, {} of {} cases supported\n", path_, now.classes.size(),
               now.all.supported, now.all.total);
    return kExitConforms;
  }
  const SupportChanges changes = CompareSupport(pinned_, now);
  PrintChanges(path_, "lost support", changes.lost);
  PrintChanges(path_, "gained support", changes.gained);
  if (!changes.lost.empty()) {
    fmt::print("{}: support was lost; restore it, or run with --update-support-map\n", path_);
    return kExitFailures;
  }
  if (changes.gained.empty()) return kExitConforms;
  fmt::print("{}: support was gained; run with --update-support-map to keep it\n", path_);
  return kExitExpectations;
}

}  // namespace conformance
