// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs oneDNN's convolution_backward_data in bf16 on one channel of two elements, 1 and NaN, with two weights of 1. The
// first element of diff_src is 1 * 1. It uses one thread, because the result depends on the number of threads.
#include <cstdio>
#include <limits>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

#include <omp.h>

using dnnl::memory;

int main() {
  omp_set_num_threads(1);
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto f32 = memory::data_type::f32, bf16 = memory::data_type::bf16;
  const auto nwc = memory::format_tag::nwc, oiw = memory::format_tag::oiw, any = memory::format_tag::any;
  const auto direct = dnnl::algorithm::convolution_direct;
  const memory::dims one = {1}, none = {0};
  const memory::desc diff_src({1, 1, 3}, bf16, nwc), weights({1, 1, 2}, bf16, any), diff_dst({1, 1, 2}, bf16, nwc);
  const dnnl::convolution_forward::primitive_desc forward(engine, dnnl::prop_kind::forward_training, direct, diff_src,
                                                          weights, diff_dst, one, none, none, none);
  const dnnl::convolution_backward_data::primitive_desc backward(engine, direct, diff_src, weights, diff_dst, one, none,
                                                                 none, none, forward);
  std::vector<float> x = {1, std::numeric_limits<float>::quiet_NaN()}, w = {1, 1}, y(3, -99);
  memory given_x({{1, 1, 2}, f32, nwc}, engine, x.data()), given_w({{1, 1, 2}, f32, oiw}, engine, w.data());
  memory wanted({{1, 1, 3}, f32, nwc}, engine, y.data());
  memory data(diff_dst, engine), filter(backward.weights_desc(), engine), output(diff_src, engine);
  dnnl::reorder(given_x, data).execute(stream, given_x, data);
  dnnl::reorder(given_w, filter).execute(stream, given_w, filter);
  dnnl::convolution_backward_data(backward).execute(
      stream, {{DNNL_ARG_DIFF_DST, data}, {DNNL_ARG_WEIGHTS, filter}, {DNNL_ARG_DIFF_SRC, output}});
  dnnl::reorder(output, wanted).execute(stream, output, wanted);
  stream.wait();
  std::printf("%s:", backward.impl_info_str());
  for (const float value : y) std::printf(" %g", value);
  std::puts(", expected 1 nan nan");
}
