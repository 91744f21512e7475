// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the first rule that an operator breaks. The two parts of the hooked implementation's resolver, for the
// whole operator and for one axis, check rules with this class.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_BROKEN_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_BROKEN_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace conformance::faults {

/// The name of a rule ("pads", "lengths:strides", ...) and a message that says what broke it.
struct Broken {
  std::string_view rule;
  std::string message;
};

/// Base class of resolvers, which stop at the first broken rule.
class RuleChecker {
 protected:
  /// Returns `holds`. If it is false, records the rule as broken.
  bool Require(std::string_view rule, bool holds, std::string message) {
    if (holds) return true;
    broken_ = Broken{.rule = rule, .message = std::move(message)};
    return false;
  }

  std::optional<Broken> broken_;
};

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_BROKEN_H_
