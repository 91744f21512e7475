// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Plants several faults in one backend, which is then wrong in several ways: "filter_flipped+bf16_truncated".

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {

/// The character between the names of faults.
inline constexpr char kAndAlso = '+';

/// One fault with the hooks of several. A fault that sets the same hook as an earlier one cannot be joined.
class CombinedFault {
 public:
  /// A fault that is not joined, and the earlier fault that sets the same hook.
  struct LeftOut {
    const Fault* fault = nullptr;
    const Fault* beside = nullptr;
  };

  /// Joins the faults in their order, as far as possible.
  explicit CombinedFault(std::span<const Fault* const> faults);
  CombinedFault(const CombinedFault&) = delete;
  CombinedFault& operator=(const CombinedFault&) = delete;

  const Fault& fault() const { return fault_; }
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  std::string name_;
  std::string sentence_;
  Fault fault_{};
  std::vector<LeftOut> left_out_;
};

/// The combination with this name, such as a user gives. It is made at the first call and never freed, as the rows of
/// the tables. Returns nullptr if a name is unknown, or if two faults set the same hook.
const Fault* FindCombinedFault(std::string_view names);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTS_COMBINED_FAULT_H_
