// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the factors of suite `common`, their values and the pairs of values that exclude each other. Makes a case
// from each row of the covering array, a few rows that contain every combination of the values of two or more factors.

#include "conformance/suite/covering/common_array.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/covering/common_geometries.h"
#include "conformance/suite/covering/mixed_array.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

/// A factor is a property that varies from case to case. A row has one value of each factor.
enum Factor : std::size_t {
  kGeometry,
  kExtent,
  kType,
  kBatch,
  kGrouping,
  kIn,
  kOut,
  kSize,
  kValues,
  kLayout,
  kOperator,
  kFactors,
};

/// The attributes that decide the output size: pads of the geometry's table row; no pads; same_upper; an output shape
/// with odd sizes; an output shape with even sizes.
enum Extent : std::size_t { kPadded, kBare, kSame, kShapeOdd, kShapeEven, kExtents };
constexpr std::array<std::string_view, kExtents> kExtentNames = {"padded", "bare", "same", "odd", "even"};

constexpr std::array<std::int64_t, 3> kBatches = {1, 2, 3};

/// One, two or three groups; groups of one input and one output channel; groups of one input and several output
/// channels.
enum Grouping : std::size_t { kOne, kTwo, kThree, kDepthwise, kMultiplier, kGroupings };

/// Channels of a group. In depthwise rows and in rows with a multiplier each group has one input channel, and the value
/// of kIn is the number of groups.
constexpr std::array<std::int64_t, 8> kChannels = {1, 3, 8, 16, 17, 32, 64, 65};

/// Sizes of data: 1 along each axis; even sizes; odd sizes; a long last axis after short ones.
enum Size : std::size_t { kSingle, kEven, kOdd, kLong, kSizes };
constexpr std::array<std::string_view, kSizes> kSizeNames = {"single", "even", "odd", "long"};

/// The first three are values of the factor: `integers` show wrong indices, `reals` have full significands, `wide` has
/// all numbers of integer types. CommonSpecialCases uses the others, because NaN may hide a wrong index.
constexpr std::array kValueSets = {DataSet::kIntegers, DataSet::kReals, DataSet::kWide,
                                   DataSet::kSpecials, DataSet::kZeros, DataSet::kSubnormals};
constexpr std::size_t kFactorValueSets = 3;

/// Whether cases of this type use this data set. `wide` is for integer types; floating types have `reals` instead.
bool AreUsedTogether(ElementType type, DataSet values) {
  return IsDefinedFor(values, type) && !(values == DataSet::kWide && oracle::IsFloat(type));
}

struct Layout {
  DataFormat data;
  WeightsFormat weights;
  std::string_view name;
};
/// The default layout occurs four times, so that most rows have it, as most models do.
constexpr std::array kLayouts = {Layout{DataFormat::kAbsent, WeightsFormat::kAbsent, "default"},
                                 Layout{DataFormat::kNcx, WeightsFormat::kOix, "ncx-oix"},
                                 Layout{DataFormat::kNcx, WeightsFormat::kXio, "ncx-xio"},
                                 Layout{DataFormat::kNxc, WeightsFormat::kOix, "nxc-oix"},
                                 Layout{DataFormat::kAbsent, WeightsFormat::kAbsent, "default"},
                                 Layout{DataFormat::kAbsent, WeightsFormat::kAbsent, "default"},
                                 Layout{DataFormat::kAbsent, WeightsFormat::kAbsent, "default"}};

bool HasType(OperatorKind kind, ElementType type) {
  OperatorDraft draft;
  draft.type = type;
  return As(kind, draft).type == type;
}

/// Whether the geometry has more than 80 taps. With 32 and more channels these would cost most of the suite's time.
/// Suite `layers` has FSRCNN and FCN-8s at their real channels.
bool IsLarge(const CommonGeometry& geometry) { return geometry.axes == 2 && geometry.kernel >= 9; }

