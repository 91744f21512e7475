// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds ConvolutionBackwardData with pads of 2^32 - 2, which are positive.
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using dnnl::graph::logical_tensor;
using Dims = std::vector<int64_t>;

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto type = logical_tensor::data_type::f32;
  const auto strided = logical_tensor::layout_type::strided;
  const logical_tensor data(0, type, Dims{1, 3, 2}, strided);
  const logical_tensor filter(1, type, Dims{5, 3, 2}, strided);
  const logical_tensor output(2, type, Dims{1, 9, 3}, strided);
  dnnl::graph::op op(0, dnnl::graph::op::kind::ConvolutionBackwardData, {data, filter}, {output}, "deconv");
  using attr = dnnl::graph::op::attr;
  op.set_attr<Dims>(attr::strides, {4294967296}).set_attr<Dims>(attr::dilations, {1});
  op.set_attr<Dims>(attr::pads_begin, {4294967294}).set_attr<Dims>(attr::pads_end, {4294967294});
  op.set_attr<int64_t>(attr::groups, 1).set_attr<Dims>(attr::dst_shape, {1, 9, 3});
  op.set_attr<std::string>(attr::data_format, "NXC").set_attr<std::string>(attr::weights_format, "XIO");
  try {
    dnnl::graph::graph graph(dnnl::engine::kind::cpu);
    graph.add_op(op);
    graph.finalize();
    auto compiled = graph.get_partitions().at(0).compile({data, filter}, {output}, engine);
    std::puts("compiled");
    std::fflush(stdout);
    std::vector<float> x(data.get_mem_size() / sizeof(float), 1), w(filter.get_mem_size() / sizeof(float), 1);
    std::vector<float> y(output.get_mem_size() / sizeof(float), -99);
    compiled.execute(stream, {{data, engine, x.data()}, {filter, engine, w.data()}}, {{output, engine, y.data()}});
    stream.wait();
    std::printf("output:");
    for (size_t i = 0; i < y.size() && i < 24; ++i) std::printf(" %g", y[i]);
    std::puts("");
  } catch (const dnnl::error& error) {
    std::printf("%s (status %d)\n", error.what(), static_cast<int>(error.status));
  }
}
