// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the products that one output sums. It reads the operator's formula backwards, from the output to the taps
// (elements of the filter) that contribute. Only explanations use this code; verdicts come from the oracle's loops.

#include "conformance/diagnosis/taps.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/given_values.h"
#include "conformance/diagnosis/conditions/axis_taps.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/result.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::Axis;
using oracle::Dims;
using oracle::ElementType;
using oracle::Geometry;

// At most 16 taps are shown. Tensors above 2^26 elements are not filled for one output.
constexpr std::size_t kShownTaps = 16;
constexpr std::int64_t kMostElements = std::int64_t{1} << 26;

std::string ProductText(std::uint64_t one, std::uint64_t other, ElementType type) {
  if (oracle::IsFloat(type))
    return fmt::format("{:.9g}", oracle::FloatValue(one, type) * oracle::FloatValue(other, type));
  // The product is reduced modulo 2^bits, as sums of integers are.
  const std::size_t bits = 8 * oracle::ElementBytes(type);
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return ElementText(one * other & mask, type);
}

/// The oracle's exact sum of the output, as text.
std::string SumText(const Geometry& geometry, std::span<const std::byte> data, std::span<const std::byte> filter,
                    const Dims& coordinate) {
  const Dims dims = geometry.OutputDims();
  std::int64_t flat = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) flat = flat * dims[i] + coordinate[i];
  Expected expected(oracle::Operands(geometry, data, filter));
  if (oracle::IsFloat(geometry.type)) {
    return ElementText(expected.Sums<oracle::FloatSum>({flat, 1}).front().bits, geometry.type);
  }
  return ElementText(expected.Sums<oracle::IntegerSum>({flat, 1}).front().wrapped, geometry.type);
}

struct AxisTap {
  std::int64_t data;
  std::int64_t tap;
};

/// The pairs of data element and tap that contribute to a position along one axis.
std::vector<AxisTap> TapsAlong(const Axis& axis, std::int64_t position) {
  std::vector<AxisTap> taps;
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    const std::int64_t element = DataElementAt(axis, position, tap);
    if (element >= 0) taps.push_back({element, tap});
  }
  return taps;
}

}  // namespace

TapsOfOutput TapsAt(const Geometry& geometry, const Dims& filter_dims, std::span<const std::byte> data,
                    std::span<const std::byte> filter, const Dims& coordinate, std::size_t most) {
  const bool last = geometry.layout == oracle::DataLayout::kNxc;
  const std::int64_t channel = last ? coordinate.back() : coordinate[1];
  const std::int64_t group = channel / geometry.out_channels;
  std::vector<std::vector<AxisTap>> along;
  TapsOfOutput result;
  result.count = geometry.in_channels;
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    along.push_back(TapsAlong(geometry.axes[j], coordinate[(last ? 1 : 2) + j]));
    result.count *= static_cast<std::int64_t>(along.back().size());
  }
  const std::size_t element = oracle::ElementBytes(geometry.type);
  const std::int64_t shown = std::min(result.count, static_cast<std::int64_t>(most));
  for (std::int64_t nth = 0; nth < shown; ++nth) {
    std::int64_t rest = nth;
    Dims position(geometry.axes.size());
    Dims tap(geometry.axes.size());
    for (std::size_t j = along.size(); j-- > 0;) {
      const auto size = static_cast<std::int64_t>(along[j].size());
      position[j] = along[j][static_cast<std::size_t>(rest % size)].data;
      tap[j] = along[j][static_cast<std::size_t>(rest % size)].tap;
      rest /= size;
    }
    const std::int64_t in = group * geometry.in_channels + rest;
    TapOfOutput found;
    found.data = {coordinate.front()};
    if (!last) found.data.push_back(in);
    std::ranges::copy(position, std::back_inserter(found.data));
    if (last) found.data.push_back(in);
    if (geometry.filter_layout == oracle::FilterLayout::kXoi) {
      found.filter = tap;
      found.filter.push_back(channel % geometry.out_channels);
      found.filter.push_back(in);
    } else {
      found.filter = geometry.filter_layout == oracle::FilterLayout::kGiox ? Dims{group, rest} : Dims{in};
      found.filter.push_back(channel % geometry.out_channels);
      std::ranges::copy(tap, std::back_inserter(found.filter));
    }
    const auto flat = [](const Dims& at, const Dims& dims) {
      std::int64_t index = 0;
      for (std::size_t i = 0; i < at.size(); ++i) index = index * dims[i] + at[i];
      return index;
    };
    Dims data_dims = geometry.OutputDims();
    for (std::size_t j = 0; j < geometry.axes.size(); ++j) data_dims[(last ? 1 : 2) + j] = geometry.axes[j].data;
    (last ? data_dims.back() : data_dims[1]) = geometry.groups * geometry.in_channels;
    const std::uint64_t data_bits = ElementBits(data, flat(found.data, data_dims), element);
    const std::uint64_t filter_bits = ElementBits(filter, flat(found.filter, filter_dims), element);
    found.data_value = ElementText(data_bits, geometry.type);
    found.filter_value = ElementText(filter_bits, geometry.type);
    found.product = ProductText(data_bits, filter_bits, geometry.type);
    result.taps.push_back(std::move(found));
  }
  return result;
}

std::variant<std::string, NoTaps> TapsText(const Case& test_case, oracle::Dialect dialect, const Dims& coordinate) {
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  if (!resolution.ok()) {
    return NoTaps{fmt::format("{} refuses the operator ({})", DialectName(dialect), resolution.refusal->clause)};
  }
  const Geometry& geometry = *resolution.geometry;
  const Dims dims = geometry.OutputDims();
  bool inside = coordinate.size() == dims.size();
  for (std::size_t i = 0; inside && i < dims.size(); ++i) inside = coordinate[i] >= 0 && coordinate[i] < dims[i];
  if (!inside)
    return NoTaps{
        fmt::format("output {} does not exist, expected a coordinate within {}", DimsText(coordinate), DimsText(dims))};
  if (geometry.DataCount() > kMostElements || geometry.FilterCount() > kMostElements) {
    return NoTaps{
        fmt::format("the tensors have more than {} elements, too many to fill for one output", kMostElements)};
  }
  const std::size_t element = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * element);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * element);
  if (std::string error = FillOperands(test_case, geometry, data, filter); !error.empty()) {
    return NoTaps{std::move(error)};
  }
  const TapsOfOutput taps = TapsAt(geometry, test_case.op.filter.dims, data, filter, coordinate, kShownTaps);
  std::string text = fmt::format("     taps of output {}: {}{}\n", DimsText(coordinate), taps.count,
                                 taps.count == 0 ? ", so its value is +0" : "");
  for (const TapOfOutput& tap : taps.taps) {
    text += fmt::format("       data{} {} * filter{} {} = {}\n", DimsText(tap.data), tap.data_value,
                        DimsText(tap.filter), tap.filter_value, tap.product);
  }
  const auto more = taps.count - static_cast<std::int64_t>(taps.taps.size());
  if (more > 0) text += fmt::format("       ... and {} more\n", more);
  return text + fmt::format("       sum, rounded once: {}\n", SumText(geometry, data, filter, coordinate));
}

}  // namespace conformance