FactorModel MakeModel() {
  const auto geometries = CommonGeometries();
  std::vector<std::size_t> sizes(kFactors);
  sizes[kGeometry] = geometries.size();
  sizes[kExtent] = kExtents;
  sizes[kType] = oracle::kNumericTypes.size();
  sizes[kBatch] = kBatches.size();
  sizes[kGrouping] = kGroupings;
  sizes[kIn] = sizes[kOut] = kChannels.size();
  sizes[kSize] = kSizes;
  sizes[kValues] = kFactorValueSets;
  sizes[kLayout] = kLayouts.size();
  sizes[kOperator] = oracle::kOperatorKinds.size();
  FactorModel model(sizes);
  for (std::size_t i = 0; i < geometries.size(); ++i) {
    if (IsLarge(geometries[i])) {
      for (std::size_t c = 0; c < kChannels.size(); ++c) {
        if (kChannels[c] < 32) continue;
        model.Exclude(kGeometry, i, kIn, c);
        model.Exclude(kGeometry, i, kOut, c);
      }
    }
    if (geometries[i].pads == 0 && geometries[i].output_padding == 0) model.Exclude(kGeometry, i, kExtent, kPadded);
  }
  for (std::size_t o = 0; o < oracle::kOperatorKinds.size(); ++o) {
    const OperatorKind kind = oracle::kOperatorKinds[o];
    for (std::size_t t = 0; t < oracle::kNumericTypes.size(); ++t) {
      if (!HasType(kind, oracle::kNumericTypes[t])) model.Exclude(kOperator, o, kType, t);
    }
    if (kind == OperatorKind::kConvolutionBackpropData) {
      for (std::size_t g = kTwo; g < kGroupings; ++g) model.Exclude(kOperator, o, kGrouping, g);
    }
    // The three other operators have a single layout, and no attribute for it.
    if (kind == OperatorKind::kConvolutionBackwardData) {
      model.Exclude(kOperator, o, kExtent, kBare);  // ConvolutionBackwardData always has an output shape
    } else {
      for (std::size_t l = 1; l < kLayouts.size(); ++l) model.Exclude(kOperator, o, kLayout, l);
    }
  }
  for (std::size_t t = 0; t < oracle::kNumericTypes.size(); ++t) {
    for (std::size_t v = 0; v < kFactorValueSets; ++v) {
      if (!AreUsedTogether(oracle::kNumericTypes[t], kValueSets[v])) model.Exclude(kType, t, kValues, v);
    }
  }
  for (std::size_t c = 0; c < kChannels.size(); ++c) {
    if (c != 0) model.Exclude(kGrouping, kDepthwise, kOut, c);
    // Groups with one input channel each are the values kDepthwise and kMultiplier of kGrouping.
    if (c == 0) {
      for (std::size_t g = kTwo; g < kGroupings; ++g) model.Exclude(kGrouping, g, kIn, c);
      model.Exclude(kGrouping, kMultiplier, kOut, c);
    }
    if (kChannels[c] > 8) model.Exclude(kGrouping, kMultiplier, kOut, c);  // networks have small multipliers
  }
  return model;
}

// The rows of a strength, computed once in a process. The rows of strength 3 begin with those of strength 2, and so on.
const std::vector<FactorRow>& RowsOf(std::size_t strength) {
  static std::mutex mutex;
  static std::map<std::size_t, std::vector<FactorRow>> known;
  const std::lock_guard lock(mutex);
  for (std::size_t s = 2; s <= strength; ++s) {
    const auto [at, is_new] = known.try_emplace(s);
    if (is_new) at->second = CoveringRows(MakeModel(), s, s == 2 ? std::vector<FactorRow>() : known[s - 1]);
  }
  return known[strength];
}

/// Number of groups, and the channels of a group.
struct Channels {
  std::int64_t groups = 1, in = 1, out = 1;
};

/// The channels that the factors kGrouping, kIn and kOut of a row mean.
Channels ChannelsOf(const FactorRow& row) {
  const std::int64_t in = kChannels.at(row[kIn]);
  const std::int64_t out = kChannels.at(row[kOut]);
  switch (row[kGrouping]) {
    case kTwo:
      return {2, in, out};
    case kThree:
      return {3, in, out};
    case kDepthwise:
      return {in, 1, 1};
    case kMultiplier:
      return {in, 1, out};
    default:
      return {1, in, out};
  }
}

