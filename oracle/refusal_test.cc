// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests with pairs of operators that the oracle refuses invalid operators and no others. It accepts the valid operator
// of a pair. The invalid one differs by one change: the oracle refuses it by the right clause, in a message that names
// the argument. A clause is a numbered rule of clauses.md, such as A2. Every clause that can refuse has a pair.
//
// The tables of pairs are in testing/. Their valid operators are in testing/refusal_pairs.h: Backprop() and Group() of
// OpenVINO, Onednn() and Onnx(). They have two axes and strides 2 and 1. Line(data, kernel, stride) has one axis.

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/cited_clause.h"
#include "oracle/resolve.h"
#include "oracle/testing/refusal_pairs.h"

namespace oracle {
namespace {

using testing::HasSubstr;

/// The pairs of all chapters, made once.
const std::vector<RefusalPair>& Pairs() {
  static const auto* pairs = [] {
    auto* all = new std::vector<RefusalPair>();
    for (const auto table : {TypePairs, ShapePairs, AttributePairs, SizePairs, OverflowPairs, LibraryPairs}) {
      for (RefusalPair& pair : table()) all->push_back(std::move(pair));
    }
    return all;
  }();
  return *pairs;
}

TEST(Refusals, CiteTheClauseAndTheirNeighbourIsAccepted) {
  for (const RefusalPair& pair : Pairs()) {
    SCOPED_TRACE(pair.clause + ": " + pair.reason);
    const auto defining_dialects = DialectsOf(pair.valid.kind);
    const std::vector<Dialect> dialects =
        pair.dialects.empty() ? std::vector(defining_dialects.begin(), defining_dialects.end()) : pair.dialects;
    for (const Dialect dialect : dialects) {
      // The dialect tensorflow requires an output shape. Pairs for it have one and name it in `dialects`.
      if (dialect == Dialect::kTensorflow && pair.dialects.empty()) continue;
      EXPECT_EQ(Outcome(Resolve(pair.valid, dialect)), "accepted") << "the valid neighbour";
      const Operator invalid = After(pair.valid, {pair.change});
      ASSERT_NE(invalid, pair.valid);
      const Resolution resolution = Resolve(invalid, dialect);
      ASSERT_TRUE(resolution.refusal.has_value());
      EXPECT_FALSE(resolution.geometry.has_value());
      EXPECT_EQ(resolution.refusal->clause, pair.clause) << resolution.refusal->message;
      EXPECT_THAT(resolution.refusal->message, HasSubstr("expected"));
      if (dialect != dialects.front()) continue;  // the words are those of one dialect; some messages name it
      for (const std::string& word : pair.words) EXPECT_THAT(resolution.refusal->message, HasSubstr(word));
    }
  }
}

TEST(Refusals, EveryRegisteredClauseRefusesAnOperator) {
  const std::set<std::string_view> registered(kRefusingClauses.begin(), kRefusingClauses.end());
  std::set<std::string_view> shown;
  for (const RefusalPair& pair : Pairs()) shown.insert(pair.clause);
  EXPECT_EQ(shown, registered);
}

// The document or library of a dialect neither defines nor forbids an undefined operator. Every answer of a backend to
// it is right. Among these pairs there are two kinds: SAME in onnx-1 without an output shape (P23), and a kernel of
// size 0 in TensorFlow (S7).
TEST(Refusals, OnlyWhatASourceLeavesOpenIsUndefined) {
  for (const RefusalPair& pair : Pairs()) {
    const Operator invalid = After(pair.valid, {pair.change});
    for (const Dialect dialect : DialectsOf(pair.valid.kind)) {
      const Resolution resolution = Resolve(invalid, dialect);
      if (resolution.ok()) continue;
      const bool kernel_0 = dialect == Dialect::kTensorflow && resolution.refusal->clause == "S7";
      EXPECT_EQ(resolution.refusal->undefined, resolution.refusal->clause == "P23" || kernel_0) << Outcome(resolution);
    }
  }
  for (const char* auto_pad : {"SAME_UPPER", "SAME_LOWER"}) {
    Operator op = OnnxAuto(auto_pad);
    const Resolution resolution = Resolve(op, Dialect::kOnnx1);
    ASSERT_FALSE(resolution.ok());
    EXPECT_EQ(resolution.refusal->clause, "P23");
    EXPECT_TRUE(resolution.refusal->undefined);
    EXPECT_THAT(resolution.refusal->message, HasSubstr(auto_pad));
    EXPECT_THAT(resolution.refusal->message, HasSubstr("expected"));
    op.output_shape_attribute = Dims{8, 6};
    EXPECT_EQ(Outcome(Resolve(op, Dialect::kOnnx1)), "accepted");
    op.strides = Dims{0, 1};  // a forbidden stride is refused as such, with or without an output shape
    EXPECT_FALSE(Resolve(op, Dialect::kOnnx1).refusal->undefined);
    op.output_shape_attribute = std::nullopt;
    EXPECT_EQ(Resolve(op, Dialect::kOnnx1).refusal->clause, "A2");
  }
}

TEST(Acceptance, WhatTheSpecificationDoesNotForbidIsAccepted) {
  Operator op = Backprop();
  op.output_padding = Dims{5, 3};  // both are not below their strides 2 and 1 (clause A5)
  for (const Dialect dialect : DialectsOf(op.kind)) EXPECT_EQ(Outcome(Resolve(op, dialect)), "accepted");
  Operator onnx = Onnx();
  onnx.output_padding = Dims{5, 3};
  EXPECT_EQ(Outcome(Resolve(onnx, Dialect::kOnnx11)), "accepted");

  op = Backprop();  // with attributes of other operators, which are ignored (clause D2)
  op.groups = 0;
  op.data_format = "NHWC";
  op.dst_shape = Dims{};
  op.kernel_shape = Dims{9};
  EXPECT_EQ(Outcome(Resolve(op, Dialect::kOpenvinoSpec)), "accepted");

  for (const ElementType type : kNumericTypes) {
    Operator typed = Group();
    typed.data.type = typed.filter.type = type;
    EXPECT_EQ(Outcome(Resolve(typed, Dialect::kOpenvinoSpec)), "accepted");
  }
}

// Batch, input channels, data size and output channels of 0 (clause S8). A data size of 0 gives 2 * (0 - 1) + 3 = 1
// output.
TEST(Acceptance, SizesOf0AreAccepted) {
  for (const std::size_t dim : {0U, 1U, 2U}) {
    Operator op = Line(3, 3, 2);
    op.data.dims[dim] = 0;
    if (dim == 1) op.filter.dims[0] = 0;
    const Resolution resolution = Resolve(op, Dialect::kOpenvinoSpec);
    ASSERT_TRUE(resolution.ok()) << Outcome(resolution);
    EXPECT_EQ(resolution.geometry->DataCount(), 0);
    EXPECT_EQ(resolution.geometry->axes[0].output, dim == 2 ? 1 : 7);
  }
  Operator op = Line(3, 3, 2);
  op.filter.dims[1] = 0;
  EXPECT_EQ(Resolve(op, Dialect::kOpenvinoSpec).geometry->OutputCount(), 0);
}

TEST(Acceptance, RanksFrom3To10AreAccepted) {
  for (std::size_t rank = 3; rank <= 10; ++rank) {
    Operator op;
    op.data.dims = op.filter.dims = Dims(rank, 1);
    op.data.dims.back() = 4;
    const Resolution resolution = Resolve(op, Dialect::kOpenvinoSpec);
    ASSERT_TRUE(resolution.ok()) << Outcome(resolution);
    EXPECT_EQ(resolution.geometry->OutputDims(), op.data.dims);
  }
}

}  // namespace
}  // namespace oracle
