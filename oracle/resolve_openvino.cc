// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes and pads of OpenVINO's transposed convolutions, ConvolutionBackpropData-1 and
// GroupConvolutionBackpropData-1, from their attributes. The dialect openvino-spec follows the formulas of their
// documents, and openvino-runtime does what OpenVINO's library does. A dialect is one reading of the attributes. Ids
// such as P4 are clauses, the numbered rules of oracle/clauses.md. An open point is a property with which a library may
// either refuse the operator or compute it.
//
// The natural size of an axis is the output size without pads but with output_padding. The total is the sum of both
// pads: natural size - output size. resolver_axes.cc has an example.

#include <algorithm>
#include <array>
#include <string>

#include "oracle/resolver.h"

namespace oracle {
namespace {

constexpr std::array kAutoPadWords = {
    AutoPadWord{"explicit", AutoPad::kExplicit}, AutoPadWord{"same_upper", AutoPad::kSameUpper},
    AutoPadWord{"same_lower", AutoPad::kSameLower}, AutoPadWord{"valid", AutoPad::kValid}};
constexpr AutoPadSpelling kRuntimeAutoPad = {.clause = "A9",
                                             .absent = "explicit",
                                             .expected = "explicit, same_upper, same_lower or valid",
                                             .words = kAutoPadWords,
                                             .accepts_any_case = true};
constexpr AutoPadSpelling kSpecAutoPad = {
    .clause = "A9",
    .absent = "explicit",
    .expected = "explicit, same_upper, same_lower or valid",
    .words = kAutoPadWords,
    .other_case_point = CitedOpenPoint("auto_pad of OpenVINO in upper or mixed case"),
    .none_point = CitedOpenPoint("auto_pad none of OpenVINO")};

/// The rules for list attributes. The document requires strides, dilations and pads. It allows absent pads only if
/// auto_pad or output_shape determines them. In the document's dialect an absent list is an open point: a library may
/// refuse it or use the default.
DialectListRules ListRulesOf(const Operator& op, AutoPad mode, Dialect dialect) {
  const bool pads_are_calculated = op.output_shape.has_value() || mode != AutoPad::kExplicit;
  if (dialect == Dialect::kOpenvinoRuntime) {
    return {.pads_are_ignored = mode != AutoPad::kExplicit,  // P8: explicit keeps pads_begin beside an output shape
            .empty_is_absent = true,
            .ends_are_unbounded = true};
  }
  DialectListRules rules{.absent_strides = CitedOpenPoint("absent strides"),
                         .absent_dilations = CitedOpenPoint("absent dilations"),
                         .pads_are_ignored = pads_are_calculated};
  if (!pads_are_calculated) rules.absent_pads = CitedOpenPoint("absent pads that nothing calculates");
  return rules;
}

/// Sets pads_begin to one half of `total`, and pads_end to the rest. Example: of a total of 3, same_upper puts 2 at the
/// beginning, and all other modes put 1 there. `name` stands for `total` in the text of the step: openvino-runtime
/// passes a clamped total. `is_spec` selects the clause that the step cites.
bool SplitTotal(Resolver& resolver, std::size_t j, AutoPad mode, std::int64_t total, const std::string& name,
                bool is_spec) {
  const std::int64_t half = FloorHalf(total);
  if (mode == AutoPad::kSameUpper) {
    return resolver.SetPads(
        j, is_spec ? CitedClause("P5") : CitedClause("P7"),
        [&] {
          return "pads_begin = " + name + " - " + name + " // 2 = " + OperandText(total) + " - " + OperandText(half) +
                 " = " + Text(total - half);
        },
        total - half);
  }
  return resolver.SetPads(
      j, is_spec ? CitedClause("P4") : CitedClause("P7"),
      [&] { return "pads_begin = " + name + " // 2 = " + OperandText(total) + " // 2 = " + Text(half); }, half);
}

/// Sets the pads of axis j from its output size, as the documents say (P4 to P6).
bool SetPadsBySpecification(Resolver& resolver, std::size_t j, AutoPad mode) {
  std::int64_t total = 0;
  if (!resolver.ComputeTotalPads(j, total)) return false;
  if (total < 0)
    resolver.RecordStep("P6", [&] { return AxisText(j) + "the negative total shifts the data, // rounds down"; });
  return SplitTotal(resolver, j, mode, total, "total", true);
}

/// Sets the pads of axis j from its output size, as OpenVINO does (P7 to P9).
bool SetPadsByLibrary(Resolver& resolver, std::size_t j, AutoPad mode) {
  if (mode == AutoPad::kExplicit) {
    return resolver.SetPads(
        j, "P8", [&] { return "pads_begin = " + Text(resolver.pads_begin[j]) + " as given"; }, resolver.pads_begin[j]);
  }
  if (mode == AutoPad::kValid) return resolver.SetPads(j, "P9", "pads_begin = 0", 0);
  std::int64_t total = 0;
  if (!resolver.ComputeTotalPads(j, total)) return false;
  const std::int64_t clamped = std::max<std::int64_t>(total, 0);
  resolver.RecordStep("P7", [&] { return AxisText(j) + "t = max(total, 0) = " + Text(clamped); });
  return SplitTotal(resolver, j, mode, clamped, "t", false);
}

/// Sets output size and pads of axis j.
bool SizeAxis(Resolver& resolver, std::size_t j, AutoPad mode, Dialect dialect) {
  if (!resolver.ComputeNaturalSize(j)) return false;
  if (!resolver.op().output_shape.has_value()) {
    return mode == AutoPad::kExplicit ? resolver.SetOutputAndPads(j, "P2", resolver.pads_begin[j], resolver.pads_end[j])
                                      : resolver.SetOutputAndPads(j, "P3", 0, 0);
  }
  if (!resolver.SetGivenOutput("output_shape", j, resolver.op().output_shape->values[j])) return false;
  return dialect == Dialect::kOpenvinoSpec ? SetPadsBySpecification(resolver, j, mode)
                                           : SetPadsByLibrary(resolver, j, mode);
}

/// OpenVINO's shape inference accepts data of ranks 3 to 5 (S19); the document accepts more (S1).
bool CheckRuntimeRank(Resolver& resolver) {
  constexpr std::size_t kMaxRuntimeRank = 5;
  const std::size_t rank = resolver.op().data.dims.size();
  if (rank <= kMaxRuntimeRank) return true;
  return resolver.Refuse("S19", "data: rank " + std::to_string(rank) + ", expected 3 to 5");
}

}  // namespace

Resolution ResolveOpenvino(const Operator& op, Dialect dialect, StepTexts texts) {
  Resolver resolver(op, texts);
  const bool has_groups = op.kind == OperatorKind::kGroupConvolutionBackpropData;
  if (!resolver.CheckTypes() || !resolver.CheckRanks(has_groups ? 1 : 0)) return resolver.TakeRefusal();
  const bool is_runtime = dialect == Dialect::kOpenvinoRuntime;
  if (is_runtime && !CheckRuntimeRank(resolver)) return resolver.TakeRefusal();
  if (is_runtime) resolver.SetSizeRules({.empty_data_count_as_one = true, .far_pads_are_undefined = true});
  resolver.geometry().layout = DataLayout::kNcx;
  resolver.geometry().filter_layout = has_groups ? FilterLayout::kGiox : FilterLayout::kIox;
  AutoPad mode = AutoPad::kExplicit;
  if (!resolver.ResolveChannels(has_groups ? std::nullopt : std::optional<std::int64_t>(1)) ||
      !resolver.ResolveAutoPad(is_runtime ? kRuntimeAutoPad : kSpecAutoPad, mode) ||
      !resolver.ResolveLists(ListRulesOf(op, mode, dialect))) {
    return resolver.TakeRefusal();
  }
  if (op.output_shape.has_value() &&
      !resolver.CheckShapeInput("output_shape", *op.output_shape, resolver.spatial_rank())) {
    return resolver.TakeRefusal();
  }
  for (std::size_t j = 0; j < resolver.spatial_rank(); ++j) {
    if (!SizeAxis(resolver, j, mode, dialect)) return resolver.TakeRefusal();
  }
  return resolver.TakeResolution();
}

}  // namespace oracle
