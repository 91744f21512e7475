// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes and pads of oneDNN Graph's transposed convolution, ConvolutionBackwardData, from its attributes. The
// dialect onednn-spec follows its document, and onednn-runtime does what oneDNN's library does. A dialect is one
// reading of the attributes. The document names tensors from the side of the forward convolution: diff_dst is this
// operator's data, diff_src its output. In formulas and in dst_shape, "dst" is the output. Ids such as A10 are clauses,
// the numbered rules of oracle/clauses.md. "Open" means that a library may refuse the operator or compute it.
//
// The natural size of an axis is the output size without pads but with output_padding. The total is the sum of both
// pads: natural size - output size. resolver_axes.cc has an example. Wide is an integer of 128 bits (resolver.h), so
// that formulas of 64-bit sizes are exact.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "oracle/resolver.h"

namespace oracle {
namespace {

constexpr std::size_t kMaxRuntimeRank = 5;  // batch, channels and three spatial axes (S16)

constexpr std::array kSpecWords = {
    AutoPadWord{"none", AutoPad::kExplicit}, AutoPadWord{"same_upper", AutoPad::kSameUpper},
    AutoPadWord{"same_lower", AutoPad::kSameLower}, AutoPadWord{"valid", AutoPad::kValid}};
constexpr AutoPadSpelling kSpecAutoPad = {
    .clause = "A10",
    .absent = "none",
    .expected = "none, same_upper, same_lower or valid",
    .words = kSpecWords,
    .other_case_point = CitedOpenPoint("auto_pad of oneDNN in upper or mixed case")};

constexpr std::array kRuntimeWords = {
    AutoPadWord{"None", AutoPad::kExplicit}, AutoPadWord{"SAME_UPPER", AutoPad::kSameUpper},
    AutoPadWord{"SAME_LOWER", AutoPad::kSameLower}, AutoPadWord{"VALID", AutoPad::kValid}};
// `absent` is not in `words`. It is only the word that a step names if auto_pad is absent; such pads are explicit.
constexpr AutoPadSpelling kRuntimeAutoPad = {
    .clause = "A17", .absent = "none", .expected = "None, SAME_UPPER, SAME_LOWER or VALID", .words = kRuntimeWords};

/// Reads data_format and weights_format, or their defaults NXC and XIO (A16).
bool ReadFormats(Resolver& resolver) {
  const std::string data = resolver.op().data_format.value_or("NXC");
  const std::string filter = resolver.op().weights_format.value_or("XIO");
  if (data != "NCX" && data != "NXC")
    return resolver.Refuse("A16", "data_format: \"" + data + "\", expected NCX or NXC");
  if (filter != "OIX" && filter != "XIO") {
    return resolver.Refuse("A16", "weights_format: \"" + filter + "\", expected OIX or XIO");
  }
  resolver.geometry().layout = data == "NCX" ? DataLayout::kNcx : DataLayout::kNxc;
  // OIX and XIO name the channels of the forward convolution: its output channels O are the input channels here (S4).
  resolver.geometry().filter_layout = filter == "OIX" ? FilterLayout::kIox : FilterLayout::kXoi;
  resolver.RecordStep("A16", [&] {
    return "data_format " + data + (resolver.op().data_format ? "" : " by default") + ", weights_format " + filter +
           (resolver.op().weights_format ? "" : " by default");
  });
  return true;
}

/// The library refuses an operator if it lacks an attribute that the document requires (A13).
bool CheckRequiredAttributes(Resolver& resolver) {
  const Operator& op = resolver.op();
  for (const auto& [name, list] : {std::pair("strides", &op.strides), std::pair("dilations", &op.dilations),
                                   std::pair("pads_begin", &op.pads_begin), std::pair("pads_end", &op.pads_end)}) {
    if (!list->has_value()) {
      return resolver.Refuse("A13", std::string(name) + ": absent, expected a value for each spatial axis");
    }
  }
  return true;
}

/// Reads `shape`, a whole output shape in data_format order. If `sets_output`, it checks batch and channels (S12) and
/// sets the output sizes. Otherwise `shape` is an attribute that the third input overrules: only the range of its sizes
/// is checked (A15, S11).
bool ResolveWholeShape(Resolver& resolver, const Dims& shape, bool sets_output) {
  const bool nxc = resolver.geometry().layout == DataLayout::kNxc;
  const std::size_t channels_at = nxc ? shape.size() - 1 : 1;
  const std::int64_t channels = resolver.geometry().groups * resolver.geometry().out_channels;
  if (sets_output && shape[0] != resolver.geometry().batch) {
    return resolver.Refuse("S12", "dst_shape: batch " + Text(shape[0]) + " in " + Text(shape) + ", expected " +
                                      Text(resolver.geometry().batch));
  }
  if (sets_output && shape[channels_at] != channels) {
    return resolver.Refuse("S12", "dst_shape: " + Text(shape[channels_at]) + " channels in " + Text(shape) +
                                      ", expected " + Text(channels));
  }
  for (std::size_t j = 0; j < resolver.spatial_rank(); ++j) {
    const std::int64_t size = shape[(nxc ? 1 : 2) + j];
    if (sets_output) {
      if (!resolver.SetGivenOutput("dst_shape", j, size)) return false;
      continue;
    }
    const std::string found = "dst_shape: " + Text(size) + " for " + SpatialAxis(j) + " in the attribute";
    if (size < 0) return resolver.Refuse("S11", found + ", expected at least 1");
    if (size == 0) resolver.AddOpenPoint("a size of 0 in a dst_shape attribute that the input overrules", found);
  }
  return true;
}

/// Reads dst_shape: the third input if there is one, else the attribute (S10 to S15).
/// The member `output_shape` is the third input, `dst_shape` the attribute.
bool ResolveDstShape(Resolver& resolver) {
  const Operator& op = resolver.op();
  const std::size_t rank = op.data.dims.size();
  if (op.dst_shape.has_value() && op.dst_shape->size() != rank) {
    return resolver.Refuse("S10", "dst_shape: " + Text(*op.dst_shape) + ", expected " + std::to_string(rank) +
                                      " values, the whole shape in data_format order");
  }
  if (op.output_shape.has_value()) {
    if (!resolver.CheckShapeInput("dst_shape", *op.output_shape, rank)) return false;
    if (op.output_shape->type != ElementType::kI32) {  // the document names s32; other integer types are open (T6)
      resolver.AddOpenPoint("a dst_shape input of another type than s32",
                            "dst_shape: type " + std::string(ElementTypeName(op.output_shape->type)));
    }
    if (op.dst_shape.has_value()) {
      if (*op.dst_shape != op.output_shape->values) {
        resolver.RecordStep("S15", [&] {
          return "dst_shape input " + Text(op.output_shape->values) + " has precedence over the attribute " +
                 Text(*op.dst_shape);
        });
      }
      if (!ResolveWholeShape(resolver, *op.dst_shape, /*sets_output=*/false)) return false;  // A15
    }
    return ResolveWholeShape(resolver, op.output_shape->values, /*sets_output=*/true);
  }
  if (!op.dst_shape.has_value()) {
    return resolver.Refuse("S14", "dst_shape: found neither the input nor the attribute, expected one of them");
  }
  return ResolveWholeShape(resolver, *op.dst_shape, /*sets_output=*/true);
}

/// Whether the pads `begin` and `end` fit the output size of axis j, by one of two formulas. The first is natural size
/// = output + pads.
/// The second is the size of the forward convolution, which must equal the size of the data. It divides by the stride
/// and rounds down, so several output sizes fit.
/// Example: data 3, kernel 3, stride 2, no pads. Outputs 7 and 8 fit: (7-3)/2+1 = 3, and (8-3)/2+1 = 3.
bool PadsFit(Resolver& resolver, std::size_t j, std::int64_t begin, std::int64_t end) {
  const Axis& axis = resolver.axis(j);
  const Wide pads = Wide{begin} + end;
  const Wide padded = Wide{axis.output} + pads;
  const Wide forward = padded - ((Wide{axis.kernel} - 1) * axis.dilation + 1);
  return padded == resolver.natural_size(j) || (forward >= 0 && forward / axis.stride + 1 == axis.data);
}

/// Sets the pads of axis j from its output size, as the document says (P6, P10 to P12). Example: of a total of 3,
/// same_upper puts 2 at the beginning, and same_lower puts 1 there. The library does the opposite (ComputeForwardPads).
bool SetPadsBySpecification(Resolver& resolver, std::size_t j, AutoPad mode) {
  if (!resolver.ComputeNaturalSize(j)) return false;
  if (mode == AutoPad::kExplicit && !PadsFit(resolver, j, resolver.pads_begin[j], resolver.pads_end[j])) {
    resolver.AddOpenPoint("a dst_shape that contradicts the given pads",
                          "dst_shape: " + Text(resolver.axis(j).output) + " for " + SpatialAxis(j) + " beside pads " +
                              Text(resolver.pads_begin[j]) + " and " + Text(resolver.pads_end[j]));
  }
  if (mode == AutoPad::kValid && !PadsFit(resolver, j, 0, 0)) {
    resolver.AddOpenPoint(
        "a dst_shape that contradicts pads of 0",
        "dst_shape: " + Text(resolver.axis(j).output) + " for " + SpatialAxis(j) + " with auto_pad valid");
  }
  if (mode == AutoPad::kExplicit) {
    return resolver.SetPads(
        j, "P10", [&] { return "pads_begin = " + Text(resolver.pads_begin[j]) + " as given"; }, resolver.pads_begin[j]);
  }
  if (mode == AutoPad::kValid) return resolver.SetPads(j, "P11", "pads_begin = 0", 0);
  std::int64_t total = 0;
  if (!resolver.ComputeTotalPads(j, total)) return false;
  const std::int64_t half = FloorHalf(total);
  if (total < 0)
    resolver.RecordStep("P6", [&] { return AxisText(j) + "the negative total shifts the data, floor rounds down"; });
  if (mode == AutoPad::kSameLower) {
    return resolver.SetPads(
        j, "P12", [&] { return "pads_begin = floor(" + Text(total) + " / 2) = " + Text(half); }, half);
  }
  return resolver.SetPads(
      j, "P12",
      [&] {
        return "pads_begin = total - floor(total / 2) = " + Text(total) + " - " + OperandText(half) + " = " +
               Text(total - half);
      },
      total - half);
}

/// Refuses ranks that the library does not accept (S16). Leaves a filter without elements open, because only some
/// versions of the library accept it (S17).
bool CheckLibraryLimits(Resolver& resolver) {
  const std::size_t rank = resolver.op().data.dims.size();
  if (rank > kMaxRuntimeRank) return resolver.Refuse("S16", "data: rank " + std::to_string(rank) + ", expected 3 to 5");
  if (resolver.geometry().in_channels == 0 || resolver.geometry().out_channels == 0) {
    resolver.AddOpenPoint("a filter without elements in oneDNN's library",
                          "filter: shape " + Text(resolver.op().filter.dims));
  }
  return true;
}

/// Computes the pads of SAME_UPPER and SAME_LOWER as the library does (P20): they are the pads of the forward
/// convolution, whose input is this operator's output. If the total is odd, SAME_UPPER puts the smaller half at the
/// beginning, unlike the document. Example: output 6, kernel 3, stride 2. The remainder of 6 by 2 is 0, so the forward
/// convolution needs 3 - 2 = 1 pad.
void ComputeForwardPads(Resolver& resolver, std::size_t j, AutoPad mode, Wide& begin, Wide& end) {
  const Axis& axis = resolver.axis(j);
  const Wide extent = (Wide{axis.kernel} - 1) * axis.dilation + 1;
  const Wide remainder = axis.output % axis.stride;
  const Wide pads = std::max<Wide>(extent - (remainder == 0 ? Wide{axis.stride} : remainder), 0);
  // ComputeNaturalSize has made sure that extent, and so pads, fit.
  const auto total = static_cast<std::int64_t>(pads);
  begin = mode == AutoPad::kSameUpper ? total / 2 : total - total / 2;
  end = pads - begin;
  resolver.RecordStep("P20", [&] {
    return AxisText(j) + "r = " + Text(axis.output) + " mod " + Text(axis.stride) + " = " +
           Text(static_cast<std::int64_t>(remainder)) + ", t = " + Text(total);
  });
}

/// Sets the pads of axis j as the library does (P19, P20). Refuses an output size whose forward convolution does not
/// give the size of the data (P21).
bool SetPadsByLibrary(Resolver& resolver, std::size_t j, AutoPad mode) {
  if (!resolver.ComputeNaturalSize(j)) return false;
  const Axis& axis = resolver.axis(j);
  Wide begin = 0;
  Wide end = 0;
  CitedClause clause = "P19";
  if (mode == AutoPad::kExplicit) {
    begin = resolver.pads_begin[j];
    end = resolver.pads_end[j];
  } else if (mode != AutoPad::kValid) {
    clause = "P20";
    ComputeForwardPads(resolver, j, mode, begin, end);
  }
  const Wide extent = (Wide{axis.kernel} - 1) * axis.dilation + 1;
  // The size of a forward convolution of the output. The division rounds towards 0.
  const Wide numerator = Wide{axis.output} - extent + begin + end;
  const std::string axis_text = AxisText(j);
  const auto formula = [&] {
    return "(" + Text(axis.output) + " - " + Text(static_cast<std::int64_t>(extent)) + " + " +
           Text(static_cast<std::int64_t>(begin)) + " + " + Text(static_cast<std::int64_t>(end)) + ") / " +
           Text(axis.stride) + " + 1";
  };
  const Wide size = numerator / axis.stride + 1;
  if (!FitsInt64(numerator) || !FitsInt64(size)) {
    return resolver.Refuse("O2", axis_text + formula() + ", expected numbers that fit 64 bits");
  }
  const auto forward = static_cast<std::int64_t>(size);
  if (forward != axis.data) {
    return resolver.Refuse("P21", "dst_shape: " + axis_text + formula() + " = " + Text(forward) + ", expected " +
                                      Text(axis.data) + ", the size of data");
  }
  resolver.RecordStep("P21", [&] { return axis_text + formula() + " = " + Text(forward); });
  const auto pads_begin = static_cast<std::int64_t>(begin);
  return resolver.SetPads(j, clause, [&] { return "pads_begin = " + Text(pads_begin); }, pads_begin);
}

/// The rules for list attributes. The document requires strides, dilations and pads, and gives them no default. The
/// library does not read output_padding (A18). It refuses absent lists earlier (CheckRequiredAttributes).
DialectListRules ListRulesOf(AutoPad mode, bool is_runtime) {
  if (is_runtime) return {.pads_are_ignored = mode != AutoPad::kExplicit, .output_padding_is_unread = true};
  return {.absent_strides = CitedOpenPoint("absent strides of ConvolutionBackwardData"),
          .absent_dilations = CitedOpenPoint("absent dilations of ConvolutionBackwardData"),
          .absent_pads = CitedOpenPoint("absent pads of ConvolutionBackwardData"),
          .pads_are_ignored = mode != AutoPad::kExplicit};
}

}  // namespace

Resolution ResolveOnednn(const Operator& op, Dialect dialect, StepTexts texts) {
  const bool is_runtime = dialect == Dialect::kOnednnRuntime;
  Resolver resolver(op, texts);
  AutoPad mode = AutoPad::kExplicit;
  if (!resolver.CheckTypes("T4", {ElementType::kF32, ElementType::kBf16, ElementType::kF16}) ||
      !ReadFormats(resolver) || !resolver.CheckRanks(/*group_dims=*/0) ||
      !resolver.ResolveChannels(op.groups.value_or(1)) || (is_runtime && !CheckRequiredAttributes(resolver)) ||
      !resolver.ResolveAutoPad(is_runtime ? kRuntimeAutoPad : kSpecAutoPad, mode) ||
      !resolver.ResolveLists(ListRulesOf(mode, is_runtime)) || !ResolveDstShape(resolver) ||
      (is_runtime && !CheckLibraryLimits(resolver))) {
    return resolver.TakeRefusal();
  }
  for (std::size_t j = 0; j < resolver.spatial_rank(); ++j) {
    if (!(is_runtime ? SetPadsByLibrary(resolver, j, mode) : SetPadsBySpecification(resolver, j, mode)))
      return resolver.TakeRefusal();
  }
  return resolver.TakeResolution();
}

}  // namespace oracle
