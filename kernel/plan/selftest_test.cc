// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that deconv_selftest, by which users check their library, passes here and finds each planted fault. A planted
// fault is a function that changes a right output of the kernel. It does so on one target (instruction set), for one
// type, or with one number of workers, and the message must name it.
#include "kernel/plan/selftest.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/plan/plan.h"
#include "kernel/testing/session.h"

namespace deconv::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The current planted fault: it makes an output wrong that was right.
void (*spoil)(const deconv_plan& plan, const deconv_run_args& args) = nullptr;

deconv_code SpoiledRun(const deconv_plan* plan, const deconv_run_args* args, deconv_status* status) {
  const deconv_code code = deconv_run(plan, args, status);
  spoil(*plan, *args);
  return code;
}

// Runs the self-test with a planted fault.
Status WithFault(void (*fault)(const deconv_plan&, const deconv_run_args&)) {
  spoil = fault;
  SelftestCalls calls;
  calls.run = SpoiledRun;
  return Selftest(calls);
}

// Returns the end of the output: the address behind its last byte.
char* End(const deconv_run_args& args) { return static_cast<char*>(args.output) + args.output_bytes; }

void ExpectFound(const Status& status, const ::testing::Matcher<std::string>& message) {
  EXPECT_EQ(status.Code(), DECONV_SELFTEST_FAILED);
  EXPECT_THAT(std::string(status.Message()), AllOf(HasSubstr("selftest: case \""), message));
}

TEST(Selftest, PassesOnThisLibrary) {
  auto status = Tagged<deconv_status>();
  EXPECT_EQ(deconv_selftest(&status), DECONV_OK) << status.message;
  EXPECT_STREQ(status.message, "");
  EXPECT_EQ(deconv_selftest(nullptr), DECONV_OK);
}

// The self-test runs every type on every target, both layouts, groups, one worker and two, and each algorithm. The
// fault of this test changes nothing: it only notes what is run.
TEST(Selftest, RunsTypesTargetsLayoutsAndWorkers) {
  static std::set<std::string> seen;
  const Status status = WithFault([](const deconv_plan& plan, const deconv_run_args& args) {
    seen.insert(std::string("target ") + deconv_plan_target(&plan));
    seen.insert(std::string("algorithm ") + deconv_plan_algorithm(&plan));
    seen.insert("type " + std::to_string(plan.geometry.type) + " on " + deconv_plan_target(&plan));
    seen.insert("workers " + std::to_string(args.workers));
    seen.insert("axes " + std::to_string(plan.geometry.axis_count));
    seen.insert(plan.geometry.channels_last ? "channels last" : "channels first");
    if (plan.geometry.groups > 1) seen.insert("groups");
  });
  EXPECT_TRUE(status.Ok()) << status.Message();
  for (const std::string& target : Targets()) {
    EXPECT_TRUE(seen.contains("target " + target));
    for (const deconv_type type : kAllTypes) {
      EXPECT_TRUE(seen.contains("type " + std::to_string(type) + " on " + target)) << target << " type " << type;
    }
  }
  for (const char* what : {"target portable", "algorithm channels", "algorithm phased", "algorithm rows",
                           "algorithm col2im", "algorithm direct", "workers 1", "workers 2", "axes 1", "axes 2",
                           "axes 3", "axes 4", "channels last", "channels first", "groups"}) {
    EXPECT_TRUE(seen.contains(what)) << what;
  }
}

TEST(Selftest, FindsOneWrongOutputOnOneTarget) {
  for (const std::string& target : Targets()) {
    static std::string wanted;  // static, since a plain function pointer captures nothing
    wanted = target;
    const Status status = WithFault([](const deconv_plan& plan, const deconv_run_args& args) {
      if (wanted == deconv_plan_target(&plan)) static_cast<char*>(args.output)[0] ^= 1;
    });
    ExpectFound(status, AllOf(HasSubstr("on " + target + ", 1 worker(s): output 0 of "), HasSubstr(", expected 0x")));
  }
}

TEST(Selftest, FindsOneWrongTypeAtTheEnd) {
  const Status status = WithFault([](const deconv_plan& plan, const deconv_run_args& args) {
    if (plan.geometry.type == DECONV_U8) ++End(args)[-1];
  });
  ExpectFound(status, HasSubstr(", u8 by "));
}

TEST(Selftest, FindsWhatOnlyTwoWorkersDo) {
  const Status status = WithFault([](const deconv_plan& plan, const deconv_run_args& args) {
    if (args.workers == 2 && plan.geometry.channels_last) End(args)[-1] = static_cast<char>(End(args)[-1] ^ 4);
  });
  ExpectFound(status, HasSubstr("2 worker(s)"));
}

TEST(Selftest, FindsAByteBehindTheOutput) {
  ExpectFound(WithFault([](const deconv_plan&, const deconv_run_args& args) { *End(args) = 0; }),
              HasSubstr("wrote outside of output or workspace"));
  ExpectFound(
      WithFault([](const deconv_plan&, const deconv_run_args& args) { static_cast<char*>(args.output)[-1] = 0; }),
      HasSubstr("wrote outside of output or workspace"));
}

// The fault writes -0.0 to outputs without products: the gaps of a stride that is longer than the filter.
TEST(Selftest, FindsNegativeZeroInGaps) {
  const Status status = WithFault([](const deconv_plan& plan, const deconv_run_args& args) {
    if (plan.geometry.type != DECONV_F32) return;
    auto* outputs = static_cast<char*>(args.output);
    for (size_t i = 0; i + 4 <= args.output_bytes; i += 4) {
      uint32_t bits = 0;
      std::memcpy(&bits, outputs + i, 4);
      if (bits == 0) outputs[i + 3] = static_cast<char>(0x80);  // the sign bit of a little-endian f32
    }
  });
  ExpectFound(status, AllOf(HasSubstr("f32"), HasSubstr("bits 0x80000000, expected 0")));
}

// The fault writes NaN instead of Inf, as if an infinite weight had been multiplied by padding.
TEST(Selftest, FindsNanOfPadding) {
  const Status status = WithFault([](const deconv_plan& plan, const deconv_run_args& args) {
    if (plan.geometry.type != DECONV_F32) return;
    auto* outputs = static_cast<char*>(args.output);
    for (size_t i = 0; i + 4 <= args.output_bytes; i += 4) {
      uint32_t bits = 0;
      std::memcpy(&bits, outputs + i, 4);
      // Inf of either sign gets the uppermost bit of the mantissa.
      if (bits << 1 == 0xff000000u) outputs[i + 2] = static_cast<char>(0xc0);
    }
  });
  ExpectFound(status, HasSubstr("\"infinite weight\", f32"));
}

TEST(Selftest, PassesOnWhatTheKernelSays) {
  SelftestCalls calls;
  calls.run = [](const deconv_plan*, const deconv_run_args*, deconv_status* status) {
    return Fail(DECONV_INVALID_ARGUMENT, "refused for a reason").Report(status);
  };
  ExpectFound(Selftest(calls), HasSubstr("refused for a reason"));
}

TEST(Selftest, FindsAPackedFilterThatChanged) {
  SelftestCalls calls;
  calls.pack_filter = [](const deconv_plan* plan, const void* filter, size_t filter_bytes, void* packed,
                         size_t packed_bytes, deconv_status* status) {
    const deconv_code code = deconv_pack_filter(plan, filter, filter_bytes, packed, packed_bytes, status);
    static_cast<char*>(packed)[packed_bytes - 1] ^= 1;
    return code;
  };
  ExpectFound(Selftest(calls), HasSubstr("is damaged"));
}

}  // namespace
}  // namespace deconv::testing
