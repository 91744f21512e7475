// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the reader of the suite's JSON reports, which have one line for each case that was judged. The reader
// must refuse the text, or return at most as many cases as the text has lines.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "conformance/report/json.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto read = conformance::ReadJsonReport(text);
  if (const auto* content = std::get_if<conformance::ReportContent>(&read)) {
    std::size_t cases = 0;
    for (const conformance::RunRecord& run : content->runs) cases += run.results.size();
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    fuzz::Require(cases <= lines, "a report has more cases than lines");
  }
  return 0;
}
