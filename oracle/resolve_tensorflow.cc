// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Applies the rules for transposed convolution that only TensorFlow has. The oracle writes TensorFlow's operator as a
// ConvTranspose of ONNX, so resolve_onnx.cc calls these functions. TensorFlow requires the output shape. It accepts an
// output size if the forward convolution of such an output gives the size of the data. Example: data 3, stride 2,
// SAME_UPPER. It accepts the output sizes 5 and 6, because the forward convolution gives ceil(5/2) = ceil(6/2) = 3. Ids
// such as S8 are clauses, the numbered rules of oracle/clauses.md. "Open" means that a library may refuse the operator
// or compute it.

#include <algorithm>
#include <string>

#include "oracle/resolver.h"

namespace oracle {
namespace {

/// Whether `size` is one of the `count` sizes before+1, before+2, ...
bool IsWithin(std::int64_t size, Wide before, std::int64_t count) { return size > before && size <= before + count; }

}  // namespace

bool CheckTensorflowRules(Resolver& resolver, AutoPad mode) {
  constexpr std::size_t kMaxRank = 5;  // batch, channels, and three spatial axes
  const Operator& op = resolver.op();
  if (op.data.dims.size() > kMaxRank) {
    return resolver.Refuse("S21", "data: rank " + std::to_string(op.data.dims.size()) + ", expected 3 to 5");
  }
  if (mode == AutoPad::kSameLower)
    return resolver.Refuse("A22", "auto_pad: SAME_LOWER, expected NOTSET, SAME_UPPER or VALID");
  if (!op.output_shape_attribute.has_value()) {
    return resolver.Refuse("S22",
                           "output_shape: absent, expected " + std::to_string(resolver.spatial_rank()) + " values");
  }
  for (std::size_t j = 0; j < resolver.spatial_rank(); ++j) {
    if (resolver.output_padding[j] == 0) continue;
    return resolver.Refuse(
        "A23", "output_padding: " + Text(resolver.output_padding[j]) + " for " + SpatialAxis(j) + ", expected 0");
  }
  return true;
}

bool SetPadsByTensorflow(Resolver& resolver, std::size_t j, AutoPad mode) {
  const Axis& axis = resolver.axis(j);
  std::int64_t total = 0;
  if (!resolver.ComputeTotalPads(j, total)) return false;
  // Empty tensors are open (S8, S11), so their output size is not compared.
  const bool has_empty_tensor = axis.data == 0 || axis.output == 0;
  const std::string size = "output_shape: " + Text(axis.output) + " for " + SpatialAxis(j);
  if (mode == AutoPad::kSameUpper) {
    const Wide before = Wide{axis.stride} * (Wide{axis.data} - 1);
    if (!has_empty_tensor && !IsWithin(axis.output, before, axis.stride)) {
      return resolver.Refuse("P28", size + ", expected more than " + Text(axis.stride) + "*(" + Text(axis.data) +
                                        "-1) and at most " + Text(axis.stride) + "*" + Text(axis.data));
    }
    const std::int64_t begin = std::max<std::int64_t>(total, 0) / 2;
    return resolver.SetPads(
        j, "P28", [&] { return "pads_begin = max(" + Text(total) + ", 0) // 2 = " + Text(begin); }, begin);
  }
  const bool is_valid_mode = mode == AutoPad::kValid;
  const std::int64_t begin = is_valid_mode ? 0 : resolver.pads_begin[j];
  // The smallest size that is accepted is the natural size (without pads) less the pads. Sizes up to stride - 1 above
  // it are accepted, too (P29).
  const Wide least = Wide{resolver.natural_size(j)} - begin - (is_valid_mode ? 0 : resolver.pads_end[j]);
  if (!has_empty_tensor && !IsWithin(axis.output, least - 1, axis.stride)) {
    // VALID with one data element: TensorFlow's eager mode also computes the stride - 1 sizes just below `least`, and
    // XLA refuses them. So they are open (P29).
    if (!is_valid_mode || axis.data != 1 || !IsWithin(axis.output, least - axis.stride, axis.stride - 1)) {
      return resolver.Refuse("P29", size + ", expected at least " + OperandText(resolver.natural_size(j)) + " - " +
                                        Text(begin) + " - " + Text(is_valid_mode ? 0 : resolver.pads_end[j]) +
                                        ", and less than the stride " + Text(axis.stride) + " more");
    }
    resolver.AddOpenPoint("an output of TensorFlow that ends before a kernel on one data element does", size);
  }
  return resolver.SetPads(j, "P29", [&] { return "pads_begin = " + Text(begin); }, begin);
}

}  // namespace oracle
