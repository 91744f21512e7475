// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the hash over the ids and lines of the cases.

#include "conformance/suite/case_lists/list_hash.h"

#include <fmt/format.h>

namespace conformance {

void ListHash::Add(std::string_view id, std::string_view line) {
  hash_.Add(id);
  hash_.Add("\t");
  hash_.Add(line);
  hash_.Add("\n");
}

std::string ListHash::Text() const { return fmt::format("{:016x}", hash_.value()); }

std::string HashOf(const std::vector<SuiteCase>& case_list) {
  ListHash hash;
  for (const SuiteCase& listed : case_list) hash.Add(listed.suite + "/" + listed.name, ToLine(listed.test_case));
  return hash.Text();
}

}  // namespace conformance
