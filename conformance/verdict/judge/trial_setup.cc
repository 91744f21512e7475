// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lays out and fills the buffers of a case. If the next case is the same, its buffers are used again.

#include "conformance/verdict/judge/trial_setup.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "conformance/case/given_values.h"

namespace conformance {
namespace {

std::size_t HashOfBytes(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// The largest buffer for a tensor of an invalid operator. A larger tensor gets no buffer: the backend should refuse the
// operator without reading it.
constexpr std::uint64_t kMostInvalidBytes = std::uint64_t{1} << 20;

}  // namespace

std::uint64_t BytesOfInvalid(const oracle::TensorType& tensor) {
  std::uint64_t bytes = oracle::ElementBytes(tensor.type);
  for (const std::int64_t dim : tensor.dims) {
    if (dim <= 0 || static_cast<std::uint64_t>(dim) > kMostInvalidBytes) return 0;
    bytes *= static_cast<std::uint64_t>(dim);
    if (bytes > kMostInvalidBytes) return 0;
  }
  return bytes;
}

const oracle::Resolution& TrialSetup::Resolve(const oracle::Operator& op, oracle::Dialect dialect) {
  if (!resolved_ || resolved_->dialect != dialect || resolved_->op != op) {
    resolved_ = Resolved{op, dialect, oracle::Resolve(op, dialect)};
  }
  return resolved_->resolution;
}

std::size_t TrialSetup::HashOfInputs() {
  return HashOfBytes(arena_.buffer(kDataBuffer)) ^ (HashOfBytes(arena_.buffer(kFilterBuffer)) * 31);
}

bool TrialSetup::InputsAreUntouched() { return HashOfInputs() == inputs_hash_; }

bool TrialSetup::IsSetUpFor(const Case& test_case, const oracle::Geometry& geometry) {
  return expected_ && resizes_ == arena_.resizes() && case_ == test_case && expected_->geometry() == geometry &&
         InputsAreUntouched();
}

bool TrialSetup::SetUpInvalid(const oracle::Operator& op) {
  expected_.reset();
  ArenaLayout layout;
  layout.bytes = {BytesOfInvalid(op.data), BytesOfInvalid(op.filter), 0};
  if (!arena_.Resize(layout)) return false;
  for (const std::size_t buffer : {kDataBuffer, kFilterBuffer}) std::ranges::fill(arena_.buffer(buffer), std::byte{0});
  inputs_hash_ = HashOfInputs();
  return true;
}

std::string TrialSetup::SetUp(const Case& test_case, const oracle::Geometry& geometry) {
  if (IsSetUpFor(test_case, geometry)) {
    arena_.Place(Placement::kAgainstEnd);
    arena_.FillCanaries();
    return {};
  }
  expected_.reset();
  const std::uint64_t element_bytes = oracle::ElementBytes(geometry.type);
  ArenaLayout layout;
  layout.bytes = {geometry.DataCount() * element_bytes, geometry.FilterCount() * element_bytes,
                  geometry.OutputCount() * element_bytes};
  if (!arena_.Resize(layout)) return std::string(kNoMemoryForBuffers);
  const auto data = arena_.buffer(kDataBuffer);
  const auto filter = arena_.buffer(kFilterBuffer);
  if (std::string error = FillOperands(test_case, geometry, data, filter); !error.empty()) return error;
  case_ = test_case;
  expected_.emplace(oracle::Operands(geometry, data, filter));
  resizes_ = arena_.resizes();
  inputs_hash_ = HashOfInputs();
  return {};
}

}  // namespace conformance
