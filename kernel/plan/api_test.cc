// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the contract of the C interface: sizes, short and overlapping buffers, null pointers and structs of other
// sizes, algorithms that do not fit, packed filters of other plans, and no allocation in deconv_run. A Session is a
// plan with all buffers that a run needs; TwoAxisOperator() is its usual operator.
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace {

// The number of allocations of this thread. The functions below replace malloc and its kin to count them. Sanitizers
// replace malloc themselves; in their builds only operator new is counted. The variable is volatile, because compilers
// assume that malloc changes no variable.
thread_local volatile int64_t allocations = 0;

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define DECONV_SANITIZED 1
#endif
#endif
#else
#define DECONV_SANITIZED 1
#endif

#ifndef DECONV_SANITIZED
// The functions of glibc that allocate under other names. All allocations pass these replacements, even operator new.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the library's names.
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void* malloc(size_t bytes) {
  allocations = allocations + 1;
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  allocations = allocations + 1;
  return __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
  allocations = allocations + 1;
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  allocations = allocations + 1;
  return __libc_memalign(alignment, bytes);
}
}
#else
void* operator new(size_t bytes) {
  allocations = allocations + 1;
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Replaces the operator new of the standard library's temporary buffers. The plain delete frees what this one
// allocates.
void* operator new(size_t bytes, const std::nothrow_t& /*never throws*/) noexcept {
  allocations = allocations + 1;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
#endif

namespace deconv::testing {
namespace {

using ::testing::HasSubstr;

// TwoAxisOperator() has 3 samples of f32, 20 input and 37 output channels, data of 19 x 40 and 3 x 3 taps.
TEST(Api, PlansKnowTheirSizes) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  EXPECT_THAT(session.plan->OutputDims(), ::testing::ElementsAre(3, 37, 37, 80));
  EXPECT_THAT(session.plan->PadsBegin(), ::testing::ElementsAre(1, 1));
  EXPECT_EQ(session.plan->DataBytes(), 3u * 20 * 19 * 40 * 4);  // 4 bytes for each f32
  EXPECT_EQ(session.plan->FilterBytes(), 20u * 37 * 9 * 4);
  EXPECT_EQ(session.plan->OutputBytes(), 3u * 37 * 37 * 80 * 4);
  EXPECT_GT(session.plan->WorkspaceBytes(2), session.plan->WorkspaceBytes(1));
  EXPECT_EQ(session.plan->WorkspaceBytes(0), session.plan->WorkspaceBytes(1));
  EXPECT_EQ(session.plan->WorkspaceBytes(SIZE_MAX), SIZE_MAX);
  EXPECT_STREQ(deconv_version(), "0.1.0");
}

// The workspace does not grow with the distance of dilated taps: there is one output, with no product or one.
TEST(Api, WorkspaceIsSmallForAFarTap) {
  for (const int64_t in_channels : {0, 1}) {
    TestOperator op = PlainOperator(DECONV_F32, {1}, {2}, {1});
    op.in_channels = in_channels;
    op.dilations = op.pads_end = {402653185};  // 3 * 2^27 + 1: a row of so many f32 would have 1.5 GiB
    Session session(op);
    ASSERT_TRUE(session.plan) << session.status.message;
    EXPECT_LT(session.plan->WorkspaceBytes(1), 1u << 20) << in_channels << " input channels";
  }
}

// The distance of a dilated tap times the length of a row exceeds 64 bits. The tap reads no data, so its offset must
// not be computed.
TEST(Api, DepthwiseTapsMayReachAnywhere) {
  TestOperator op = PlainOperator(DECONV_F32, {1, 512}, {4096, 1}, {1, 1});
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.channels_last = true;
  op.groups = 2;
  op.dilations = {int64_t{1} << 40, 1};
  op.pads_end = {4095 * (int64_t{1} << 40), 0};  // leaves a single row of outputs
  Session session(op);
  ASSERT_TRUE(session.plan) << session.status.message;
  EXPECT_EQ(session.Run(), DECONV_OK) << session.status.message;
}

// The output has no bytes, but more positions than can be rounded up within 64 bits. Sanitizers find an overflow.
TEST(Api, OutputWithoutChannelsHasAnyExtent) {
  TestOperator op = PlainOperator(DECONV_I8, {1}, {1}, {1});
  op.out_channels = 0;
  op.output_padding = {std::numeric_limits<int64_t>::max() - 2};
  Session session(op);
  ASSERT_TRUE(session.plan) << session.status.message;
  EXPECT_EQ(session.Run(), DECONV_OK) << session.status.message;
}

TEST(Api, RefusesEachBufferThatIsOneByteShort) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  ASSERT_EQ(session.Run(), DECONV_OK) << session.status.message;
  EXPECT_STREQ(session.status.message, "");
  for (auto [buffer, name] : {std::pair{&session.data, "data"}, std::pair{&session.packed, "packed_filter"},
                              std::pair{&session.output, "output"}, std::pair{&session.workspace, "workspace"}}) {
    const std::byte last = buffer->back();
    const size_t full = buffer->size();
    buffer->pop_back();
    EXPECT_EQ(session.Run(), DECONV_BUFFER_TOO_SMALL) << name;
    EXPECT_EQ(session.status.message, name + std::string(": has ") + std::to_string(full - 1) +
                                          " bytes, expected at least " + std::to_string(full));
    buffer->push_back(last);
  }
  EXPECT_EQ(session.plan->PackFilter(std::span(session.filter).first(8), session.packed), DECONV_BUFFER_TOO_SMALL);
  EXPECT_EQ(session.plan->PackFilter(session.filter, std::span(session.packed).first(8)), DECONV_BUFFER_TOO_SMALL);
  EXPECT_EQ(session.Run(), DECONV_OK);
}

// Two buffers side by side, `left` of `first` and `right` of `second` bytes. With `overlap` they share one byte.
struct Neighbours {
  Neighbours(size_t first, size_t second, bool overlap) : memory(first + second) {
    left = std::span(memory).first(first);
    right = std::span(memory).subspan(first - (overlap ? 1 : 0), second);
  }
  std::vector<std::byte> memory;
  std::span<std::byte> left, right;
};

TEST(Api, RefusesBuffersThatOverlap) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  const Plan::Buffers valid = {session.data, session.packed, session.output, session.workspace};
  // A run reads the data and the packed filter, and writes the output and the workspace. A row names two buffers, of
  // which the run writes the first: the member of the first, the bytes of the second, how to set it, and its content.
  struct {
    const char* written;
    const char* other;
    std::span<std::byte> Plan::Buffers::* target;
    size_t other_bytes;
    void (*set)(Plan::Buffers&, std::span<std::byte>);
    std::span<const std::byte> content;
  } const pairs[] = {
      {"output", "data", &Plan::Buffers::output, session.data.size(),
       [](Plan::Buffers& b, std::span<std::byte> s) { b.data = s; }, session.data},
      {"output", "packed_filter", &Plan::Buffers::output, session.packed.size(),
       [](Plan::Buffers& b, std::span<std::byte> s) { b.packed_filter = s; }, session.packed},
      {"output", "workspace", &Plan::Buffers::output, session.workspace.size(),
       [](Plan::Buffers& b, std::span<std::byte> s) { b.workspace = s; }, session.workspace},
      {"workspace", "data", &Plan::Buffers::workspace, session.data.size(),
       [](Plan::Buffers& b, std::span<std::byte> s) { b.data = s; }, session.data},
      {"workspace", "packed_filter", &Plan::Buffers::workspace, session.packed.size(),
       [](Plan::Buffers& b, std::span<std::byte> s) { b.packed_filter = s; }, session.packed},
  };
  for (const auto& pair : pairs) {
    for (const bool written_is_left : {false, true}) {
      for (const bool overlap : {false, true}) {
        const size_t written_bytes = (valid.*pair.target).size();
        Neighbours neighbours(written_is_left ? written_bytes : pair.other_bytes,
                              written_is_left ? pair.other_bytes : written_bytes, overlap);
        Plan::Buffers buffers = valid;
        buffers.*pair.target = written_is_left ? neighbours.left : neighbours.right;
        const std::span<std::byte> other = written_is_left ? neighbours.right : neighbours.left;
        std::copy(pair.content.begin(), pair.content.end(), other.begin());
        pair.set(buffers, other);
        const deconv_code code = session.plan->Run(buffers, &session.status);
        EXPECT_EQ(code, overlap ? DECONV_INVALID_ARGUMENT : DECONV_OK) << pair.written << ", " << pair.other;
        if (!overlap) continue;
        EXPECT_EQ(session.status.message, std::string(pair.written) + ": shares 1 bytes with " + pair.other +
                                              ", expected buffers that do not overlap");
      }
    }
  }
  // Data and packed filter are only read, so they may share bytes.
  std::copy(session.packed.begin(), session.packed.end(), session.data.begin());
  EXPECT_EQ(session.plan->Run({session.data, std::span(session.data).first(session.packed.size()), session.output,
                               session.workspace}),
            DECONV_OK);
  // Bytes that are not needed may be shared.
  std::vector<std::byte> memory(session.workspace.size() + session.output.size());
  EXPECT_EQ(session.plan->Run({session.data, session.packed, std::span(memory).last(session.output.size()), memory}),
            DECONV_OK);
}

TEST(Api, RefusesAPackedFilterThatOverlapsTheFilter) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  const size_t filter_bytes = session.filter.size();
  const size_t packed_bytes = session.packed.size();
  for (const bool overlap : {false, true}) {
    Neighbours packed_right(filter_bytes, packed_bytes, overlap);
    Neighbours packed_left(packed_bytes, filter_bytes, overlap);
    for (const auto& [filter, packed] :
         {std::pair(packed_right.left, packed_right.right), std::pair(packed_left.right, packed_left.left)}) {
      const deconv_code code = session.plan->PackFilter(filter, packed, &session.status);
      EXPECT_EQ(code, overlap ? DECONV_INVALID_ARGUMENT : DECONV_OK);
      if (!overlap) continue;
      EXPECT_STREQ(session.status.message, "packed: shares 1 bytes with filter, expected buffers that do not overlap");
    }
  }
}

