// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the features of a case are collected, and the parts that collect them.

#ifndef DECONV_CONFORMANCE_CONDITIONS_FEATURE_SINK_H_
#define DECONV_CONFORMANCE_CONDITIONS_FEATURE_SINK_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/conditions/feature.h"

namespace conformance {

/// Collects features. The first case that is collected also gives the names.
class Sink {
 public:
  Sink(std::vector<std::int64_t>& values, std::vector<Feature>* names) : values_(values), names_(names) {}

  void Number(const char* name, std::int64_t value, double cost = 1) { Put(name, FeatureKind::kNumber, value, cost); }
  void Size(const char* name, std::int64_t value, double cost = 1) { Put(name, FeatureKind::kSize, value, cost); }
  void Flag(const char* name, bool value, double cost = 1.05) { Put(name, FeatureKind::kFlag, value ? 1 : 0, cost); }
  void Category(const char* name, std::int64_t value, std::string (*word)(std::int64_t), double cost = 1) {
    Put(name, FeatureKind::kCategory, value, cost);
    if (names_ != nullptr) names_->back().word = word;
  }
  void Put(std::string name, FeatureKind kind, std::int64_t value, double cost) {
    values_.push_back(value);
    if (names_ != nullptr) names_->push_back({.name = std::move(name), .kind = kind, .cost = cost});
  }

 private:
  std::vector<std::int64_t>& values_;
  std::vector<Feature>* names_;
};

/// What is known of one axis: what is given, and what the dialect makes of it; nullptr if it refuses the operator.
void CollectAxis(const SketchAxis& axis, const oracle::Axis* resolved, Sink& sink);

/// Which attributes decide sizes or pads: those without which, or with which changed, they would be others.
void CollectDecisions(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Resolution& resolution,
                      Sink& sink);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CONDITIONS_FEATURE_SINK_H_
