// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of one layer (an operator of layers.txt): its time, and its speed as a share of the machine's limit. The
// limit is a roofline: the longer of the times for its multiply-adds and for its memory.
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
  double compute_ns = 0;  // the multiply-adds that are performed, at the machine's peak
  double memory_ns = 0;   // reading data and packed filter and writing the output once
  // Set with --all-algorithms.
  struct Compared {
    bool chosen = false;  // whether the kernel would take this one
    std::string type;
    std::string layout;
    double cycles = 0;    // cycles of one execution, on this machine
    EstimateParts parts;  // the parts of the estimate of one execution
  };
  std::optional<Compared> compared;

  bool ComputeBound() const { return compute_ns >= memory_ns; }
  // 1 where the layer runs as fast as the limit that binds it.
  double OfLimit() const { return (ComputeBound() ? compute_ns : memory_ns) / measurement.time.ns; }
  // GFLOP/s of nominal multiply-adds, which is how libraries are compared: two operations each.
  double Nominal() const { return 2 * layer.MultiplyAdds() / measurement.time.ns; }
};

Row MakeRow(const Layer& layer, const Measurement& measurement, double peak_multiply_adds);

// A JSON object on one line; "layer" and "ns" are the contract with programs that compare libraries.
std::string JsonOf(const Row& row);

// The table: its head, and one line a layer.
std::string TableHead();
std::string TableLine(const Row& row);

// The table for layers whose packing was timed.
std::string PackTableHead();
std::string PackTableLine(const Row& row);

// The chart of a whole run has a bar for each layer. The length is the layer's speed as a share of its limit. The
// colour says which limit that is: multiply-adds or memory.

// SVG, readable on light and dark pages. `title` and the names of layers hold no character that XML reserves
// (ReadLayers sees to the names).
std::string ChartOf(const std::string& title, std::span<const Row> rows);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_ROW_H_
