// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the names of parameters and classes.

#include "conformance/suite/covering/parameter.h"

namespace conformance {
namespace {

constexpr auto kOperators = std::to_array<std::string_view>(
    {"ConvolutionBackpropData", "GroupConvolutionBackpropData", "ConvolutionBackwardData", "ConvTranspose"});
constexpr auto kAutoPads = std::to_array<std::string_view>({"absent", "explicit", "same_upper", "same_lower", "valid"});
constexpr auto kOutputShapes = std::to_array<std::string_view>(
    {"absent", "total-zero", "total-even", "total-odd", "total-negative-even", "total-negative-odd"});
constexpr auto kOutputPaddings = std::to_array<std::string_view>({"zero", "below-stride", "from-stride"});
constexpr auto kRanks = std::to_array<std::string_view>({"3", "4", "5", "more"});
constexpr auto kGroups = std::to_array<std::string_view>({"one", "several", "depthwise", "depthwise-multiplier"});
constexpr auto kSteps = std::to_array<std::string_view>({"one", "equal", "different"});
constexpr auto kRelations = std::to_array<std::string_view>({"coprime", "common-divisor"});
constexpr auto kPads = std::to_array<std::string_view>({"zero", "symmetric", "begin", "end", "asymmetric", "deep"});
constexpr auto kKernels = std::to_array<std::string_view>({"1", "below-stride", "even", "odd"});
constexpr auto kSpans = std::to_array<std::string_view>({"within", "beyond"});
constexpr auto kBatches = std::to_array<std::string_view>({"one", "several"});
constexpr auto kTypes = std::to_array<std::string_view>(
    {"f64", "f32", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"});
constexpr auto kDataFormats = std::to_array<std::string_view>({"NCX", "NXC"});
constexpr auto kFilterFormats = std::to_array<std::string_view>({"OIX", "XIO"});
constexpr auto kShapeSources = std::to_array<std::string_view>({"attribute", "input"});

struct Entry {
  std::string_view name;
  std::span<const std::string_view> classes;
};
constexpr std::array<Entry, kParameters> kEntries = {{{"operator", kOperators},
                                                      {"auto_pad", kAutoPads},
                                                      {"output_shape", kOutputShapes},
                                                      {"output_padding", kOutputPaddings},
                                                      {"rank", kRanks},
                                                      {"groups", kGroups},
                                                      {"strides", kSteps},
                                                      {"dilations", kSteps},
                                                      {"stride-and-dilation", kRelations},
                                                      {"pads", kPads},
                                                      {"kernel", kKernels},
                                                      {"kernel-and-data", kSpans},
                                                      {"batch", kBatches},
                                                      {"type", kTypes},
                                                      {"data_format", kDataFormats},
                                                      {"weights_format", kFilterFormats},
                                                      {"dst_shape-source", kShapeSources}}};

}  // namespace

std::string_view ParameterName(Parameter parameter) { return kEntries[static_cast<std::size_t>(parameter)].name; }

std::span<const std::string_view> ClassNames(Parameter parameter) {
  return kEntries[static_cast<std::size_t>(parameter)].classes;
}

std::string ToText(const ClassRow& row) {
  std::string text;
  for (std::size_t i = 0; i < kParameters; ++i) {
    const auto parameter = static_cast<Parameter>(i);
    if (!row.Has(parameter)) continue;
    if (!text.empty()) text += ' ';
    text += ParameterName(parameter);
    text += '=';
    text += ClassNames(parameter)[row[parameter]];
  }
  return text;
}

}  // namespace conformance
