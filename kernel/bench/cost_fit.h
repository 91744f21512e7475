// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fits the costs of a CPU to the measured times of whole layers, so that the estimates choose the fastest algorithm.
#ifndef DECONV_KERNEL_BENCH_COST_FIT_H_
#define DECONV_KERNEL_BENCH_COST_FIT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"

namespace deconv::bench {

// The measured times of a layer in one type and layout: of each algorithm that fits it.
struct LayerTimes {
  struct Entry {
    std::string algorithm;
    double cycles = 0;  // of one sample
  };
  std::string name;
  Geometry geometry;
  std::vector<Entry> entries;
};

// Estimates as plans do, with any costs.
struct Estimator {
  int64_t target = 0;
  CacheSizes caches;  // of the CPU

  // The cycles that `algorithm` takes for one sample. 0 if it does not fit.
  double Cycles(const Geometry& geometry, const char* algorithm, const Costs& costs) const;
};

// How good the choices are that costs make. Of the layers to which the costs were fitted, the choices look better than
// of others.
struct ChoiceQuality {
  size_t layers = 0;
  size_t good = 0;   // layers whose chosen algorithm takes at most 1.05 times as long as the fastest
  double worst = 1;  // the greatest ratio of chosen and fastest
  std::string worst_layer;
};
ChoiceQuality QualityOfChoices(const std::vector<LayerTimes>& layers, const Estimator& estimator, const Costs& costs);

struct FittedCosts {
  Costs costs;
  std::set<std::string> unreached;  // names of costs that no estimate of the layers depends on; they stay as they were
};

// Costs whose estimates choose fast algorithms of these layers, and which are near the measured cycles. Starts from
// `start`, and changes one cost at a time while that helps. The costs that `measured` names were measured by themselves
// and hardly change. `progress` gets the share that is done, 0 to 1.
FittedCosts FitCosts(const std::vector<LayerTimes>& layers, const Estimator& estimator, const Costs& start,
                     const std::set<std::string>& measured, const std::function<void(double done)>& progress);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_COST_FIT_H_
