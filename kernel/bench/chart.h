// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a chart of a whole run with a bar for each layer. The length is the layer's speed as a share of its limit. The
// colour says which limit that is: multiply-adds or memory.
#ifndef DECONV_KERNEL_BENCH_CHART_H_
#define DECONV_KERNEL_BENCH_CHART_H_

#include <span>
#include <string>

#include "kernel/bench/row.h"

namespace deconv::bench {

// SVG, readable on light and dark pages. `title` and the names of layers hold no character that XML reserves
// (ReadLayers sees to the names).
std::string ChartOf(const std::string& title, std::span<const Row> rows);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_CHART_H_
