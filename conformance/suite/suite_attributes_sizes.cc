// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` for combinations of sizes: all kernels from 1 to 11 with all strides from 1 to 8, output
// widths around vector widths and powers of two, and numbers of channels and groups around block sizes. Implementations
// select code by such numbers, so that each combination may run different code.

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

// Kernels and strides up to the sizes for which libraries have code of their own. The numbers are a choice; the lists
// are frozen, so that another choice would be another list.
constexpr std::int64_t kLongestKernel = 11;
constexpr std::int64_t kLongestStride = 8;
constexpr std::int64_t kLongestDilation = 4;

/// An operator in one layout. Channels last exist for ConvolutionBackwardData alone.
struct Variant {
  OperatorKind kind;
  const char* suffix;  ///< suffix of the case's name
  std::optional<DataFormat> data_format = std::nullopt;
  std::optional<WeightsFormat> weights_format = std::nullopt;
};
constexpr std::array kVariants = {
    Variant{OperatorKind::kConvolutionBackpropData, ""}, Variant{OperatorKind::kGroupConvolutionBackpropData, ""},
    Variant{OperatorKind::kConvolutionBackwardData, "-last", DataFormat::kAbsent, WeightsFormat::kAbsent},
    Variant{OperatorKind::kConvolutionBackwardData, "-planar", DataFormat::kNcx, WeightsFormat::kOix},
    Variant{OperatorKind::kConvTranspose, ""}};

/// A case before its kind of operator is chosen.
struct SizeCase {
  Level least;
  std::string name;
  const char* reason;
  OperatorDraft draft;
};

void AddVariant(SuiteBuilder& suite, const Variant& variant, const SizeCase& row) {
  if (!suite.Includes(row.least)) return;
  if (variant.kind == OperatorKind::kConvolutionBackpropData && row.draft.groups != 1) return;
  OperatorDraft draft = row.draft;
  if (variant.kind == OperatorKind::kGroupConvolutionBackpropData && draft.groups == 1) draft.groups = 2;
  draft.data_format = variant.data_format;
  draft.weights_format = variant.weights_format;
  AddOperator(suite, row.least, row.name + variant.suffix, row.reason, Build(As(variant.kind, draft)),
              oracle::DialectsOf(variant.kind).front());
}

void AddVariants(SuiteBuilder& suite, const SizeCase& row) {
  for (const Variant& variant : kVariants) AddVariant(suite, variant, row);
}

/// Adds the row as one variant, which `rotation` modulo the number of variants selects.
void AddOneVariant(SuiteBuilder& suite, std::size_t rotation, const SizeCase& row) {
  AddVariant(suite, kVariants[rotation % kVariants.size()], row);
}

// An axis whose data are long enough that each stride phase has outputs with all taps, and two elements longer. A phase
// is the outputs whose positions are equal modulo the stride; its taps are the filter elements that can reach them.
AxisDraft GridAxis(std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
  return {.data = (kernel - 1) * dilation / stride + 3, .kernel = kernel, .stride = stride, .dilation = dilation};
}

void AddKernelsByStrides(SuiteBuilder& suite) {
  for (std::int64_t dilation = 1; dilation <= kLongestDilation; ++dilation) {
    for (std::int64_t kernel = 1; kernel <= kLongestKernel; ++kernel) {
      for (std::int64_t stride = 1; stride <= kLongestStride; ++stride) {
        const AxisDraft axis = GridAxis(kernel, stride, dilation);
        const std::string sizes = fmt::format("k{}s{}d{}", kernel, stride, dilation);
        const Level least = dilation == 1 ? Level::kGate : Level::kFull;
        // Each kernel meets each dilation with one stride at level gate, and the strides take turns.
        const bool has_its_turn = stride == 1 + (kernel + dilation) % kLongestStride;
        const Level least_of_rows = has_its_turn ? Level::kGate : least;
        AddVariants(suite, {least_of_rows, "grid.1d-" + sizes, "every kernel with every stride", {.axes = {axis}}});
        AxisDraft padded = axis;
        padded.pads_begin = kernel / 2;
        padded.pads_end = kernel / 3;
        AddVariants(suite, {least,
                            "grid.2d-" + sizes,
                            "square kernels with equal strides",
                            {.in = 2, .out = 2, .axes = {padded, axis}}});
      }
    }
  }
}

void AddKernelPairs(SuiteBuilder& suite) {
  constexpr std::int64_t kStridePairs = kLongestStride * kLongestStride;
  std::int64_t rotation = 0;
  for (std::int64_t height = 1; height <= kLongestKernel; ++height) {
    for (std::int64_t width = 1; width <= kLongestKernel; ++width) {
      const auto row = [&](Level least, std::int64_t pair) {
        const std::int64_t down = 1 + pair / kLongestStride;
        const std::int64_t across = 1 + pair % kLongestStride;
        return SizeCase{least,
                        fmt::format("grid.k{}x{}-s{}x{}", height, width, down, across),
                        "kernels and strides that differ along the axes",
                        {.in = 1, .out = 2, .axes = {GridAxis(height, down, 1), GridAxis(width, across, 1)}}};
      };
      // Each pair of kernels occurs with two pairs of strides. 37 and 64 have no common divisor, so that all occur.
      for (int i = 0; height != width && i < 2; ++i)
        AddVariants(suite, row(Level::kGate, rotation++ * 37 % kStridePairs));
      for (std::int64_t pair = 0; pair < kStridePairs; ++pair) {
        AddOneVariant(suite, static_cast<std::size_t>(height + 2 * width + pair), row(Level::kFull, pair));
      }
    }
  }
}

