// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves what is TensorFlow's own in ConvTranspose: the output shape is required, and each mode takes the sizes of
// output whose forward convolution gives the size of the data.

#include <algorithm>
#include <string>

#include "oracle/resolver.h"

namespace oracle {
namespace {

/// The sizes after `before`, and `stride` of them: before < size <= before + stride.
bool IsWithin(std::int64_t size, Wide before, std::int64_t stride) { return size > before && size <= before + stride; }

}  // namespace

bool CheckTensorflow(Resolver& r, AutoPad mode) {
  constexpr std::size_t kMaxRank = 5;
  const Operator& op = r.op();
  if (op.data.dims.size() > kMaxRank) {
    return r.Refuse("S21", "data: rank " + std::to_string(op.data.dims.size()) + ", expected 3 to 5");
  }
  if (mode == AutoPad::kSameLower) return r.Refuse("A22", "auto_pad: SAME_LOWER, expected NOTSET, SAME_UPPER or VALID");
  if (!op.output_shape_attribute.has_value()) {
    return r.Refuse("S22", "output_shape: absent, expected " + std::to_string(r.spatial_rank()) + " values");
  }
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    if (r.output_padding[j] == 0) continue;
    return r.Refuse("A23", "output_padding: " + Text(r.output_padding[j]) + " for " + SpatialAxis(j) + ", expected 0");
  }
  return true;
}

bool AlignTensorflow(Resolver& r, std::size_t j, AutoPad mode) {
  const Axis& a = r.axis(j);
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  const bool empty = a.data == 0 || a.output == 0;  // S8 and S11 leave these open, with any size
  const std::string size = "output_shape: " + Text(a.output) + " for " + SpatialAxis(j);
  if (mode == AutoPad::kSameUpper) {
    const Wide before = Wide{a.stride} * (Wide{a.data} - 1);
    if (!empty && !IsWithin(a.output, before, a.stride)) {
      return r.Refuse("P28", size + ", expected more than " + Text(a.stride) + "*(" + Text(a.data) +
                                 "-1) and at most " + Text(a.stride) + "*" + Text(a.data));
    }
    const std::int64_t begin = std::max<std::int64_t>(total, 0) / 2;
    return r.SetBegin(
        j, "P28", [&] { return "pads_begin = max(" + Text(total) + ", 0) // 2 = " + Text(begin); }, begin);
  }
  const bool valid = mode == AutoPad::kValid;
  const std::int64_t begin = valid ? 0 : r.pads_begin[j];
  const Wide least = Wide{r.natural(j)} - begin - (valid ? 0 : r.pads_end[j]);
  if (!empty && !IsWithin(a.output, least - 1, a.stride)) {
    if (!valid || a.data != 1 || !IsWithin(a.output, least - a.stride, a.stride - 1)) {
      return r.Refuse("P29", size + ", expected at least " + Operand(r.natural(j)) + " - " + Text(begin) + " - " +
                                 Text(valid ? 0 : r.pads_end[j]) + ", and less than the stride " + Text(a.stride) +
                                 " more");
    }
    r.LeaveOpen("an output of TensorFlow that ends before a kernel on one data element does", size);
  }
  return r.SetBegin(j, "P29", [&] { return "pads_begin = " + Text(begin); }, begin);
}

}  // namespace oracle
