// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of oneDNN Graph: it refuses ConvolutionBackwardData with two groups. The shapes are those that
// its document asks for. ../README.md describes the defect.
#include "onednn_graph.h"

int main() {
  RunAndPrint({.data = {1, 4, 3, 3},
               .filter = {4, 3, 2, 2},
               .output = {1, 6, 6, 6},
               .strides = {2, 2},
               .dilations = {1, 1},
               .pads = {0, 0},
               .data_format = "NCX",
               .weights_format = "OIX",
               .groups = 2});
}
