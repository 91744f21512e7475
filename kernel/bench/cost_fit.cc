// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the fit as a pattern search: each cost is moved up and down by a step that becomes smaller. The estimates
// are not smooth, because parts of them are maxima and an algorithm may lay out its tiles by costs. So no slope is
// used.
#include "kernel/bench/cost_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>

#include "kernel/bench/cost_fields.h"
#include "kernel/plan/registry.h"

namespace deconv::bench {
namespace {

constexpr double kGood = 1.05;
// An estimate that is higher by this part is chosen 1/e as likely. It stands for the error of estimates.
constexpr double kErrorOfEstimates = 0.04;
// Weights of the parts of the objective. The lost time of the chosen algorithm has weight 1. The other parts are the
// error of estimates (as a logarithm) and the squared moves of costs from their start (in units of each cost). Costs
// that were measured by themselves have a higher weight.
constexpr double kWeightOfEstimates = 0.03;
constexpr double kWeightOfStart = 0.0005;
constexpr double kWeightOfMeasured = 0.02;
// Estimates leave the memory out. Layers that wait for it may not pull the costs up.
constexpr double kMostOff = 0.5;
// Steps in units of each cost, and how often all costs are tried with a step at most.
constexpr std::array kSteps = {0.4, 0.2, 0.1, 0.05, 0.025};
constexpr int kRounds = 4;

// An algorithm of a layer, and its estimate with the costs of the search.
struct Estimate {
  size_t layer = 0;
  size_t entry = 0;
  double cycles = 0;
};

class Search {
 public:
  Search(const std::vector<LayerTimes>& layers, const Estimator& estimator, const Costs& start,
         const std::set<std::string>& measured)
      : layers_(layers), estimator_(estimator), start_(start), costs_(start) {
    for (size_t layer = 0; layer < layers.size(); ++layer) {
      first_.push_back(estimates_.size());
      for (size_t entry = 0; entry < layers[layer].entries.size(); ++entry) estimates_.push_back({layer, entry, 0});
    }
    first_.push_back(estimates_.size());
    for (const CostField& field : CostFields()) {
      weights_.push_back(measured.contains(field.name) ? kWeightOfMeasured : kWeightOfStart);
    }
    Begin();
  }

  // Estimates all anew, and finds out which estimates depend on which costs. A cost that moves nothing now may matter
  // after others moved.
  void Begin() {
    for (Estimate& estimate : estimates_) estimate.cycles = EstimateOf(estimate);
    depending_.clear();
    for (const CostField& field : CostFields()) depending_.push_back(DependingOn(field));
    value_ = Value();
  }

  // Tries to move one cost. Returns whether that helped.
  bool Try(size_t field, double step) {
    double& cost = CostFields()[field].of(costs_);
    const double before = cost;
    for (const double sign : {1.0, -1.0}) {
      cost = std::max(0.0, before + sign * step * CostFields()[field].unit);
      if (cost == before) continue;
      const std::vector<double> old = Update(depending_[field]);
      const double value = Value();
      if (value < value_) {
        value_ = value;
        return true;
      }
      cost = before;
      for (size_t i = 0; i < old.size(); ++i) estimates_[depending_[field][i]].cycles = old[i];
    }
    return false;
  }

  const Costs& Found() const { return costs_; }

  std::set<std::string> Unreached() const {
    std::set<std::string> names;
    for (size_t i = 0; i < depending_.size(); ++i) {
      if (depending_[i].empty()) names.insert(CostFields()[i].name);
    }
    return names;
  }

 private:
  double EstimateOf(const Estimate& estimate) const {
    const LayerTimes& layer = layers_[estimate.layer];
    return estimator_.Cycles(layer.geometry, layer.entries[estimate.entry].algorithm.c_str(), costs_);
  }

  // Estimates that a change of the cost moves.
  std::vector<size_t> DependingOn(const CostField& field) {
    std::vector<size_t> found;
    double& cost = field.of(costs_);
    const double before = cost;
    for (size_t i = 0; i < estimates_.size(); ++i) {
      cost = before + field.unit;
      const bool moves_up = EstimateOf(estimates_[i]) != estimates_[i].cycles;
      cost = before / 2;
      if (moves_up || EstimateOf(estimates_[i]) != estimates_[i].cycles) found.push_back(i);
      cost = before;
    }
    return found;
  }

  // Estimates anew with the costs as they are. Returns the estimates before.
  std::vector<double> Update(const std::vector<size_t>& which) {
    std::vector<double> before;
    for (const size_t i : which) {
      before.push_back(estimates_[i].cycles);
      estimates_[i].cycles = EstimateOf(estimates_[i]);
    }
    return before;
  }

