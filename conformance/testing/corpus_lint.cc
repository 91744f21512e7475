// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the corpus, the folder of cases that people have collected: reads the layers of networks and the examples of
// the specification, and adds one line for each violation of a rule.

#include "conformance/testing/corpus_lint.h"

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/suite/suite_generators.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Collects the violations of all rules.
class Lint {
 public:
  Lint(fs::path root, fs::path scratch) : root_(std::move(root)), scratch_(std::move(scratch)) {}

  /// Checks all rules, and returns the violations.
  std::vector<std::string> FindViolations() {
    CheckFragments();
    CheckNetworkLayers();
    CheckOnlyText("spec");
    return std::move(violations_);
  }

 private:
  /// Adds a violation.
  void Add(const fs::path& file, std::string_view what) {
    violations_.push_back(fmt::format("{}: {}", file.lexically_relative(root_).string(), what));
  }

  std::vector<fs::path> Files(const fs::path& folder, const std::string& extension) {
    auto files = CorpusFiles(root_ / folder, extension);
    if (const auto* error = std::get_if<ReadError>(&files)) {
      violations_.push_back(error->message);
      return {};
    }
    return std::move(std::get<std::vector<fs::path>>(files));
  }

  // spec/: ORIGINS.txt lists each fragment (a quoted example of a document) with the net that describes the same case.
  void CheckFragments() {
    auto origins = FragmentOrigins(root_ / "spec");
    if (const auto* error = std::get_if<ReadError>(&origins)) {
      violations_.push_back(error->message);
      return;
    }
    std::set<fs::path> listed;
    for (const FragmentOrigin& origin : std::get<std::vector<FragmentOrigin>>(origins)) {
      listed.insert({origin.fragment, origin.net});
      if (origin.origin.empty()) Add(origin.fragment, "ORIGINS.txt gives no origin");
      const std::vector<Case> fragment = CheckLayers(origin.fragment);
      const std::vector<Case> net = CheckNet(origin.net);
      if (fragment != net) Add(origin.net, "describes another case than its fragment");
    }
    for (const char* folder : {"spec/fragments", "spec/nets"}) {
      for (const fs::path& file : Files(folder, ".xml")) {
        if (!listed.contains(file)) Add(file, "is not listed in ORIGINS.txt");
      }
    }
  }

  // Checks that a file describes a case that no other file describes.
  std::vector<Case> CheckNet(const fs::path& file) {
    std::vector<Case> cases = CheckLayers(file);
    for (const Case& test_case : cases) {
      const auto [other, is_new] = files_.emplace(ToLine(test_case), file);
      if (!is_new) Add(file, fmt::format("describes the same case as {}", other->second.filename().string()));
    }
    return cases;
  }

  // Checks that a file can be read, that writing it as XML and as a case line loses nothing, and that it declares the
  // output shape of the specification.
  std::vector<Case> CheckLayers(const fs::path& file) {
    const auto read = ReadLayerXml(file);
    if (const auto* error = std::get_if<ReadError>(&read)) {
      Add(file, error->message);
      return {};
    }
    std::vector<Case> cases;
    for (const LayerCase& layer : std::get<std::vector<LayerCase>>(read)) {
      cases.push_back(layer.test_case);
      const auto line = ParseCaseLine(ToLine(layer.test_case));
      if (!std::holds_alternative<Case>(line) || !(std::get<Case>(line) == layer.test_case)) {
        Add(file, "does not survive the case line");
      }
      const fs::path copy = scratch_ / "written.xml";
      std::ofstream(copy) << ToIrXml("copy", layer.test_case, layer.declared_output);
      const auto again = ReadLayerXml(copy);
      const auto* layers = std::get_if<std::vector<LayerCase>>(&again);
      if (layers == nullptr || !(layers->front().test_case == layer.test_case))
        Add(file, "does not survive the writer");

      const oracle::Resolution resolution = oracle::Resolve(layer.test_case.op, oracle::Dialect::kOpenvinoSpec);
      if (!resolution.ok()) {
        Add(file, fmt::format("is refused: {} {}", resolution.refusal->clause, resolution.refusal->message));
      } else if (resolution.geometry->OutputDims() != layer.declared_output) {
        Add(file, fmt::format("declares output [{}], expected [{}]", fmt::join(layer.declared_output, ","),
                              fmt::join(resolution.geometry->OutputDims(), ",")));
      }
    }
    return cases;
  }

  // layers.txt: each line is a valid operator that no other line and no file describes.
  void CheckNetworkLayers() {
    const fs::path list = root_ / "layers.txt";
    const auto layers = NetworkLayers(list);
    if (const auto* error = std::get_if<ReadError>(&layers)) {
      violations_.push_back(error->message);
      return;
    }
    for (const NetworkLayer& layer : std::get<std::vector<NetworkLayer>>(layers)) {
      const auto resolution = oracle::Resolve(layer.test_case.op, oracle::Dialect::kOpenvinoSpec);
      if (!resolution.ok()) {
        Add(list,
            fmt::format("{} is refused: {} {}", layer.name, resolution.refusal->clause, resolution.refusal->message));
      }
      const auto [other, is_new] = files_.emplace(ToLine(layer.test_case), layer.name);
      if (!is_new) Add(list, fmt::format("{} is the same case as {}", layer.name, other->second.filename().string()));
    }
  }

  // Checks that a folder holds text, and no binaries or weights.
  void CheckOnlyText(const fs::path& folder) {
    constexpr std::size_t kMostBytes = 64 * 1024;  // a guess: a case as text is far smaller, and weights are larger
    if (!fs::is_directory(root_ / folder)) return;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_ / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = TextOf(entry.path());
      if (text.find('\0') != std::string::npos) Add(entry.path(), "is binary");
      if (text.size() > kMostBytes)
        Add(entry.path(), fmt::format("has {} bytes, expected at most {}", text.size(), kMostBytes));
    }
  }

  fs::path root_;
  fs::path scratch_;
  std::vector<std::string> violations_;
  std::map<std::string, fs::path> files_;  // files, and names of layers, by case line
};

}  // namespace

std::vector<std::string> LintCorpus(const fs::path& root, const fs::path& scratch) {
  return Lint(root, scratch).FindViolations();
}

}  // namespace conformance
