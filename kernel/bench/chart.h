// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A chart of a whole run: one bar for each layer, as long as the layer comes near to its limit, coloured by which limit
// binds.
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
