// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends an operator to the resolver of its dialect. A resolver turns attributes into sizes and pads; there is one for
// each family of dialects (readings of the attributes). The file also counts the elements of a resolved operator.

#include "oracle/resolve.h"

#include <algorithm>
#include <string>

#include "oracle/resolver.h"

namespace oracle {
namespace {

/// The number of elements: 0 for an empty tensor, even if the product of its other sizes exceeds 64 bits.
std::int64_t ElementCount(const Dims& dims) {
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t dim : dims) product *= dim;
  return product;
}

}  // namespace

Dims Geometry::OutputDims() const {
  Dims dims = {batch};
  if (layout == DataLayout::kNcx) dims.push_back(groups * out_channels);
  for (const Axis& axis : axes) dims.push_back(axis.output);
  if (layout == DataLayout::kNxc) dims.push_back(groups * out_channels);
  return dims;
}

std::int64_t Geometry::DataCount() const {
  Dims dims = {batch, groups, in_channels};
  for (const Axis& axis : axes) dims.push_back(axis.data);
  return ElementCount(dims);
}

std::int64_t Geometry::FilterCount() const {
  Dims dims = {groups, in_channels, out_channels};
  for (const Axis& axis : axes) dims.push_back(axis.kernel);
  return ElementCount(dims);
}

std::int64_t Geometry::OutputCount() const { return ElementCount(OutputDims()); }

Resolution Resolve(const Operator& op, Dialect dialect, StepTexts texts) {
  if (!Defines(dialect, op.kind)) {
    Resolver resolver(op, texts);
    resolver.Refuse("D1", "operator: " + std::string(OperatorKindName(op.kind)) + ", expected one that dialect " +
                              std::string(DialectName(dialect)) + " defines");
    return resolver.TakeRefusal();
  }
  switch (dialect) {
    case Dialect::kOnednnSpec:
    case Dialect::kOnednnRuntime:
      return ResolveOnednn(op, dialect, texts);
    case Dialect::kOnnx1:
    case Dialect::kOnnx11:
    case Dialect::kOnnxruntime:
    case Dialect::kOnnx22:
    case Dialect::kTensorflow:
      return ResolveOnnx(op, dialect, texts);
    case Dialect::kOpenvinoSpec:
    case Dialect::kOpenvinoRuntime:
      return ResolveOpenvino(op, dialect, texts);
  }
  return {};
}

}  // namespace oracle