  // The objective: the search accepts a change of a cost only if this value decreases.
  double Value() {
    double lost = 0;
    double off = 0;
    for (size_t layer = 0; layer < layers_.size(); ++layer) {
      const std::span<const Estimate> estimates(&estimates_[first_[layer]], first_[layer + 1] - first_[layer]);
      lost += LostTime(layers_[layer], estimates);
      for (const Estimate& estimate : estimates) {
        const double measured = layers_[layer].entries[estimate.entry].cycles;
        off += std::min(kMostOff, std::abs(std::log(estimate.cycles / measured)));
      }
    }
    double moved = 0;
    for (size_t i = 0; i < CostFields().size(); ++i) {
      const CostField& field = CostFields()[i];
      const double by = (field.of(costs_) - field.of(start_)) / field.unit;
      moved += weights_[i] * by * by;
    }
    return lost / static_cast<double>(layers_.size()) +
           kWeightOfEstimates * off / static_cast<double>(estimates_.size()) + moved;
  }

  // The expected share of time that is lost if estimates have errors.
  static double LostTime(const LayerTimes& layer, std::span<const Estimate> estimates) {
    double least = estimates[0].cycles;
    double fastest = layer.entries[0].cycles;
    for (const Estimate& estimate : estimates) {
      least = std::min(least, estimate.cycles);
      fastest = std::min(fastest, layer.entries[estimate.entry].cycles);
    }
    double weights = 0;
    double lost = 0;
    for (const Estimate& estimate : estimates) {
      const double weight = std::exp((1 - estimate.cycles / least) / kErrorOfEstimates);
      weights += weight;
      lost += weight * (layer.entries[estimate.entry].cycles / fastest - 1);
    }
    return lost / weights;
  }

  const std::vector<LayerTimes>& layers_;
  const Estimator estimator_;
  Costs start_;
  Costs costs_;
  std::vector<Estimate> estimates_;             // by layer
  std::vector<size_t> first_;                   // estimate of each layer, and their number
  std::vector<std::vector<size_t>> depending_;  // estimates, of each cost
  std::vector<double> weights_;                 // of a move of each cost
  double value_ = 0;
};

}  // namespace

double Estimator::Cycles(const Geometry& geometry, const char* algorithm, const Costs& costs) const {
  const CpuClass cpu = {"fitted", "", nullptr, caches, &costs, &costs, &costs, &costs};
  std::unique_ptr<Algorithm> created;
  return ChooseAlgorithm(geometry, algorithm, {target, &cpu, false}, created) == nullptr ? 0 : created->Cycles();
}

ChoiceQuality QualityOfChoices(const std::vector<LayerTimes>& layers, const Estimator& estimator, const Costs& costs) {
  ChoiceQuality quality;
  for (const LayerTimes& layer : layers) {
    double least = 0;
    double chosen = 0;
    double fastest = 0;
    for (const LayerTimes::Entry& entry : layer.entries) {
      const double estimate = estimator.Cycles(layer.geometry, entry.algorithm.c_str(), costs);
      if (chosen == 0 || estimate < least) {
        least = estimate;
        chosen = entry.cycles;
      }
      if (fastest == 0 || entry.cycles < fastest) fastest = entry.cycles;
    }
    if (fastest == 0) continue;
    ++quality.layers;
    const double ratio = chosen / fastest;
    if (ratio <= kGood) ++quality.good;
    if (ratio > quality.worst) {
      quality.worst = ratio;
      quality.worst_layer = layer.name;
    }
  }
  return quality;
}

FittedCosts FitCosts(const std::vector<LayerTimes>& layers, const Estimator& estimator, const Costs& start,
                     const std::set<std::string>& measured, const std::function<void(double done)>& progress) {
  std::vector<LayerTimes> used;
  for (const LayerTimes& layer : layers) {
    if (!layer.entries.empty()) used.push_back(layer);
  }
  if (used.empty()) return {start, {}};
  Search search(used, estimator, start, measured);
  for (size_t step = 0; step < kSteps.size(); ++step) {
    if (step > 0) search.Begin();
    bool helped = true;
    for (int round = 0; round < kRounds && helped; ++round) {
      helped = false;
      for (size_t field = 0; field < CostFields().size(); ++field) {
        helped = search.Try(field, kSteps[step]) || helped;
        progress((static_cast<double>(step) +
                  (static_cast<double>(round) + static_cast<double>(field) / static_cast<double>(CostFields().size())) /
                      kRounds) /
                 static_cast<double>(kSteps.size()));
      }
    }
  }
  progress(1);
  return {search.Found(), search.Unreached()};
}

}  // namespace deconv::bench