TEST(Api, RefusesNullPointersAndForeignStructs) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  deconv_plan* plan = nullptr;
  PlanRequest request(TwoAxisOperator());
  EXPECT_EQ(deconv_plan_create(nullptr, nullptr, &plan, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_plan_create(&request.Op(), nullptr, nullptr, nullptr), DECONV_INVALID_ARGUMENT);
  deconv_operator op = request.Op();
  op.struct_bytes = 8;
  EXPECT_EQ(deconv_plan_create(&op, nullptr, &plan, nullptr), DECONV_INVALID_ARGUMENT);
  op = request.Op();
  op.data.dims.values = nullptr;
  EXPECT_EQ(deconv_plan_create(&op, nullptr, &plan, nullptr), DECONV_INVALID_ARGUMENT);
  auto options = Tagged<deconv_options>();
  options.layout = 2;
  EXPECT_EQ(deconv_plan_create(&request.Op(), &options, &plan, nullptr), DECONV_INVALID_ARGUMENT);
  options.layout = DECONV_NCX;
  options.algorithm = "fastest";
  EXPECT_EQ(deconv_plan_create(&request.Op(), &options, &plan, &session.status), DECONV_INVALID_ARGUMENT);
  EXPECT_STREQ(session.status.message,
               "algorithm: is \"fastest\", expected NULL or one of: channels, phased, rows, col2im, direct");
  options.algorithm = nullptr;
  options.reserved_end = 7;
  EXPECT_EQ(deconv_plan_create(&request.Op(), &options, &plan, &session.status), DECONV_INVALID_ARGUMENT);
  EXPECT_STREQ(session.status.message, "options: reserved is 0 and reserved_end is 7, expected 0");
  op = request.Op();
  op.filter.reserved = 5;
  EXPECT_EQ(deconv_plan_create(&op, nullptr, &plan, &session.status), DECONV_INVALID_ARGUMENT);
  EXPECT_STREQ(session.status.message, "filter: reserved is 5, expected 0");
  EXPECT_EQ(plan, nullptr);
  auto args = Tagged<deconv_run_args>();
  EXPECT_EQ(deconv_run(session.plan->Get(), &args, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_run(nullptr, &args, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_run(session.plan->Get(), nullptr, nullptr), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(deconv_pack_filter(nullptr, nullptr, 0, nullptr, 0, nullptr), DECONV_INVALID_ARGUMENT);
  deconv_plan_destroy(nullptr);
}

TEST(Api, RefusesAnAlgorithmThatDoesNotFit) {
  TestOperator op = TwoAxisOperator();
  op.type = DECONV_F64;
  const Session session(op, "col2im");
  EXPECT_FALSE(session.plan);
  EXPECT_STREQ(session.status.message,
               "algorithm: \"col2im\" does not fit this operator; pass NULL, and the plan chooses one that does");
}

// Estimates multiply the cost of a full register tile by the number of tiles. A loop over all tiles would take hours.
TEST(Api, APlanOfHugeChannelsIsMadeAtOnce) {
  TestOperator op = TwoAxisOperator();
  op.batch = 1;
  op.in_channels = 1;
  op.out_channels = int64_t{1} << 44;
  for (const char* algorithm : {static_cast<const char*>(nullptr), "phased"}) {
    const PlanRequest request(op);
    auto options = request.Options();
    options.algorithm = algorithm;
    auto status = Tagged<deconv_status>();
    EXPECT_TRUE(Plan::Create(request.Op(), &options, &status)) << status.message;
  }
}

// A caller that was compiled with an older, shorter status gets the part of the message that fits its struct.
TEST(Api, StatusIsCutToItsStruct) {
  auto status = Tagged<deconv_status>();
  status.struct_bytes = offsetof(deconv_status, message) + 5;
  std::memset(status.message, 'x', sizeof(status.message));
  EXPECT_EQ(deconv_run(nullptr, nullptr, &status), DECONV_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(status.message, 6), std::string("plan\0x", 6));
}

// The pads of the other plan differ, so its weights have another order; the number of bytes is the same.
TEST(Api, RefusesForeignPackedFilters) {
  Session session(TwoAxisOperator());
  ASSERT_TRUE(session.plan) << session.status.message;
  TestOperator other = TwoAxisOperator();
  other.pads_begin = {0, 1};
  other.pads_end = {2, 1};
  Session foreign(other);
  ASSERT_TRUE(foreign.plan) << foreign.status.message;
  ASSERT_EQ(foreign.packed.size(), session.packed.size());
  std::swap(session.packed, foreign.packed);
  EXPECT_EQ(session.Run(), DECONV_INVALID_ARGUMENT);
  EXPECT_THAT(session.status.message, HasSubstr("another plan"));
  std::swap(session.packed, foreign.packed);
  session.packed[0] = std::byte{0};
  EXPECT_EQ(session.Run(), DECONV_INVALID_ARGUMENT);
}

// The packed filter of a plan serves an equal plan with another batch, after a move in memory and after the first plan
// was destroyed.
TEST(Api, PackedFilterOutlivesPlanAndBatch) {
  TestOperator op = TwoAxisOperator();
  Session first(op);
  ASSERT_TRUE(first.plan) << first.status.message;
  ASSERT_EQ(first.Run(), DECONV_OK);
  const std::vector<std::byte> once = first.output;
  ASSERT_EQ(first.Run(), DECONV_OK);
  EXPECT_EQ(first.output, once);
  op.batch = 1;
  Session second(op);
  ASSERT_TRUE(second.plan) << second.status.message;
  std::vector<std::byte> moved(first.packed.size() + 1);
  std::memcpy(moved.data() + 1, first.packed.data(), first.packed.size());
  first.plan.reset();
  const Plan::Buffers buffers = {first.data, std::span(moved).subspan(1), second.output, second.workspace};
  ASSERT_EQ(second.plan->Run(buffers, &second.status), DECONV_OK) << second.status.message;
  EXPECT_TRUE(std::equal(second.output.begin(), second.output.end(), once.begin()));
}

TEST(Api, RunAllocatesNothing) {
  for (const deconv_type type : kAllTypes) {
    for (const char* algorithm : kAlgorithmNames) {
      TestOperator op = TwoAxisOperator();
      op.type = type;
      if (!Fits(op, algorithm)) continue;
      Session session(op, algorithm);
      ASSERT_TRUE(session.plan) << session.status.message;
      const int64_t before = allocations;
      const deconv_code code = session.Run();
      EXPECT_EQ(allocations, before) << algorithm << " type " << type;
      EXPECT_EQ(code, DECONV_OK);
    }
  }
  // Shows that the counter notices an allocation. The unknown size keeps the compiler from leaving it out.
  const int64_t before = allocations;
  const std::vector<std::byte> allocated(static_cast<size_t>(before));
  EXPECT_GT(allocations, before) << allocated.size();
}

}  // namespace
}  // namespace deconv::testing
