// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the file of known failures (expectations) or of a support map (which operators a backend supports), compares it
// with the runs, and writes it back on request. Lost support is a failure. Gained support asks for an update of the
// file.

#include "conformance/cli/pinned_files.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/files.h"
#include "conformance/cli/exit_code.h"

namespace conformance {

std::string ExpectationsFile::Open(const std::string& path, bool update) {
  path_ = path;
  if (path.empty()) return update ? "--update-expectations: needs the file to update; add --expect FILE" : "";
  auto text = ReadWholeFile(path, kMostBytesOfList);
  const bool is_new = !text && errno == ENOENT;
  if (!text && !(update && is_new)) {
    return fmt::format("{}: cannot be read: {}; expected a TOML file of known failures", path, std::strerror(errno));
  }
  text_ = std::move(text).value_or("");
  auto read = ReadExpectations(text_);
  if (const auto* error = std::get_if<std::string>(&read)) return fmt::format("{}: {}", path, *error);
  entries_ = std::get<std::vector<Expectation>>(std::move(read));
  return update ? output_.Open(path) : "";
}

namespace {

std::chrono::year_month_day Today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

}  // namespace

std::size_t ExpectationsFile::ComplaintsOf(std::span<const RunRecord> runs) const {
  return Reconcile(entries_, Today(), runs).complaints.size();
}

bool ExpectationsFile::has_causes() const {
  return std::ranges::any_of(entries_, [](const Expectation& entry) { return !entry.cause.empty(); });
}

int ExpectationsFile::Close(std::span<const RunRecord> runs, Reach reach) {
  const Reconciled reconciled = Reconcile(entries_, Today(), runs);
  for (const auto* lines : {&reconciled.differences, &reconciled.complaints}) {
    for (const std::string& line : *lines) fmt::print("{}: {}\n", path_, line);
  }
  const int exit_code = reconciled.complaints.empty() ? kExitConforms : kExitExpectations;
  if (exit_code != kExitConforms) {
    fmt::print("{}: stale or expired entries break the gate; {}\n", path_,
               output_.is_open() ? "remove by hand those that the update leaves, as of cases that are not in the suite"
                                 : "remove them, or run with --update-expectations");
  }
  if (!output_.is_open() || runs.empty()) return exit_code;
  const ExpectationsUpdate update = PlanUpdate(entries_, reconciled, runs, reach);
  const std::string updated = UpdatedExpectations(text_, entries_, update);
  const auto read = ReadExpectations(updated);
  const auto* entries = std::get_if<std::vector<Expectation>>(&read);
  const std::size_t expected = update.SizeAfter(entries_.size());
  std::string error;
  if (entries == nullptr || entries->size() != expected) {
    error = fmt::format("{}: the new entries do not fit into this file, so it was not changed; edit it by hand", path_);
  } else {
    error = output_.Commit(updated);
  }
  if (!error.empty()) return UsageError(error);
  fmt::print("{}: {} entries removed, {} added{}{}\n", path_, update.removed.size(), update.added.size(),
             update.divided.empty() ? "" : fmt::format(", {} split", update.divided.size()),
             update.recounted.empty() ? "" : fmt::format(", {} with a new count", update.recounted.size()));
  if (update.added.size() < reconciled.unexpected.size()) {
    fmt::print("{}: the new entries expect {} failures; write their reasons\n", path_, reconciled.unexpected.size());
  }
  return exit_code;
}

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
