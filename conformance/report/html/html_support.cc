// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds two tables: the values of each dimension with their counts, and the reasons.

#include "conformance/report/html/html_support.h"

#include <string>

#include <fmt/format.h>

#include "conformance/report/html/html_element.h"
#include "conformance/report/printable.h"
#include "conformance/report/support/support_text.h"

namespace conformance {

void AddSupport(pugi::xml_node parent, const RunRecord& run) {
  const SupportMap map = SupportMapOf(run.results, run.declared);
  if (map.all.whole()) return;
  pugi::xml_node details = AddElement(parent, "details", "support");
  AddElement(details, "summary", "big", fmt::format("What is supported: {}", ShareText(map.all)));
  AddElement(details, "p", "note",
             fmt::format("The backend supports {} of {} cases of the operators that it declares.", map.all.supported,
                         map.all.total));
  pugi::xml_node table = AddTable(details, "words", {"", "", "supported", "cases", "share"});
  for (std::size_t i = 0; i < kSupportDimensions.size(); ++i) {
    for (const SupportMap::Value& value : map.ValuesOf(i)) {
      AddRow(table, {kSupportDimensions.at(i), value.name, std::to_string(value.count.supported),
                     std::to_string(value.count.total), ShareText(value.count)});
    }
  }
  pugi::xml_node reasons = AddTable(details, "words", {"cases", "reason", ""});
  for (const SupportReason& reason : map.reasons) {
    AddRow(reasons, {std::to_string(reason.cases), PrintableLine(reason.reason), SourceOf(reason)});
  }
}

}  // namespace conformance
