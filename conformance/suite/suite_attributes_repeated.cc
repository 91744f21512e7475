// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` that run repeatedly: many calls while memory is measured, runs with each number of
// threads, and runs that alternate with operators that differ in one attribute. No number of threads from 2 to 8
// divides the sizes (rows, channels and samples), so that threads get unequal parts.

#include <algorithm>

#include <fmt/format.h>

#include "conformance/case/repetition.h"
#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

/// A row of a table: an operator that is run repeatedly.
struct Repeated {
  const char* name;
  const char* reason;
  Level least;  ///< level of ConvolutionBackpropData; the other operators come from level gate on unless `all` is set
  OperatorDraft draft;
  bool all = false;  ///< whether every kind of operator comes from `least` on
};

/// Adds the row as each kind of operator that has its type, ConvolutionBackwardData in both layouts.
void AddRepeated(SuiteBuilder& suite, Repetition repetition, const Repeated& row) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    const bool plain = kind == OperatorKind::kConvolutionBackpropData;
    if (!suite.Includes(plain || row.all ? row.least : std::max(row.least, Level::kGate))) continue;
    OperatorDraft draft = As(kind, row.draft);
    if (draft.type != row.draft.type) continue;
    if (kind == OperatorKind::kGroupConvolutionBackpropData && draft.groups == 1) draft.groups = 3;
    for (const bool channels_last : {false, true}) {
      if (channels_last && kind != OperatorKind::kConvolutionBackwardData) continue;
      draft.data_format = channels_last ? DataFormat::kNxc : DataFormat::kNcx;
      draft.weights_format = channels_last ? WeightsFormat::kXio : WeightsFormat::kOix;
      Case test_case;
      const oracle::Dialect dialect = oracle::DialectsOf(kind).front();
      test_case.op = Spelled(Build(draft), dialect);
      if (IsRefusedByOwnClause(test_case.op, dialect)) continue;
      test_case.repeats = repetition;
      suite.Add(fmt::format("repeated.{}-{}{}.{}.{}", NameOf(repetition), row.name, channels_last ? "-nxc" : "",
                            ShortName(kind), DialectName(dialect)),
                row.reason, std::move(test_case));
    }
  }
}

// Columns of the tables: name, reason, least level, draft, and whether all operators come from that level on. Each
// axis: data, kernel, stride, dilation, pads_begin, pads_end.
void AddMemoryRepetitions(SuiteBuilder& suite) {
  const std::vector<Repeated> memory = {
      {"plain", "memory that is lost with each call", Level::kSmoke, {.axes = {{5, 3, 2, 1, 1}, {4, 3, 1}}}, true},
      {"pointwise", "memory that is lost with each call of a matrix product", Level::kGate, {.in = 5, .axes = {{7}}}},
      {"grouped",
       "memory that is lost with each group",
       Level::kGate,
       {.groups = 4, .in = 2, .out = 3, .axes = {{6, 3, 2, 2, 1}}}},
      {"f16",
       "memory that is lost with each conversion",
       Level::kGate,
       {.axes = {{5, 3, 2, 1, 1}, {4, 3, 1}}, .type = ElementType::kF16}},
      {"volume", "memory that is lost with each plane", Level::kGate, {.axes = {{3, 2, 2}, {3, 3, 1, 2}, {4, 2}}}},
  };
  for (const Repeated& row : memory) AddRepeated(suite, Repetition::kMemory, row);
}

void AddThreadRepetitions(SuiteBuilder& suite) {
  const std::vector<Repeated> threads = {
      {"rows", "13 rows: each number of threads up to 8 leaves a rest", Level::kSmoke, {.axes = {{6, 3, 2}, {9, 3}}}},
      {"one-row", "fewer rows than threads", Level::kGate, {.axes = {{1, 1}, {40, 3, 2}}}},
      {"batch", "a batch that the threads do not divide", Level::kGate, {.batch = 11, .axes = {{5, 3, 2}}}},
      {"channels",
       "output channels that the threads do not divide",
       Level::kGate,
       {.in = 7, .out = 13, .axes = {{9, 3}}}},
      {"groups",
       "groups that the threads do not divide",
       Level::kGate,
       {.groups = 11, .in = 1, .out = 1, .axes = {{5, 3, 2}, {7, 3}}}},
      {"large",
       "work that is worth several threads, in sizes that they do not divide",
       Level::kGate,
       {.batch = 3, .in = 19, .out = 23, .axes = {{31, 5, 2, 1, 2, 1}, {37, 3, 3}}}},
      {"large-f16",
       "the same in a narrower type",
       Level::kGate,
       {.batch = 1, .in = 17, .out = 37, .axes = {{23, 4, 2, 1, 1}, {29, 3}}, .type = ElementType::kF16}},
  };
  for (const Repeated& row : threads) AddRepeated(suite, Repetition::kThreads, row);
}

// Operators that run in turn with operators that differ in one attribute.
void AddTurns(SuiteBuilder& suite) {
  const auto in_turn = [](std::size_t rank, const AxisDraft& axis, ElementType type = ElementType::kF32) {
    return OperatorDraft{.in = 3, .out = 5, .axes = std::vector<AxisDraft>(rank, axis), .type = type};
  };
  constexpr AxisDraft kPointwise{.data = 4, .kernel = 1};
  constexpr AxisDraft kDense{.data = 4, .kernel = 3, .pads_begin = 1, .pads_end = 0};
  constexpr AxisDraft kStrided{.data = 4, .kernel = 3, .stride = 2, .pads_begin = 1, .pads_end = 0};
  constexpr AxisDraft kDoubling{.data = 4, .kernel = 4, .stride = 2, .pads_begin = 1, .pads_end = 0};
  constexpr const char* kCache = "a cache whose key lacks something";
  const std::vector<Repeated> turns = {
      {"2d-k3s2", kCache, Level::kSmoke, in_turn(2, kStrided), true},
      {"2d-k3s1", kCache, Level::kSmoke, in_turn(2, kDense)},
      {"2d-k4s2", kCache, Level::kSmoke, in_turn(2, kDoubling)},
      {"2d-k1s1", kCache, Level::kGate, in_turn(2, kPointwise)},
      {"1d-k4s2", kCache, Level::kSmoke, in_turn(1, kDoubling)},
      {"1d-k3s1", kCache, Level::kGate, in_turn(1, kDense)},
      {"3d-k3s1", kCache, Level::kGate, in_turn(3, kDense)},
      {"3d-k3s2", kCache, Level::kSmoke, in_turn(3, kStrided)},
      {"2d-k3s2-f16", "a cache of converted filters", Level::kGate, in_turn(2, kStrided, ElementType::kF16)},
      {"2d-k3s2-bf16", "a cache of converted filters", Level::kGate, in_turn(2, kStrided, ElementType::kBf16)},
      {"2d-k3s2-f64", "a cache of filters of doubles", Level::kGate, in_turn(2, kStrided, ElementType::kF64)},
      {"2d-k3s2-i8", "a cache of filters of bytes", Level::kGate, in_turn(2, kStrided, ElementType::kI8)},
  };
  for (const Repeated& row : turns) AddRepeated(suite, Repetition::kTurns, row);
}

}  // namespace

void AddRepeatedCases(SuiteBuilder& suite) {
  AddMemoryRepetitions(suite);
  AddThreadRepetitions(suite);
  AddTurns(suite);
}

}  // namespace conformance