/// The size of data along an axis. If a data element has many products, the size is the smallest of its class.
std::int64_t DataOf(std::size_t size, std::size_t axes, std::size_t axis, double products) {
  const bool small = products > 1'000 || axes == 3;
  const bool last = axis + 1 == axes;
  switch (size) {
    case kEven:
      return small ? 2 : 4;
    case kOdd:
      return products > 8'000 && !last ? 1 : small ? 3 : 5;
    case kLong:
      return last ? (small ? 9 : 17) : (small ? 1 : 2);
    default:
      return 1;
  }
}

/// Builds the operator; nullopt unless the dialect requires that it is computed.
std::optional<oracle::Operator> OperatorIfValid(const OperatorDraft& draft) {
  const oracle::Dialect dialect = CommonDialectOf(draft.kind);
  oracle::Operator op = Spelled(Build(draft), dialect);
  const oracle::Resolution resolution = oracle::Resolve(op, dialect);
  if (!resolution.ok() || !resolution.open.empty()) return std::nullopt;
  return op;
}

/// The draft with an output shape. Its sizes are all odd or all even, and close to data times stride.
std::optional<oracle::Operator> WithShape(OperatorDraft draft, bool odd) {
  // A dst_shape that contradicts explicit pads is open (clause P10), so that it comes with same_lower.
  if (draft.kind == OperatorKind::kConvolutionBackwardData) draft.auto_pad = AutoPad::kSameLower;
  for (const std::int64_t more : {0, -2, 2}) {
    for (AxisDraft& axis : draft.axes) {
      const std::int64_t size = axis.data * axis.stride;
      axis.output = size + ((size % 2 != 0) == odd ? 0 : 1) + more;
      if (*axis.output < 1) axis.output = odd ? 1 : 2;
    }
    if (auto op = OperatorIfValid(draft)) return op;
  }
  return std::nullopt;
}

/// Builds the operator of a row; nullopt if it is not valid.
std::optional<oracle::Operator> OperatorOf(const FactorRow& row) {
  const CommonGeometry& geometry = CommonGeometries()[row[kGeometry]];
  const auto [groups, in, out] = ChannelsOf(row);
  double products = static_cast<double>(groups * in * out);
  for (std::size_t j = 0; j < geometry.axes; ++j) products *= static_cast<double>(geometry.kernel);
  OperatorDraft draft{.batch = kBatches.at(row[kBatch]), .groups = groups, .in = in, .out = out};
  const std::size_t extent = row[kExtent];
  for (std::size_t j = 0; j < geometry.axes; ++j) {
    AxisDraft axis{.data = DataOf(row[kSize], geometry.axes, j, products),
                   .kernel = geometry.kernel,
                   .stride = geometry.stride,
                   .dilation = geometry.dilation};
    if (extent == kPadded) {
      axis.pads_begin = axis.pads_end = geometry.pads;
      axis.output_padding = geometry.output_padding;
    }
    draft.axes.push_back(axis);
  }
  if (extent == kSame) draft.auto_pad = AutoPad::kSameUpper;
  const OperatorKind kind = oracle::kOperatorKinds.at(row[kOperator]);
  draft.type = oracle::kNumericTypes.at(row[kType]);
  draft.data_format = kLayouts.at(row[kLayout]).data;
  draft.weights_format = kLayouts.at(row[kLayout]).weights;
  draft = As(kind, std::move(draft));
  if (extent == kShapeOdd || extent == kShapeEven) return WithShape(std::move(draft), extent == kShapeOdd);
  return OperatorIfValid(draft);
}

std::string NameOf(const FactorRow& row) {
  const CommonGeometry& geometry = CommonGeometries()[row[kGeometry]];
  const auto [groups, in, out] = ChannelsOf(row);
  const OperatorKind kind = oracle::kOperatorKinds.at(row[kOperator]);
  std::string name = fmt::format("{}d-k{}s{}d{}.{}.{}.b{}g{}i{}o{}.{}.{}", geometry.axes, geometry.kernel,
                                 geometry.stride, geometry.dilation, kExtentNames.at(row[kExtent]),
                                 ElementTypeName(oracle::kNumericTypes.at(row[kType])), kBatches.at(row[kBatch]),
                                 groups, in, out, kSizeNames.at(row[kSize]), DataSetName(kValueSets.at(row[kValues])));
  if (kind == OperatorKind::kConvolutionBackwardData) name += fmt::format(".{}", kLayouts.at(row[kLayout]).name);
  return name + fmt::format(".{}", ShortName(kind));
}

