// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests callers with an older header, whose structs end earlier, and with a newer header, whose structs are longer.
// Structs that are shorter than those of the first version are refused.
#include <cstddef>
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

// The structs of the first header, as callers compiled them.
struct FirstOptions {
  size_t struct_bytes;
  deconv_layout layout;
  int32_t reserved;
  const char* algorithm;
};
struct FirstRunArgs {
  size_t struct_bytes;
  const void* data;
  size_t data_bytes;
  const void* packed_filter;
  size_t packed_filter_bytes;
  void* output;
  size_t output_bytes;
  void* workspace;
  size_t workspace_bytes;
  deconv_parallel_for parallel_for;
  void* parallel_context;
  size_t workers;
};
static_assert(sizeof(FirstOptions) == offsetof(deconv_options, target));
static_assert(sizeof(FirstRunArgs) == offsetof(deconv_run_args, batch));

// A copy of a struct with an inaccessible page right behind it, so that a read beyond the struct ends the test.
template <class T>
class AtTheEdge {
 public:
  template <class From>
  explicit AtTheEdge(const From& from) : memory_(sizeof(From), Flush::kWithEnd) {
    std::memcpy(memory_.bytes().data(), &from, sizeof(From));
  }
  const T* get() const { return reinterpret_cast<const T*>(memory_.bytes().data()); }

 private:
  Guarded memory_;
};

// Returns the arguments of a run of the session, as a caller with the first header passes them.
FirstRunArgs ArgsOf(Session& session) {
  FirstRunArgs args = {};
  args.struct_bytes = sizeof(args);
  args.data = session.data.data();
  args.data_bytes = session.data.size();
  args.packed_filter = session.packed.data();
  args.packed_filter_bytes = session.packed.size();
  args.output = session.output.data();
  args.output_bytes = session.output.size();
  args.workspace = session.workspace.data();
  args.workspace_bytes = session.workspace.size();
  return args;
}

TEST(TaggedStruct, OlderCallersGoOnWorking) {
  const PlanRequest request(TwoAxisOperator());
  FirstOptions options = {};
  options.struct_bytes = sizeof(options);
  options.algorithm = "direct";
  const AtTheEdge<deconv_options> edge(options);
  auto status = Tagged<deconv_status>();
  deconv_plan* plan = nullptr;
  ASSERT_EQ(deconv_plan_create(&request.Op(), edge.get(), &plan, &status), DECONV_OK) << status.message;
  EXPECT_STREQ(deconv_plan_algorithm(plan), "direct");
  deconv_plan_destroy(plan);

  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  ASSERT_EQ(session.Run(), DECONV_OK);
  const std::vector<std::byte> expected = session.output;
  std::fill(session.output.begin(), session.output.end(), std::byte{0xCB});
  const AtTheEdge<deconv_run_args> args(ArgsOf(session));
  ASSERT_EQ(deconv_run(session.plan->Get(), args.get(), &status), DECONV_OK) << status.message;
  EXPECT_EQ(session.output, expected);
}

TEST(TaggedStruct, ShorterThanTheFirstIsRefused) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  FirstRunArgs args = ArgsOf(session);
  args.struct_bytes = sizeof(args) - 1;
  auto status = Tagged<deconv_status>();
  EXPECT_EQ(deconv_run(session.plan->Get(), reinterpret_cast<const deconv_run_args*>(&args), &status),
            DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(status.message, "args: struct_bytes is " + std::to_string(sizeof(args) - 1) + ", expected sizeof of the " +
                                "struct, which is " + std::to_string(sizeof(deconv_run_args)) + " in version " +
                                deconv_version());
}

// Members that are new in a later version may be there if they ask for nothing.
TEST(TaggedStruct, NewerCallersAreUnderstoodWhereTheyAskForNothingNew) {
  struct {
    deconv_options known;
    int64_t unknown;
  } options = {Tagged<deconv_options>(), 0};
  options.known.struct_bytes = sizeof(options);
  struct {
    deconv_operator known;
    int64_t unknown;
  } op = {PlanRequest(TwoAxisOperator()).Op(), 0};
  const PlanRequest request(TwoAxisOperator());
  op.known = request.Op();
  op.known.struct_bytes = sizeof(op);
  auto status = Tagged<deconv_status>();
  deconv_plan* plan = nullptr;
  ASSERT_EQ(deconv_plan_create(&op.known, &options.known, &plan, &status), DECONV_OK) << status.message;
  deconv_plan_destroy(plan);
  options.unknown = 1;
  EXPECT_EQ(deconv_plan_create(&op.known, &options.known, &plan, &status), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(status.message, HasSubstr("and byte " + std::to_string(sizeof(deconv_options)) + " is set"));
  options.unknown = 0;
  op.unknown = 1;
  EXPECT_EQ(deconv_plan_create(&op.known, &options.known, &plan, &status), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(status.message, HasSubstr("and byte " + std::to_string(sizeof(deconv_operator)) + " is set"));
  // The caller did not set the size. The struct is refused, and not read to its end.
  op.known.struct_bytes = SIZE_MAX;
  EXPECT_EQ(deconv_plan_create(&op.known, nullptr, &plan, &status), DECONV_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace deconv::testing
