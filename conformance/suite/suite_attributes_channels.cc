// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes`: channels, groups and batch; sizes around vector widths; and shapes that broke libraries.
// Libraries work on blocks of channels and on vectors of elements, and errors hide in the rest of the last block.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

// Each axis in this file: data, kernel, stride, dilation, pads_begin, pads_end, output_padding.

void AddChannelPairs(SuiteBuilder& suite) {
  constexpr std::array<std::int64_t, 18> channel_counts = {1,  2,  3,  4,  5,  7,  8,  9,  15,
                                                           16, 17, 19, 31, 32, 33, 63, 64, 65};
  for (std::size_t i = 0; i < channel_counts.size(); ++i) {
    // 7 and 18 (the number of counts) have no common divisor. So in both lists of pairs every number occurs once on
    // either side, and never in a pair of equals, which would hide that a backend exchanges the two.
    for (const std::size_t shift : {std::size_t{3}, std::size_t{8}}) {
      const std::int64_t in = channel_counts[i];
      const std::int64_t out = channel_counts[(7 * i + shift) % channel_counts.size()];
      if (in == out) continue;
      const OperatorDraft draft{.in = in, .out = out, .axes = {{3, 2, 2, 1, 1}, {3, 3, 1, 1, 0, 1}}};
      AddGeometry(suite, shift == 3 && in * out < 600 ? Level::kSmoke : Level::kGate,
                  fmt::format("channels.in{}-out{}", in, out),
                  "channel counts around block sizes, never the same on both sides", draft);
    }
  }
}

struct Grouping {
  std::int64_t groups, in, out;  // input and output channels of a group
  const char* reason;
};

void AddGroups(SuiteBuilder& suite) {
  std::vector<Grouping> groupings = {
      {1, 3, 2, "clause S4: one group is the plain operator"},
      {2, 3, 2, "clause S4: groups with several channels on both sides (ONNX 8446)"},
      {3, 2, 4, "clause S4: more output than input channels in a group"},
      {5, 3, 7, "groups whose channels fill no block"},
      {3, 1, 2, "depthwise with a multiplier of 2"},
      {4, 1, 3, "depthwise with a multiplier of 3"},
      {3, 3, 1, "one output channel from each group of three"},
      {2, 16, 17, "groups a channel past a block"},
  };
  for (const std::int64_t groups : {1, 3, 16, 17, 19, 32, 33}) {
    groupings.push_back({groups, 1, 1, "depthwise, around block sizes"});
  }
  const std::vector<AxisDraft> axes = {{3, 3, 2, 1, 1, 0, 1}, {4, 2, 1, 2, 0, 1}};
  for (const Grouping& grouping : groupings) {
    for (const OperatorKind kind : {OperatorKind::kGroupConvolutionBackpropData, OperatorKind::kConvolutionBackwardData,
                                    OperatorKind::kConvTranspose}) {
      for (std::size_t rank = 1; rank <= 3; ++rank) {
        OperatorDraft draft{
            .batch = 2, .groups = grouping.groups, .in = grouping.in, .out = grouping.out, .axes = axes};
        if (rank == 1) draft.axes.resize(1);
        if (rank == 3) draft.axes.push_back({2, 3, 3, 1, 1, 1});
        const bool smoke = rank == 2 && kind == OperatorKind::kGroupConvolutionBackpropData;
        AddOperator(suite, smoke ? Level::kSmoke : Level::kGate,
                    fmt::format("groups.g{}in{}out{}-{}d", grouping.groups, grouping.in, grouping.out, rank),
                    grouping.reason, Build(As(kind, draft)), oracle::DialectsOf(kind).front());
      }
    }
  }
}

void AddBatches(SuiteBuilder& suite) {
  for (const std::int64_t batch : {2, 3, 15, 16, 17, 31, 32, 33}) {
    AddGeometry(suite, batch <= 3 || batch == 17 ? Level::kSmoke : Level::kGate, fmt::format("batch.{}", batch),
                "every sample of the batch (ggml 1448, OpenVINO 10228)",
                {.batch = batch, .axes = {{3, 3, 2, 1, 1}, {2, 2, 3}}});
  }
}

