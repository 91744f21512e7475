// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs oneDNN's convolution_backward_data, which is a transposed convolution, along one spatial axis and prints the
// output. The reproducers onednn-*.cc in this folder share it. oneDNN names the tensors after the forward convolution:
// diff_dst is the data, and diff_src is the output.
#ifndef DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_H_
#define DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_H_

#include <cstdio>
#include <limits>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include <omp.h>

using dnnl::memory;

/// The dims are [batch, channels, width], those of the weights [channels of the data, channels of the output, width].
struct Operator {
  memory::data_type type;
  memory::format_tag format;  ///< the layout of diff_dst and diff_src in memory
  memory::dims diff_dst, weights, diff_src;
  memory::dim stride = 1;
  memory::dim padding_r = 0;  ///< padding at the end; there is none at the beginning
};

/// Runs the operator, and prints its output before the text `expected`. `data_values` are those of diff_dst, and
/// `filter_values` those of the weights. oneDNN converts them to the type of the operator, and the output back to f32.
inline void RunAndPrint(const Operator& op, std::vector<float> data_values, std::vector<float> filter_values,
                        const char* expected) {
  omp_set_num_threads(1);  // which elements are wrong can depend on the number of threads
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto direct = dnnl::algorithm::convolution_direct;
  const memory::dims strides = {op.stride}, none = {0}, padding_r = {op.padding_r};
  const memory::desc diff_src(op.diff_src, op.type, op.format), diff_dst(op.diff_dst, op.type, op.format);
  const memory::desc weights(op.weights, op.type, memory::format_tag::any);
  const dnnl::convolution_forward::primitive_desc forward(engine, dnnl::prop_kind::forward_training, direct, diff_src,
                                                          weights, diff_dst, strides, none, none, padding_r);
  const dnnl::convolution_backward_data::primitive_desc backward(engine, direct, diff_src, weights, diff_dst, strides,
                                                                 none, none, padding_r, forward);
  // An element that is not written stays -99.
  std::vector<float> output_values(diff_src.get_size() / memory::data_type_size(op.type), -99);
  const auto f32 = memory::data_type::f32;
  memory data_f32({op.diff_dst, f32, op.format}, engine, data_values.data());
  memory filter_f32({op.weights, f32, memory::format_tag::oiw}, engine, filter_values.data());
  memory output_f32({op.diff_src, f32, op.format}, engine, output_values.data());
  memory data(diff_dst, engine), filter(backward.weights_desc(), engine), output(diff_src, engine);
  dnnl::reorder(data_f32, data).execute(stream, data_f32, data);
  dnnl::reorder(filter_f32, filter).execute(stream, filter_f32, filter);
  dnnl::convolution_backward_data(backward).execute(
      stream, {{DNNL_ARG_DIFF_DST, data}, {DNNL_ARG_WEIGHTS, filter}, {DNNL_ARG_DIFF_SRC, output}});
  dnnl::reorder(output, output_f32).execute(stream, output, output_f32);
  stream.wait();
  for (const float value : output_values) std::printf("%g ", value);
  std::printf("instead of %s\n", expected);
}

#endif  // DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_H_
