// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the readers of the process protocol, by which a backend that is a command sends its answers as lines
// of JSON. A broken backend may send anything. Each reader must refuse the line, or return values within its limits.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "conformance/backends/process_messages.h"
#include "conformance/interface/deconv_backend.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::int64_t kId = 1;  // the number of the request that the line must answer
  const std::string_view line(reinterpret_cast<const char*>(bytes), size);
  const auto described = conformance::ReadDescribeAnswer(line, kId);
  if (const auto* description = std::get_if<conformance::ProcessDescription>(&described)) {
    fuzz::Require(!description->name.empty(), "a description without a name was taken");
    fuzz::Require(!description->dialects.empty(), "a description without dialects was taken");
  }
  for (const auto& read : {conformance::ReadRunAnswer(line, kId), conformance::ReadResolveAnswer(line, kId)}) {
    if (const auto* answer = std::get_if<conformance::ProcessAnswer>(&read)) {
      fuzz::Require(answer->dims.size() <= DECONV_BACKEND_MAX_RANK,
                    "more dimensions were taken than an answer has room for");
    }
  }
  return 0;
}
