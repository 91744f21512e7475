// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the rows around the core: auto_pad, output shape, output_padding and groups, which together decide pads and
// sizes. For each combination of the core's classes, it adds rows until each class of every other parameter has
// occurred with this combination. A row takes as many missing classes as the constraints allow.

#include <algorithm>
#include <utility>

#include "conformance/suite/covering/array.h"

namespace conformance {
namespace {

// The classes of the other parameters that no row of the current core combination has yet.
class MissingClasses {
 public:
  MissingClasses(const Model& model, const ClassRow& core) : model_(model) {
    for (const Property parameter : model.parameters()) {
      if (std::ranges::find(kCoreParameters, parameter) != kCoreParameters.end()) continue;
      ParameterClasses parameter_classes{.parameter = parameter, .missing = {}};
      for (const std::uint8_t value : model.classes(parameter)) {
        ClassRow row = core;
        row[parameter] = value;
        if (model.Feasible(row)) parameter_classes.missing.push_back(value);
      }
      parameters_.push_back(std::move(parameter_classes));
    }
  }

  bool HasAny() const {
    return std::ranges::any_of(
        parameters_, [](const ParameterClasses& parameter_classes) { return !parameter_classes.missing.empty(); });
  }

  // Makes the next row. The parameter with the most missing classes chooses first, because it determines the number of
  // rows. The other parameters then take a missing class if the constraints allow one. A parameter without missing
  // classes takes class `round` modulo its number of classes.
  ClassRow NextRow(const ClassRow& core, std::size_t round) {
    std::ranges::sort(parameters_, [](const ParameterClasses& one, const ParameterClasses& other) {
      return one.missing.size() != other.missing.size() ? one.missing.size() > other.missing.size()
                                                        : one.parameter < other.parameter;
    });
    ClassRow row = core;
    for (ParameterClasses& parameter_classes : parameters_) {
      const auto taken = std::ranges::find_if(parameter_classes.missing, [&](std::uint8_t value) {
        row[parameter_classes.parameter] = value;
        return model_.Feasible(row);
      });
      if (taken != parameter_classes.missing.end()) {
        row[parameter_classes.parameter] = *taken;
        parameter_classes.missing.erase(taken);
      } else {
        row[parameter_classes.parameter] = ClassRow::kNone;
      }
    }
    for (const ParameterClasses& parameter_classes : parameters_) {
      if (row.Has(parameter_classes.parameter)) continue;
      const std::vector<std::uint8_t>& classes = model_.classes(parameter_classes.parameter);
      for (std::size_t i = 0; i < classes.size(); ++i) {
        // The default layout, channels last, is the last class of a format.
        const bool format = parameter_classes.parameter == Property::kDataFormat ||
                            parameter_classes.parameter == Property::kFilterFormat;
        row[parameter_classes.parameter] = classes[format ? classes.size() - 1 - i : (i + round) % classes.size()];
        if (model_.Feasible(row)) break;  // one class is feasible, because the row could be completed before
      }
    }
    model_.Complete(row);  // parameters with a single class
    return row;
  }

 private:
  struct ParameterClasses {
    Property parameter;
    std::vector<std::uint8_t> missing;
  };
  const Model& model_;
  std::vector<ParameterClasses> parameters_;
};

void AddRowsAroundCore(const Model& model, const ClassRow& core, std::vector<ClassRow>& rows) {
  if (!model.Feasible(core)) return;
  MissingClasses missing(model, core);
  while (missing.HasAny()) rows.push_back(missing.NextRow(core, rows.size()));
}

}  // namespace

std::vector<ClassRow> CoreRows(const Model& model) {
  std::vector<ClassRow> rows;
  ClassRow core;
  // Tries all combinations of the core's classes.
  const auto choose = [&](const auto& self, std::size_t at) -> void {
    if (at == kCoreParameters.size()) {
      AddRowsAroundCore(model, core, rows);
      return;
    }
    for (const std::uint8_t value : model.classes(kCoreParameters[at])) {
      core[kCoreParameters[at]] = value;
      self(self, at + 1);
    }
    core[kCoreParameters[at]] = ClassRow::kNone;
  };
  choose(choose, 0);
  return rows;
}

}  // namespace conformance
