// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Grows the sizes of an operator: one more sample in the batch, and one more data element along each axis.

#include "conformance/door/plan_reuse.h"

#include <cstdint>
#include <optional>
#include <span>

#include "oracle/element_type.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;

// Elements of the three tensors together: such a run costs no more than a request does anyway.
constexpr std::int64_t kMostElements = std::int64_t{1} << 16;

bool IsChannelsLast(const Operator& op) {
  return op.kind == oracle::OperatorKind::kConvolutionBackwardData && op.data_format.value_or("NXC") == "NXC";
}

// One more in the batch, of the output that is asked for too.
void GrowBatch(Operator& op) {
  op.data.dims.front() += 1;
  if (op.kind != oracle::OperatorKind::kConvolutionBackwardData) return;
  if (op.dst_shape && !op.dst_shape->empty()) op.dst_shape->front() += 1;
  if (op.output_shape && !op.output_shape->values.empty()) op.output_shape->values.front() += 1;
}

// One more data element along each axis. An output shape grows by the stride, so that the rest of the axis stays as it
// is where sizes have to agree.
void GrowSpatial(Operator& op) {
  const std::size_t axes = op.data.dims.size() - 2;
  const std::size_t first = IsChannelsLast(op) ? 1 : 2;
  for (std::size_t j = 0; j < axes; ++j) {
    op.data.dims[first + j] += 1;
    const std::int64_t stride = op.strides && op.strides->size() == axes ? (*op.strides)[j] : 1;
    const auto grow = [&](Dims& shape, std::size_t at) {
      if (at < shape.size()) shape[at] += stride;
    };
    const bool whole = op.kind == oracle::OperatorKind::kConvolutionBackwardData;
    if (op.output_shape) grow(op.output_shape->values, whole ? first + j : j);
    if (op.dst_shape && whole) grow(*op.dst_shape, first + j);
    if (op.output_shape_attribute) grow(*op.output_shape_attribute, j);
  }
}

}  // namespace

Operator SiblingOf(const Operator& op, oracle::Dialect dialect, const Capabilities& declared) {
  // Sums of this program must not overflow; what is as large as this is not run anyway.
  for (const std::int64_t dim : op.data.dims) {
    if (dim > INT32_MAX) return op;
  }
  for (const bool spatial : {true, false}) {
    Operator sibling = op;
    GrowBatch(sibling);
    if (spatial) GrowSpatial(sibling);
    if (sibling.output_shape && !sibling.output_shape->HoldsItsValues()) continue;
    if (Resolve(sibling, dialect).ok() && declared.Lacks(sibling).empty()) return sibling;
  }
  return op;
}

ScratchBuffers::ScratchBuffers(const Operator& op, oracle::Dialect dialect) {
  const oracle::Resolution resolution = Resolve(op, dialect);
  if (!resolution.ok()) return;
  const oracle::Geometry& geometry = *resolution.geometry;
  if (geometry.DataCount() > kMostElements || geometry.FilterCount() > kMostElements ||
      geometry.OutputCount() > kMostElements) {
    return;
  }
  const std::size_t element = oracle::ElementBytes(geometry.type);
  // An ordinary number in every type, and none of the data sets'.
  data_.assign(static_cast<std::size_t>(geometry.DataCount()) * element + 1, std::byte{0x3c});
  filter_.assign(static_cast<std::size_t>(geometry.FilterCount()) * element + 1, std::byte{0x3d});
  output_.assign(static_cast<std::size_t>(geometry.OutputCount()) * element + 1, std::byte{0xff});
}

RunBuffers ScratchBuffers::get() {
  return {.data = std::span<const std::byte>(data_).first(data_.size() - 1),
          .filter = std::span<const std::byte>(filter_).first(filter_.size() - 1),
          .output = std::span(output_).first(output_.size() - 1)};
}

}  // namespace conformance
