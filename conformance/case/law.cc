// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks up laws by value and by name. A law is a relation between the outputs of related operators, such as linearity.

#include "conformance/case/law.h"

namespace conformance {
namespace {

// The functions below index kLaws by the value of the enumeration, so that the orders must be the same.
static_assert([] {
  for (std::size_t i = 0; i < kLaws.size(); ++i) {
    if (kLaws[i].value != static_cast<Law>(i)) return false;
  }
  return true;
}());

}  // namespace

std::string_view NameOf(Law law) { return kLaws[static_cast<std::size_t>(law)].name; }

std::string_view SentenceOf(Law law) { return kLaws[static_cast<std::size_t>(law)].sentence; }

std::optional<Law> ParseLaw(std::string_view name) { return FindNamed(kLaws, name); }

}  // namespace conformance
