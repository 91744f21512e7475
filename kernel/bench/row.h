// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of one layer (an operator of layers.txt): its time, and its speed as a share of the machine's limit. The
// limit is a roofline: the longer of the least times for its multiply-adds and for its memory. Prints the figures as a
// row of a table, as JSON, and as a bar of a chart.
#ifndef DECONV_KERNEL_BENCH_ROW_H_
#define DECONV_KERNEL_BENCH_ROW_H_

#include <optional>
#include <span>
#include <string>

#include "kernel/bench/estimator.h"
#include "kernel/bench/layers.h"
#include "kernel/bench/measure.h"

namespace deconv::bench {

struct Row {
  Layer layer;
  Measurement measurement;
  double compute_ns = 0;  // least time for the multiply-adds that are performed, at the machine's peak
  double memory_ns = 0;   // least time to read data and packed filter and to write the output once
  // What deconv-bench --all-algorithms adds, to compare the algorithms of a layer.
  struct Compared {
    bool chosen = false;  // whether the kernel chooses this algorithm by itself
    std::string type;
    std::string layout;
    double cycles = 0;    // measured cycles of one execution
    EstimateParts parts;  // the parts of the estimate of one execution
  };
  std::optional<Compared> compared;

  // Whether the multiply-adds are the limit, not the memory.
  bool ComputeBound() const { return compute_ns >= memory_ns; }
  // The least time divided by the measured time: 1 if the layer runs as fast as the machine's limit allows.
  double ShareOfLimit() const { return (ComputeBound() ? compute_ns : memory_ns) / measurement.time.ns; }
  // GFLOP/s, as libraries are compared: two operations for each multiply-add, also for those that pads crop.
  double NominalGflops() const { return 2 * layer.MultiplyAdds() / measurement.time.ns; }
};

// `peak_multiply_adds` is what PeakMultiplyAdds returns: the machine's multiply-adds in a nanosecond.
Row MakeRow(const Layer& layer, const Measurement& measurement, double peak_multiply_adds);

// Returns a JSON object on one line. Programs that compare libraries rely on its keys "layer" and "ns".
std::string JsonOf(const Row& row);

// The table: its head, and the line of a layer.
std::string TableHead();
std::string TableLine(const Row& row);

// The table for layers whose packing was timed.
std::string PackTableHead();
std::string PackTableLine(const Row& row);

// Returns the chart of a whole run as SVG, readable on light and dark pages. It has a bar for each layer. The length is
// the layer's speed as a share of its limit. The colour says which limit that is: multiply-adds or memory. `title` and
// the names of layers must hold no character that XML reserves (ReadLayers refuses such names).
std::string ChartOf(const std::string& title, std::span<const Row> rows);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_ROW_H_
