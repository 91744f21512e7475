// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// deconv-bench measures the speed of the kernel on a list of layers (operators), as a share of the machine's limit. It
// prints a table or one JSON line for each layer as it is measured, and can draw a chart. Other modes measure how
// evenly threads can share a layer (--balance), and the costs by which plans choose algorithms (--calibrate). The exit
// codes are kUsage and so on below; 0 stands for measured.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "kernel/bench/balance.h"
#include "kernel/bench/calibrate.h"
#include "kernel/bench/estimator.h"
#include "kernel/bench/layers.h"
#include "kernel/bench/limits.h"
#include "kernel/bench/measure.h"
#include "kernel/bench/pool.h"
#include "kernel/bench/row.h"
#include "kernel/plan/cpu_names.h"
#include "kernel/plan/plan.h"
#include "kernel/plan/registry.h"
#include "kernel/plan/targets.h"

namespace deconv::bench {
namespace {

// Exit codes.
constexpr int kUsage = 2;        // wrong usage or unreadable input
constexpr int kNotMeasured = 6;  // the costs could not be measured
constexpr int kNotWritten = 6;   // the report could not be written

// The command line; ParseCommandLine() explains each option.
struct Options {
  std::string layers;
  PlanSettings settings;
  size_t threads = 1;
  std::string type = "f32";
  std::string layout = "ncx";
  std::string target;
  std::string only = ".";
  bool json = false;
  std::string svg;
  bool all_algorithms = false;
  bool balance = false;
  bool with_pack = false;
  std::string cpu;
  bool calibrate = false;
};

// Prints the message. Returns the exit code for wrong usage.
int Complain(const std::string& message) {
  std::cerr << "deconv-bench: " << message << "\n";
  return kUsage;
}

int ComplainOfOutput() {
  std::cerr << "deconv-bench: the report could not be written to standard output\n";
  return kNotWritten;
}

const char* TargetOf(const Options& options) {
  return options.settings.target == nullptr ? deconv_target(0) : options.settings.target;
}
const char* CpuOf(const Options& options) {
  return options.settings.cpu == nullptr ? deconv_cpu_class(0) : options.settings.cpu;
}

// Returns the title of table and chart. It has no character that XML reserves.
std::string TitleOf(const Options& options, double peak_multiply_adds) {
  char text[200];
  std::snprintf(text, sizeof(text), "%s %s, target %s, cpu %s, %zu thread%s; peak %.1f GFLOP/s", options.type.c_str(),
                options.layout.c_str(), TargetOf(options), CpuOf(options), options.threads,
                options.threads == 1 ? "" : "s", 2 * peak_multiply_adds);
  return text;
}

// An algorithm of a layer that is measured.
struct Candidate {
  const char* algorithm = nullptr;  // null: the kernel's choice
  bool chosen = true;               // whether it is the kernel's choice
};

// Returns the kernel's choice alone, or with --all-algorithms each algorithm that fits. "direct" is measured only if no
// other algorithm fits, because one run takes seconds.
std::vector<Candidate> Candidates(const Options& options, const Layer& layer) {
  if (!options.all_algorithms) return {{}};
  std::string error;
  const std::optional<Plan> chosen = MakePlan(layer, options.settings, error);
  if (!chosen) return {{}};  // this candidate is refused when it is measured
  std::vector<Candidate> candidates;
  for (const AlgorithmEntry& entry : Algorithms()) {
    PlanSettings settings = options.settings;
    settings.algorithm = entry.name;
    const bool is_chosen = std::strcmp(entry.name, chosen->AlgorithmName()) == 0;
    if (!MakePlan(layer, settings, error) || (std::strcmp(entry.name, "direct") == 0 && !is_chosen)) continue;
    candidates.push_back({entry.name, is_chosen});
  }
  return candidates;
}

// Returns the cycles of a measured algorithm, and how often each cost counts in its estimate. The estimate of "direct"
// has no costs, and so no parts.
Row::Compared Compare(const Options& options, const CpuClass& cpu, const Layer& layer, const Candidate& candidate,
                      const Measurement& measurement, double ghz) {
  Row::Compared compared = {.chosen = candidate.chosen,
                            .type = options.type,
                            .layout = options.layout,
                            .cycles = measurement.time.ns * ghz,
                            .parts = {}};
  PlanSettings settings = options.settings;
  settings.algorithm = measurement.algorithm.c_str();
  std::string error;
  const std::optional<Plan> plan = MakePlan(layer, settings, error);
  if (!plan || measurement.algorithm == "direct") return compared;
  compared.parts = PartsOf({settings.target_bit, cpu.caches}, plan->Get()->geometry, settings.algorithm,
                           CostsOf({settings.target_bit, &cpu, false}));
  const auto batch = static_cast<double>(layer.batch);  // estimates are of one sample
  compared.parts.fixed *= batch;
  for (auto& [name, count] : compared.parts.counts) count *= batch;
  return compared;
}

// Prints the costs of products and loads on this machine. Returns the exit code, as do the functions below.
int RunCalibration(const Options& options) {
  std::string error;
  if (!Calibrate(options.settings, options.json, error)) {
    Complain("--calibrate: " + error);
    return kNotMeasured;
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : ComplainOfOutput();
}

// Prints how evenly the tasks of each layer can be shared among threads.
int RunBalance(const Options& options, const std::vector<Layer>& layers) {
  if (!options.json) std::cout << BalanceHead() << std::flush;
  for (const Layer& layer : layers) {
    Balance balance;
    std::string error;
    if (!MeasureBalance(layer, options.settings, balance, error)) {
      return Complain(options.layers + ": line " + std::to_string(layer.line) + ": " + error);
    }
    std::cout << (options.json ? BalanceJson(layer, balance) + "\n" : BalanceLine(layer, balance)) << std::flush;
    if (!std::cout) return ComplainOfOutput();
  }
  return 0;
}

// Reads the layers of the file whose name matches --only. Returns false with the complaint in `error`.
bool ChosenLayers(const Options& options, std::vector<Layer>& layers, std::string& error) {
  std::ifstream file(options.layers);
  if (!file) {
    error = options.layers + ": cannot be opened, expected a readable list of layers";
    return false;
  }
  if (!ReadLayers(file, layers, error)) {
    error = options.layers + ": " + error;
    return false;
  }
  try {
    const std::regex only(options.only);
    std::erase_if(layers, [&](const Layer& layer) { return !std::regex_search(layer.name, only); });
  } catch (const std::regex_error& e) {
    error = "--only: \"" + options.only + "\" is no regular expression: " + e.what();
    return false;
  }
  if (layers.empty()) error = "--only: \"" + options.only + "\" matches no layer of " + options.layers;
  return !layers.empty();
}

// Returns the line of a layer in the report.
std::string LineOf(const Options& options, const Row& row) {
  if (options.json) return JsonOf(row) + "\n";
  return options.with_pack ? PackTableLine(row) : TableLine(row);
}

// Measures the layers on `cpu`, prints the line of each, and writes the chart if --svg asks for it.
int RunLayers(const Options& options, const CpuClass& cpu, const std::vector<Layer>& layers) {
  // A missing folder is reported before the layers are measured, which takes minutes.
  const std::filesystem::path folder = std::filesystem::path(options.svg).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    return Complain("--svg: " + options.svg + ": there is no folder " + folder.string());
  }
  Pool pool(options.threads);
  const double ghz = options.all_algorithms ? ClockGhz() : 0;
  const double peak = PeakMultiplyAdds(options.settings.type, options.settings.target_bit, pool);
  const std::string title = TitleOf(options, peak);
  if (!options.json) {
    std::cout << title << "\n" << (options.with_pack ? PackTableHead() : TableHead()) << std::flush;
  }
  std::vector<Row> rows;
  std::string error;
  for (const Layer& layer : layers) {
    for (const Candidate& candidate : Candidates(options, layer)) {
      PlanSettings settings = options.settings;
      settings.algorithm = candidate.algorithm;
      Measurement measurement;
      if (!Measure(layer, settings, options.with_pack, pool, measurement, error)) {
        return Complain(options.layers + ": line " + std::to_string(layer.line) + ": " + error);
      }
      rows.push_back(MakeRow(layer, measurement, peak));
      if (options.all_algorithms) rows.back().compared = Compare(options, cpu, layer, candidate, measurement, ghz);
      std::cout << LineOf(options, rows.back()) << std::flush;
      if (!std::cout) return ComplainOfOutput();
    }
  }
  if (options.svg.empty()) return 0;
  std::ofstream chart(options.svg, std::ios::binary);
  chart << ChartOf(title, rows);
  chart.close();
  if (!chart) {
    std::cerr << "deconv-bench: " << options.svg << ": could not be written\n";
    return kNotWritten;
  }
  return 0;
}

// Runs the mode that the options name. A message of the kernel begins with the name of its argument, such as "target",
// which is also the name of the option.
int Run(Options& options) {
  if (const Status found = FindTarget(options.settings.target, options.settings.target_bit); !found.Ok()) {
    return Complain(std::string("--") + found.Message());
  }
  const CpuClass* cpu = nullptr;
  if (const Status found = FindCpu(options.settings.cpu, cpu); !found.Ok()) {
    return Complain(std::string("--") + found.Message());
  }
  std::vector<Layer> layers;
  std::string error;
  if (options.calibrate) return RunCalibration(options);
  if (options.layers.empty()) return Complain("--layers is required, except with --calibrate (deconv-bench --help)");
  if (!ChosenLayers(options, layers, error)) return Complain(error);
  return options.balance ? RunBalance(options, layers) : RunLayers(options, *cpu, layers);
}

// The end of the help.
constexpr const char* kFooter =
    "GFLOP/s counts nominal multiply-adds, two operations each. \"of limit\" compares the time with what this "
    "machine\n"
    "allows: the multiply-adds that pads do not crop, at the measured peak, or reading data and packed filter and\n"
    "writing the output once. The slower of the two is the limit. Times are the lower quartile of repeated "
    "executions.\n"
    "With --with-pack, \"GB/s\" are the bytes of filter and packed filter together, halved as those of a copy are: "
    "once\n"
    "read, once written. \"of memcpy\" is that speed beside memcpy of as many bytes. \"both\" is a packing and an\n"
    "execution in turn. One thread packs, whatever --threads is.\n"
    "\n"
    "Examples:\n"
    "  deconv-bench --layers kernel/bench/layers.txt\n"
    "      all layers in f32, planar, on one thread, as a table\n"
    "  deconv-bench --layers kernel/bench/layers.txt --only '^unet' --type bf16 --threads 2 --svg unet.svg\n"
    "      some layers in bf16 on two threads, with a chart\n"
    "  deconv-bench --layers kernel/bench/layers.txt --only dcgan_l3 --layout nxc --all-algorithms\n"
    "      each algorithm that fits one layer, channels last; the chosen one is marked; with --json, how often each\n"
    "      cost counts in its estimate; ci/fit_costs fits costs to such lines\n"
    "  deconv-bench --layers kernel/bench/layers.txt --target AVX2 --json >new.json\n"
    "      one JSON object a line, for scripts; ci/bench compares such lines\n"
    "  deconv-bench --layers kernel/bench/layers.txt --with-pack\n"
    "      what packing costs beside an execution, and beside memcpy\n"
    "  deconv-bench --layers kernel/bench/layers.txt --balance\n"
    "      how evenly the tasks of each layer can be shared among threads\n"
    "  deconv-bench --calibrate\n"
    "      what products and loads cost on this machine; ci/calibrate compares them with the table\n"
    "\n"
    "Exit codes: 0 measured, 2 usage or unreadable input, 6 costs not measured or report not written";

// Parses the command line into `options`. Returns an exit code if the program must end: after --help, or for wrong
// usage.
std::optional<int> ParseCommandLine(int argc, char** argv, Options& options) {
  const std::map<std::string, deconv_type> types = {{"f64", DECONV_F64},   {"f32", DECONV_F32}, {"f16", DECONV_F16},
                                                    {"bf16", DECONV_BF16}, {"i8", DECONV_I8},   {"i16", DECONV_I16},
                                                    {"i32", DECONV_I32},   {"i64", DECONV_I64}, {"u8", DECONV_U8},
                                                    {"u16", DECONV_U16},   {"u32", DECONV_U32}, {"u64", DECONV_U64}};
  const std::map<std::string, deconv_layout> layouts = {{"ncx", DECONV_NCX}, {"nxc", DECONV_NXC}};
  CLI::App app("Measures the speed of deconv on a list of layers, with a packed filter and plain tensors in and out.",
               "deconv-bench");
  CLI::Option* const layers = app.add_option("--layers", options.layers,
                                             "file with one layer a line; kernel/bench/layers.txt explains the fields");
  CLI::Option* const type = app.add_option("--type", options.type, "element type of data, filter and output")
                                ->check(CLI::IsMember(types))
                                ->capture_default_str();
  CLI::Option* const layout = app.add_option("--layout", options.layout, "memory layout of data and output")
                                  ->check(CLI::IsMember(layouts))
                                  ->capture_default_str();
  CLI::Option* const threads = app.add_option("--threads", options.threads, "number of threads")
                                   ->check(CLI::Range(1, 4096))
                                   ->capture_default_str();
  app.add_option("--target", options.target,
                 "instruction set, one of those that deconv-selftest lists (default: the best one)");
  app.add_option("--cpu", options.cpu,
                 "class of CPUs whose costs choose the algorithm, such as zen4 (default: that of this machine)");
  app.add_option("--only", options.only,
                 "measure only layers whose name has a part that matches this regular expression")
      ->needs(layers);
  CLI::Option* const all =
      app.add_flag("--all-algorithms", options.all_algorithms,
                   "measure each algorithm that fits a layer, and mark the chosen one; direct only if it is chosen");
  app.add_flag("--json", options.json, "print one JSON object a layer, {\"layer\": ..., \"ns\": ...}");
  CLI::Option* const svg = app.add_option("--svg", options.svg, "write a chart to this file");
  CLI::Option* const pack =
      app.add_flag("--with-pack", options.with_pack,
                   "also time the packing of the filter, by itself and followed by an execution, for filters that "
                   "change from one execution to the next");
  CLI::Option* const balance =
      app.add_flag("--balance", options.balance,
                   "measure each task on one thread, and print the speedup that 2, 4 and 8 threads could have at most")
          ->excludes(threads)
          ->excludes(all)
          ->excludes(pack)
          ->excludes(svg);
  CLI::Option* const calibrate =
      app.add_flag("--calibrate", options.calibrate,
                   "measure the costs of products and loads, and print them beside those of the class of CPUs; only an "
                   "idle machine measures well");
  for (CLI::Option* const other : {layers, type, layout, threads, all, svg, pack, balance}) calibrate->excludes(other);
  app.footer(kFooter);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);  // prints the help
      if (std::cout.flush()) return 0;
      std::fprintf(stderr, "deconv-bench: standard output: cannot be written\n");
      return kNotWritten;
    }
    return Complain(std::string(error.what()) + " (deconv-bench --help)");
  }
  options.settings.type = types.at(options.type);
  options.settings.layout = layouts.at(options.layout);
  if (!options.cpu.empty()) options.settings.cpu = options.cpu.c_str();
  if (!options.target.empty()) options.settings.target = options.target.c_str();
  return std::nullopt;
}

}  // namespace
}  // namespace deconv::bench

int main(int argc, char** argv) try {
  deconv::bench::Options options;
  if (const std::optional<int> code = deconv::bench::ParseCommandLine(argc, argv, options)) return *code;
  return deconv::bench::Run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "deconv-bench: %s\n", error.what());
  return deconv::bench::kNotMeasured;
}
