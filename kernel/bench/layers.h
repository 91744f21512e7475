// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of layers that deconv-bench measures, one line for each: `name N G Cin/G Cout/G in kernel stride pads_begin
// pads_end dilation output_padding`. Lists per spatial axis have commas, outermost axis first; # begins a comment.
#ifndef DECONV_KERNEL_BENCH_LAYERS_H_
#define DECONV_KERNEL_BENCH_LAYERS_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace deconv::bench {

struct Layer {
  int line = 0;
  std::string name;
  int64_t batch = 0;
  int64_t groups = 0;
  int64_t in_channels = 0;  // per group
  int64_t out_channels = 0;
  std::vector<int64_t> data, kernel, strides, pads_begin, pads_end, dilations, output_padding;

  // Multiply-adds of the whole layer if nothing were cropped.
  double MultiplyAdds() const;
  // Multiply-adds whose output the pads leave. An implementation that wastes nothing performs only these.
  double PerformedMultiplyAdds() const;
};

// Reads a list of layers. Returns false with "line 7: ..." in `error` if a line is wrong.
bool ReadLayers(std::istream& input, std::vector<Layer>& layers, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_LAYERS_H_