// Kernel and stride of an operator with a given output width.
struct KernelAndStride {
  std::int64_t kernel, stride;
};
constexpr std::array kKernelsAndStrides = {KernelAndStride{3, 1}, KernelAndStride{3, 2}, KernelAndStride{4, 2},
                                           KernelAndStride{2, 2}, KernelAndStride{5, 3}};

// An axis with this output width: the smallest data whose output is at least as wide; pads remove the excess.
AxisDraft AxisOfWidth(std::int64_t width, const KernelAndStride& shape) {
  AxisDraft axis{.data = 1, .kernel = shape.kernel, .stride = shape.stride};
  while (axis.Natural() < width) ++axis.data;
  axis.pads_begin = (axis.Natural() - width) / 2;
  axis.pads_end = axis.Natural() - width - axis.pads_begin;
  return axis;
}

SizeCase WidthCase(Level least, std::int64_t width, std::size_t shape) {
  return {
      least,
      fmt::format("grid.w{}-k{}s{}", width, kKernelsAndStrides.at(shape).kernel, kKernelsAndStrides.at(shape).stride),
      "output widths around vectors and powers of two, so that each tail has each length",
      {.axes = {AxisOfWidth(width, kKernelsAndStrides.at(shape))}}};
}

void AddOutputWidths(SuiteBuilder& suite) {
  // All widths up to two vectors of 64 bytes of i8 and a rest of 2; then those around powers of two up to 4096.
  constexpr std::int64_t kEachUpTo = 130;
  constexpr std::int64_t kLargest = 4100;
  for (std::int64_t width = 1; width <= kEachUpTo; ++width) {
    const auto rotation = static_cast<std::size_t>(width);
    AddVariants(suite, WidthCase(Level::kGate, width, rotation % kKernelsAndStrides.size()));
    for (std::size_t shape = 0; shape < kKernelsAndStrides.size(); ++shape) {
      AddVariants(suite, WidthCase(Level::kFull, width, shape));
    }
  }
  for (std::int64_t width = kEachUpTo + 1; width <= kLargest; ++width) {
    const auto rotation = static_cast<std::size_t>(width);
    const auto around = [&](std::int64_t block) { return (width + 1) % block <= 2; };
    const bool power = std::ranges::any_of(std::array<std::int64_t, 5>{256, 512, 1024, 2048, 4096},
                                           [&](std::int64_t size) { return std::abs(width - size) <= 1; });
    const SizeCase gate = WidthCase(Level::kGate, width, rotation % kKernelsAndStrides.size());
    if (power) AddVariants(suite, gate);
    if (around(64)) AddOneVariant(suite, rotation / 64 + rotation % 64, gate);
    if (around(8) || width > 4096)
      AddVariants(suite, WidthCase(Level::kFull, width, rotation % kKernelsAndStrides.size()));
  }
}

// Blocks of 8 to 256, one less, one more and three more than a block, and numbers that some blocks divide with a rest.
std::vector<std::int64_t> Counts() {
  std::set<std::int64_t> counts = {12, 20, 24, 40, 48, 96, 100, 200};
  for (const std::int64_t block : {8, 16, 32, 64, 128, 256}) {
    counts.insert({block - 1, block, block + 1, block + 3});
  }
  return {counts.begin(), counts.end()};
}

void AddCounts(SuiteBuilder& suite) {
  const std::vector<AxisDraft> axes = {{3, 2, 2, 1, 1}, {4, 3, 1, 1, 0, 1}};
  const char* const reason = "counts of channels and groups around blocks, with remainders";
  const std::vector<std::int64_t> counts = Counts();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t count = counts[i];
    const auto add = [&](const std::string& name, std::int64_t groups, std::int64_t in, std::int64_t out) {
      // The limit of 8192 products of channels: the oracle takes 3 ns for each, times 72 taps and data elements.
      const Level least = groups * in * out <= 8192 ? Level::kGate : Level::kFull;
      AddVariants(suite, {least, "grid." + name, reason, {.groups = groups, .in = in, .out = out, .axes = axes}});
    };
    add(fmt::format("in{}", count), 1, count, 5);
    add(fmt::format("out{}", count), 1, 5, count);
    add(fmt::format("groups{}", count), count, 1, 1);
    add(fmt::format("groups{}-out2", count), count, 1, 2);
    add(fmt::format("groups{}-in3", count), count, 3, 1);
    add(fmt::format("g3in{}", count), 3, count, 2);
    add(fmt::format("g3out{}", count), 3, 2, count);
    // 11 and 32, the number of counts, have no common divisor. So each count is paired with another count.
    const std::int64_t other = counts[(11 * i + 5) % counts.size()];
    if (other != count) add(fmt::format("in{}-out{}", count, other), 1, count, other);
  }
}

}  // namespace

void AddSizeGrids(SuiteBuilder& suite) {
  AddKernelsByStrides(suite);
  AddKernelPairs(suite);
  AddOutputWidths(suite);
  AddCounts(suite);
}

}  // namespace conformance
