// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The first rule that an operator breaks. Both parts of the faultable implementation's resolver check rules with it.

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTABLE_BROKEN_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTABLE_BROKEN_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace conformance::faults {

/// A rule by name ("pads", "lengths:strides", ...) and what broke it.
struct Broken {
  std::string_view rule;
  std::string message;
};

/// Base of what checks rules and stops at the first one that is broken.
class RuleChecker {
 protected:
  /// `holds`; else the rule is noted as broken.
  bool Require(std::string_view rule, bool holds, std::string message) {
    if (holds) return true;
    broken_ = Broken{.rule = rule, .message = std::move(message)};
    return false;
  }

  std::optional<Broken> broken_;
};

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTABLE_BROKEN_H_
