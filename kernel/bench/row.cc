// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the measured figures of a layer (an operator of layers.txt): as JSON for programs, as a table for people.
#include "kernel/bench/row.h"

#include <cstdio>
#include <optional>
#include <utility>

#include "nlohmann/json.hpp"

namespace deconv::bench {

Row MakeRow(const Layer& layer, const Measurement& measurement, double peak_multiply_adds) {
  Row row;
  row.layer = layer;
  row.measurement = measurement;
  row.compute_ns = layer.PerformedMultiplyAdds() / peak_multiply_adds;
  row.memory_ns = measurement.touch_ns;
  return row;
}

std::string JsonOf(const Row& row) {
  nlohmann::ordered_json json = {{"layer", row.layer.name},
                                 {"ns", row.measurement.time.ns},
                                 {"runs", row.measurement.time.runs},
                                 {"algorithm", row.measurement.algorithm},
                                 {"target", row.measurement.target},
                                 {"cpu", row.measurement.cpu},
                                 {"estimated_cycles", row.measurement.estimated_cycles},
                                 {"multiply_adds", row.layer.MultiplyAdds()},
                                 {"performed_multiply_adds", row.layer.PerformedMultiplyAdds()},
                                 {"compute_limit_ns", row.compute_ns},
                                 {"memory_limit_ns", row.memory_ns},
                                 {"of_limit", row.OfLimit()},
                                 {"bound_by", row.ComputeBound() ? "compute" : "memory"}};
  if (const std::optional<PackTimes>& pack = row.measurement.pack) {
    json["filter_bytes"] = pack->filter_bytes;
    json["packed_filter_bytes"] = pack->packed_bytes;
    json["pack_ns"] = pack->pack_ns;
    json["pack_and_run_ns"] = pack->pack_and_run_ns;
    json["copy_ns"] = pack->copy_ns;
    json["pack_of_copy"] = pack->ShareOfCopySpeed();
  }
  if (row.compared) {
    json["chosen"] = row.compared->chosen;
    json["type"] = row.compared->type;
    json["layout"] = row.compared->layout;
    json["cycles"] = row.compared->cycles;
    json["fixed_cycles"] = row.compared->parts.fixed;
    nlohmann::ordered_json counts = nlohmann::ordered_json::object();
    for (const auto& [name, count] : row.compared->parts.counts) counts[name] = count;
    json["cost_counts"] = std::move(counts);
  }
  return json.dump();
}

std::string TableHead() { return "layer                          ms    GFLOP/s  of limit  bound by  algorithm\n"; }

std::string TableLine(const Row& row) {
  char text[200];
  std::snprintf(text, sizeof(text), "%-20s %12.3f %10.1f %7.0f %%  %-8s  %s%s\n", row.layer.name.c_str(),
                row.measurement.time.ns / 1e6, row.Nominal(), 100 * row.OfLimit(),
                row.ComputeBound() ? "compute" : "memory", row.measurement.algorithm.c_str(),
                row.compared && row.compared->chosen ? " (chosen)" : "");
  return text;
}

std::string PackTableHead() {
  return "layer                      run ms      pack ms       GB/s  of memcpy  both ms  algorithm\n";
}

std::string PackTableLine(const Row& row) {
  const PackTimes& pack = *row.measurement.pack;
  char text[200];
  std::snprintf(text, sizeof(text), "%-20s %12.3f %12.4f %10.1f %8.0f %% %8.3f  %s%s\n", row.layer.name.c_str(),
                row.measurement.time.ns / 1e6, pack.pack_ns / 1e6, static_cast<double>(pack.CopyBytes()) / pack.pack_ns,
                100 * pack.ShareOfCopySpeed(), pack.pack_and_run_ns / 1e6, row.measurement.algorithm.c_str(),
                row.compared && row.compared->chosen ? " (chosen)" : "");
  return text;
}

}  // namespace deconv::bench
