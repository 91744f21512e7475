// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports one line of another tool as a case: finds out from which tool the line is, and calls the reader of that tool.
// Also implements the steps that all readers share (line_layer.h).

#include "conformance/formats/lines/import_line.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "conformance/formats/lines/line_layer.h"
#include "conformance/formats/load_file.h"

namespace conformance::formats {
namespace {

enum class Tool { kTorch, kTensorFlow, kOnednn };

/// A word by which a line shows its tool.
struct ToolWord {
  std::string_view word;
  Tool tool;
};

// Columns: word, tool. A word of kPrefixes at the beginning of a line names its tool. Without such a word, the first of
// kContainedWords that the line contains tells the tool.
constexpr std::array kPrefixes = {ToolWord{"torch:", Tool::kTorch},           ToolWord{"pytorch:", Tool::kTorch},
                                  ToolWord{"keras:", Tool::kTensorFlow},      ToolWord{"tf:", Tool::kTensorFlow},
                                  ToolWord{"tensorflow:", Tool::kTensorFlow}, ToolWord{"benchdnn:", Tool::kOnednn},
                                  ToolWord{"onednn:", Tool::kOnednn}};
constexpr std::array kContainedWords = {
    ToolWord{"_verbose,", Tool::kOnednn},        ToolWord{"deconvolution,", Tool::kOnednn},
    ToolWord{"--deconv", Tool::kOnednn},         ToolWord{"DTranspose(", Tool::kTensorFlow},
    ToolWord{"d_transpose(", Tool::kTensorFlow}, ToolWord{"ConvTranspose", Tool::kTorch},
    ToolWord{"conv_transpose", Tool::kTorch},    ToolWord{"_ic", Tool::kOnednn}};

// The longest line in bytes; lines of source or logs are shorter.
constexpr std::size_t kLongest = 65536;

std::int64_t ValueUnlessOverflow(bool overflows, std::int64_t value) {
  if (overflows) throw LineError{"a size does not fit 64 bits"};
  return value;
}
std::int64_t CheckedSum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return ValueUnlessOverflow(__builtin_add_overflow(a, b, &sum), sum);
}
std::int64_t CheckedProduct(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return ValueUnlessOverflow(__builtin_mul_overflow(a, b, &product), product);
}

ImportedLayer ReadLineOf(Tool tool, std::string_view line, const ImportOptions& options) {
  switch (tool) {
    case Tool::kTorch:
      return ReadTorchLine(line, options);
    case Tool::kTensorFlow:
      return ReadTensorFlowLine(line, options);
    case Tool::kOnednn:
      return ReadOnednnLine(line);
  }
  throw LineError{"unknown tool"};
}

}  // namespace

std::int64_t LineAxis::SizeWithoutPads() const {
  // stride * (data - 1) + dilation * (kernel - 1) + 1
  return CheckedSum(
      CheckedSum(CheckedProduct(CheckedSum(data, -1), stride), CheckedProduct(CheckedSum(kernel, -1), dilation)), 1);
}

void LineAxis::SetEndFromOutput() {
  // The end pad is the size without pads, less pads_begin and the output. If it is negative, the output is longer.
  const std::int64_t end =
      CheckedSum(CheckedSum(SizeWithoutPads(), CheckedProduct(pads_begin, -1)), CheckedProduct(output, -1));
  pads_end = std::max<std::int64_t>(end, 0);
  output_padding = CheckedProduct(std::min<std::int64_t>(end, 0), -1);
}

ImportedLayer LayerOf(const LineSizes& sizes) {
  ImportedLayer layer;
  oracle::Operator& op = layer.test_case.op;
  op.kind = oracle::OperatorKind::kConvTranspose;
  if (sizes.groups <= 0 || sizes.out_channels % sizes.groups != 0) {
    throw LineError{fmt::format("found {} output channels in {} groups", sizes.out_channels, sizes.groups)};
  }
  op.data = {sizes.type, {sizes.batch, sizes.in_channels}};
  op.filter = {sizes.type, {sizes.in_channels, sizes.out_channels / sizes.groups}};
  for (auto* list : {&op.strides, &op.dilations, &op.pads_begin, &op.pads_end, &op.output_padding}) list->emplace();
  for (const LineAxis& axis : sizes.axes) {
    op.data.dims.push_back(axis.data);
    op.filter.dims.push_back(axis.kernel);
    op.strides->push_back(axis.stride);
    op.dilations->push_back(axis.dilation);
    op.pads_begin->push_back(axis.pads_begin);
    op.pads_end->push_back(axis.pads_end);
    op.output_padding->push_back(axis.output_padding);
  }
  if (sizes.groups != 1) op.groups = sizes.groups;
  return layer;
}

Import ImportLine(std::string_view line, const ImportOptions& options) {
  const std::string shown = OneLine(line);
  try {
    if (line.size() > kLongest)
      throw LineError{fmt::format("has {} bytes, expected at most {}", line.size(), kLongest)};
    for (const ShapeHint& hint : options.shapes) {
      if (std::ranges::any_of(hint.dims, [](std::int64_t dim) { return dim > kLargestSize; })) {
        throw LineError{fmt::format("--shape {}: a size is larger than {}",
                                    hint.name.empty() ? "of the data" : OneLine(hint.name), kLargestSize)};
      }
    }
    line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
    std::optional<ImportedLayer> layer;
    for (const ToolWord& word : kPrefixes) {
      if (!line.starts_with(word.word)) continue;
      layer = ReadLineOf(word.tool, line.substr(word.word.size()), options);
      break;
    }
    for (const ToolWord& word : kContainedWords) {
      if (layer) break;
      if (line.find(word.word) != std::string_view::npos) layer = ReadLineOf(word.tool, line, options);
    }
    if (!layer) {
      throw LineError{
          "expected a call of ConvTranspose1d to 3d, conv_transpose1d to 3d, Conv1DTranspose to "
          "Conv3DTranspose or conv1d_transpose to conv3d_transpose, a problem of benchdnn --deconv, or a "
          "deconvolution of ONEDNN_VERBOSE"};
    }
    layer->name = shown;
    CompleteLayer(*layer, {}, options);
    return ImportedModel{{std::move(*layer)}, {}};
  } catch (const LineError& error) {
    return ReadError{fmt::format("--line {}: {}", shown, OneLine(error.message, 500))};
  }
}

}  // namespace conformance::formats
