// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts the sizes that the user gave into an ONNX graph: replaces open dims (dims without a number) and symbols, and
// evaluates expressions of symbols. A size that the file states is never replaced, because the model is valid only with
// it. Example: input x has the shape [n,3,h,4], another value has [n,3,floor(h/2),4]. The hint x=2,3,65,4 sets n to 2
// and h to 65, so the other value gets [2,3,32,4].

#include "conformance/formats/given_shapes.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/names.h"
#include "conformance/formats/load_file.h"
#include "conformance/formats/symbol_expression.h"

namespace conformance::formats {
namespace {

// The most names, sizes or inputs that one message shows.
constexpr std::size_t kMostShown = 8;

// Exporters may write an open dim as -1 or 0. A 0 may also be a real size, so it does not count as open.
bool IsOpen(const OnnxDim& dim) { return !dim.value || *dim.value < 0; }

/// The shape as messages show it: "[n,3,?,4]".
std::string Shown(const OnnxValueInfo& info) {
  if (!info.shape) return "of unknown rank";
  std::vector<std::string> dims;
  for (const OnnxDim& dim : *info.shape) {
    if (dims.size() == kMostShown) break;
    dims.push_back(!IsOpen(dim) ? std::to_string(*dim.value) : dim.param.empty() ? "?" : OneLine(dim.param));
  }
  return fmt::format("[{}]", fmt::join(dims, ","));
}

/// The three lists in which the graph describes its values.
auto Infos(OnnxGraph& graph) { return std::array{&graph.inputs, &graph.values, &graph.outputs}; }

/// Applies hints to a graph, and remembers the sizes of symbols. A hint is a name with sizes, such as x=2,3,65,4.
class HintApplier {
 public:
  explicit HintApplier(OnnxGraph& graph) : graph_(graph) {}

  /// Returns an empty string, or what is wrong with the hint.
  std::string Apply(const ShapeHint& hint) {
    bool found = false;
    for (std::vector<OnnxValueInfo>* infos : Infos(graph_)) {
      for (OnnxValueInfo& info : *infos) {
        if (info.name != hint.name) continue;
        found = true;
        if (std::string error = ApplyToValue(info, hint); !error.empty()) return error;
      }
    }
    if (found || ApplyToNodeOutput(hint)) return {};
    if (hint.dims.size() == 1 && SymbolsOfFile().contains(hint.name)) return SetSymbol(hint.name, hint.dims[0], hint);
    std::vector<std::string> known;
    for (const OnnxValueInfo& input : graph_.inputs) known.emplace_back(input.name);
    const std::string inputs =
        fmt::format("{}", fmt::join(known.begin(), known.begin() + ShownCount(known.size()), ", "));
    for (const OnnxNode& node : graph_.nodes) known.insert(known.end(), node.outputs.begin(), node.outputs.end());
    return fmt::format("--shape {}: the model has no such value{}; its inputs are {}", OneLine(hint.name),
                       DidYouMean(hint.name, known), OneLine(inputs, 300));
  }

  /// Replaces each expression whose symbols are known by its value.
  void Evaluate(OnnxGraph& graph) const {
    for (std::vector<OnnxValueInfo>* infos : Infos(graph)) {
      for (OnnxValueInfo& info : *infos) {
        if (!info.shape) continue;
        for (OnnxDim& dim : *info.shape) {
          if (!IsOpen(dim) || dim.param.empty()) continue;
          const auto value = formats::Evaluate(dim.param, symbols_);
          if (value && *value >= 0) dim.value = *value;
        }
      }
    }
    // The reader of models limits the nesting of graphs, and thereby this recursion.
    for (OnnxNode& node : graph.nodes) {
      for (OnnxAttribute& attribute : node.attributes) {
        for (OnnxGraph& inner : attribute.graphs) Evaluate(inner);
      }
    }
  }

 private:
  static std::ptrdiff_t ShownCount(std::size_t count) {
    return static_cast<std::ptrdiff_t>(std::min(count, kMostShown));
  }

