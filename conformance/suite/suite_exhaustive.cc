// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The suites of sweeps; a sweep is one case that stands for many small operators. Suite `exhaustive` has all operators
// within bounds, suite `dense` the full product around common kernels and strides. Each suite is divided into several
// sweeps, so that jobs and shards can share them, and so that a failure ends only one of them.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/property/property.h"
#include "conformance/case/sweep_cases.h"
#include "conformance/case/text/names.h"
#include "conformance/suite/covering/common_geometries.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

constexpr const SweepBounds& kSmall = kSweepBounds[0];
constexpr const SweepBounds& kFull = kSweepBounds[1];

// The operators in the names of these cases.
constexpr std::array<Named<OperatorKind>, 4> kShortNames = {{{OperatorKind::kConvolutionBackpropData, "convolution"},
                                                             {OperatorKind::kGroupConvolutionBackpropData, "group"},
                                                             {OperatorKind::kConvolutionBackwardData, "backward"},
                                                             {OperatorKind::kConvTranspose, "transpose"}}};

// The types that the operator's dialects allow (clauses T1, T4, T5).
std::vector<ElementType> SweptTypesOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvolutionBackwardData) return {ElementType::kF32, ElementType::kBf16, ElementType::kF16};
  if (kind == OperatorKind::kConvTranspose) return {ElementType::kF32, ElementType::kF16, ElementType::kF64};
  if (kind == OperatorKind::kGroupConvolutionBackpropData) return {ElementType::kF32};
  return {oracle::kNumericTypes.begin(), oracle::kNumericTypes.end()};
}

// Adds sweeps of all attributes of one axis: the backend resolves them to sizes and pads. If `split`, each auto_pad and
// stride is a sweep of its own.
void AddGeometrySweeps(const SweepBounds& bounds, bool split, SuiteBuilder& suite) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
      const Sweep of_dialect = {.of = SweepOf::kGeometry, .bounds = bounds, .kind = kind, .dialect = dialect};
      const std::string name =
          fmt::format("geometry.{}.{}.{}", bounds.name, NameOf(kShortNames, kind), oracle::DialectName(dialect));
      const std::string reason = "sizes and pads of every axis within the bounds";
      if (!split) {
        suite.Add(name, reason, CaseOf(of_dialect));
        continue;
      }
      for (const AutoPadClass state : kAutoPadStates) {
        // Clause A22: no operator of this sweep would be valid.
        if (dialect == oracle::Dialect::kTensorflow && state == AutoPadClass::kSameLower) continue;
        for (std::int64_t stride = 1; stride <= bounds.stride; ++stride) {
          Sweep sweep = of_dialect;
          sweep.auto_pad = state;
          sweep.stride = stride;
          suite.Add(fmt::format("{}.{}.stride{}", name, ClassName(Property::kAutoPad, state), stride), reason,
                    CaseOf(sweep));
        }
      }
    }
  }
}

// Adds sweeps of two axes, whose attributes are those of two one-axis operators. A backend that resolves one axis
// correctly may still exchange the axes. `sample`: the number of pairs that are drawn.
void AddPlaneSweeps(const SweepBounds& bounds, std::uint64_t sample, SuiteBuilder& suite) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
      suite.Add(fmt::format("planes.{}.{}.{}", bounds.name, NameOf(kShortNames, kind), oracle::DialectName(dialect)),
                "sizes and pads of two axes that are drawn from those within the bounds",
                CaseOf({.of = SweepOf::kPlanes,
                        .bounds = bounds,
                        .kind = kind,
                        .dialect = dialect,
                        .sample = sample,
                        .seed = 1}));
    }
  }
}

// Adds sweeps of all resolved axes (data, kernel, stride, dilation, pads): the backend computes the values.
void AddAxisSweeps(const SweepBounds& bounds, SuiteBuilder& suite) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    for (const ElementType type : SweptTypesOf(kind)) {
      suite.Add(fmt::format("axes.{}.{}.{}", bounds.name, NameOf(kShortNames, kind), oracle::ElementTypeName(type)),
                "values of every resolved axis within the bounds",
                CaseOf({.of = SweepOf::kAxes,
                        .bounds = bounds,
                        .kind = kind,
                        .dialect = oracle::DialectsOf(kind).front(),
                        .type = type}));
    }
  }
}

// Adds sweeps of all pairs of resolved axes within the small bounds.
void AddPairSweeps(SuiteBuilder& suite) {
  for (const ElementType type : {ElementType::kF32, ElementType::kI64}) {
    for (std::int64_t stride = 1; stride <= kSmall.stride; ++stride) {
      for (std::int64_t kernel = 1; kernel <= kSmall.kernel; ++kernel) {
        suite.Add(
            fmt::format("pairs.{}.{}.stride{}.kernel{}", kSmall.name, oracle::ElementTypeName(type), stride, kernel),
            "values of every ordered pair of resolved axes within the bounds",
            CaseOf({.of = SweepOf::kPairs, .bounds = kSmall, .type = type, .stride = stride, .kernel = kernel}));
      }
    }
  }
}

}  // namespace

SuiteResult DenseCases(Level level) {
  SuiteBuilder suite(level);
  if (level == Level::kSmoke) return suite.Build();
  for (auto& [name, sweep] : DenseSweeps()) {
    suite.Add(std::move(name),
              "all combinations of shape, batch, channels, layout and size, within 3,072 multiply-adds", CaseOf(sweep));
  }
  return suite.Build();
}

SuiteResult ExhaustiveCases(Level level) {
  SuiteBuilder suite(level);
  if (level != Level::kSmoke) {
    AddGeometrySweeps(kSmall, /*split=*/false, suite);
    AddPlaneSweeps(kSmall, /*sample=*/8192, suite);
    AddAxisSweeps(kSmall, suite);
  }
  if (level == Level::kFull) {
    AddGeometrySweeps(kFull, /*split=*/true, suite);
    AddPlaneSweeps(kFull, /*sample=*/500'000, suite);
    AddAxisSweeps(kFull, suite);
    AddPairSweeps(suite);
  }
  return suite.Build();
}

}  // namespace conformance
