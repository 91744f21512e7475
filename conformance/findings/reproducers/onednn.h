// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs oneDNN's convolution_backward_data along one spatial axis, without dilation and with pads at the end only, and
// prints diff_src. The programs onednn-*.cc share it.
#ifndef DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_H_
#define DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_H_

#include <cstdio>
#include <limits>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include <omp.h>

using dnnl::memory;

struct Operator {
  memory::data_type type;
  memory::format_tag format;  ///< format of diff_dst and diff_src
  memory::dims diff_dst, weights, diff_src;
  memory::dim stride = 1;
  memory::dim padding_r = 0;
};

/// Prints what the operator makes of the data x and the weights w.
inline void Print(const Operator& op, std::vector<float> x, std::vector<float> w, const char* expected) {
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
  std::vector<float> y(diff_src.get_size() / memory::data_type_size(op.type), -99);
  const auto f32 = memory::data_type::f32;
  memory given_x({op.diff_dst, f32, op.format}, engine, x.data());
  memory given_w({op.weights, f32, memory::format_tag::oiw}, engine, w.data());
  memory wanted({op.diff_src, f32, op.format}, engine, y.data());
  memory data(diff_dst, engine), filter(backward.weights_desc(), engine), output(diff_src, engine);
  dnnl::reorder(given_x, data).execute(stream, given_x, data);
  dnnl::reorder(given_w, filter).execute(stream, given_w, filter);
  dnnl::convolution_backward_data(backward).execute(
      stream, {{DNNL_ARG_DIFF_DST, data}, {DNNL_ARG_WEIGHTS, filter}, {DNNL_ARG_DIFF_SRC, output}});
  dnnl::reorder(output, wanted).execute(stream, output, wanted);
  stream.wait();
  for (const float value : y) std::printf("%g ", value);
  std::printf("instead of %s\n", expected);
}

#endif  // DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_H_
