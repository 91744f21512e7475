// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks and formulas that all dialect families share.

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

bool Resolver::Refuse(std::string_view clause, std::string message) {
  resolution_.refusal = Refusal{.clause = clause, .message = std::move(message)};
  return false;
}

bool Resolver::RefuseUndefined(std::string_view clause, std::string message) {
  resolution_.refusal = Refusal{.clause = clause, .message = std::move(message), .undefined = true};
  return false;
}

bool Resolver::CheckTypes(std::string_view allowed_clause, std::initializer_list<ElementType> allowed) {
  const std::string data(ElementTypeName(op_.data.type));
  const std::string filter(ElementTypeName(op_.filter.type));
  if (!IsNumeric(op_.data.type)) return Refuse("T2", "data: type " + data + ", expected a numeric type");
  if (!IsNumeric(op_.filter.type)) return Refuse("T2", "filter: type " + filter + ", expected a numeric type");
  if (op_.filter.type != op_.data.type) {
    return Refuse("T3", "filter: type " + filter + ", expected " + data + ", the type of data");
  }
  if (allowed.size() != 0 && std::find(allowed.begin(), allowed.end(), op_.data.type) == allowed.end()) {
    std::string names;
    for (const ElementType type : allowed) {
      if (!names.empty()) names += ", ";
      names += ElementTypeName(type);
    }
    return Refuse(allowed_clause, "data: type " + data + ", expected one of " + names);
  }
  geometry_.type = op_.data.type;
  Note(allowed.size() != 0 ? allowed_clause : "T1", [&] { return "type " + data; });
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

bool Resolver::TakeChannels(std::optional<std::int64_t> groups) {
  const Dims& data = op_.data.dims;
  const Dims& filter = op_.filter.dims;
  const std::size_t rank = data.size();
  const bool nxc = geometry_.layout == DataLayout::kNxc;
  const std::int64_t channels = nxc ? data.back() : data[1];
  geometry_.batch = data[0];

  // Where the filter's dimensions stand (S4).
  std::size_t in_at = 0;
  std::size_t out_at = 1;
  std::size_t spatial_at = 2;
  if (geometry_.filter_layout == FilterLayout::kGiox) {
    in_at = 1;
    out_at = 2;
    spatial_at = 3;
  } else if (geometry_.filter_layout == FilterLayout::kXoi) {
    in_at = rank - 1;
    out_at = rank - 2;
    spatial_at = 0;
  }

  geometry_.groups = groups.has_value() ? *groups : filter[0];
  const std::string source = groups.has_value() ? "groups: " : "filter: groups ";
  if (geometry_.groups < 1) return Refuse("S6", source + Text(geometry_.groups) + ", expected at least 1");
  if (groups.has_value()) {
    if (filter[in_at] != channels) {
      return Refuse("S5", "filter: " + Text(filter[in_at]) + " input channels, expected " + Text(channels) +
                              ", the channels of data");
    }
    if (channels % geometry_.groups != 0) {
      return Refuse("S6", source + Text(geometry_.groups) + ", expected a divisor of the " + Text(channels) +
                              " channels of data");
    }
    geometry_.in_channels = channels / geometry_.groups;
  } else {
    if (Wide{geometry_.groups} * filter[in_at] != channels) {
      return Refuse("S5", "filter: " + Text(geometry_.groups) + " groups of " + Text(filter[in_at]) +
                              " input channels, expected " + Text(channels) + " together, the channels of data");
    }
    geometry_.in_channels = filter[in_at];
  }
  geometry_.out_channels = filter[out_at];
  if (!Fits(Wide{geometry_.groups} * geometry_.out_channels)) {
    return Refuse("O1", "output: " + Text(geometry_.groups) + " * " + Text(geometry_.out_channels) +
                            " channels, expected a number below 2^63");
  }
  for (std::size_t j = 0; j < spatial_rank(); ++j) {
    axis(j).data = data[(nxc ? 1 : 2) + j];
    axis(j).kernel = filter[spatial_at + j];
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
                        std::string_view absent_clause, std::string_view clause, std::int64_t least, Dims& values) {
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

bool Resolver::TakeAutoPad(std::string_view clause, std::initializer_list<AutoPadWord> words, std::string_view expected,
                           AutoPad& mode) {
  const std::string& name = *op_.auto_pad;
  for (const AutoPadWord& known : words) {
    if (known.word != name) continue;
    mode = known.mode;
    Note(clause, [&] { return "auto_pad " + name; });
    return true;
  }
  return Refuse(clause, "auto_pad: \"" + name + "\", expected " + std::string(expected));
}

bool Resolver::TakeNatural(std::size_t j) {
  const Axis& a = axis(j);
  const Wide extent = (Wide{a.kernel} - 1) * a.dilation + 1;
  const Wide span = Wide{a.stride} * (Wide{a.data} - 1);
  const auto formula = [&] {
    return Text(a.stride) + "*(" + Text(a.data) + "-1) + (" + Text(a.kernel) + "-1)*" + Text(a.dilation) + "+1";
  };
  if (!Fits(extent) || !Fits(span) || !Fits(extent + span) || !Fits(extent + span + output_padding[j])) {
    return Refuse("O2", AxisText(j) + "natural size " + formula() + " + output_padding " + Text(output_padding[j]) +
                            ", expected a number below 2^63");
  }
  natural_[j] = static_cast<std::int64_t>(extent + span + output_padding[j]);
  Note("P1",
       [&] { return AxisText(j) + "natural = " + formula() + " = " + Text(static_cast<std::int64_t>(extent + span)); });
  return true;
}

bool Resolver::TakeTotal(std::size_t j, std::int64_t& total) {
  const Wide wide = Wide{natural_[j]} - axis(j).output;
  const std::int64_t natural = natural_[j] - output_padding[j];
  const auto formula = [&] {
    return Operand(natural) + " + " + Text(output_padding[j]) + " - " + Text(axis(j).output);
  };
  if (!Fits(wide)) return Refuse("O2", AxisText(j) + "total " + formula() + ", expected a number that fits 64 bits");
  total = static_cast<std::int64_t>(wide);
  Note("P1", [&] { return AxisText(j) + "total = " + formula() + " = " + Text(total); });
  return true;
}

bool Resolver::SizeFromPads(std::size_t j, std::string_view clause, std::int64_t begin, std::int64_t end) {
  const Wide size = Wide{natural_[j]} - begin - end;
  const std::int64_t natural = natural_[j] - output_padding[j];
  const auto formula = [&] {
    return Operand(natural) + " - " + Text(begin) + " - " + Text(end) + " + " + Text(output_padding[j]);
  };
  if (!Fits(size)) return Refuse("O2", AxisText(j) + "output = " + formula() + ", expected a number that fits 64 bits");
  const auto output = static_cast<std::int64_t>(size);
  if (output < 1) {
    return Refuse("P16", "output: size " + formula() + " = " + Text(output) + " along spatial axis " +
                             std::to_string(j) + ", expected at least 1");
  }
  axis(j).output = output;
  Note(clause, [&] { return AxisText(j) + "output = " + formula() + " = " + Text(output); });
  return SetBegin(j, clause, [&] { return "pads_begin = " + Text(begin); }, begin);
}

bool Resolver::PlaceBegin(std::size_t j, std::int64_t begin) {
  Axis& a = axis(j);
  const Wide end = Wide{natural_[j]} - a.output - begin;
  if (!Fits(end) || !Fits(Wide{a.output} + begin)) {
    return Refuse("O2", AxisText(j) + "pads_begin " + Text(begin) + " with output size " + Text(a.output) +
                            ", expected coordinates below 2^63");
  }
  a.pads_begin = begin;
  a.pads_end = static_cast<std::int64_t>(end);
  return true;
}

void Resolver::NoteEnd(std::size_t j) {
  Note("P17", [&] { return AxisText(j) + "pads_end = " + Text(axis(j).pads_end); });
}

bool Resolver::CheckByteCount(std::string_view name, const Dims& dims, std::int64_t inner, std::int64_t outer,
                              std::int64_t Axis::* size) {
  // Groups are a factor of their own, in every loop and stride behind this.
  Dims factors = {geometry_.groups, inner, outer};
  for (const Axis& a : geometry_.axes) factors.push_back(a.*size);
  Wide bytes = static_cast<Wide>(ElementBytes(geometry_.type));
  for (const std::int64_t factor : factors) {
    // Both factors are below 2^63, so that the product is below 2^126.
    bytes *= std::max<std::int64_t>(factor, 1);
    if (!Fits(bytes)) {
      return Refuse("O1", std::string(name) + ": shape " + Text(dims) + " in " + Text(geometry_.groups) +
                              " groups of " + std::string(ElementTypeName(geometry_.type)) +
                              ", expected less than 2^63 bytes");
    }
  }
  return true;
}

Resolution Resolver::Finish() {
  if (CheckByteCount("data", op_.data.dims, geometry_.batch, geometry_.in_channels, &Axis::data) &&
      CheckByteCount("filter", op_.filter.dims, geometry_.in_channels, geometry_.out_channels, &Axis::kernel) &&
      CheckByteCount("output", geometry_.OutputDims(), geometry_.batch, geometry_.out_channels, &Axis::output)) {
    Note("O1", [&] { return "output shape " + Text(geometry_.OutputDims()); });
    resolution_.geometry = std::move(geometry_);
  }
  return std::move(resolution_);
}

}  // namespace oracle
