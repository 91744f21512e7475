// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the hash over the ids and lines of the cases.

#include "conformance/case_lists/list_hash.h"

#include <fmt/format.h>

namespace conformance {

void ListHash::Add(std::string_view text) {
  for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
}

void ListHash::Add(std::string_view id, std::string_view line) {
  Add(id);
  Add("\t");
  Add(line);
  Add("\n");
}

std::string ListHash::Text() const { return fmt::format("{:016x}", hash_); }

std::string HashOf(const std::vector<SuiteCase>& case_list) {
  ListHash hash;
  for (const SuiteCase& planned : case_list) hash.Add(planned.suite + "/" + planned.name, ToLine(planned.test_case));
  return hash.Text();
}

}  // namespace conformance