  /// Writes the sizes of the hint into the description of a value. Returns an empty string, or what does not fit.
  std::string ApplyToValue(OnnxValueInfo& info, const ShapeHint& hint) {
    const std::string misfit = fmt::format("--shape {}: found [{}], the model has {}", OneLine(hint.name),
                                           fmt::join(hint.dims, ","), Shown(info));
    info.is_tensor = true;
    if (!info.shape) info.shape.emplace(hint.dims.size());
    if (info.shape->size() != hint.dims.size()) return misfit;
    for (std::size_t i = 0; i < hint.dims.size(); ++i) {
      OnnxDim& dim = (*info.shape)[i];
      if (!IsOpen(dim) && *dim.value != hint.dims[i]) return misfit;
      if (IsSymbol(dim.param)) {
        if (std::string error = SetSymbol(std::string(dim.param), hint.dims[i], hint); !error.empty()) return error;
      }
      dim.value = hint.dims[i];
    }
    return {};
  }

  /// Sets the size of a symbol. Returns an error if the symbol already has another size.
  std::string SetSymbol(const std::string& symbol, std::int64_t value, const ShapeHint& hint) {
    const auto [at, is_new] = symbols_.emplace(symbol, value);
    if (is_new || at->second == value) return {};
    return fmt::format("--shape {}: the size '{}' would be {} and {}", OneLine(hint.name), OneLine(symbol), at->second,
                       value);
  }

  /// Adds a shape for the output of a node that has no description in the file. False if no node has this output.
  bool ApplyToNodeOutput(const ShapeHint& hint) {
    for (const OnnxNode& node : graph_.nodes) {
      for (const std::string_view output : node.outputs) {
        if (output.empty() || output != hint.name) continue;
        OnnxValueInfo& info = graph_.values.emplace_back();
        info.name = output;
        info.is_tensor = true;
        info.type = TypeOfFilters();  // shape inference stops at a value without an element type
        info.shape.emplace();
        for (const std::int64_t dim : hint.dims) info.shape->push_back({dim, {}});
        return true;
      }
    }
    return false;
  }

  /// The most likely element type of tensors between layers: that of the filters.
  std::int32_t TypeOfFilters() const {
    constexpr std::int32_t kFloat = 1;  // TensorProto.FLOAT of onnx.proto
    for (const OnnxNode& node : graph_.nodes) {
      if (node.op_type != "ConvTranspose" || node.inputs.size() < 2) continue;
      const auto filter = std::ranges::find(graph_.initializers, node.inputs[1], &OnnxTensor::name);
      if (filter != graph_.initializers.end()) return filter->type;
    }
    return kFloat;
  }

  std::set<std::string_view> SymbolsOfFile() const {
    std::set<std::string_view> symbols;
    for (const std::vector<OnnxValueInfo>* infos : Infos(graph_)) {
      for (const OnnxValueInfo& info : *infos) {
        if (!info.shape) continue;
        for (const OnnxDim& dim : *info.shape) {
          if (!dim.param.empty()) symbols.insert(dim.param);
        }
      }
    }
    return symbols;
  }

  OnnxGraph& graph_;
  SymbolValues symbols_;
};

}  // namespace

std::string ApplyShapeHints(const std::vector<ShapeHint>& hints, OnnxGraph& graph) {
  HintApplier applier(graph);
  for (const ShapeHint& hint : hints) {
    if (std::string error = applier.Apply(hint); !error.empty()) return error;
  }
  applier.Evaluate(graph);
  return {};
}

std::string OpenInputs(const OnnxGraph& graph) {
  std::set<std::string_view> constants;
  for (const OnnxTensor& tensor : graph.initializers) constants.insert(tensor.name);
  std::string shown;
  std::size_t count = 0;
  for (const OnnxValueInfo& input : graph.inputs) {
    const bool open = !input.shape || std::ranges::any_of(*input.shape, IsOpen);
    if (!open || !input.is_tensor || constants.contains(input.name)) continue;
    if (++count > kMostShown) return shown + ", ...";
    shown += fmt::format("{}{} {}", shown.empty() ? "" : ", ", OneLine(input.name), Shown(input));
  }
  return shown;
}

}  // namespace conformance::formats
