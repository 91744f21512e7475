// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs oneDNN's convolution_backward_data with one element of diff_dst, two weights, of which the first is infinite,
// and a stride of 6. Elements 2 to 6 of diff_src get no product and must be 0.
#include <cstdio>
#include <limits>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <vector>

using dnnl::memory;

int main() {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto f32 = memory::data_type::f32;
  const memory::desc diff_src({1, 1, 7}, f32, memory::format_tag::nwc);
  const memory::desc plain({1, 1, 2}, f32, memory::format_tag::oiw);
  const memory::desc any({1, 1, 2}, f32, memory::format_tag::any);
  const memory::desc diff_dst({1, 1, 1}, f32, memory::format_tag::nwc);
  const auto direct = dnnl::algorithm::convolution_direct;
  const memory::dims strides = {6}, dilates = {0}, padding_l = {0}, padding_r = {-5};
  const dnnl::convolution_forward::primitive_desc forward(engine, dnnl::prop_kind::forward_training, direct, diff_src,
                                                          any, diff_dst, strides, dilates, padding_l, padding_r);
  const dnnl::convolution_backward_data::primitive_desc backward(engine, direct, diff_src, any, diff_dst, strides,
                                                                 dilates, padding_l, padding_r, forward);
  std::vector<float> weights = {std::numeric_limits<float>::infinity(), 1}, x = {1}, y(7, -99);
  memory given(plain, engine, weights.data());
  memory packed(backward.weights_desc(), engine);
  dnnl::reorder(given, packed).execute(stream, given, packed);
  memory data(diff_dst, engine, x.data());
  memory output(diff_src, engine, y.data());
  dnnl::convolution_backward_data(backward).execute(
      stream, {{DNNL_ARG_DIFF_DST, data}, {DNNL_ARG_WEIGHTS, packed}, {DNNL_ARG_DIFF_SRC, output}});
  stream.wait();
  const std::string implementation = backward.impl_info_str();
  std::printf("%s:", implementation.substr(0, implementation.find(':')).c_str());
  for (const float value : y) std::printf(" %g", value);
  std::puts(", expected inf 1 0 0 0 0 0");
}
