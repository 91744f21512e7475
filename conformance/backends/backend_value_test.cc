// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the backends (implementations of transposed convolution) that must be right on random operators of every dialect
// (reading of the attributes) that they declare. Compares the outputs bit by bit with the oracle's gather loop, which
// computes each output as the sum of its products.

#include <algorithm>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/interface/backend.h"
#include "conformance/testing/backend_trial.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

struct Trial {
  std::string backend;
  int operators;  ///< operators for each dialect
  int computed;   ///< least number of operators that are computed
};

/// Names a trial in the messages of GoogleTest.
void PrintTo(const Trial& trial, std::ostream* to) { *to << trial.backend; }

class BackendValueTest : public testing::TestWithParam<Trial> {};

TEST_P(BackendValueTest, AgreesWithTheGatherLoopOnRandomOperators) {
  const std::unique_ptr<Backend> backend = OpenOrAbort(GetParam().backend);
  const Capabilities& declared = backend->capabilities();
  int computed = 0;
  for (const oracle::Dialect dialect : declared.dialects) {
    Random random(static_cast<std::uint64_t>(dialect) + 1);
    for (int i = 0; i < GetParam().operators; ++i) {
      const Case drawn = RandomCase(random, dialect, static_cast<std::size_t>(std::min(declared.max_rank, 6) - 2));
      const oracle::Operator& op = drawn.op;
      if (!declared.UnsupportedReason(op).empty()) continue;
      computed += Resolve(op, dialect).ok() ? 1 : 0;
      EXPECT_EQ(Mistake(*backend, op, dialect), "") << ToLine(drawn);
      if (HasFailure()) return;  // one is enough to read
    }
  }
  EXPECT_GE(computed, GetParam().computed);
}

// The oracle is slow, so it gets few operators. fault:small supports few of them, so many are drawn.
INSTANTIATE_TEST_SUITE_P(Conforming, BackendValueTest,
                         testing::Values(Trial{"oracle", 500, 1000}, Trial{"kernel", 2000, 4000},
                                         Trial{"fault:none", 2000, 4000}, Trial{"fault:small", 10000, 150}),
                         [](const auto& test) { return "number_" + std::to_string(test.index); });

// The backend "onednn" computes every operator correctly that oneDNN's primitive can express, and answers "unsupported"
// to the others.
TEST(BackendValueOnednnTest, IsRightWhereItComputes) {
  const auto is_onednn = [](const BackendName& name) { return name.name == "onednn"; };
  if (std::ranges::none_of(BuiltInBackends(), is_onednn)) GTEST_SKIP() << "oneDNN is not installed";
  for (const char* name : {"onednn", "onednn?any"}) {
    const std::unique_ptr<Backend> backend = OpenOrAbort(name);
    int computed = 0;
    for (const oracle::Dialect dialect : backend->capabilities().dialects) {
      Random random(3);
      // Many operators are drawn, because without AVX-512 oneDNN computes only those of f32.
      for (int i = 0; i < 1500; ++i) {
        const Case drawn = RandomCase(random, dialect, 3);
        const oracle::Operator& op = drawn.op;
        if (!backend->capabilities().UnsupportedReason(op).empty()) continue;
        if (!Resolve(op, dialect).ok()) continue;  // the backend takes resolved geometry: invalid operators have none
        // Answer 6 is kNotSupported.
        const std::string mistake = Mistake(*backend, op, dialect);
        if (mistake.starts_with("answer 6: oneDNN: ") || mistake == "answer 6: the adapter sends numbers of 32 bits") {
          continue;
        }
        EXPECT_EQ(mistake, "") << name << ", " << ToLine(drawn);
        ++computed;
      }
    }
    EXPECT_GE(computed, 100) << name;
  }
}

// A batch, channels or sizes of 0: the output has no elements, or its elements are sums without products.
TEST(BackendValueEdgeTest, EmptyTensorsAreRight) {
  for (const char* name : {"oracle", "kernel", "fault:none", "fault:small"}) {
    const std::unique_ptr<Backend> backend = OpenOrAbort(name);
    const auto dialect = backend->capabilities().dialects.front();
    for (const oracle::Dims& data : {oracle::Dims{0, 2, 3, 3}, oracle::Dims{1, 0, 3, 3}, oracle::Dims{1, 2, 0, 3}}) {
      oracle::Operator op;
      op.data.dims = data;
      op.filter.dims = {data[1], 2, 3, 3};
      EXPECT_EQ(Mistake(*backend, op, dialect), "") << name << ": " << LineOf(op);
    }
    oracle::Operator op;
    op.data.dims = {1, 2, 3, 3};
    op.filter.dims = {2, 0, 3, 3};
    EXPECT_EQ(Mistake(*backend, op, dialect), "") << name << ": " << LineOf(op);
  }
}

// The case has more outputs than the oracle computes at a time.
TEST(BackendValueEdgeTest, OracleComputesSlabBySlab) {
  oracle::Operator op;
  op.data.type = op.filter.type = oracle::ElementType::kI8;
  op.data.dims = {1, 1, 800, 800};
  op.filter.dims = {1, 1, 1, 1};
  EXPECT_EQ(Mistake(*OpenOrAbort("oracle"), op, oracle::Dialect::kOpenvinoSpec), "");
}

}  // namespace
}  // namespace conformance