// A shape that broke a library. Its name has the sizes of the forward convolution, so that `ic` are output channels.
struct BrokenShape {
  const char* name;
  const char* reason;
  OperatorDraft draft;
};

void AddBrokenShapes(SuiteBuilder& suite) {
  const std::vector<BrokenShape> rows = {
      {"ic9oc3-k5s3p1", "oneDNN 542", {.in = 3, .out = 9, .axes = {{10, 5, 3, 1, 1, 0, 1}}}},
      {"iw9ow4-k3s2", "oneDNN DNNL-671", {.in = 3, .out = 2, .axes = {{}, {4, 3, 2}}}},
      {"ih3oh1-k2d2", "oneDNN DNNL-949", {.axes = {{1, 2, 1, 2}}}},
      {"k1-s1-s2", "oneDNN MFDNN-1968", {.axes = {{10, 1, 1}, {4, 1, 2, 1, 0, 0, 1}}}},
      {"k1-s2-on-2x2", "MIOpen 1495", {.axes = {{2, 1, 2}, {2, 1, 2}}}},
      {"oh1-k2s3", "oneDNN MFDNN-1995", {.axes = {{1, 2, 3, 1, 0, 0, 1}}}},
      {"dw-k2s2p4",
       "oneDNN, depthwise with large right padding",
       {.groups = 3, .in = 1, .out = 1, .axes = {{9, 2, 2, 1, 4, 4}}}},
      {"dw-k2s5", "oneDNN, depthwise", {.groups = 16, .in = 1, .out = 1, .axes = {{2, 2, 5, 1, 0, 2}}}},
      {"k64s2p31", "oneDNN 56825411fc", {.in = 4, .out = 9, .axes = {{16, 64, 2, 1, 1, 61}}}},
      {"iw8k3s2-ic64oc17", "fujitsu/oneDNN 43", {.in = 17, .out = 64, .axes = {{4, 3, 2, 1, 1, 0}}}},
      {"k31", "oneDNN, long kernels", {.axes = {{20, 31, 1, 1, 15, 15}}}},
  };
  for (const BrokenShape& row : rows) {
    AddGeometry(suite, row.draft.in * row.draft.out > 200 ? Level::kGate : Level::kSmoke,
                fmt::format("broken.{}", row.name), row.reason, row.draft);
  }
}

}  // namespace

void AddChannelCases(SuiteBuilder& suite) {
  AddChannelPairs(suite);
  AddGroups(suite);
  AddBatches(suite);
}

void AddWidthCases(SuiteBuilder& suite) {
  constexpr std::array<std::int64_t, 10> edges = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33};
  for (std::int64_t width = 1; width <= 33; ++width) {
    for (const std::int64_t stride : {1, 2, 3, 4}) {
      const bool edge = std::find(edges.begin(), edges.end(), width) != edges.end();
      AddGeometry(suite, stride == 2 && edge ? Level::kSmoke : Level::kGate, fmt::format("width.x{}s{}", width, stride),
                  "widths around every vector width, so that each tail has each length",
                  {.in = 3, .out = 2, .axes = {{2, 2}, {width, 3, stride, 1, 1}}});
    }
  }
  for (const std::int64_t output_padding : {0, 1, 2, 3}) {
    AddGeometry(
        suite, Level::kGate, fmt::format("width.f16-{}", 2047 + output_padding),
        "outputs around 2048, where an index kept in f16 stops being exact (ONNX Runtime 28976)",
        {.in = 1, .out = 1, .axes = {{1024, 3, 2, 1, 1, 1, output_padding}}, .type = oracle::ElementType::kF16});
  }
  AddBrokenShapes(suite);
}

}  // namespace conformance
