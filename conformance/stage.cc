// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See stage.h.

#include "conformance/stage.h"

#include <functional>
#include <string_view>

#include "conformance/filter_file.h"

namespace conformance {
namespace {

std::size_t HashOf(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

const oracle::Resolution& Stage::Resolve(const oracle::Operator& op, oracle::Dialect dialect) {
  if (!resolved_ || resolved_->dialect != dialect || resolved_->op != op) {
    resolved_ = Resolved{op, dialect, oracle::Resolve(op, dialect)};
  }
  return resolved_->resolution;
}

std::size_t Stage::HashOfInputs() {
  return HashOf(arena_.buffer(kDataBuffer)) ^ (HashOf(arena_.buffer(kFilterBuffer)) * 31);
}

bool Stage::InputsAreUntouched() { return HashOfInputs() == inputs_hash_; }

bool Stage::Stands(const Case& test_case, const oracle::Geometry& geometry) {
  return expected_ && resizes_ == arena_.resizes() && case_ == test_case && expected_->geometry() == geometry &&
         InputsAreUntouched();
}

std::string Stage::SetUp(const Case& test_case, const oracle::Geometry& geometry) {
  if (Stands(test_case, geometry)) {
    arena_.Place(Placement::kAgainstEnd);
    arena_.FillCanaries();
    return {};
  }
  expected_.reset();
  const std::uint64_t element = oracle::ElementBytes(geometry.type);
  ArenaLayout layout;
  layout.bytes = {geometry.DataCount() * element, geometry.FilterCount() * element, geometry.OutputCount() * element};
  if (!arena_.Resize(layout)) return "the runner cannot get memory for the buffers";
  const auto data = arena_.buffer(kDataBuffer);
  const auto filter = arena_.buffer(kFilterBuffer);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kData, data);
  if (test_case.filter_values) {
    if (std::string error = ReadFilter(*test_case.filter_values, geometry, filter); !error.empty()) return error;
  } else {
    FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
  }
  case_ = test_case;
  expected_.emplace(oracle::Operands(geometry, data, filter));
  resizes_ = arena_.resizes();
  inputs_hash_ = HashOfInputs();
  return {};
}

}  // namespace conformance
