// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Every text must be refused as a file of expectations, or it can be rewritten without any of its entries and read
// again as a file with none.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/run/expectations.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view toml(reinterpret_cast<const char*>(bytes), size);
  const auto read = conformance::ReadExpectations(toml);
  if (const auto* expectations = std::get_if<std::vector<conformance::Expectation>>(&read)) {
    std::vector<std::size_t> all(expectations->size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::string rest = conformance::UpdatedExpectations(toml, *expectations, all, {});
    const auto again = conformance::ReadExpectations(rest);
    const auto* none = std::get_if<std::vector<conformance::Expectation>>(&again);
    fuzz::Require(none != nullptr && none->empty(), "entries were taken out of a file, and what is left is: " + rest);
  }
  return 0;
}
