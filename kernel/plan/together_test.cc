// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that plans share no state. Plans that exist together and run in turn must give the outputs of a single plan.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"

namespace deconv::testing {
namespace {

// Operators that differ from Plane() in one attribute, in the batch or in the type.
std::vector<TestOperator> Relatives() {
  std::vector<TestOperator> relatives(7, Plane());
  relatives[1].strides = {3, 2};
  relatives[2].dilations = {1, 2};
  relatives[3].pads_begin = {0, 1};
  relatives[4].pads_end = {1, 0};
  relatives[5].batch = 2;
  relatives[6].type = DECONV_BF16;
  return relatives;
}

TEST(Together, PlansThatAreAliveShareNothing) {
  std::vector<std::vector<std::byte>> alone;
  for (const TestOperator& op : Relatives()) {
    Session session(op);
    ASSERT_EQ(session.Run(), DECONV_OK) << session.status.message;
    alone.push_back(session.output);
  }
  std::vector<std::unique_ptr<Session>> together;
  for (const TestOperator& op : Relatives()) together.push_back(std::make_unique<Session>(op));
  for (std::size_t first = 0; first < together.size(); ++first) {
    for (std::size_t second = 0; second < together.size(); ++second) {
      ASSERT_EQ(together[first]->Run(), DECONV_OK) << together[first]->status.message;
      std::ranges::fill(together[second]->output, std::byte{0xCB});
      ASSERT_EQ(together[second]->Run(), DECONV_OK) << together[second]->status.message;
      EXPECT_EQ(together[second]->output, alone[second]) << Relatives()[second].ToString();
    }
  }
}

}  // namespace
}  // namespace deconv::testing
