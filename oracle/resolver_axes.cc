// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the formulas that the resolvers of all dialects share: sizes and pads along one axis, and the byte counts
// of the three tensors. A resolver computes sizes and pads from attributes; a dialect is one reading of the attributes.
// Ids such as P1 are clauses, the numbered rules of oracle/clauses.md.
//
// Example of an axis: data 3, kernel 3, stride 2, dilation 1, output_padding 0.
//   extent = (3-1)*1+1 = 3, the coordinates that a dilated kernel covers
//   span = 2*(3-1) = 4, the distance from the kernel's first to its last position in the output
//   natural = span + extent + output_padding = 7, the output size without pads
//   If an output of 6 is asked for: total = 7 - 6 = 1, which the dialect splits into pads_begin and pads_end

#include <algorithm>
#include <utility>

#include "oracle/resolver.h"

namespace oracle {

bool Resolver::ComputeNaturalSize(std::size_t j) {
  const Axis& this_axis = axis(j);
  const Wide extent = (Wide{this_axis.kernel} - 1) * this_axis.dilation + 1;
  const bool counts_as_one = this_axis.data == 0 && size_rules_.empty_data_count_as_one;
  const std::int64_t data = counts_as_one ? 1 : this_axis.data;
  const Wide span = Wide{this_axis.stride} * (Wide{data} - 1);
  if (counts_as_one) RecordStep("P27", [&] { return AxisText(j) + "0 data elements have the natural size of 1"; });
  const auto formula = [&] {
    return Text(this_axis.stride) + "*(" + Text(data) + "-1) + (" + Text(this_axis.kernel) + "-1)*" +
           Text(this_axis.dilation) + "+1";
  };
  if (!FitsInt64(extent) || !FitsInt64(span) || !FitsInt64(extent + span) ||
      !FitsInt64(extent + span + output_padding[j])) {
    return Refuse("O2", AxisText(j) + "natural size " + formula() + " + output_padding " + Text(output_padding[j]) +
                            ", expected a number below 2^63");
  }
  natural_sizes_[j] = static_cast<std::int64_t>(extent + span + output_padding[j]);
  RecordStep("P1", [&] {
    return AxisText(j) + "natural = " + formula() + " = " + Text(static_cast<std::int64_t>(extent + span));
  });
  return true;
}

bool Resolver::ComputeTotalPads(std::size_t j, std::int64_t& total) {
  const Wide wide_total = Wide{natural_sizes_[j]} - axis(j).output;
  const std::int64_t without_padding = natural_sizes_[j] - output_padding[j];
  const auto formula = [&] {
    return OperandText(without_padding) + " + " + Text(output_padding[j]) + " - " + Text(axis(j).output);
  };
  if (!FitsInt64(wide_total))
    return Refuse("O2", AxisText(j) + "total " + formula() + ", expected a number that fits 64 bits");
  total = static_cast<std::int64_t>(wide_total);
  RecordStep("P1", [&] { return AxisText(j) + "total = " + formula() + " = " + Text(total); });
  return true;
}

bool Resolver::SetComputedOutput(std::size_t j, std::int64_t size, const std::string& formula) {
  if (size < 1) {
    const std::string found = "output: size " + formula + " = " + Text(size) + " along " + SpatialAxis(j);
    if (size < 0) return Refuse("P16", found + ", expected at least 1");
    AddOpenPoint("a calculated output size of 0", found);
  }
  axis(j).output = size;
  return true;
}

bool Resolver::SetOutputAndPads(std::size_t j, CitedClause clause, std::int64_t begin, std::int64_t end) {
  const Wide size = Wide{natural_sizes_[j]} - begin - end;
  const std::int64_t without_padding = natural_sizes_[j] - output_padding[j];
  const auto formula = [&] {
    return OperandText(without_padding) + " - " + Text(begin) + " - " + Text(end) + " + " + Text(output_padding[j]);
  };
  if (!FitsInt64(size))
    return Refuse("O2", AxisText(j) + "output = " + formula() + ", expected a number that fits 64 bits");
  const auto output = static_cast<std::int64_t>(size);
  if (!SetComputedOutput(j, output, formula())) return false;
  RecordStep(clause, [&] { return AxisText(j) + "output = " + formula() + " = " + Text(output); });
  return SetPads(j, clause, [&] { return "pads_begin = " + Text(begin); }, begin);
}

bool Resolver::StorePads(std::size_t j, std::int64_t begin) {
  Axis& this_axis = axis(j);
  const Wide end = Wide{natural_sizes_[j]} - this_axis.output - begin;
  if (!FitsInt64(end) || !FitsInt64(Wide{this_axis.output} + begin)) {
    std::string message = AxisText(j) + "pads_begin " + Text(begin) + " with output size " + Text(this_axis.output) +
                          ", expected coordinates below 2^63";
    if (!size_rules_.far_pads_are_undefined) return Refuse("O2", std::move(message));
    return RefuseUndefined("O2", "pads_begin of OpenVINO's library beyond 63 bits", std::move(message));
  }
  this_axis.pads_begin = begin;
  this_axis.pads_end = static_cast<std::int64_t>(end);
  return true;
}

void Resolver::RecordPadsEnd(std::size_t j) {
  RecordStep("P17", [&] { return AxisText(j) + "pads_end = " + Text(axis(j).pads_end); });
}

bool Resolver::CheckByteCount(std::string_view name, const Dims& dims, std::int64_t inner, std::int64_t outer,
                              std::int64_t Axis::* size) {
  // Where all factors together fit, the products of some of them fit, too. Loops and memory strides need such products.
  Dims factors = {geometry_.groups, inner, outer};
  for (const Axis& each_axis : geometry_.axes) factors.push_back(each_axis.*size);
  Wide bytes = static_cast<Wide>(ElementBytes(geometry_.type));
  for (const std::int64_t factor : factors) {
    // Both factors are below 2^63, so the product is below 2^126 and fits. A factor 0 counts as 1, because the other
    // sizes of an empty tensor may exceed 63 bits, too.
    bytes *= std::max<std::int64_t>(factor, 1);
    if (FitsInt64(bytes)) continue;
    const std::string found = std::string(name) + ": shape " + Text(dims) + " in " + Text(geometry_.groups) +
                              " groups of " + std::string(ElementTypeName(geometry_.type));
    if (std::ranges::find(factors, 0) == factors.end()) return Refuse("O1", found + ", expected less than 2^63 bytes");
    AddOpenPoint("an empty tensor with sizes whose product exceeds 63 bits", found);
    return true;
  }
  return true;
}

Resolution Resolver::TakeResolution() {
  if (CheckByteCount("data", op_.data.dims, geometry_.batch, geometry_.in_channels, &Axis::data) &&
      CheckByteCount("filter", op_.filter.dims, geometry_.in_channels, geometry_.out_channels, &Axis::kernel) &&
      CheckByteCount("output", geometry_.OutputDims(), geometry_.batch, geometry_.out_channels, &Axis::output)) {
    RecordStep("O1", [&] { return "output shape " + Text(geometry_.OutputDims()); });
    resolution_.geometry = std::move(geometry_);
  }
  return std::move(resolution_);
}

}  // namespace oracle
