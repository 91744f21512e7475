// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces open dims of an OpenVINO model (sizes that the model does not state) by the shapes that a user gave. Finds
// the tensors of the model by name, and checks that the given shapes fit it.

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/names.h"
#include "conformance/case/xml/parts.h"

namespace conformance::layer_xml {
namespace {

using oracle::Dims;

// The most names that one message shows.
constexpr std::size_t kMostShown = 8;

/// The names under which a user can give a tensor's shape: first the layer's name ("conv1"), then those of the port's
/// attribute `names` ("conv1:0,features").
std::vector<std::string> NamesOf(pugi::xml_node layer, pugi::xml_node port) {
  std::vector<std::string> names = {layer.attribute("name").value()};
  std::string_view rest = port.attribute("names").value();
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (!name.empty()) names.emplace_back(name);
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return names;
}

/// Compares one given shape with every output port of the XML tree that has its name.
class ShapeChecker : public pugi::xml_tree_walker {
 public:
  ShapeChecker(const Source& source, std::string_view name, const Dims& dims)
      : source_(source), name_(name), dims_(dims) {}

  // False ends the walk: a port of this name has another shape.
  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) != "layer") return true;
    for (const pugi::xml_node port : node.child("output").children("port")) {
      const Dims found = ParseOpenDims(source_, port);
      const std::vector<std::string> names = NamesOf(node, port);
      if (IsOpen(found)) open_.push_back(names.front());
      known_.insert(known_.end(), names.begin(), names.end());
      if (std::ranges::find(names, name_) == names.end()) continue;
      is_found_ = true;
      if (Fits(found, dims_)) continue;
      wrong_ = fmt::format("--shape {}: found [{}], the model has [{}]", Shown(name_), fmt::join(dims_, ","),
                           fmt::join(found, ","));
      return false;
    }
    return true;
  }

  // Returns the message that says what is wrong with the given shape; empty if the shape fits. To call after the walk.
  std::string Complaint() {
    if (!wrong_.empty() || is_found_) return wrong_;
    const std::string nearest = DidYouMean(name_, known_);
    if (open_.empty()) {
      return fmt::format("--shape {}: the model has no such value{}; it leaves no dim open", Shown(name_), nearest);
    }
    std::string shown;
    for (std::size_t i = 0; i < std::min(open_.size(), kMostShown); ++i) {
      shown += (i == 0 ? "" : ", ") + Shown(open_[i]);
    }
    return fmt::format("--shape {}: the model has no such value{}; it leaves dims open of {}{}", Shown(name_), nearest,
                       shown, open_.size() > kMostShown ? ", ..." : "");
  }

 private:
  const Source& source_;
  std::string_view name_;
  const Dims& dims_;
  bool is_found_ = false;
  std::string wrong_;               // the message for a shape that does not fit
  std::vector<std::string> open_;   // names of layers with open dims
  std::vector<std::string> known_;  // all names of the model
};

}  // namespace

bool IsOpen(const Dims& dims) { return std::ranges::find(dims, -1) != dims.end(); }

bool Fits(const Dims& one, const Dims& other) {
  return std::ranges::equal(one, other, [](std::int64_t a, std::int64_t b) { return a == b || a == -1 || b == -1; });
}

std::string WrongShape(const Source& source, pugi::xml_node net, const GivenShapes& shapes) {
  for (const auto& [name, dims] : shapes) {
    ShapeChecker checker(source, name, dims);
    net.traverse(checker);
    if (std::string wrong = checker.Complaint(); !wrong.empty()) return wrong;
  }
  return {};
}

Dims OutputDims(const Source& source, pugi::xml_node layer, pugi::xml_node port, const GivenShapes& shapes) {
  Dims dims = ParseOpenDims(source, port);
  if (!IsOpen(dims)) return dims;
  const std::vector<std::string> names = NamesOf(layer, port);
  for (const std::string& name : names) {
    const auto given = shapes.find(name);
    if (given != shapes.end() && Fits(dims, given->second)) return given->second;
  }
  source.FailAt(port, fmt::format("value '{0}': found dims [{1}], expected every dim to be known; give --shape "
                                  "{0}=DIMS, or run deconv-capture",
                                  Shown(names.front()), fmt::join(dims, ",")));
}

}  // namespace conformance::layer_xml
