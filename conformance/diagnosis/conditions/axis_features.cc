// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the features of one spatial axis: its attributes, its sizes, and how these numbers relate to each other. A
// feature is a number or a yes-or-no property; conditions of failures are statements about features. The last number of
// a line is the cost: of two features that explain the failures equally well, the cheaper one is named.

#include <algorithm>
#include <cstdint>

#include "conformance/case/checked.h"
#include "conformance/diagnosis/conditions/feature_sink.h"

namespace conformance {

void CollectAxis(const SketchAxis& axis, const oracle::Axis& resolved, FeatureSink& sink) {
  sink.Size("data size", axis.data);
  sink.Size("kernel", axis.kernel);
  sink.Size("stride", axis.stride);
  sink.Size("dilation", axis.dilation);
  sink.Number("pads_begin", axis.pads_begin);
  sink.Number("pads_end", axis.pads_end);
  sink.Number("output_padding", axis.output_padding);
  sink.Number("output shape beyond the size that the attributes give", axis.shape_excess, 1.08);
  sink.Flag("the output shape is not the size that the attributes give", axis.shape_excess != 0, 1.08);
  sink.Size("output size", resolved.output);
  sink.Number("resolved pads_begin", resolved.pads_begin, 1.02);
  const std::int64_t total = ClampedSum(resolved.pads_begin, resolved.pads_end);
  sink.Size("total of the resolved pads", total, 1.04);
  const std::int64_t dilated = ClampedProduct({ClampedDifference(axis.kernel, 1), axis.dilation});
  const std::int64_t extent = ClampedSum(dilated, 1);
  const std::int64_t data_extent = ClampedProduct({ClampedDifference(axis.data, 1), axis.stride});
  sink.Number("extent of the dilated kernel", extent, 1.05);
  sink.Number("taps of a phase", axis.stride > 0 ? axis.kernel / axis.stride : kNoValue, 1.1);
  sink.Number("distance of pads_end from pads_begin", ClampedDifference(axis.pads_end, axis.pads_begin), 1.1);
  const std::int64_t output = resolved.output;
  const std::int64_t natural = ClampedSum(data_extent, extent);
  sink.Flag("kernel < stride", axis.kernel < axis.stride);
  sink.Flag("kernel > data size", axis.kernel > axis.data);
  sink.Flag("extent of the dilated kernel > data size", extent > axis.data, 1.1);
  sink.Flag("stride > data size", axis.stride > axis.data);
  sink.Flag("dilation > data size", axis.dilation > axis.data, 1.06);
  sink.Flag("dilation > stride", axis.dilation > axis.stride, 1.1);
  sink.Flag("dilation == stride", axis.dilation == axis.stride, 1.1);
  sink.Flag("kernel > dilation", axis.kernel > axis.dilation, 1.12);
  sink.Flag("kernel == data size", axis.kernel == axis.data, 1.1);
  sink.Flag("kernel > data size * stride", axis.kernel > ClampedProduct({axis.data, axis.stride}), 1.1);
  sink.Flag("kernel == stride", axis.kernel == axis.stride, 1.1);
  sink.Flag("pads_begin >= kernel", axis.pads_begin >= axis.kernel, 1.1);
  sink.Flag("pads_begin >= stride", axis.pads_begin >= axis.stride, 1.1);
  sink.Flag("output_padding >= dilation", axis.output_padding >= axis.dilation, 1.1);
  sink.Flag("output size < stride", output < axis.stride, 1.06);
  sink.Flag("output size < kernel", output < axis.kernel, 1.08);
  sink.Flag("output size < extent of the dilated kernel", output < extent, 1.08);
  sink.Flag("output size < data size", output < axis.data, 1.08);
  sink.Flag("output size == data size", output == axis.data, 1.1);
  const std::int64_t padded = ClampedSum(axis.data, ClampedSum(axis.pads_begin, axis.pads_end));
  sink.Flag("extent of the dilated kernel > data size and pads", extent > padded, 1.1);
  sink.Flag("output_padding >= stride", axis.output_padding >= axis.stride);
  sink.Flag("output_padding >= stride or dilation", axis.output_padding >= std::min(axis.stride, axis.dilation), 1.07);
  sink.Flag("output_padding >= the larger of stride and dilation",
            axis.output_padding >= std::max(axis.stride, axis.dilation), 1.07);
  sink.Flag("pads_begin != pads_end", axis.pads_begin != axis.pads_end);
  sink.Flag("pads_begin > pads_end", axis.pads_begin > axis.pads_end, 1.1);
  sink.Flag("output_padding == pads_begin", axis.output_padding == axis.pads_begin, 1.1);
  sink.Flag("pads_begin >= extent of the dilated kernel", axis.pads_begin >= extent, 1.06);
  // Such pads centre an even kernel, as `same_lower` does with stride 1.
  sink.Flag("extent of the dilated kernel == 2 * pads_begin", extent == ClampedSum(axis.pads_begin, axis.pads_begin),
            1.1);
  sink.Flag("pads_end >= extent of the dilated kernel", axis.pads_end >= extent, 1.06);
  sink.Flag("resolved pads_begin >= extent of the dilated kernel", resolved.pads_begin >= extent, 1.08);
  sink.Flag("resolved pads_begin != pads_begin", resolved.pads_begin != axis.pads_begin, 1.1);
  sink.Flag("resolved pads_end != pads_end", resolved.pads_end != axis.pads_end, 1.1);
  sink.Flag("resolved pads_begin != resolved pads_end", resolved.pads_begin != resolved.pads_end, 1.1);
  sink.Flag("the total of the pads is odd and negative", total < 0 && total % 2 != 0, 1.1);
  const std::int64_t half = total >= 0 ? total / 2 : -(ClampedDifference(1, total) / 2);
  sink.Flag("resolved pads_begin != half of the total, rounded down", resolved.pads_begin != half, 1.09);
  sink.Flag("resolved pads_begin != half of the total, rounded up",
            resolved.pads_begin != ClampedDifference(total, half), 1.09);
  sink.Flag("there are neither pads nor output_padding",
            resolved.pads_begin == 0 && axis.output_padding == 0 && output == natural, 1.05);
  sink.Flag("output size > natural size", output > natural, 1.1);
  sink.Flag("output size < natural size", output < natural, 1.1);
  sink.Flag("output size > natural size + output_padding", output > ClampedSum(natural, axis.output_padding), 1.1);
  sink.Flag("output size != data size * stride", output != ClampedProduct({axis.data, axis.stride}), 1.12);
  sink.Flag("stride and dilation have a common divisor", CommonDivisor(axis.stride, axis.dilation) > 1);
  sink.Flag("the stride does not divide the kernel", axis.stride > 0 && axis.kernel % axis.stride != 0, 1.08);
  sink.Flag("the stride divides resolved pads_begin", axis.stride > 0 && resolved.pads_begin % axis.stride == 0, 1.1);
  sink.Number("kernel modulo stride", axis.stride > 0 ? axis.kernel % axis.stride : kNoValue, 1.12);
  sink.Number("common divisor of stride and dilation", CommonDivisor(axis.stride, axis.dilation), 1.12);
  // The end of the outputs to which the last tap can contribute.
  const std::int64_t reached = ClampedDifference(natural, resolved.pads_begin);
  sink.Flag("an output lies past the reach of the last tap", output > reached, 1.1);
  sink.Number("number of outputs past the reach of the last tap", ClampedDifference(output, reached), 1.15);
}

}  // namespace conformance
