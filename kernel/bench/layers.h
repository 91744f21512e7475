// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of layers (operators) that deconv-bench measures, and their plans. The list has a line for each layer:
//   name N G Cin/G Cout/G in kernel stride pads_begin pads_end dilation output_padding
// N is the batch, G the number of groups, Cin/G and Cout/G are the input and output channels of a group. The fields
// from `in` on (the size of the data) have a value for each spatial axis, outermost first, with commas between. #
// begins a comment. Example:
//   up 1 1 128 64 28,28 2,2 2,2 0,0 0,0 1,1 0,0
#ifndef DECONV_KERNEL_BENCH_LAYERS_H_
#define DECONV_KERNEL_BENCH_LAYERS_H_

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "deconv/cxx.h"
#include "deconv/deconv.h"

namespace deconv::bench {

struct Layer {
  int line = 0;  // in the list, from 1
  std::string name;
  int64_t batch = 0;
  int64_t groups = 0;
  int64_t in_channels = 0;   // per group
  int64_t out_channels = 0;  // per group
  std::vector<int64_t> data, kernel, strides, pads_begin, pads_end, dilations, output_padding;

  // Multiply-adds of the whole layer if nothing were cropped.
  double MultiplyAdds() const;
  // Multiply-adds whose output the pads leave. An implementation that wastes nothing performs only these.
  double PerformedMultiplyAdds() const;
};

// Reads a list of layers. Returns false with "line 7: ..." in `error` if a line is wrong.
bool ReadLayers(std::istream& input, std::vector<Layer>& layers, std::string& error);

// The properties of a plan that the caller of a benchmark sets. The kernel decides all others.
struct PlanSettings {
  deconv_type type = DECONV_F32;
  deconv_layout layout = DECONV_NCX;
  const char* target = nullptr;     // by name; null: the best of this machine
  int64_t target_bit = 0;           // Highway's bit of `target`
  const char* algorithm = nullptr;  // null: the kernel's choice
  const char* cpu = nullptr;        // class of CPUs by name; null: that of this machine
  bool keep_subnormals = false;     // keeps subnormals of bf16
};

// Makes the plan of a layer, as the operator GroupConvolutionBackpropData. Returns nothing if the kernel refuses the
// layer; `error` then has its message.
std::optional<Plan> MakePlan(const Layer& layer, const PlanSettings& settings, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_LAYERS_H_
