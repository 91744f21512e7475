// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph of one ConvolutionBackwardData in f32 on oneDNN, and prints the first outputs or the error. All elements
// of data and filter are 1, but for the first weight. The reproducers onednn-graph-*.cc in this folder share it.
#ifndef DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_GRAPH_H_
#define DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_GRAPH_H_

#include <cstdio>
#include <limits>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <string>
#include <vector>

using dnnl::graph::logical_tensor;
using Dims = std::vector<int64_t>;

struct Operator {
  Dims data, filter, output, strides, dilations;
  Dims pads;  ///< one for each axis, used at both ends
  std::string data_format, weights_format;
  int64_t groups = 1;
  float first_weight = 1;
};

inline void RunAndPrint(const Operator& deconv) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto type = logical_tensor::data_type::f32;
  const auto strided = logical_tensor::layout_type::strided;
  const logical_tensor data(0, type, deconv.data, strided), filter(1, type, deconv.filter, strided);
  const logical_tensor output(2, type, deconv.output, strided);
  dnnl::graph::op op(0, dnnl::graph::op::kind::ConvolutionBackwardData, {data, filter}, {output}, "deconv");
  using attr = dnnl::graph::op::attr;
  op.set_attr<Dims>(attr::strides, deconv.strides).set_attr<Dims>(attr::dilations, deconv.dilations);
  op.set_attr<Dims>(attr::pads_begin, deconv.pads).set_attr<Dims>(attr::pads_end, deconv.pads);
  op.set_attr<int64_t>(attr::groups, deconv.groups).set_attr<Dims>(attr::dst_shape, deconv.output);
  op.set_attr<std::string>(attr::data_format, deconv.data_format);
  op.set_attr<std::string>(attr::weights_format, deconv.weights_format);
  try {
    dnnl::graph::graph graph(dnnl::engine::kind::cpu);
    graph.add_op(op);
    graph.finalize();
    auto compiled = graph.get_partitions().at(0).compile({data, filter}, {output}, engine);
    std::vector<float> data_values(data.get_mem_size() / sizeof(float), 1);
    std::vector<float> filter_values(filter.get_mem_size() / sizeof(float), 1);
    std::vector<float> output_values(output.get_mem_size() / sizeof(float), -99);
    filter_values[0] = deconv.first_weight;
    compiled.execute(stream, {{data, engine, data_values.data()}, {filter, engine, filter_values.data()}},
                     {{output, engine, output_values.data()}});
    stream.wait();
    std::printf("output:");
    for (size_t i = 0; i < output_values.size() && i < 24; ++i) std::printf(" %g", output_values[i]);
    std::puts("");
  } catch (const dnnl::error& error) {
    std::printf("%s (status %d)\n", error.what(), static_cast<int>(error.status));
  }
}

#endif  // DECONV_CONFORMANCE_FINDINGS_REPRODUCERS_ONEDNN_GRAPH_H_
