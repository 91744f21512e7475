// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of the backends (implementations of transposed convolution that the suite can judge) that are compiled into
// this program.

#include "conformance/backends/built_in_backends.h"

#include <algorithm>
#include <array>

namespace conformance {
namespace {

constexpr std::array kBuiltIn = {
#ifdef DECONV_HAS_KERNEL
    BuiltInBackend{
        "kernel",
        "the project's own library, deconv::kernel; \"kernel?target=AVX2&threads=2\" chooses the instruction set of "
        "its plans and the number of threads of its runs",
        OpenKernel},
#endif
    BuiltInBackend{"oracle", "the specification as plain loops: exact sums, rounded once", OpenOracle},
};

}  // namespace

std::span<const BuiltInBackend> BuiltInTable() { return kBuiltIn; }

std::pair<std::string_view, std::string_view> SplitName(std::string_view name) {
  const std::size_t question = name.find('?');
  if (question == std::string_view::npos) return {name, {}};
  return {name.substr(0, question), name.substr(question + 1)};
}

std::optional<std::variant<std::unique_ptr<Backend>, BackendError>> OpenBuiltIn(std::string_view name) {
  const auto [base, config] = SplitName(name);
  const auto* const found = std::ranges::find(kBuiltIn, base, &BuiltInBackend::name);
  if (found == kBuiltIn.end()) return std::nullopt;
  return CheckedBackend(base, found->open(config));
}

}  // namespace conformance
