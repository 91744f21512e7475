// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests runs with another number of samples (batch) than the plan was made for. Each sample must have the same bits, no
// byte outside of the buffers may be touched, and impossible sizes are refused. A Session is a plan with all buffers
// that a run needs; TwoAxisOperator() is its usual operator, of 3 samples.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/guarded.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"

namespace deconv::testing {
namespace {

using ::testing::HasSubstr;

// A deconv_parallel_for that runs the tasks on one thread, from the last one to the first, as worker 0 and 1 in turn.
void InReverseByTwoWorkers(void* /*context*/, size_t count, deconv_task task, void* argument) {
  for (size_t i = count; i-- > 0;) task(argument, i, i % 2);
}

// Returns the outputs of `batch` samples by a plan that was made for another number of samples. Buffers lie between
// guard pages (inaccessible memory) as `flush` says. Even batches run on two workers.
std::vector<std::byte> OutputsOfBatch(const Session& session, std::span<const std::byte> data, int64_t batch,
                                      Flush flush) {
  const Plan& plan = *session.plan;
  Guarded guarded_data(plan.DataBytes(batch), flush);
  Guarded output(plan.OutputBytes(batch), flush);
  Guarded workspace(plan.WorkspaceBytes(2), flush, 0xFF);
  EXPECT_EQ(guarded_data.bytes().size(), data.size());
  std::copy(data.begin(), data.end(), guarded_data.bytes().begin());
  guarded_data.MakeReadOnly();
  Plan::Buffers buffers = {guarded_data.bytes(), session.packed, output.bytes(), workspace.bytes(), batch};
  auto status = Tagged<deconv_status>();
  const Plan::Threads threads = {batch % 2 == 0 ? InReverseByTwoWorkers : nullptr, nullptr, 2};
  EXPECT_EQ(plan.Run(buffers, threads, &status), DECONV_OK) << status.message;
  return {output.bytes().begin(), output.bytes().end()};
}

// The outputs of a plan for six samples are expected. Plans for 0, 1 and 4 samples then run with the same packed filter
// on the first 1, 2 and 6 of these samples.
TEST(Batch, AnyNumberOfSamplesHasTheSameBitsOnEveryTarget) {
  TestOperator one_group = TwoAxisOperator();
  one_group.in_channels = 5;
  one_group.out_channels = 9;
  TestOperator channels_last = one_group;
  channels_last.channels_last = true;
  TestOperator groups_channels_last = channels_last;
  groups_channels_last.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  groups_channels_last.groups = 3;
  TestOperator depthwise_channels_last = groups_channels_last;
  depthwise_channels_last.groups = 20;
  depthwise_channels_last.in_channels = depthwise_channels_last.out_channels = 1;
  TestOperator small_groups_channels_last = depthwise_channels_last;
  small_groups_channels_last.in_channels = 2;
  for (const TestOperator& layer :
       {one_group, channels_last, groups_channels_last, depthwise_channels_last, small_groups_channels_last}) {
    for (const deconv_type type : {DECONV_F32, DECONV_BF16, DECONV_I8, DECONV_F64}) {
      TestOperator op = layer;
      op.type = type;
      op.batch = 6;
      for (const char* algorithm : kAlgorithmNames) {
        if (!Fits(op, algorithm)) continue;
        for (const std::string& target : Targets()) {
          Session all(op, algorithm, target.c_str());
          ASSERT_TRUE(all.plan) << all.status.message;
          ASSERT_EQ(all.Run(), DECONV_OK) << all.status.message;
          for (const int64_t made_for : {int64_t{0}, int64_t{1}, int64_t{4}}) {
            TestOperator other = op;
            other.batch = made_for;
            const Session session(other, algorithm, target.c_str());
            ASSERT_TRUE(session.plan) << session.status.message;
            Session same_filter(other, algorithm, target.c_str());
            same_filter.packed = all.packed;
            for (const int64_t batch : {int64_t{1}, int64_t{2}, int64_t{6}}) {
              const auto data = std::span(all.data).first(all.data.size() / 6 * static_cast<size_t>(batch));
              const auto expected = std::span(all.output).first(all.output.size() / 6 * static_cast<size_t>(batch));
              const Flush flush = batch == 1 ? Flush::kWithBegin : batch == 2 ? Flush::kOdd : Flush::kWithEnd;
              const std::vector<std::byte> output = OutputsOfBatch(same_filter, data, batch, flush);
              EXPECT_TRUE(std::equal(output.begin(), output.end(), expected.begin(), expected.end()))
                  << algorithm << " on " << target << ", type " << type << ", plan of " << made_for << ", batch "
                  << batch;
            }
          }
          if (std::string(algorithm) == "direct") break;  // it has the same code on all targets
        }
      }
    }
  }
}

TEST(Batch, SizesAreThoseOfPlansOfThatBatch) {
  TestOperator op = TwoAxisOperator();
  const Session one(op);
  op.batch = 17;
  const Session many(op);
  ASSERT_TRUE(one.plan && many.plan);
  EXPECT_EQ(one.plan->DataBytes(17), many.plan->DataBytes());
  EXPECT_EQ(one.plan->OutputBytes(17), many.plan->OutputBytes());
  EXPECT_EQ(one.plan->DataBytes(0), 0u);
  EXPECT_EQ(one.plan->DataBytes(INT64_MAX), SIZE_MAX);
  EXPECT_EQ(one.plan->OutputBytes(-1), SIZE_MAX);
  EXPECT_EQ(one.plan->DataBytes(-1), SIZE_MAX);
}

TEST(Batch, IsRefusedBeforeAnythingIsWritten) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  const std::vector<std::byte> untouched = session.output;
  Plan::Buffers buffers = {session.data, session.packed, session.output, session.workspace};
  buffers.batch = -1;
  EXPECT_EQ(session.plan->Run(buffers, &session.status), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(session.status.message, HasSubstr("batch: is -1"));
  buffers.batch = INT64_MAX;
  EXPECT_EQ(session.plan->Run(buffers, &session.status), DECONV_OVERFLOW);
  EXPECT_THAT(session.status.message, HasSubstr("batch: is 9223372036854775807"));
  buffers.batch = 4;  // one more than there is room for
  EXPECT_EQ(session.plan->Run(buffers, &session.status), DECONV_BUFFER_TOO_SMALL);
  EXPECT_THAT(session.status.message, HasSubstr("data: has "));
  std::vector<std::byte> more(session.plan->DataBytes(4));
  buffers.data = more;
  EXPECT_EQ(session.plan->Run(buffers, &session.status), DECONV_BUFFER_TOO_SMALL);
  EXPECT_THAT(session.status.message, HasSubstr("output: has "));
  EXPECT_EQ(session.output, untouched);
}

}  // namespace
}  // namespace deconv::testing
