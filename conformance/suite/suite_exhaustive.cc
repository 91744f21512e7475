// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `exhaustive`: sweeps, one a block, so that jobs and shards can share them out and a failure stops a part alone.

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/sweep_cases.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

constexpr std::array kKinds = {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData,
                               OperatorKind::kConvolutionBackwardData, OperatorKind::kConvTranspose};

constexpr const SweepBounds& kSmall = kSweepBounds[0];
constexpr const SweepBounds& kFull = kSweepBounds[1];

// As names of cases have it.
std::string Short(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kConvolutionBackpropData:
      return "convolution";
    case OperatorKind::kGroupConvolutionBackpropData:
      return "group";
    case OperatorKind::kConvolutionBackwardData:
      return "backward";
    case OperatorKind::kConvTranspose:
      return "transpose";
  }
  return {};
}

// The types that the operator's dialects allow (clauses T1, T4, T5).
std::vector<ElementType> TypesOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvolutionBackwardData) return {ElementType::kF32, ElementType::kBf16, ElementType::kF16};
  if (kind == OperatorKind::kConvTranspose) return {ElementType::kF32, ElementType::kF16, ElementType::kF64};
  if (kind == OperatorKind::kGroupConvolutionBackpropData) return {ElementType::kF32};
  return {oracle::kNumericTypes.begin(), oracle::kNumericTypes.end()};
}

class Blocks {
 public:
  void Add(std::string name, std::string reason, Sweep sweep) {
    SuiteCase block;
    block.name = std::move(name);
    block.reason = std::move(reason);
    block.test_case = CaseOf(sweep);
    cases_.push_back(std::move(block));
  }
  std::vector<SuiteCase> Take() { return std::move(cases_); }

 private:
  std::vector<SuiteCase> cases_;
};

void AddGeometry(const SweepBounds& bounds, bool split, Blocks& blocks) {
  for (const OperatorKind kind : kKinds) {
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
      const Sweep all = {.of = SweepOf::kGeometry, .bounds = bounds, .kind = kind, .dialect = dialect};
      const std::string name = fmt::format("geometry.{}.{}.{}", bounds.name, Short(kind), oracle::DialectName(dialect));
      const std::string reason = "sizes and pads of every axis within the bounds";
      if (!split) {
        blocks.Add(name, reason, all);
        continue;
      }
      for (const AutoPadState state : kAutoPadStates) {
        for (std::int64_t stride = 1; stride <= bounds.stride; ++stride) {
          Sweep sweep = all;
          sweep.auto_pad = state;
          sweep.stride = stride;
          blocks.Add(fmt::format("{}.{}.stride{}", name, AutoPadStateName(state), stride), reason, sweep);
        }
      }
    }
  }
}

void AddAxes(const SweepBounds& bounds, Blocks& blocks) {
  for (const OperatorKind kind : kKinds) {
    for (const ElementType type : TypesOf(kind)) {
      blocks.Add(fmt::format("axes.{}.{}.{}", bounds.name, Short(kind), oracle::ElementTypeName(type)),
                 "values of every resolved axis within the bounds",
                 {.of = SweepOf::kAxes,
                  .bounds = bounds,
                  .kind = kind,
                  .dialect = oracle::DialectsOf(kind).front(),
                  .type = type});
    }
  }
}

void AddPairs(Blocks& blocks) {
  for (const ElementType type : {ElementType::kF32, ElementType::kI64}) {
    for (std::int64_t stride = 1; stride <= kSmall.stride; ++stride) {
      for (std::int64_t kernel = 1; kernel <= kSmall.kernel; ++kernel) {
        blocks.Add(
            fmt::format("pairs.{}.{}.stride{}.kernel{}", kSmall.name, oracle::ElementTypeName(type), stride, kernel),
            "values of every ordered pair of resolved axes within the bounds",
            {.of = SweepOf::kPairs, .bounds = kSmall, .type = type, .stride = stride, .kernel = kernel});
      }
    }
  }
}

}  // namespace

SuiteResult ExhaustiveCases(Level level) {
  Blocks blocks;
  if (level != Level::kSmoke) {
    AddGeometry(kSmall, false, blocks);
    AddAxes(kSmall, blocks);
  }
  if (level == Level::kFull) {
    AddGeometry(kFull, true, blocks);
    AddAxes(kFull, blocks);
    AddPairs(blocks);
  }
  return blocks.Take();
}

}  // namespace conformance
