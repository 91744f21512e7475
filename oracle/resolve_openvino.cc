// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves ConvolutionBackpropData-1 and GroupConvolutionBackpropData-1: by the formulas of their documents
// (openvino-spec) and as OpenVINO does (openvino-runtime).

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
                                             .any_case = true};
constexpr AutoPadSpelling kSpecAutoPad = {.clause = "A9",
                                          .absent = "explicit",
                                          .expected = "explicit, same_upper, same_lower or valid",
                                          .words = kAutoPadWords,
                                          .other_case = CitedOpenPoint("auto_pad of OpenVINO in upper or mixed case"),
                                          .none = CitedOpenPoint("auto_pad none of OpenVINO")};

/// The document marks strides, dilations and pads as required. It lets pads be omitted where they are calculated.
ListRules RulesOf(const Operator& op, AutoPad mode, Dialect dialect) {
  const bool calculated = op.output_shape.has_value() || mode != AutoPad::kExplicit;
  if (dialect == Dialect::kOpenvinoRuntime) {
    return {.pads_are_ignored = mode != AutoPad::kExplicit,  // P8: explicit keeps pads_begin beside an output shape
            .empty_is_absent = true,
            .ends_are_unbounded = true};
  }
  ListRules rules{.absent_strides = CitedOpenPoint("absent strides"),
                  .absent_dilations = CitedOpenPoint("absent dilations"),
                  .pads_are_ignored = calculated};
  if (!calculated) rules.absent_pads = CitedOpenPoint("absent pads that nothing calculates");
  return rules;
}

/// Splits `total` (or the clamped total of openvino-runtime) between the two ends; `name` is its name in the step.
bool Split(Resolver& r, std::size_t j, AutoPad mode, std::int64_t total, const std::string& name, bool spec) {
  const std::int64_t half = FloorHalf(total);
  if (mode == AutoPad::kSameUpper) {
    return r.SetBegin(
        j, spec ? CitedClause("P5") : CitedClause("P7"),
        [&] {
          return "pads_begin = " + name + " - " + name + " // 2 = " + Operand(total) + " - " + Operand(half) + " = " +
                 Text(total - half);
        },
        total - half);
  }
  return r.SetBegin(
      j, spec ? CitedClause("P4") : CitedClause("P7"),
      [&] { return "pads_begin = " + name + " // 2 = " + Operand(total) + " // 2 = " + Text(half); }, half);
}

bool AlignSpec(Resolver& r, std::size_t j, AutoPad mode) {
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  if (total < 0) r.Note("P6", [&] { return AxisText(j) + "the negative total shifts the data, // rounds down"; });
  return Split(r, j, mode, total, "total", true);
}

bool AlignRuntime(Resolver& r, std::size_t j, AutoPad mode) {
  if (mode == AutoPad::kExplicit) {
    return r.SetBegin(j, "P8", [&] { return "pads_begin = " + Text(r.pads_begin[j]) + " as given"; }, r.pads_begin[j]);
  }
  if (mode == AutoPad::kValid) return r.SetBegin(j, "P9", "pads_begin = 0", 0);
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  const std::int64_t clamped = std::max<std::int64_t>(total, 0);
  r.Note("P7", [&] { return AxisText(j) + "t = max(total, 0) = " + Text(clamped); });
  return Split(r, j, mode, clamped, "t", false);
}

bool SizeAxis(Resolver& r, std::size_t j, AutoPad mode, Dialect dialect) {
  if (!r.TakeNatural(j)) return false;
  if (!r.op().output_shape.has_value()) {
    return mode == AutoPad::kExplicit ? r.SizeFromPads(j, "P2", r.pads_begin[j], r.pads_end[j])
                                      : r.SizeFromPads(j, "P3", 0, 0);
  }
  if (!r.TakeOutput("output_shape", j, r.op().output_shape->values[j])) return false;
  return dialect == Dialect::kOpenvinoSpec ? AlignSpec(r, j, mode) : AlignRuntime(r, j, mode);
}

/// The runtime's shape inference accepts ranks 3 to 5 of data; the document accepts more (S1).
bool CheckRuntimeRank(Resolver& r) {
  constexpr std::size_t kMaxRuntimeRank = 5;
  const std::size_t rank = r.op().data.dims.size();
  if (rank <= kMaxRuntimeRank) return true;
  return r.Refuse("S19", "data: rank " + std::to_string(rank) + ", expected 3 to 5");
}

}  // namespace

Resolution ResolveOpenvino(const Operator& op, Dialect dialect, StepTexts texts) {
  Resolver r(op, texts);
  const bool grouped = op.kind == OperatorKind::kGroupConvolutionBackpropData;
  if (!r.CheckTypes() || !r.CheckRanks(grouped ? 1 : 0)) return r.Stop();
  const bool runtime = dialect == Dialect::kOpenvinoRuntime;
  if (runtime && !CheckRuntimeRank(r)) return r.Stop();
  if (runtime) r.SetSizeRules({.empty_data_have_size_1 = true, .far_pads_are_undefined = true});
  r.geometry().layout = DataLayout::kNcx;
  r.geometry().filter_layout = grouped ? FilterLayout::kGiox : FilterLayout::kIox;
  AutoPad mode = AutoPad::kExplicit;
  if (!r.TakeChannels(grouped ? std::nullopt : std::optional<std::int64_t>(1)) ||
      !r.TakeAutoPad(dialect == Dialect::kOpenvinoSpec ? kSpecAutoPad : kRuntimeAutoPad, mode) ||
      !r.TakeLists(RulesOf(op, mode, dialect))) {
    return r.Stop();
  }
  if (op.output_shape.has_value() && !r.CheckShapeInput("output_shape", *op.output_shape, r.spatial_rank())) {
    return r.Stop();
  }
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    if (!SizeAxis(r, j, mode, dialect)) return r.Stop();
  }
  return r.Finish();
}

}  // namespace oracle
