// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a call of PyTorch as a layer: the constructor of a module ConvTransposeNd, for which the user gives the dims of
// the data, or the function conv_transposeNd, whose arguments are tensors.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/formats/lines/line_layer.h"
#include "conformance/formats/lines/python_call.h"
#include "conformance/formats/load_file.h"

namespace conformance::formats {
namespace {

using TorchNames = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> kTorchCalls = {"ConvTranspose1d",  "ConvTranspose2d",  "ConvTranspose3d",
                                                         "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"};
// The parameters in the order of positional arguments.
constexpr std::array<std::string_view, 12> kModuleParameters = {
    "in_channels", "out_channels", "kernel_size", "stride",       "padding", "output_padding",
    "groups",      "bias",         "dilation",    "padding_mode", "device",  "dtype"};
constexpr std::array<std::string_view, 8> kFunctionParameters = {"input",   "weight",         "bias",   "stride",
                                                                 "padding", "output_padding", "groups", "dilation"};

/// Adds a batch of 1 to data without a batch dimension, which PyTorch allows.
oracle::Dims WithBatch(oracle::Dims data, std::size_t axes, std::vector<std::string>& notes) {
  if (data.size() == axes + 1) {
    data.insert(data.begin(), 1);
    notes.emplace_back("its data have no batch, which a case must have");
  }
  return WithCount(std::move(data), axes + 2, "data");
}

/// The parts of a layer that a module (ConvTranspose2d) and a function (conv_transpose2d) give in different ways.
struct TorchLayer {
  LineSizes sizes;
  oracle::Dims data, kernel;
  std::vector<std::string> notes;
};

/// Reads the constructor of a module. `layer` has the number of groups.
void ReadModule(PythonCall& call, std::size_t axes, const ImportOptions& options, TorchLayer& layer) {
  layer.sizes.type = FloatTypeOf(call);
  layer.sizes.in_channels = call.Integer("in_channels", std::nullopt);
  layer.sizes.out_channels = call.Integer("out_channels", std::nullopt);
  layer.kernel = call.PerAxis("kernel_size", axes, std::nullopt);
  const oracle::Dims* given = GivenDims(options, "");
  if (given == nullptr) {
    throw LineError{fmt::format("a module does not know the sizes of its data: give --shape N,{}{}",
                                layer.sizes.in_channels,
                                axes == 1   ? ",W"
                                : axes == 2 ? ",H,W"
                                            : ",D,H,W")};
  }
  layer.data = *given;
  if (call.Flag("bias", true)) layer.notes.emplace_back("its bias is left out");
  if (const std::string mode = call.Text("padding_mode", "zeros"); mode != "zeros") {
    throw LineError{fmt::format("argument padding_mode: found '{}', PyTorch takes zeros alone", OneLine(mode))};
  }
}

/// Reads the function. `layer` has the number of groups.
void ReadFunction(PythonCall& call, std::size_t axes, const ImportOptions& options, TorchLayer& layer) {
  layer.data = call.DimsOf("input", options);
  const oracle::Dims weight = WithCount(call.DimsOf("weight", options), axes + 2, "weight");
  layer.sizes.in_channels = weight[0];
  if (__builtin_mul_overflow(weight[1], layer.sizes.groups, &layer.sizes.out_channels))
    throw LineError{"too many channels"};
  layer.kernel.assign(weight.begin() + 2, weight.end());
  if (call.Find("bias") != nullptr) layer.notes.emplace_back("its bias is left out");
}

}  // namespace

ImportedLayer ReadTorchLine(std::string_view line, const ImportOptions& options) {
  PythonCall call(line, kTorchCalls);
  const bool is_module = call.name().starts_with('C');
  call.NameArguments(is_module ? TorchNames(kModuleParameters) : TorchNames(kFunctionParameters));
  const auto axes = static_cast<std::size_t>(call.name()[call.name().size() - 2] - '0');
  TorchLayer read;
  read.sizes.groups = call.Integer("groups", 1);
  if (is_module) {
    ReadModule(call, axes, options, read);
  } else {
    ReadFunction(call, axes, options, read);
  }
  auto& [sizes, data, kernel, notes] = read;
  data = WithBatch(std::move(data), axes, notes);
  if (data[1] != sizes.in_channels) {
    throw LineError{fmt::format("data have {} channels, the filter has {}", data[1], sizes.in_channels)};
  }
  sizes.batch = data[0];
  const oracle::Dims stride = call.PerAxis("stride", axes, 1), padding = call.PerAxis("padding", axes, 0),
                     output_padding = call.PerAxis("output_padding", axes, 0),
                     dilation = call.PerAxis("dilation", axes, 1);
  for (std::size_t j = 0; j < axes; ++j) {
    sizes.axes.push_back({.data = data[j + 2],
                          .kernel = kernel[j],
                          .stride = stride[j],
                          .dilation = dilation[j],
                          .pads_begin = padding[j],
                          .pads_end = padding[j],
                          .output_padding = output_padding[j]});
  }
  ImportedLayer layer = LayerOf(sizes);
  layer.notes = std::move(notes);
  return layer;
}

}  // namespace conformance::formats
