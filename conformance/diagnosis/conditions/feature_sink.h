// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the features of one case, and declares the functions that compute them.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_SINK_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_SINK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnosis/conditions/feature.h"

namespace conformance {

/// Collects features. The first case that is collected also gives the names.
class FeatureSink {
 public:
  FeatureSink(std::vector<std::int64_t>& values, std::vector<Feature>* names) : values_(values), names_(names) {}

  void Number(const char* name, std::int64_t value, double cost = 1) { Put(name, FeatureKind::kNumber, value, cost); }
  void Size(const char* name, std::int64_t value, double cost = 1) { Put(name, FeatureKind::kSize, value, cost); }
  /// Adds a number of an axis. Only three aggregates over the axes become features: smallest, largest and last axis.
  void Few(const char* name, std::int64_t value, double cost = 1) {
    Put(name, FeatureKind::kNumber, value, cost);
    if (names_ != nullptr) names_->back().few = true;
  }
  void Flag(const char* name, bool value, double cost = 1.05) { Put(name, FeatureKind::kFlag, value ? 1 : 0, cost); }
  void Category(const char* name, std::int64_t value, std::string (*word)(std::int64_t), double cost = 1) {
    Put(name, FeatureKind::kCategory, value, cost);
    if (names_ != nullptr) names_->back().word = word;
  }
  void Put(std::string_view name, FeatureKind kind, std::int64_t value, double cost) {
    Put("", name, "", kind, value, cost);
  }
  /// Adds a feature whose name has three parts. The parts are joined only if names are collected, to save time.
  void Put(std::string_view before, std::string_view name, std::string_view behind, FeatureKind kind,
           std::int64_t value, double cost) {
    values_.push_back(value);
    if (names_ == nullptr) return;
    std::string whole(before);
    whole += name;
    whole += behind;
    names_->push_back({.name = std::move(whole), .kind = kind, .cost = cost});
  }

 private:
  std::vector<std::int64_t>& values_;
  std::vector<Feature>* names_;
};

/// Collects the features of one axis: its given attributes, and the sizes and pads that the dialect computes.
void CollectAxis(const SketchAxis& axis, const oracle::Axis& resolved, FeatureSink& sink);

/// Whether a tap and a data element meet at some output.
bool TapsOverlap(const oracle::Axis& axis);

/// Collects which taps are multiplied by which data elements along an axis. `others_meet`: whether every other axis of
/// the operator has at least one such pair.
void CollectTaps(const oracle::Axis& resolved, bool others_meet, FeatureSink& sink);

/// Collects which attributes decide sizes or pads: without them, or if they were changed, sizes or pads would differ.
/// `geometry`: of the operator; nullptr if the backend does not see the attributes, and none of them decides.
void CollectDecisions(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry* geometry,
                      FeatureSink& sink);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_SINK_H_
