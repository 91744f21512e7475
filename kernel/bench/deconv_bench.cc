// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// deconv-bench: the kernel's speed on a list of layers. One JSON line a layer as it is measured, or a table. Exit
// codes: 0 measured, 2 usage or unreadable input, 6 the report could not be written.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <string>

#include "CLI/CLI.hpp"
#include "kernel/bench/layers.h"
#include "kernel/bench/measure.h"
#include "kernel/bench/pool.h"
#include "nlohmann/json.hpp"

namespace deconv::bench {
namespace {

constexpr int kUsage = 2;
constexpr int kNotWritten = 6;

struct Options {
  std::string layers;
  Choice choice;
  size_t threads = 1;
  std::string only = ".";
  bool json = false;
};

int Complain(const std::string& message) {
  std::cerr << "deconv-bench: " << message << "\n";
  return kUsage;
}

void PrintRow(const Options& options, const Layer& layer, const Measurement& measurement) {
  if (options.json) {
    const nlohmann::ordered_json row = {{"layer", layer.name},
                                        {"ns", measurement.ns},
                                        {"runs", measurement.runs},
                                        {"algorithm", measurement.algorithm},
                                        {"target", measurement.target}};
    std::cout << row.dump() << "\n" << std::flush;
    return;
  }
  char text[160];
  std::snprintf(text, sizeof(text), "%-20s %12.3f %10.1f  %s", layer.name.c_str(), measurement.ns / 1e6,
                2 * layer.MultiplyAdds() / measurement.ns, measurement.algorithm.c_str());
  std::cout << text << "\n" << std::flush;
}

int Run(const Options& options) {
  std::ifstream file(options.layers);
  if (!file) return Complain(options.layers + ": cannot be opened, expected a readable list of layers");
  std::vector<Layer> layers;
  std::string error;
  if (!ReadLayers(file, layers, error)) return Complain(options.layers + ": " + error);
  std::regex only;
  try {
    only = std::regex(options.only);
  } catch (const std::regex_error& e) {
    return Complain("--only: \"" + options.only + "\" is no regular expression: " + e.what());
  }
  Pool pool(options.threads);
  bool header = !options.json;
  size_t measured = 0;
  for (const Layer& layer : layers) {
    if (!std::regex_search(layer.name, only)) continue;
    Measurement measurement;
    if (!Measure(layer, options.choice, pool, measurement, error)) {
      return Complain(options.layers + ": line " + std::to_string(layer.line) + ": " + error);
    }
    if (header) {
      std::cout << "target " << measurement.target << ", " << options.threads
                << " thread(s); lower quartile of repeated runs; GFLOP/s count nominal multiply-adds twice\n"
                << "layer                          ms    GFLOP/s  algorithm\n";
      header = false;
    }
    PrintRow(options, layer, measurement);
    ++measured;
    if (!std::cout) {
      std::cerr << "deconv-bench: the report could not be written to standard output\n";
      return kNotWritten;
    }
  }
  if (measured == 0) return Complain("--only: \"" + options.only + "\" matches no layer of " + options.layers);
  return 0;
}

}  // namespace
}  // namespace deconv::bench

int main(int argc, char** argv) try {
  using namespace deconv;         // NOLINT(google-build-using-namespace)
  using namespace deconv::bench;  // NOLINT(google-build-using-namespace)
  const std::map<std::string, deconv_type> types = {{"f64", DECONV_F64},   {"f32", DECONV_F32}, {"f16", DECONV_F16},
                                                    {"bf16", DECONV_BF16}, {"i8", DECONV_I8},   {"i16", DECONV_I16},
                                                    {"i32", DECONV_I32},   {"i64", DECONV_I64}, {"u8", DECONV_U8},
                                                    {"u16", DECONV_U16},   {"u32", DECONV_U32}, {"u64", DECONV_U64}};
  const std::map<std::string, deconv_layout> layouts = {{"ncx", DECONV_NCX}, {"nxc", DECONV_NXC}};
  Options options;
  std::string type = "f32";
  std::string layout = "ncx";
  CLI::App app("The speed of deconv on a list of layers: packed filter, plain tensors in and out.", "deconv-bench");
  app.add_option("--layers", options.layers, "list of layers, one a line")->required();
  app.add_option("--type", type, "element type")->check(CLI::IsMember(types))->capture_default_str();
  app.add_option("--layout", layout, "memory layout of data and output")
      ->check(CLI::IsMember(layouts))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "threads")->check(CLI::Range(1, 4096))->capture_default_str();
  app.add_option("--only", options.only, "regular expression on the names of layers");
  app.add_flag("--json", options.json, "one JSON object a layer, {\"layer\": ..., \"ns\": ...}");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return Complain(std::string(error.what()) + " (deconv-bench --help)");
  }
  options.choice = {types.at(type), layouts.at(layout)};
  return Run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "deconv-bench: %s\n", error.what());
  return 6;
}
