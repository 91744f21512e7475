// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the measured figures of a layer (an operator of layers.txt): as JSON for programs, as a table for people, and
// a whole run as a chart.
#include "kernel/bench/row.h"

#include <algorithm>
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
  row.memory_ns = measurement.memory_traffic_ns;
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
                                 {"of_limit", row.ShareOfLimit()},
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
                row.measurement.time.ns / 1e6, row.NominalGflops(), 100 * row.ShareOfLimit(),
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

namespace {

// The chart has a row for each layer: its name, a bar for its speed as a share of the machine's limit, and its figures.
// A line stands at 100 %. The sizes are in SVG's units, which are pixels unless a page scales them.
constexpr int kWidth = 900;
constexpr int kNames = 150;    // width of the column of names
constexpr int kFigures = 190;  // width of the column of figures
constexpr int kRow = 20;       // height of a row
constexpr int kBar = 14;       // height of a bar
constexpr int kTop = 72;       // height of title, legend and scale
constexpr double kMost = 1.1;  // the longest bar: a layer may be measured a little above its limit

// Returns the x coordinate of the end of a bar for this share of the limit.
double XOf(double share) { return kNames + (kWidth - kNames - kFigures) * std::clamp(share, 0.0, kMost) / kMost; }

// Formats like printf. 512 characters are more than any element of the chart has.
template <class... Values>
std::string Format(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

constexpr const char* kStyle =
    "<style>\n"
    "text{font:12px sans-serif;fill:#222}.title{font-size:14px;font-weight:bold}.end{text-anchor:end}\n"
    ".middle{text-anchor:middle}.compute{fill:#2b6cb0}.memory{fill:#b7791f}.limit{stroke:#888}.scale{stroke:#8884}\n"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.compute{fill:#63b3ed}.memory{fill:#ecc94b}}\n"
    "</style>\n";

}  // namespace

std::string ChartOf(const std::string& title, std::span<const Row> rows) {
  const int height = kTop + kRow * static_cast<int>(rows.size()) + 10;
  std::string svg = Format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n",
      kWidth, height, kWidth, height);
  svg += kStyle;
  svg += "<title>" + title + "</title>\n<text class=\"title\" x=\"10\" y=\"20\">" + title + "</text>\n";
  svg +=
      "<rect class=\"compute\" x=\"10\" y=\"31\" width=\"12\" height=\"12\"/><text x=\"27\" y=\"42\">bound by "
      "multiply-adds</text>\n";
  svg +=
      "<rect class=\"memory\" x=\"190\" y=\"31\" width=\"12\" height=\"12\"/><text x=\"207\" y=\"42\">bound by "
      "memory</text>\n";
  for (int percent = 0; percent <= 100; percent += 25) {
    const double x = XOf(percent / 100.0);
    svg += Format(
        "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text class=\"middle\" x=\"%.1f\" y=\"%d\">%d "
        "%%</text>\n",
        percent == 100 ? "limit" : "scale", x, x, kTop - 4, height - 8, x, kTop - 8, percent);
  }
  int y = kTop;
  for (const Row& row : rows) {
    const int text = y + kBar - 3;
    svg += "<text class=\"end\" x=\"" + std::to_string(kNames - 8) + "\" y=\"" + std::to_string(text) + "\">" +
           row.layer.name + "</text>\n";
    svg += Format("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                  row.ComputeBound() ? "compute" : "memory", kNames, y, XOf(row.ShareOfLimit()) - kNames, kBar);
    svg += Format("<text class=\"end\" x=\"%d\" y=\"%d\">%.0f %%, %.1f GFLOP/s, %s</text>\n", kWidth - 10, text,
                  100 * row.ShareOfLimit(), row.NominalGflops(), row.measurement.algorithm.c_str());
    y += kRow;
  }
  return svg + "</svg>\n";
}

}  // namespace deconv::bench
