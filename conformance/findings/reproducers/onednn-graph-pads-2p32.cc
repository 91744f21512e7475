// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of oneDNN Graph: it refuses pads of 2^32 - 2 as negative. Their lower 32 bits are those of -2.
// ../README.md describes the defect.
#include "onednn_graph.h"

int main() {
  RunAndPrint({.data = {1, 3, 2},
               .filter = {5, 3, 2},
               .output = {1, 9, 3},
               .strides = {4294967296},
               .dilations = {1},
               .pads = {4294967294},
               .data_format = "NXC",
               .weights_format = "XIO"});
}
