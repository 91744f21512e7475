// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups imported layers by their case line, and prints each group as one line with the names of its layers.

#include "conformance/formats/case_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "conformance/formats/load_file.h"

namespace conformance::formats {

void CaseList::Add(const ImportedModel& model, const std::string& origin) {
  for (const ImportedLayer& layer : model.layers) {
    ++layers_;
    std::string line = ToLine(layer.test_case);
    const auto [at, is_new] = indices_.try_emplace(line, entries_.size());
    if (is_new) entries_.push_back({std::move(line), {}});
    entries_[at->second].names.push_back(fmt::format("{}: {}", OneLine(origin), OneLine(layer.name)));
  }
}

std::string CaseList::Text() const {
  // A net of hundreds of equal blocks would make the line unreadable.
  constexpr std::size_t kMostNames = 4;
  std::string text = fmt::format("# {} layers, {} different cases\n", layers_, entries_.size());
  for (const Entry& entry : entries_) {
    text += entry.line;
    text += entry.names.size() == 1 ? "  # " : fmt::format("  # {} layers: ", entry.names.size());
    for (std::size_t i = 0; i < std::min(kMostNames, entry.names.size()); ++i) {
      text += (i == 0 ? "" : ", ") + entry.names[i];
    }
    if (entry.names.size() > kMostNames) text += ", ...";
    text += '\n';
  }
  return text;
}

}  // namespace conformance::formats
