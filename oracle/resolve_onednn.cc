// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves ConvolutionBackwardData: by its document (onednn-spec) and as oneDNN's library does (onednn-runtime). The
// document's diff_dst is this operator's data, its diff_src the output; its "dst" in formulas and in dst_shape is the
// output.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "oracle/resolver.h"

namespace oracle {
namespace {

constexpr std::size_t kMaxRuntimeRank = 5;

constexpr std::array kSpecWords = {
    AutoPadWord{"none", AutoPad::kExplicit}, AutoPadWord{"same_upper", AutoPad::kSameUpper},
    AutoPadWord{"same_lower", AutoPad::kSameLower}, AutoPadWord{"valid", AutoPad::kValid}};
constexpr AutoPadSpelling kSpecAutoPad = {.clause = "A10",
                                          .absent = "none",
                                          .expected = "none, same_upper, same_lower or valid",
                                          .words = kSpecWords,
                                          .other_case = CitedOpenPoint("auto_pad of oneDNN in upper or mixed case")};

constexpr std::array kRuntimeWords = {
    AutoPadWord{"None", AutoPad::kExplicit}, AutoPadWord{"SAME_UPPER", AutoPad::kSameUpper},
    AutoPadWord{"SAME_LOWER", AutoPad::kSameLower}, AutoPadWord{"VALID", AutoPad::kValid}};
constexpr AutoPadSpelling kRuntimeAutoPad = {
    .clause = "A17", .absent = "none", .expected = "None, SAME_UPPER, SAME_LOWER or VALID", .words = kRuntimeWords};

bool TakeFormats(Resolver& r) {
  const std::string data = r.op().data_format.value_or("NXC");
  const std::string filter = r.op().weights_format.value_or("XIO");
  if (data != "NCX" && data != "NXC") return r.Refuse("A16", "data_format: \"" + data + "\", expected NCX or NXC");
  if (filter != "OIX" && filter != "XIO") {
    return r.Refuse("A16", "weights_format: \"" + filter + "\", expected OIX or XIO");
  }
  r.geometry().layout = data == "NCX" ? DataLayout::kNcx : DataLayout::kNxc;
  r.geometry().filter_layout = filter == "OIX" ? FilterLayout::kIox : FilterLayout::kXoi;
  r.Note("A16", [&] {
    return "data_format " + data + (r.op().data_format ? "" : " by default") + ", weights_format " + filter +
           (r.op().weights_format ? "" : " by default");
  });
  return true;
}

/// The library refuses an operator without one of the attributes that the document marks as required.
bool CheckRequired(Resolver& r) {
  const Operator& op = r.op();
  for (const auto& [name, list] : {std::pair("strides", &op.strides), std::pair("dilations", &op.dilations),
                                   std::pair("pads_begin", &op.pads_begin), std::pair("pads_end", &op.pads_end)}) {
    if (!list->has_value()) {
      return r.Refuse("A13", std::string(name) + ": absent, expected a value for each spatial axis");
    }
  }
  return true;
}

/// Takes the output size from `shape`, a whole shape in data_format order. Batch and channels are checked if `used`.
bool TakeShape(Resolver& r, const Dims& shape, bool used) {
  const bool nxc = r.geometry().layout == DataLayout::kNxc;
  const std::size_t channels_at = nxc ? shape.size() - 1 : 1;
  const std::int64_t channels = r.geometry().groups * r.geometry().out_channels;
  if (used && shape[0] != r.geometry().batch) {
    return r.Refuse(
        "S12", "dst_shape: batch " + Text(shape[0]) + " in " + Text(shape) + ", expected " + Text(r.geometry().batch));
  }
  if (used && shape[channels_at] != channels) {
    return r.Refuse("S12", "dst_shape: " + Text(shape[channels_at]) + " channels in " + Text(shape) + ", expected " +
                               Text(channels));
  }
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    const std::int64_t size = shape[(nxc ? 1 : 2) + j];
    if (used) {
      if (!r.TakeOutput("dst_shape", j, size)) return false;
      continue;
    }
    const std::string found = "dst_shape: " + Text(size) + " for " + SpatialAxis(j) + " in the attribute";
    if (size < 0) return r.Refuse("S11", found + ", expected at least 1");
    if (size == 0) r.LeaveOpen("a size of 0 in a dst_shape attribute that the input overrules", found);
  }
  return true;
}

bool TakeDstShape(Resolver& r) {
  const Operator& op = r.op();
  const std::size_t rank = op.data.dims.size();
  if (op.dst_shape.has_value() && op.dst_shape->size() != rank) {
    return r.Refuse("S10", "dst_shape: " + Text(*op.dst_shape) + ", expected " + std::to_string(rank) +
                               " values, the whole shape in data_format order");
  }
  if (op.output_shape.has_value()) {
    if (!r.CheckShapeInput("dst_shape", *op.output_shape, rank)) return false;
    if (op.output_shape->type != ElementType::kI32) {
      r.LeaveOpen("a dst_shape input of another type than s32",
                  "dst_shape: type " + std::string(ElementTypeName(op.output_shape->type)));
    }
    if (op.dst_shape.has_value()) {
      if (*op.dst_shape != op.output_shape->values) {
        r.Note("S15", [&] {
          return "dst_shape input " + Text(op.output_shape->values) + " has precedence over the attribute " +
                 Text(*op.dst_shape);
        });
      }
      if (!TakeShape(r, *op.dst_shape, false)) return false;  // A15
    }
    return TakeShape(r, op.output_shape->values, true);
  }
  if (!op.dst_shape.has_value()) {
    return r.Refuse("S14", "dst_shape: found neither the input nor the attribute, expected one of them");
  }
  return TakeShape(r, *op.dst_shape, true);
}

/// Whether pads and output size belong together: by the formula of the size, or by that of the forward convolution,
/// which gives the size of the data for as many sizes of the output as the stride is long.
bool PadsFit(const Resolver& r, std::size_t j, const Axis& a, std::int64_t begin, std::int64_t end) {
  const Wide pads = Wide{begin} + end;
  const Wide padded = Wide{a.output} + pads;
  const Wide forward = padded - ((Wide{a.kernel} - 1) * a.dilation + 1);
  return padded == r.natural(j) || (forward >= 0 && forward / a.stride + 1 == a.data);
}

bool AlignSpec(Resolver& r, std::size_t j, AutoPad mode) {
  if (!r.TakeNatural(j)) return false;
  if (mode == AutoPad::kExplicit && !PadsFit(r, j, r.axis(j), r.pads_begin[j], r.pads_end[j])) {
    r.LeaveOpen("a dst_shape that contradicts the given pads",
                "dst_shape: " + Text(r.axis(j).output) + " for " + SpatialAxis(j) + " beside pads " +
                    Text(r.pads_begin[j]) + " and " + Text(r.pads_end[j]));
  }
  if (mode == AutoPad::kValid && !PadsFit(r, j, r.axis(j), 0, 0)) {
    r.LeaveOpen("a dst_shape that contradicts pads of 0",
                "dst_shape: " + Text(r.axis(j).output) + " for " + SpatialAxis(j) + " with auto_pad valid");
  }
  if (mode == AutoPad::kExplicit) {
    return r.SetBegin(j, "P10", [&] { return "pads_begin = " + Text(r.pads_begin[j]) + " as given"; }, r.pads_begin[j]);
  }
  if (mode == AutoPad::kValid) return r.SetBegin(j, "P11", "pads_begin = 0", 0);
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  const std::int64_t half = FloorHalf(total);
  if (total < 0) r.Note("P6", [&] { return AxisText(j) + "the negative total shifts the data, floor rounds down"; });
  if (mode == AutoPad::kSameLower) {
    return r.SetBegin(j, "P12", [&] { return "pads_begin = floor(" + Text(total) + " / 2) = " + Text(half); }, half);
  }
  return r.SetBegin(
      j, "P12",
      [&] {
        return "pads_begin = total - floor(total / 2) = " + Text(total) + " - " + Operand(half) + " = " +
               Text(total - half);
      },
      total - half);
}

/// Refuses, or leaves open, what the document allows and the library does not take in some or all versions: by rank and
/// filter.
bool CheckRuntime(Resolver& r) {
  const std::size_t rank = r.op().data.dims.size();
  if (rank > kMaxRuntimeRank) return r.Refuse("S16", "data: rank " + std::to_string(rank) + ", expected 3 to 5");
  if (r.geometry().in_channels == 0 || r.geometry().out_channels == 0) {
    r.LeaveOpen("a filter without elements in oneDNN's library", "filter: shape " + Text(r.op().filter.dims));
  }
  return true;
}

/// The pads that the library derives from the output's size, as the forward convolution does.
void TakeForwardPads(Resolver& r, std::size_t j, AutoPad mode, Wide& begin, Wide& end) {
  const Axis& a = r.axis(j);
  const Wide extent = (Wide{a.kernel} - 1) * a.dilation + 1;
  const Wide rest = a.output % a.stride;
  const Wide pads = std::max<Wide>(extent - (rest == 0 ? Wide{a.stride} : rest), 0);
  // TakeNatural has made sure that extent, and so pads, fit.
  const auto total = static_cast<std::int64_t>(pads);
  begin = mode == AutoPad::kSameUpper ? total / 2 : total - total / 2;
  end = pads - begin;
  r.Note("P20", [&] {
    return AxisText(j) + "r = " + Text(a.output) + " mod " + Text(a.stride) + " = " +
           Text(static_cast<std::int64_t>(rest)) + ", t = " + Text(total);
  });
}

bool AlignRuntime(Resolver& r, std::size_t j, AutoPad mode) {
  if (!r.TakeNatural(j)) return false;
  const Axis& a = r.axis(j);
  Wide begin = 0;
  Wide end = 0;
  CitedClause clause = "P19";
  if (mode == AutoPad::kExplicit) {
    begin = r.pads_begin[j];
    end = r.pads_end[j];
  } else if (mode != AutoPad::kValid) {
    clause = "P20";
    TakeForwardPads(r, j, mode, begin, end);
  }
  const Wide extent = (Wide{a.kernel} - 1) * a.dilation + 1;
  const Wide numerator = Wide{a.output} - extent + begin + end;
  const std::string place = AxisText(j);
  const auto formula = [&] {
    return "(" + Text(a.output) + " - " + Text(static_cast<std::int64_t>(extent)) + " + " +
           Text(static_cast<std::int64_t>(begin)) + " + " + Text(static_cast<std::int64_t>(end)) + ") / " +
           Text(a.stride) + " + 1";
  };
  const Wide size = numerator / a.stride + 1;
  if (!Fits(numerator) || !Fits(size)) {
    return r.Refuse("O2", place + formula() + ", expected numbers that fit 64 bits");
  }
  const auto forward = static_cast<std::int64_t>(size);
  if (forward != a.data) {
    return r.Refuse("P21", "dst_shape: " + place + formula() + " = " + Text(forward) + ", expected " + Text(a.data) +
                               ", the size of data");
  }
  r.Note("P21", [&] { return place + formula() + " = " + Text(forward); });
  const auto pads_begin = static_cast<std::int64_t>(begin);
  return r.SetBegin(j, clause, [&] { return "pads_begin = " + Text(pads_begin); }, pads_begin);
}

/// The document marks strides, dilations and pads as required and gives them no default.
ListRules RulesOf(AutoPad mode, bool runtime) {
  if (runtime) return {.pads_are_ignored = mode != AutoPad::kExplicit, .output_padding_is_unread = true};
  return {.absent_strides = CitedOpenPoint("absent strides of ConvolutionBackwardData"),
          .absent_dilations = CitedOpenPoint("absent dilations of ConvolutionBackwardData"),
          .absent_pads = CitedOpenPoint("absent pads of ConvolutionBackwardData"),
          .pads_are_ignored = mode != AutoPad::kExplicit};
}

}  // namespace

Resolution ResolveOnednn(const Operator& op, Dialect dialect, StepTexts texts) {
  const bool runtime = dialect == Dialect::kOnednnRuntime;
  Resolver r(op, texts);
  AutoPad mode = AutoPad::kExplicit;
  if (!r.CheckTypes("T4", {ElementType::kF32, ElementType::kBf16, ElementType::kF16}) || !TakeFormats(r) ||
      !r.CheckRanks(0) || !r.TakeChannels(op.groups.value_or(1)) || (runtime && !CheckRequired(r)) ||
      !r.TakeAutoPad(runtime ? kRuntimeAutoPad : kSpecAutoPad, mode) || !r.TakeLists(RulesOf(mode, runtime)) ||
      !TakeDstShape(r) || (runtime && !CheckRuntime(r))) {
    return r.Stop();
  }
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    if (!(runtime ? AlignRuntime(r, j, mode) : AlignSpec(r, j, mode))) return r.Stop();
  }
  return r.Finish();
}

}  // namespace oracle
