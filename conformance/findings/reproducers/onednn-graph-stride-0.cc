// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles ConvolutionBackwardData with a stride of 0 twice.
#include <cstdio>
#include <exception>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using dnnl::graph::logical_tensor;
using Dims = std::vector<int64_t>;

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto type = logical_tensor::data_type::f32;
  const auto strided = logical_tensor::layout_type::strided;
  const logical_tensor data(0, type, Dims{1, 4, 5, 2}, strided);
  const logical_tensor filter(1, type, Dims{2, 4, 3, 2}, strided);
  const logical_tensor output(2, type, Dims{1, 4, 6, 3}, strided);
  dnnl::graph::op op(0, dnnl::graph::op::kind::ConvolutionBackwardData, {data, filter}, {output}, "deconv");
  using attr = dnnl::graph::op::attr;
  op.set_attr<Dims>(attr::strides, {1, 0}).set_attr<Dims>(attr::dilations, {1, 1});
  op.set_attr<Dims>(attr::pads_begin, {0, 0}).set_attr<Dims>(attr::pads_end, {0, 0});
  op.set_attr<int64_t>(attr::groups, 1).set_attr<Dims>(attr::dst_shape, {1, 4, 6, 3});
  op.set_attr<std::string>(attr::data_format, "NXC").set_attr<std::string>(attr::weights_format, "OIX");
  for (int attempt = 1; attempt <= 2; ++attempt) {
    try {
      dnnl::graph::graph graph(dnnl::engine::kind::cpu);
      graph.add_op(op);
      graph.finalize();
      graph.get_partitions().at(0).compile({data, filter}, {output}, engine);
      std::puts("compiled");
    } catch (const dnnl::error& error) {
      std::printf("attempt %d: %s (status %d)\n", attempt, error.what(), static_cast<int>(error.status));
    } catch (const std::exception& error) {
      std::printf("attempt %d: an exception that is no dnnl::error: %s\n", attempt, error.what());
    }
  }
}
