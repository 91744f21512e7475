// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the checks that all dialect families share: types, ranks, channels, lists and the words of auto_pad.

#include "oracle/resolver.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace oracle {
namespace {

constexpr std::size_t kMinRank = 3;
constexpr std::size_t kMaxRank = 10;

}  // namespace

std::string AxisText(std::size_t j) { return "axis " + std::to_string(j) + ": "; }

std::string Text(std::int64_t value) { return std::to_string(value); }

std::string Text(std::span<const std::int64_t> values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(values[i]);
  }
  return text + "]";
}

std::string Operand(std::int64_t value) {
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

std::int64_t FloorHalf(std::int64_t value) { return value / 2 - (value % 2 < 0 ? 1 : 0); }

bool Fits(Wide value) {
  return value >= std::numeric_limits<std::int64_t>::min() && value <= std::numeric_limits<std::int64_t>::max();
}

bool Resolver::Refuse(RefusingClause clause, std::string message) {
  resolution_.refusal = Refusal{.clause = clause.id(), .message = std::move(message)};
  return false;
}

bool Resolver::RefuseUndefined(RefusingClause clause, std::string message) {
  resolution_.refusal = Refusal{.clause = clause.id(), .message = std::move(message), .undefined = true};
  return false;
}

bool Resolver::TakeType() {
  const std::string data(ElementTypeName(op_.data.type));
  const std::string filter(ElementTypeName(op_.filter.type));
  if (!IsNumeric(op_.data.type)) return Refuse("T2", "data: type " + data + ", expected a numeric type");
  if (!IsNumeric(op_.filter.type)) return Refuse("T2", "filter: type " + filter + ", expected a numeric type");
  if (op_.filter.type != op_.data.type) {
    return Refuse("T3", "filter: type " + filter + ", expected " + data + ", the type of data");
  }
  geometry_.type = op_.data.type;
  return true;
}

bool Resolver::CheckTypes() {
  if (!TakeType()) return false;
  Note("T1", [&] { return "type " + std::string(ElementTypeName(geometry_.type)); });
  return true;
}

bool Resolver::CheckTypes(RefusingClause clause, std::initializer_list<ElementType> allowed) {
  if (!TakeType()) return false;
  const std::string type(ElementTypeName(geometry_.type));
  if (std::find(allowed.begin(), allowed.end(), geometry_.type) == allowed.end()) {
    std::string names;
    for (const ElementType one : allowed) {
      if (!names.empty()) names += ", ";
      names += ElementTypeName(one);
    }
    return Refuse(clause, "data: type " + type + ", expected one of " + names);
  }
  Note(clause, [&] { return "type " + type; });
  return true;
}

bool Resolver::CheckRanks(std::size_t extra) {
  const std::size_t rank = op_.data.dims.size();
  if (rank < kMinRank || rank > kMaxRank) {
    return Refuse("S1", "data: rank " + std::to_string(rank) + ", expected 3 to 10");
  }
  if (op_.filter.dims.size() != rank + extra) {
    return Refuse("S2", "filter: rank " + std::to_string(op_.filter.dims.size()) + ", expected " +
                            std::to_string(rank + extra) + " for data of rank " + std::to_string(rank));
  }
  for (const auto& [name, dims] : {std::pair("data", &op_.data.dims), std::pair("filter", &op_.filter.dims)}) {
    if (std::any_of(dims->begin(), dims->end(), [](std::int64_t d) { return d < 0; })) {
      return Refuse("S3", std::string(name) + ": shape " + Text(*dims) + ", expected no negative dimension");
    }
  }
  geometry_.axes.resize(rank - 2);
  natural_.resize(rank - 2);
  return true;
}

namespace {

/// Which dimensions of the filter hold what (S4).
struct FilterDims {
  std::size_t in, out, first_spatial;
};

FilterDims FilterDimsOf(FilterLayout layout, std::size_t data_rank) {
  switch (layout) {
    case FilterLayout::kIox:
      return {.in = 0, .out = 1, .first_spatial = 2};
    case FilterLayout::kGiox:
      return {.in = 1, .out = 2, .first_spatial = 3};
    case FilterLayout::kXoi:
      return {.in = data_rank - 1, .out = data_rank - 2, .first_spatial = 0};
  }
  return {};
}

}  // namespace

bool Resolver::TakeGroups(std::optional<std::int64_t> groups, std::int64_t in) {
  const std::int64_t channels = geometry_.layout == DataLayout::kNxc ? op_.data.dims.back() : op_.data.dims[1];
  geometry_.groups = groups.has_value() ? *groups : op_.filter.dims[0];
  const std::string source = groups.has_value() ? "groups: " : "filter: groups ";
  if (geometry_.groups < 1) return Refuse("S6", source + Text(geometry_.groups) + ", expected at least 1");
  if (!groups.has_value()) {
    if (Wide{geometry_.groups} * in != channels) {
      return Refuse("S5", "filter: " + Text(geometry_.groups) + " groups of " + Text(in) +
                              " input channels, expected " + Text(channels) + " together, the channels of data");
    }
    geometry_.in_channels = in;
    return true;
  }
  if (in != channels) {
    return Refuse("S5",
                  "filter: " + Text(in) + " input channels, expected " + Text(channels) + ", the channels of data");
  }
  if (channels % geometry_.groups != 0) {
    return Refuse(
        "S6", source + Text(geometry_.groups) + ", expected a divisor of the " + Text(channels) + " channels of data");
  }
  geometry_.in_channels = channels / geometry_.groups;
  return true;
}

bool Resolver::TakeChannels(std::optional<std::int64_t> groups) {
  const Dims& data = op_.data.dims;
  const Dims& filter = op_.filter.dims;
  const FilterDims at = FilterDimsOf(geometry_.filter_layout, data.size());
  geometry_.batch = data[0];
  if (!TakeGroups(groups, filter[at.in])) return false;
  geometry_.out_channels = filter[at.out];
  if (!Fits(Wide{geometry_.groups} * geometry_.out_channels)) {
    return Refuse("O1", "output: " + Text(geometry_.groups) + " * " + Text(geometry_.out_channels) +
                            " channels, expected a number below 2^63");
  }
  const std::size_t first_spatial = geometry_.layout == DataLayout::kNxc ? 1 : 2;
  for (std::size_t j = 0; j < spatial_rank(); ++j) {
    axis(j).data = data[first_spatial + j];
    axis(j).kernel = filter[at.first_spatial + j];
    if (axis(j).kernel < 1) {
      return Refuse("S7", "filter: size " + Text(axis(j).kernel) + " along spatial axis " + std::to_string(j) +
                              ", expected at least 1");
    }
  }
  Note("S4", [&] {
    return "batch " + Text(geometry_.batch) + ", groups " + Text(geometry_.groups) + ", per group " +
           Text(geometry_.in_channels) + " input and " + Text(geometry_.out_channels) + " output channels";
  });
  return true;
}

bool Resolver::TakeList(std::string_view name, const std::optional<Dims>& list, std::int64_t absent,
                        CitedClause absent_clause, RefusingClause clause, std::int64_t least, Dims& values) {
  const std::string argument(name);
  if (!list.has_value()) {
    values.assign(spatial_rank(), absent);
    Note(absent_clause, [&] { return argument + " absent: " + Text(values); });
    return true;
  }
  if (list->size() != spatial_rank()) {
    return Refuse("A1", argument + ": " + Text(*list) + ", expected " + std::to_string(spatial_rank()) +
                            " values, one for each spatial axis");
  }
  for (std::size_t j = 0; j < list->size(); ++j) {
    if ((*list)[j] < least) {
      return Refuse(clause, argument + ": " + Text((*list)[j]) + " for spatial axis " + std::to_string(j) +
                                ", expected at least " + Text(least));
    }
  }
  values = *list;
  return true;
}

bool Resolver::TakeLists() {
  Dims strides;
  Dims dilations;
  if (!TakeList("strides", op_.strides, 1, "A6", "A2", 1, strides) ||
      !TakeList("dilations", op_.dilations, 1, "A6", "A3", 1, dilations) ||
      !TakeList("pads_begin", op_.pads_begin, 0, "A7", "A4", 0, pads_begin) ||
      !TakeList("pads_end", op_.pads_end, 0, "A7", "A4", 0, pads_end) ||
      !TakeList("output_padding", op_.output_padding, 0, "A8", "A5", 0, output_padding)) {
    return false;
  }
  for (std::size_t j = 0; j < spatial_rank(); ++j) {
    axis(j).stride = strides[j];
    axis(j).dilation = dilations[j];
  }
  return true;
}

bool Resolver::CheckShapeInput(std::string_view name, const ShapeInput& input, std::size_t expected) {
  const std::string argument(name);
  if (!IsInteger(input.type)) {
    return Refuse("T6", argument + ": type " + std::string(ElementTypeName(input.type)) + ", expected an integer type");
  }
  if (input.dims.size() != 1) {
    return Refuse("S9", argument + ": rank " + std::to_string(input.dims.size()) + ", expected 1");
  }
  if (input.dims[0] != static_cast<std::int64_t>(expected)) {
    return Refuse("S10", argument + ": length " + Text(input.dims[0]) + ", expected " + std::to_string(expected));
  }
  if (input.values.size() != expected) {
    return Refuse(
        "S10", argument + ": " + std::to_string(input.values.size()) + " values, expected " + std::to_string(expected));
  }
  for (const std::int64_t value : input.values) {
    if (input.type != ElementType::kU64 || value >= 0) continue;
    return Refuse("O2", argument + ": " + IntegerText(input.type, value) + ", expected at most 9223372036854775807");
  }
  return true;
}

bool Resolver::TakeOutput(std::string_view name, std::size_t j, std::int64_t size) {
  if (size < 1) {
    return Refuse("S11", std::string(name) + ": " + Text(size) + " for spatial axis " + std::to_string(j) +
                             ", expected at least 1");
  }
  axis(j).output = size;
  Note("P18", [&] { return AxisText(j) + "output = " + std::string(name) + " = " + Text(size); });
  return true;
}

bool Resolver::TakeAutoPad(const AutoPadSpelling& spelling, AutoPad& mode) {
  mode = AutoPad::kExplicit;
  if (!op_.auto_pad.has_value()) {
    Note("A12", [&] { return "auto_pad absent: " + std::string(spelling.absent); });
    return true;
  }
  std::string name = *op_.auto_pad;
  if (spelling.any_case) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  }
  for (const AutoPadWord& known : spelling.words) {
    if (known.word != name) continue;
    mode = known.mode;
    Note(spelling.clause, [&] { return "auto_pad " + name; });
    return true;
  }
  return Refuse(spelling.clause, "auto_pad: \"" + *op_.auto_pad + "\", expected " + std::string(spelling.expected));
}

}  // namespace oracle
