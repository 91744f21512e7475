// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the layers of networks and the specification's examples of the corpus, and checks them. Each violation adds one
// line.

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

  std::vector<std::string> Run() {
    CheckFragments();
    CheckNetworkLayers();
    CheckText("spec");
    return std::move(findings_);
  }

 private:
  void Find(const fs::path& file, std::string_view what) {
    findings_.push_back(fmt::format("{}: {}", file.lexically_relative(root_).string(), what));
  }

  std::vector<fs::path> Files(const fs::path& folder, const std::string& extension) {
    auto files = CorpusFiles(root_ / folder, extension);
    if (const auto* error = std::get_if<ReadError>(&files)) {
      findings_.push_back(error->message);
      return {};
    }
    return std::move(std::get<std::vector<fs::path>>(files));
  }

  // spec/: ORIGINS.txt lists each fragment (a quoted example of a document) with the net that describes the same case.
  void CheckFragments() {
    auto origins = FragmentOrigins(root_ / "spec");
    if (const auto* error = std::get_if<ReadError>(&origins)) {
      findings_.push_back(error->message);
      return;
    }
    std::set<fs::path> listed;
    for (const FragmentOrigin& origin : std::get<std::vector<FragmentOrigin>>(origins)) {
      listed.insert({origin.fragment, origin.net});
      if (origin.origin.empty()) Find(origin.fragment, "ORIGINS.txt gives no origin");
      const std::vector<Case> fragment = CheckLayers(origin.fragment);
      const std::vector<Case> net = CheckValid(origin.net);
      if (fragment != net) Find(origin.net, "describes another case than its fragment");
    }
    for (const char* folder : {"spec/fragments", "spec/nets"}) {
      for (const fs::path& file : Files(folder, ".xml")) {
        if (!listed.contains(file)) Find(file, "is not listed in ORIGINS.txt");
      }
    }
  }

  // Checks that a file describes a case that no other file describes.
  std::vector<Case> CheckValid(const fs::path& file) {
    std::vector<Case> cases = CheckLayers(file);
    for (const Case& test_case : cases) {
      const auto [other, is_new] = files_.emplace(ToLine(test_case), file);
      if (!is_new) Find(file, fmt::format("describes the same case as {}", other->second.filename().string()));
    }
    return cases;
  }

  // Checks that a file can be read, that writing it as XML and as a case line loses nothing, and that it declares the
  // output shape of the specification.
  std::vector<Case> CheckLayers(const fs::path& file) {
    const auto read = ReadLayerXml(file);
    if (const auto* error = std::get_if<ReadError>(&read)) {
      Find(file, error->message);
      return {};
    }
    std::vector<Case> cases;
    for (const LayerCase& layer : std::get<std::vector<LayerCase>>(read)) {
      cases.push_back(layer.test_case);
      const auto line = ParseCaseLine(ToLine(layer.test_case));
      if (!std::holds_alternative<Case>(line) || !(std::get<Case>(line) == layer.test_case)) {
        Find(file, "does not survive the case line");
      }
      const fs::path copy = scratch_ / "written.xml";
      std::ofstream(copy) << ToIrXml("copy", layer.test_case, layer.declared_output);
      const auto again = ReadLayerXml(copy);
      const auto* layers = std::get_if<std::vector<LayerCase>>(&again);
      if (layers == nullptr || !(layers->front().test_case == layer.test_case))
        Find(file, "does not survive the writer");

      const oracle::Resolution resolution = oracle::Resolve(layer.test_case.op, oracle::Dialect::kOpenvinoSpec);
      if (!resolution.ok()) {
        Find(file, fmt::format("is refused: {} {}", resolution.refusal->clause, resolution.refusal->message));
      } else if (resolution.geometry->OutputDims() != layer.declared_output) {
        Find(file, fmt::format("declares output [{}], expected [{}]", fmt::join(layer.declared_output, ","),
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
      findings_.push_back(error->message);
      return;
    }
    for (const NetworkLayer& layer : std::get<std::vector<NetworkLayer>>(layers)) {
      const auto resolution = oracle::Resolve(layer.test_case.op, oracle::Dialect::kOpenvinoSpec);
      if (!resolution.ok()) {
        Find(list,
             fmt::format("{} is refused: {} {}", layer.name, resolution.refusal->clause, resolution.refusal->message));
      }
      const auto [other, is_new] = files_.emplace(ToLine(layer.test_case), layer.name);
      if (!is_new) Find(list, fmt::format("{} is the same case as {}", layer.name, other->second.filename().string()));
    }
  }

  // Checks that a folder holds text, and no binaries or weights.
  void CheckText(const fs::path& folder) {
    constexpr std::size_t largest = 64 * 1024;
    if (!fs::is_directory(root_ / folder)) return;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_ / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = TextOf(entry.path());
      if (text.find('\0') != std::string::npos) Find(entry.path(), "is binary");
      if (text.size() > largest)
        Find(entry.path(), fmt::format("has {} bytes, expected at most {}", text.size(), largest));
    }
  }

  fs::path root_;
  fs::path scratch_;
  std::vector<std::string> findings_;
  std::map<std::string, fs::path> files_;  // files, and names of layers, by case line
};

}  // namespace

std::vector<std::string> LintCorpus(const fs::path& root, const fs::path& scratch) { return Lint(root, scratch).Run(); }

}  // namespace conformance
