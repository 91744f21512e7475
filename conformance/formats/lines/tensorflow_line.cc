// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a call of Keras or TensorFlow as a layer. There are three kinds of calls:
//   - Keras' ConvNDTranspose: the user gives the dims of the data, and the output size follows from the arguments;
//   - tf.layers of TensorFlow 1: the same arguments after the data;
//   - tf.nn.convNd_transpose: an argument has the output size, and `padding` ("SAME" or "VALID") decides the pads.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/formats/lines/line_layer.h"
#include "conformance/formats/lines/python_call.h"
#include "conformance/formats/load_file.h"

namespace conformance::formats {
namespace {

using ParameterNames = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> kTensorFlowCalls = {"Conv1DTranspose",  "Conv2DTranspose",
                                                              "Conv3DTranspose",  "conv1d_transpose",
                                                              "conv2d_transpose", "conv3d_transpose"};
// The parameters of the three kinds of calls, in the order of positional arguments: Keras, tf.layers, tf.nn.
constexpr std::array<std::string_view, 19> kKerasParameters = {"filters",
                                                               "kernel_size",
                                                               "strides",
                                                               "padding",
                                                               "output_padding",
                                                               "data_format",
                                                               "dilation_rate",
                                                               "activation",
                                                               "use_bias",
                                                               "kernel_initializer",
                                                               "bias_initializer",
                                                               "kernel_regularizer",
                                                               "bias_regularizer",
                                                               "activity_regularizer",
                                                               "kernel_constraint",
                                                               "bias_constraint",
                                                               "name",
                                                               "dtype",
                                                               "input_shape"};
constexpr std::array<std::string_view, 18> kTfLayersParameters = {"inputs",
                                                                  "filters",
                                                                  "kernel_size",
                                                                  "strides",
                                                                  "padding",
                                                                  "data_format",
                                                                  "activation",
                                                                  "use_bias",
                                                                  "kernel_initializer",
                                                                  "bias_initializer",
                                                                  "kernel_regularizer",
                                                                  "bias_regularizer",
                                                                  "activity_regularizer",
                                                                  "kernel_constraint",
                                                                  "bias_constraint",
                                                                  "trainable",
                                                                  "name",
                                                                  "reuse"};
constexpr std::array<std::string_view, 8> kTfNnParameters = {"input",   "filters",     "output_shape", "strides",
                                                             "padding", "data_format", "dilations",    "name"};

/// The number of spatial axes, and where the channels are in lists of dims.
struct Layout {
  std::size_t axes;
  bool channels_last;

