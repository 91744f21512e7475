// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes logical tensors of oneDNN Graph with 12 and with 15 dims. The struct of a logical tensor has room for 12.
#include <cstdio>
#include <initializer_list>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using dnnl::graph::logical_tensor;

int main() {
  for (const size_t rank : {12, 15}) {
    std::printf("rank %zu:", rank);
    std::fflush(stdout);
    try {
      const std::vector<int64_t> dims(rank, 1);
      const logical_tensor tensor(0, logical_tensor::data_type::f32, dims, logical_tensor::layout_type::strided);
      std::printf(" %zu bytes\n", tensor.get_mem_size());
    } catch (const dnnl::error& error) {
      std::printf(" %s (status %d)\n", error.what(), static_cast<int>(error.status));
    }
  }
}
