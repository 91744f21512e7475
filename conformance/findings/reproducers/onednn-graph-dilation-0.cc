// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of oneDNN Graph: it accepts a dilation of 0 and -1 groups, which its document forbids.
// ../README.md describes the defect.
#include "onednn_graph.h"

int main() {
  RunAndPrint({.data = {1, 2, 4},
               .filter = {2, 3, 3},
               .output = {1, 3, 6},
               .strides = {1},
               .dilations = {0},
               .pads = {0},
               .data_format = "NCX",
               .weights_format = "OIX",
               .groups = -1});
}