  std::size_t Channel() const { return channels_last ? axes + 1 : 1; }
  std::size_t Spatial(std::size_t j) const { return channels_last ? j + 1 : j + 2; }
};

/// The numbers of a parameter for the spatial axes. Numbers for batch and channels are removed from a longer list.
oracle::Dims SpatialOf(const PythonCall& call, std::string_view parameter, const Layout& layout) {
  const PythonValue* value = call.Find(parameter);
  if (value == nullptr || !value->numbers || value->numbers->size() != layout.axes + 2) {
    return call.PerAxis(parameter, layout.axes, 1);
  }
  oracle::Dims numbers;
  for (std::size_t j = 0; j < layout.axes; ++j) numbers.push_back((*value->numbers)[layout.Spatial(j)]);
  return numbers;
}

// Stands for `padding` in the message if the call gives the pads as numbers.
constexpr std::string_view kExplicit = "of the call";

struct Pads {
  std::int64_t begin, end;
};

/// Sets the pads that TensorFlow's `padding` means, or the explicit `pads`. Throws LineError if the forward
/// convolution, from output to data, does not give the data's size. Example of SAME: data 5, kernel 3 and stride 2
/// reach 11. For output 10 one position is cropped: pads_begin is 1 / 2 = 0, pads_end 1. The forward size is (10 - 1) /
/// 2 + 1 = 5.
void SetPads(LineAxis& axis, std::string_view padding, Pads pads = {0, 0}) {
  if (axis.stride <= 0 || axis.kernel <= 0 || axis.dilation <= 0 || axis.data < 0 || axis.output < 0) {
    throw LineError{"sizes, strides and dilations must be above 0"};
  }
  if (pads.begin < 0 || pads.end < 0) throw LineError{"argument padding: found a number below 0"};
  const std::int64_t reach = axis.SizeWithoutPads();
  // The extent of the kernel with its dilation. With SAME, the forward size is output / stride, rounded up. An extent
  // of 1 gives this number in the formula below.
  const std::int64_t window = padding == "SAME" ? 1 : (axis.kernel - 1) * axis.dilation + 1;
  axis.pads_begin = padding == "SAME" ? std::max<std::int64_t>(reach - axis.output, 0) / 2 : pads.begin;
  const std::int64_t padded = axis.output + pads.begin + pads.end;
  const std::int64_t forward = padded < window ? 0 : (padded - window) / axis.stride + 1;
  // TensorFlow checks an empty output only if the pads are explicit.
  const bool is_checked = axis.output > 0 || padding == kExplicit;
  // Clause P29 (oracle/clauses.md) leaves these sizes open: TensorFlow's eager mode computes them, so that a backend
  // may too.
  const bool is_open =
      padding == "VALID" && axis.data == 1 && axis.output > window - axis.stride && axis.output < window;
  if (is_checked && !is_open && forward != axis.data) {
    throw LineError{fmt::format("TensorFlow refuses an output of {} for data of {}: padding {} gives {} from it",
                                axis.output, axis.data, padding, forward)};
  }
  axis.SetEndFromOutput();
}

/// Returns the output size that Keras computes. `output_padding` is null if the call has none. Example of "same"
/// without output_padding: data 5 and stride 2 give 4 * 2 + 2 = 10.
std::int64_t KerasOutput(const LineAxis& axis, const std::string& padding, const std::int64_t* output_padding) {
  // `window` is the extent of the kernel with its dilation, `last` the position of the last data element.
  const std::int64_t window = LineAxis{.data = 1, .kernel = axis.kernel, .dilation = axis.dilation}.SizeWithoutPads();
  const std::int64_t last = LineAxis{.data = axis.data, .kernel = 1, .stride = axis.stride}.SizeWithoutPads() - 1;
  if (output_padding != nullptr) return last + window - (padding == "SAME" ? window / 2 * 2 : 0) + *output_padding;
  return last + (padding == "SAME" ? axis.stride : std::max(window, axis.stride));
}

/// The text in upper case.
std::string Upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// Reads the arguments of a layer of Keras or tf.layers.
void ReadKeras(const PythonCall& call, const ImportOptions& options, const Layout& layout, LineSizes& sizes) {
  const oracle::Dims* given = GivenDims(options, "");
  if (given == nullptr) {
    throw LineError{
        fmt::format("a layer does not know the sizes of its data: give --shape with {} of them, channels {}",
                    layout.axes + 2, layout.channels_last ? "last" : "second")};
  }
  const oracle::Dims data = WithCount(*given, layout.axes + 2, "data");
  const oracle::Dims kernel = call.PerAxis("kernel_size", layout.axes, std::nullopt);
  const oracle::Dims strides = call.PerAxis("strides", layout.axes, 1);
  const oracle::Dims dilations = call.PerAxis("dilation_rate", layout.axes, 1);
  const oracle::Dims output_padding = call.PerAxis("output_padding", layout.axes, 0);
  const std::string padding = Upper(call.Text("padding", "valid"));
  if (padding != "SAME" && padding != "VALID") {
    throw LineError{fmt::format("argument padding: found '{}', expected same or valid", OneLine(padding))};
  }
  sizes.type = FloatTypeOf(call);
  sizes.batch = data[0];
  sizes.in_channels = data[layout.Channel()];
  sizes.out_channels = call.Integer("filters", std::nullopt);
  for (std::size_t j = 0; j < layout.axes; ++j) {
    LineAxis axis{.data = data[layout.Spatial(j)], .kernel = kernel[j], .stride = strides[j], .dilation = dilations[j]};
    axis.output = KerasOutput(axis, padding, call.Find("output_padding") == nullptr ? nullptr : &output_padding[j]);
    SetPads(axis, padding);
    sizes.axes.push_back(axis);
  }
}

/// Reads the arguments of tf.nn.convNd_transpose.
void ReadTensorFlow(const PythonCall& call, const ImportOptions& options, const Layout& layout, LineSizes& sizes) {
  const oracle::Dims data = WithCount(call.DimsOf("input", options), layout.axes + 2, "input");
  const oracle::Dims filter = WithCount(call.DimsOf("filters", options), layout.axes + 2, "filters");
  const PythonValue* shape = call.Find("output_shape");
  if (shape == nullptr || !shape->numbers) throw LineError{"argument output_shape: expected a list of integers"};
  const oracle::Dims output = WithCount(*shape->numbers, layout.axes + 2, "output_shape");
  const oracle::Dims strides = SpatialOf(call, "strides", layout), dilations = SpatialOf(call, "dilations", layout);
  const PythonValue* pads = call.Find("padding");
  const bool is_explicit = pads != nullptr && pads->is_list && pads->numbers;
  const std::string padding = Upper(call.Text("padding", "SAME"));
  if (is_explicit) WithCount(*pads->numbers, 2 * (layout.axes + 2), "padding");
  if (!is_explicit && padding != "SAME" && padding != "VALID") {
    throw LineError{
        fmt::format("argument padding: found '{}', expected SAME, VALID or pairs of numbers", OneLine(padding))};
  }
  sizes.batch = data[0];
  sizes.in_channels = data[layout.Channel()];
  sizes.out_channels = output[layout.Channel()];
  if (filter[layout.axes + 1] != sizes.in_channels) {
    throw LineError{fmt::format("input has {} channels, filters have {}", sizes.in_channels, filter[layout.axes + 1])};
  }
  const std::int64_t per_group = filter[layout.axes];
  if (per_group <= 0 || sizes.out_channels % per_group != 0) {
    throw LineError{fmt::format("output_shape has {} channels, filters have {}", sizes.out_channels, per_group)};
  }
  sizes.groups = sizes.out_channels / per_group;
  for (std::size_t j = 0; j < layout.axes; ++j) {
    LineAxis axis{.data = data[layout.Spatial(j)],
                  .kernel = filter[j],
                  .output = output[layout.Spatial(j)],
                  .stride = strides[j],
                  .dilation = dilations[j]};
    if (is_explicit) {
      const std::size_t at = 2 * layout.Spatial(j);
      SetPads(axis, kExplicit, {(*pads->numbers)[at], (*pads->numbers)[at + 1]});
    } else {
      SetPads(axis, padding);
    }
    sizes.axes.push_back(axis);
  }
}

}  // namespace

ImportedLayer ReadTensorFlowLine(std::string_view line, const ImportOptions& options) {
  PythonCall call(line, kTensorFlowCalls);
  const bool is_of_layers = line.find("layers.conv") != std::string_view::npos;
  const bool is_layer = call.name().starts_with('C') || is_of_layers;
  call.NameArguments(is_of_layers ? ParameterNames(kTfLayersParameters)
                     : is_layer   ? ParameterNames(kKerasParameters)
                                  : ParameterNames(kTfNnParameters));
  const std::size_t digit = call.name().find_first_of("123");
  const std::string format = call.Text("data_format", is_layer ? "channels_last" : "NHWC");
  const bool channels_first = format == "channels_first" || format.starts_with("NC");
  if (!channels_first && format != "channels_last" && !format.ends_with('C')) {
    throw LineError{
        fmt::format("argument data_format: found '{}', expected channels_last, channels_first, or a word "
                    "such as NHWC or NCHW",
                    OneLine(format))};
  }
  const Layout layout{static_cast<std::size_t>(call.name()[digit] - '0'), !channels_first};
  LineSizes sizes;
  if (is_layer) {
    ReadKeras(call, options, layout, sizes);
  } else {
    ReadTensorFlow(call, options, layout, sizes);
  }
  ImportedLayer layer = LayerOf(sizes);
  if (layout.channels_last)
    layer.notes.emplace_back("its channels are last; the case has them before the spatial axes");
  if (is_layer && call.Flag("use_bias", true)) layer.notes.emplace_back("its bias is left out");
  if (call.Find("activation") != nullptr) {
    layer.notes.push_back(fmt::format("its activation {} is left out", OneLine(call.Text("activation", ""))));
  }
  return layer;
}

}  // namespace conformance::formats
