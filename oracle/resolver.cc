// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the checks that the resolvers of all dialects share: types, ranks, channels, list attributes, shape inputs
// and the words of auto_pad. A resolver computes sizes and pads from attributes; a dialect is one reading of the
// attributes. Ids such as T2 are clauses, the numbered rules of oracle/clauses.md. An open point is a property with
// which a library may either refuse the operator or compute it.

#include "oracle/resolver.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace oracle {
namespace {

// Batch, channels, and 1 to 8 spatial axes (S1).
constexpr std::size_t kMinRank = 3;
constexpr std::size_t kMaxRank = 10;

}  // namespace

std::string SpatialAxis(std::size_t j) { return "spatial axis " + std::to_string(j); }

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

std::string OperandText(std::int64_t value) {
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

std::int64_t FloorHalf(std::int64_t value) { return value / 2 - (value % 2 < 0 ? 1 : 0); }

bool FitsInt64(Wide value) {
  return value >= std::numeric_limits<std::int64_t>::min() && value <= std::numeric_limits<std::int64_t>::max();
}

bool Resolver::Refuse(RefusingClause clause, std::string message) {
  resolution_.open.clear();
  resolution_.refusal = Refusal{.clause = clause.id(), .message = std::move(message)};
  return false;
}

void Resolver::AddOpenPoint(CitedOpenPoint point, std::string message) {
  const OpenPointName& name = point.name();
  const bool is_recorded =
      std::ranges::find(resolution_.open, name.phrase, &OpenPoint::point) != resolution_.open.end();
  if (is_recorded) return;
  resolution_.open.push_back({.clause = name.clause, .point = name.phrase, .message = std::move(message)});
}

bool Resolver::RefuseUndefined(RefusingClause clause, CitedOpenPoint point, std::string message) {
  resolution_.open.clear();
  AddOpenPoint(point, message);
  resolution_.refusal = Refusal{.clause = clause.id(), .message = std::move(message), .undefined = true};
  return false;
}

bool Resolver::ResolveType() {
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
  if (!ResolveType()) return false;
  RecordStep("T1", [&] { return "type " + std::string(ElementTypeName(geometry_.type)); });
  return true;
}

bool Resolver::CheckTypes(RefusingClause clause, std::initializer_list<ElementType> allowed) {
  if (!ResolveType()) return false;
  const std::string type(ElementTypeName(geometry_.type));
  if (std::find(allowed.begin(), allowed.end(), geometry_.type) == allowed.end()) {
    std::string names;
    for (const ElementType allowed_type : allowed) {
      if (!names.empty()) names += ", ";
      names += ElementTypeName(allowed_type);
    }
    return Refuse(clause, "data: type " + type + ", expected one of " + names);
  }
  RecordStep(clause, [&] { return "type " + type; });
  return true;
}

bool Resolver::CheckRanks(std::size_t group_dims, bool rank_2_is_undefined) {
  const std::size_t rank = op_.data.dims.size();
  if (rank < kMinRank || rank > kMaxRank) {
    std::string message = "data: rank " + std::to_string(rank) + ", expected 3 to 10";
    if (rank == 2 && rank_2_is_undefined) return RefuseUndefined("S1", "data without spatial axes", std::move(message));
    return Refuse("S1", std::move(message));
  }
  if (op_.filter.dims.size() != rank + group_dims) {
    return Refuse("S2", "filter: rank " + std::to_string(op_.filter.dims.size()) + ", expected " +
                            std::to_string(rank + group_dims) + " for data of rank " + std::to_string(rank));
  }
  for (const auto& [name, dims] : {std::pair("data", &op_.data.dims), std::pair("filter", &op_.filter.dims)}) {
    if (std::any_of(dims->begin(), dims->end(), [](std::int64_t d) { return d < 0; })) {
      return Refuse("S3", std::string(name) + ": shape " + Text(*dims) + ", expected no negative dimension");
    }
  }
  geometry_.axes.resize(rank - 2);
  natural_sizes_.resize(rank - 2);
  return true;
}

namespace {

/// Indices of the filter's dimensions for input channels, output channels and the first spatial axis (S4).
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

bool Resolver::ResolveGroups(std::optional<std::int64_t> groups, std::int64_t filter_in_channels) {
  const std::int64_t channels = geometry_.layout == DataLayout::kNxc ? op_.data.dims.back() : op_.data.dims[1];
  // Without the attribute, the first dimension of the filter is the number of groups.
  geometry_.groups = groups.has_value() ? *groups : op_.filter.dims[0];
  const std::string source = groups.has_value() ? "groups: " : "filter: groups ";
  if (geometry_.groups < 1) return Refuse("S6", source + Text(geometry_.groups) + ", expected at least 1");
  if (!groups.has_value()) {
    if (Wide{geometry_.groups} * filter_in_channels != channels) {
      return Refuse("S5", "filter: " + Text(geometry_.groups) + " groups of " + Text(filter_in_channels) +
                              " input channels, expected " + Text(channels) + " together, the channels of data");
    }
    geometry_.in_channels = filter_in_channels;
    return true;
  }
  if (filter_in_channels != channels) {
    return Refuse("S5", "filter: " + Text(filter_in_channels) + " input channels, expected " + Text(channels) +
                            ", the channels of data");
  }
  if (channels % geometry_.groups != 0) {
    return Refuse(
        "S6", source + Text(geometry_.groups) + ", expected a divisor of the " + Text(channels) + " channels of data");
  }
  geometry_.in_channels = channels / geometry_.groups;
  return true;
}

bool Resolver::ResolveChannels(std::optional<std::int64_t> groups, bool kernel_0_is_undefined) {
  const Dims& data = op_.data.dims;
  const Dims& filter = op_.filter.dims;
  const FilterDims filter_dims = FilterDimsOf(geometry_.filter_layout, data.size());
  geometry_.batch = data[0];
  if (!ResolveGroups(groups, filter[filter_dims.in])) return false;
  geometry_.out_channels = filter[filter_dims.out];
  if (!FitsInt64(Wide{geometry_.groups} * geometry_.out_channels)) {
    return Refuse("O1", "output: " + Text(geometry_.groups) + " * " + Text(geometry_.out_channels) +
                            " channels, expected a number below 2^63");
  }
  const std::size_t first_spatial = geometry_.layout == DataLayout::kNxc ? 1 : 2;
  for (std::size_t j = 0; j < spatial_rank(); ++j) {
    axis(j).data = data[first_spatial + j];
    axis(j).kernel = filter[filter_dims.first_spatial + j];
    if (axis(j).kernel < 1) {
      std::string message =
          "filter: size " + Text(axis(j).kernel) + " along " + SpatialAxis(j) + ", expected at least 1";
      return kernel_0_is_undefined ? RefuseUndefined("S7", "a kernel of size 0 in TensorFlow", std::move(message))
                                   : Refuse("S7", std::move(message));
    }
  }
  if (geometry_.batch == 0) AddOpenPoint("a batch of 0", "data: batch 0");
  if (geometry_.in_channels == 0) AddOpenPoint("0 input channels", "data: 0 channels");
  if (geometry_.out_channels == 0) AddOpenPoint("0 output channels", "filter: 0 output channels");
  for (std::size_t j = 0; j < spatial_rank(); ++j) {
    if (axis(j).data == 0) AddOpenPoint("0 data elements along an axis", "data: size 0 along " + SpatialAxis(j));
  }
  RecordStep("S4", [&] {
    return "batch " + Text(geometry_.batch) + ", groups " + Text(geometry_.groups) + ", per group " +
           Text(geometry_.in_channels) + " input and " + Text(geometry_.out_channels) + " output channels";
  });
  return true;
}

bool Resolver::ResolveList(std::string_view name, const std::optional<Dims>& list, const ListRule& rule, Dims& values) {
  const std::string argument(name);
  const bool counts_as_absent = list.has_value() && list->empty() && rule.empty_is_absent;
  if (counts_as_absent) RecordStep("A20", [&] { return argument + " empty: as if it were absent"; });
  if (!list.has_value() || counts_as_absent) {
    values.assign(spatial_rank(), rule.absent);
    if (rule.absent_point) AddOpenPoint(*rule.absent_point, argument + ": absent");
    RecordStep(rule.absent_clause, [&] { return argument + " absent: " + Text(values); });
    return true;
  }
  if (list->size() != spatial_rank()) {
    return Refuse("A1", argument + ": " + Text(*list) + ", expected " + std::to_string(spatial_rank()) +
                            " values, one for each spatial axis");
  }
  for (std::size_t j = 0; j < list->size(); ++j) {
    if ((*list)[j] >= rule.least) continue;
    const std::string found = argument + ": " + Text((*list)[j]) + " for " + SpatialAxis(j);
    if (rule.is_unbounded) {
      RecordStep("A21", found);
      continue;
    }
    if (!rule.below_point) return Refuse(rule.range_clause, found + ", expected at least " + Text(rule.least));
    AddOpenPoint(*rule.below_point, found);
  }
  values = *list;
  return true;
}

bool Resolver::ResolveLists(const DialectListRules& rules) {
  Dims strides;
  Dims dilations;
  const auto negative_pads_point = rules.pads_are_ignored
                                       ? std::optional(CitedOpenPoint("negative pads that are ignored"))
                                       : std::optional<CitedOpenPoint>();
  const ListRule stride_rule{.absent = 1,
                             .absent_clause = "A6",
                             .absent_point = rules.absent_strides,
                             .least = 1,
                             .range_clause = "A2",
                             .empty_is_absent = rules.empty_is_absent};
  const ListRule dilation_rule{.absent = 1,
                               .absent_clause = "A6",
                               .absent_point = rules.absent_dilations,
                               .least = 1,
                               .range_clause = "A3",
                               .empty_is_absent = rules.empty_is_absent};
  const ListRule begin_rule{.absent = 0,
                            .absent_clause = "A7",
                            .absent_point = rules.absent_pads,
                            .least = 0,
                            .range_clause = "A4",
                            .below_point = negative_pads_point,
                            .empty_is_absent = rules.empty_is_absent};
  ListRule end_rule = begin_rule;
  end_rule.is_unbounded = rules.ends_are_unbounded;
  const ListRule padding_rule{.absent = 0,
                              .absent_clause = "A8",
                              .absent_point = std::nullopt,
                              .least = 0,
                              .range_clause = "A5",
                              .is_unbounded = rules.ends_are_unbounded,
                              .empty_is_absent = rules.empty_is_absent};
  if (!ResolveList("strides", op_.strides, stride_rule, strides) ||
      !ResolveList("dilations", op_.dilations, dilation_rule, dilations) ||
      !ResolveList("pads_begin", op_.pads_begin, begin_rule, pads_begin) ||
      !ResolveList("pads_end", op_.pads_end, end_rule, pads_end)) {
    return false;
  }
  if (rules.output_padding_is_unread) {
    output_padding.assign(spatial_rank(), 0);
    if (op_.output_padding)
      RecordStep("A18", [&] { return "output_padding " + Text(*op_.output_padding) + " is not read"; });
  } else if (!ResolveList("output_padding", op_.output_padding, padding_rule, output_padding)) {
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

bool Resolver::SetGivenOutput(std::string_view name, std::size_t j, std::int64_t size) {
  const std::string found = std::string(name) + ": " + Text(size) + " for " + SpatialAxis(j);
  if (size < 0) return Refuse("S11", found + ", expected at least 1");
  if (size == 0) AddOpenPoint("a size of 0 in output_shape", found);
  axis(j).output = size;
  RecordStep("P18", [&] { return AxisText(j) + "output = " + std::string(name) + " = " + Text(size); });
  return true;
}

bool Resolver::ResolveAutoPad(const AutoPadSpelling& spelling, AutoPad& mode) {
  mode = AutoPad::kExplicit;
  if (!op_.auto_pad.has_value()) {
    RecordStep("A12", [&] { return "auto_pad absent: " + std::string(spelling.absent); });
    return true;
  }
  const std::string& given = *op_.auto_pad;
  std::string lower = given;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  // Whether `name` is one of the dialect's words. Then it sets the mode.
  const auto accept = [&](const std::string& name) {
    const auto known = std::ranges::find(spelling.words, name, &AutoPadWord::word);
    if (known == spelling.words.end()) return false;
    mode = known->mode;
    RecordStep(spelling.clause, [&] { return "auto_pad " + name; });
    return true;
  };
  if (accept(spelling.accepts_any_case ? lower : given)) return true;
  const std::string found = "auto_pad: \"" + given + "\"";
  if (spelling.other_case_point && accept(lower)) {
    AddOpenPoint(*spelling.other_case_point, found);
    return true;
  }
  if (spelling.none_point && lower == "none") {
    AddOpenPoint(*spelling.none_point, found);
    RecordStep(spelling.clause, [&] { return "auto_pad " + given + ": " + std::string(spelling.absent); });
    return true;
  }
  return Refuse(spelling.clause, found + ", expected " + std::string(spelling.expected));
}

}  // namespace oracle
