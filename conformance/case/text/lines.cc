// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the last lines of a text that are not blank, from the end of the text backwards.

#include "conformance/case/text/lines.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace conformance {

std::string LastLines(std::string_view text) {
  // Guesses: so much fits below a failure in a report, and libraries write why they stop at the end.
  constexpr std::size_t kMostLines = 5;
  constexpr std::size_t kMostBytes = 300;  // most bytes of a line
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < kMostLines) {
    const std::size_t begin = text.rfind('\n') + 1;  // npos + 1 is 0
    std::string_view line = text.substr(begin);
    text = text.substr(0, begin == 0 ? 0 : begin - 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    line.remove_prefix(first);
    if (line.starts_with("at ")) continue;  // a stack frame of JavaScript
    lines.emplace_back(line.substr(0, std::min(kMostBytes, line.find_last_not_of(" \t\r") + 1)));
  }
  std::ranges::reverse(lines);
  return fmt::format("{}", fmt::join(lines, " | "));
}

}  // namespace conformance
