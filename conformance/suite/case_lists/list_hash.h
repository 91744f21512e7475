// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The hash of a case list. Reports show it, and shards of a run can be merged only if their hashes are equal.

#ifndef DECONV_CONFORMANCE_SUITE_CASE_LISTS_LIST_HASH_H_
#define DECONV_CONFORMANCE_SUITE_CASE_LISTS_LIST_HASH_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/text/fnv.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// FNV-1a over the id and the line of each case, in the order of the list. It detects accidents, not forgery.
class ListHash {
 public:
  void Add(std::string_view id, std::string_view line);
  std::string Text() const;  ///< 16 hexadecimal digits

 private:
  Fnv1a hash_;
};

std::string HashOf(const std::vector<SuiteCase>& case_list);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_CASE_LISTS_LIST_HASH_H_