template <class Values, class Value>
std::uint8_t IndexOf(const Values& values, const Value& value) {
  return static_cast<std::uint8_t>(std::ranges::find(values, value) - std::begin(values));
}

/// A row with these values, and with the first value of each other factor.
FactorRow RowOf(std::size_t geometry, ElementType type, std::size_t values) {
  FactorRow row(kFactors, 0);
  row[kGeometry] = static_cast<std::uint8_t>(geometry);
  row[kType] = IndexOf(oracle::kNumericTypes, type);
  row[kValues] = static_cast<std::uint8_t>(values);
  return row;
}

/// nullopt if the row has no valid operator. Then a combination has no case, and suite_layers_test fails.
std::optional<CommonCase> CommonCaseOf(const FactorRow& row) {
  auto op = OperatorOf(row);
  if (!op) return std::nullopt;
  CommonCase common_case;
  common_case.name = NameOf(row);
  common_case.networks = CommonGeometries()[row[kGeometry]].networks;
  common_case.test_case.op = *std::move(op);
  const oracle::Dialect dialect = CommonDialectOf(common_case.test_case.op.kind);
  if (dialect != oracle::DialectsOf(common_case.test_case.op.kind).front()) common_case.test_case.dialect = dialect;
  common_case.test_case.values = kValueSets.at(row[kValues]);
  return common_case;
}

}  // namespace

oracle::Dialect CommonDialectOf(OperatorKind kind) {
  // The first dialect of ConvTranspose leaves SAME_* undefined.
  return kind == OperatorKind::kConvTranspose ? oracle::Dialect::kOnnx11 : oracle::DialectsOf(kind).front();
}

std::vector<CommonCase> CommonCasesOf(std::size_t strength) {
  std::vector<CommonCase> cases;
  for (const FactorRow& row : RowsOf(strength)) {
    if (auto common_case = CommonCaseOf(row)) cases.push_back(*std::move(common_case));
  }
  return cases;
}

std::vector<CommonCase> CommonSpecialCases(bool every_type) {
  constexpr std::array kFloats = {ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kF64};
  constexpr std::array<std::uint8_t, 3> kUsedSizes = {kOdd, kLong, kEven};
  std::vector<CommonCase> cases;
  for (std::size_t g = 0; g < CommonGeometries().size(); ++g) {
    for (std::size_t set = kFactorValueSets; set < kValueSets.size(); ++set) {
      const std::size_t turn = g + set;
      for (std::size_t t = 0; t < kFloats.size(); ++t) {
        if (!every_type && t != turn % kFloats.size()) continue;
        FactorRow row = RowOf(g, kFloats.at(t), set);
        row[kExtent] = turn / 4 % 2 == 0 ? kSame : kShapeOdd;
        row[kIn] = row[kOut] = 1;
        row[kSize] = kUsedSizes.at(turn % kUsedSizes.size());
        if (auto common_case = CommonCaseOf(row)) cases.push_back(*std::move(common_case));
      }
    }
  }
  return cases;
}

std::vector<CommonCase> CommonBlockCases(bool every_block) {
  constexpr std::array<std::int64_t, 3> kBlocks = {8, 16, 32};
  std::vector<CommonCase> cases;
  for (std::size_t g = 0; g < CommonGeometries().size(); ++g) {
    for (std::size_t b = 0; b < kBlocks.size(); ++b) {
      if (!every_block && b != g % 2) continue;
      if (IsLarge(CommonGeometries()[g]) && kBlocks.at(b) >= 32) continue;
      FactorRow row = RowOf(g, ElementType::kF32, 1);  // value set 1: `reals`
      row[kExtent] = (g + b) % 2 == 0 ? kSame : kShapeOdd;
      row[kBatch] = 1;
      row[kIn] = row[kOut] = IndexOf(kChannels, kBlocks.at(b));
      row[kSize] = kOdd;
      if (auto common_case = CommonCaseOf(row)) cases.push_back(*std::move(common_case));
    }
  }
  return cases;
}

}  // namespace conformance
