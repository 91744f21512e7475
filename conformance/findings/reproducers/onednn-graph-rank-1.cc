// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles ConvolutionBackwardData with data of one dim, which have neither channels nor a spatial axis.
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using dnnl::graph::logical_tensor;
using Dims = std::vector<int64_t>;

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const auto type = logical_tensor::data_type::f32;
  const auto strided = logical_tensor::layout_type::strided;
  const logical_tensor data(0, type, Dims{1}, strided);
  const logical_tensor filter(1, type, Dims{1, 1, 1}, strided);
  const logical_tensor output(2, type, Dims{1, 1, 1}, strided);
  dnnl::graph::op op(0, dnnl::graph::op::kind::ConvolutionBackwardData, {data, filter}, {output}, "deconv");
  using attr = dnnl::graph::op::attr;
  op.set_attr<Dims>(attr::strides, {1}).set_attr<Dims>(attr::dilations, {1});
  op.set_attr<Dims>(attr::pads_begin, {0}).set_attr<Dims>(attr::pads_end, {0});
  op.set_attr<int64_t>(attr::groups, 1).set_attr<Dims>(attr::dst_shape, {1, 1, 1});
  op.set_attr<std::string>(attr::data_format, "NXC").set_attr<std::string>(attr::weights_format, "XIO");
  try {
    dnnl::graph::graph graph(dnnl::engine::kind::cpu);
    graph.add_op(op);
    graph.finalize();
    const dnnl::graph::partition partition = graph.get_partitions().at(0);
    std::printf("supported %d\n", static_cast<int>(partition.is_supported()));
    std::fflush(stdout);
    partition.compile({data, filter}, {output}, engine);
    std::puts("compiled");
  } catch (const dnnl::error& error) {
    std::printf("%s (status %d)\n", error.what(), static_cast<int>(error.status));
  }
}
