// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects the features of one case: numbers, flags and categories about which conditions make statements. Also
// declares the functions that compute features.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_SINK_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_SINK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnosis/conditions/feature.h"

namespace conformance {

/// Collects the values of features, in a fixed order. For the first case it also collects the names.
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

/// Whether at least one tap multiplies a data element along the axis.
bool TapsOverlap(const oracle::Axis& axis);

/// Collects which taps multiply which data elements along an axis. `others_overlap`: whether on every other axis of the
/// operator some tap multiplies a data element.
void CollectTaps(const oracle::Axis& resolved, bool others_overlap, FeatureSink& sink);

/// For each axis: whether auto_pad decides its size or its pads. Without auto_pad the axis would have other ones.
std::vector<bool> AxesOfAutoPad(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry);

/// Collects which attributes decide sizes or pads, that is which attributes change them if removed or changed.
/// `geometry`: of the operator; nullptr if the backend does not see the attributes, so that none of them decides.
void CollectDecisions(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry* geometry,
                      FeatureSink& sink);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_SINK_H_
