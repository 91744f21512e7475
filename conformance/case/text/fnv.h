// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The 64-bit FNV-1a hash, a short hash function that any language can repeat. It identifies case lists and cases from
// run to run; it gives no security. The two constants are the prime and the offset basis of FNV-1a.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_FNV_H_
#define DECONV_CONFORMANCE_CASE_TEXT_FNV_H_

#include <cstdint>
#include <string_view>

namespace conformance {

class Fnv1a {
 public:
  void AddByte(std::uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001B3; }
  void Add(std::string_view text) {
    for (const char c : text) AddByte(static_cast<std::uint8_t>(c));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_FNV_H_
