// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of oneDNN Graph: an infinite weight makes NaN where it does not contribute. Output 12 of the
// first row gets no product with the first weight, and must be 2. ../README.md describes the defect.
#include "onednn_graph.h"

int main() {
  RunAndPrint({.data = {1, 2, 5, 4},
               .filter = {3, 4, 3, 2},
               .output = {1, 3, 11, 13},
               .strides = {2, 3},
               .dilations = {1, 1},
               .pads = {0, 0},
               .data_format = "NCX",
               .weights_format = "XIO",
               .first_weight = std::numeric_limits<float>::infinity()});
}
