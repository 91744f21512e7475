// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the parser of case lines, texts such as "ConvTranspose:data=1,1,5:filter=1,1,3" that describe an
// operator and its values. The parser must refuse a text, or make a case of it. Written as a line again, that case must
// parse to the same case.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "conformance/case/case.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto parsed = conformance::ParseCaseLine({reinterpret_cast<const char*>(bytes), size});
  if (const auto* test_case = std::get_if<conformance::Case>(&parsed)) fuzz::RequireLineParsesBack(*test_case);
  return 0;
}
