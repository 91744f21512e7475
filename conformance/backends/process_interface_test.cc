// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests from end to end the process interface, by which a command is a backend (an implementation that the suite
// judges). A worker, the process that runs a backend, starts this test program once more as the command under test.
// Right answers stay right, each breach of the protocol fails only its own case, and no process outlives the worker.

#include "conformance/backends/process_interface.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/backends/serve_process.h"
#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/backends/worker/worker_process.h"
#include "conformance/case/text/shell_command.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,2,5,4:filter=2,3,3,2:strides=2,3:pads_begin=1,0:pads_end=0,1:dilations=1,2";
constexpr const char* kInvalid = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0:dilations=1";

/// The error of a backend that does not open.
std::string ErrorOf(const std::string& name) {
  Judge judge(name, {});
  const auto error = judge.Start();
  EXPECT_TRUE(error) << name << " was opened";
  if (!error) return "";
  EXPECT_FALSE(error->usage) << error->message;
  return error->message;
}

TEST(ProcessInterfaceTest, EveryKindOfRequestPasses) {
  Judge judge(ServedBackendName("oracle"), {});
  ASSERT_FALSE(judge.Start());
  EXPECT_EQ(judge.capabilities().name, "oracle");
  EXPECT_TRUE(judge.capabilities().resolves);
  for (const char* line :
       {kPlain, kInvalid,
        // Integers beyond 2^53, which the protocol carries as strings.
        "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=9223372036854775807:dilations=1",
        "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=1:dilations=1:pads_begin=-9223372036854775808",
        "GroupConvolutionBackpropData:data=1,6,4:filter=2,3,2,3:strides=2:type=bf16",
        "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=6:strides=2:dilations=1:auto_pad=same_upper",
        "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=6:output_shape_dims=1,1:strides=2",
        ("ConvolutionBackwardData:data=1,2,3:filter=2,1,3:strides=1:dilations=1:pads_begin=0:pads_end=0:dst_shape=1,1,"
         "5:"
         "data_format=NCX:weights_format=OIX"),
        "ConvTranspose:data=1,2,3:filter=2,1,3:groups=2:kernel_shape=3:output_shape_attribute=4:dialect=onnx-11",
        "ConvolutionBackpropData:data=0,1,3:filter=1,1,3:strides=1",
        "ConvolutionBackpropData:data=1,1,3:filter=1,1:type=boolean",
        // This operator has more bytes than the pipes hold at a time.
        "ConvolutionBackpropData:data=1,2,1000,300:filter=2,3,1,1:strides=1,1"}) {
    const CaseResult result = judge.JudgeCase(TestCaseOf(line));
    EXPECT_EQ(result.verdict.status, Status::kPass) << line << ": " << result.verdict.message;
  }
  const CaseResult sweep = judge.JudgeCase(TestCaseOf("sweep:of=geometry:bounds=small:operator=ConvTranspose:to=300"));
  EXPECT_EQ(sweep.verdict.status, Status::kPass) << sweep.verdict.message;
}

TEST(ProcessInterfaceTest, AWrongAnswerIsNoBreach) {
  Judge judge(ServedBackendName("fault:filter_flipped"), {});
  ASSERT_FALSE(judge.Start());
  EXPECT_EQ(judge.JudgeCase(TestCaseOf(kPlain)).verdict.failure, FailureClass::kWrongValue);
}

TEST(ProcessInterfaceTest, ABackendThatPrintsDoesNotBreakTheProtocol) {
  Judge judge(ServedBackendName("fault:prints"), {});
  const auto error = judge.Start();
  ASSERT_FALSE(error) << error->message;
  for (const char* line : {kPlain, kInvalid}) {
    const CaseResult result = judge.JudgeCase(TestCaseOf(line));
    EXPECT_EQ(result.verdict.status, Status::kPass) << line << ": " << result.verdict.message;
  }
  const CaseResult grouped =
      judge.JudgeCase(TestCaseOf("GroupConvolutionBackpropData:data=1,6,4:filter=2,3,2,3:strides=2"));
  EXPECT_EQ(grouped.verdict.status, Status::kUnsupported) << grouped.verdict.message;
}

/// A mutant that breaks the protocol (a backend that is wrong on purpose), and the verdict on it.
struct BreachCase {
  const char* breach;  ///< the mutant is protocol_BREACH
  FailureClass failure;
  const char* message;
};

/// Each mutant breaks the protocol in one way when it gets a valid operator.
class ProcessBreach : public testing::TestWithParam<BreachCase> {};

TEST_P(ProcessBreach, IsTheVerdictOfItsCase) {
  JudgeLimits limits;
  if (GetParam().failure == FailureClass::kHang) limits.base_seconds = 0.5;
  Judge judge(ServedBackendName(std::string("fault:protocol_") + GetParam().breach), limits);
  ASSERT_FALSE(judge.Start());
  for (int i = 0; i < 2; ++i) {
    const CaseResult result = judge.JudgeCase(TestCaseOf(kPlain));
    EXPECT_EQ(FailureClassNameOf(result.verdict.failure), FailureClassNameOf(GetParam().failure))
        << result.verdict.message;
    EXPECT_THAT(result.verdict.message, HasSubstr(GetParam().message));
    EXPECT_THAT(result.verdict.message, Not(HasSubstr("inaccessible page"))) << "the process has copies of the buffers";
    // The mutant refuses invalid operators correctly, so the interface still works after a failure.
    if (GetParam().failure == FailureClass::kHang) continue;  // on a slow machine, half a second may not be enough
    const CaseResult next = judge.JudgeCase(TestCaseOf(kInvalid));
    EXPECT_EQ(next.verdict.status, Status::kPass) << next.verdict.message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ProcessBreach,
    testing::Values(
        BreachCase{
            "text", FailureClass::kProtocol,
            "the command broke the protocol: its answer is no line of JSON: 'computing ...', expected an answer to "
            "request "},
        BreachCase{"twice", FailureClass::kProtocol, "it wrote more than was asked for: '{"},
        BreachCase{"other_number", FailureClass::kProtocol, "its answer has the number "},
        BreachCase{"long_line", FailureClass::kProtocol, "it wrote a line of more than 65536 bytes, beginning with '{"},
        BreachCase{"other_length", FailureClass::kProtocol, "but its dims [1, 3,"},
        BreachCase{"too_few_bytes", FailureClass::kCrash, "exited with status 4"},
        BreachCase{"closes_output", FailureClass::kProtocol, "it closed its standard output but kept running"},
        BreachCase{"exits", FailureClass::kCrash, "exited with status 3; stderr: out of tokens"},
        BreachCase{"dies", FailureClass::kCrash, "killed by Aborted (6); stderr: assertion failed: strides"},
        BreachCase{"hangs", FailureClass::kHang, "no answer within 0.5 s"}),
    [](const auto& breach) { return std::string(breach.param.breach); });

TEST(ProcessInterfaceTest, WhatDoesNotStartOrDescribeItselfIsNotOpened) {
  EXPECT_THAT(ErrorOf("cmd:no-such-program-here"), AllOf(StartsWith("backend cmd:no-such-program-here: "),
                                                         HasSubstr("exited with status 127"), HasSubstr("not found")));
  EXPECT_THAT(ErrorOf("cmd:true"), HasSubstr("the command exited with status 0 before it described itself"));
  EXPECT_THAT(ErrorOf("cmd:kill -SEGV $$"), HasSubstr("killed by Segmentation fault (11)"));
  // The process that the command has started holds its standard output open.
  EXPECT_THAT(ErrorOf("cmd:sleep 100 & kill -SEGV $$"), HasSubstr("killed by Segmentation fault (11)"));
  EXPECT_THAT(ErrorOf("cmd:echo hello; exit 1"), HasSubstr("its description is no line of JSON: 'hello'"));
  EXPECT_THAT(ErrorOf("cmd:printf hello; exit 1"),
              HasSubstr("exited with status 1 before it described itself; stdout: 'hello'"));
  EXPECT_THAT(ErrorOf(ServedBackendName("fault:protocol_text_before_description")),
              HasSubstr("is no line of JSON: 'loading the model ...'"));
  EXPECT_THAT(ErrorOf(ServedBackendName("fault:protocol_no_description")),
              HasSubstr("exited with status 9 before it described itself; stderr: no licence was found"));
  EXPECT_THAT(ErrorOf(ServedBackendName("fault:protocol_other_version")),
              HasSubstr("speaks version 21 of the protocol, expected 1"));
  EXPECT_THAT(ErrorOf(ServedBackendName("fault:protocol_unknown_key")), HasSubstr("unknown key 'acumulator'"));
  // The checks of the C interface hold here too.
  EXPECT_THAT(ErrorOf("cmd:read l; echo '{\"id\":0,\"protocol\":1,\"name\":\"\",\"version\":\"1\",\"dialects\":[],"
                      "\"operators\":[],\"element_types\":[],\"min_rank\":3,\"max_rank\":5}'; read l"),
              HasSubstr("name: expected 1 to 127 printable characters"));
}

/// The error of a worker that may take 50 ms to load, or empty.
std::string ErrorWithin50Milliseconds(const std::string& backend) {
  Arena arena;
  Worker worker(backend, arena);
  worker.LimitStart(std::chrono::milliseconds(50));
  const auto error = worker.Start();
  return error ? error->message : "";
}

TEST(ProcessInterfaceTest, ABackendThatComputesWhileItLoadsHasMoreTime) {
  EXPECT_THAT(ErrorWithin50Milliseconds("cmd:sleep 30"),
              HasSubstr("and its process did not compute any more; a --timeout above 0.05 gives it more time"));
  // The loop computes until 0.3 s have passed.
  const std::string loop = "end=$(($(date +%s%N) + 300000000)); while [ $(date +%s%N) -lt $end ]; do :; done; ";
  const std::string served = ServedBackendName("oracle");
  EXPECT_EQ(ErrorWithin50Milliseconds("cmd:" + loop + served.substr(served.find(':') + 1)), "");
  EXPECT_THAT(ErrorWithin50Milliseconds("cmd:while :; do :; done"),
              HasSubstr("did not load within 0.5 s, and its process was still computing"));
}

TEST(ProcessInterfaceTest, AnEmptyCommandIsAUsageError) {
  const auto opened = OpenBackend("cmd: ");
  ASSERT_TRUE(std::holds_alternative<BackendError>(opened));
  EXPECT_TRUE(std::get<BackendError>(opened).usage);
  EXPECT_THAT(std::get<BackendError>(opened).message, HasSubstr("expected a command"));
}

TEST(ProcessInterfaceTest, ACommandMayHoldQuestionMarks) {
  EXPECT_THAT(ErrorOf("cmd:exit $((5?7:8))"), HasSubstr("exited with status 7"));
}

TEST(ShellWordTest, SpecialCharactersOfTheShellAreQuoted) {
  EXPECT_EQ(ShellWord("fault:filter_flipped"), "fault:filter_flipped");
  EXPECT_EQ(ShellWord("cmd:python3 it's.py"), "'cmd:python3 it'\\''s.py'");
  EXPECT_EQ(ShellWord(""), "''");
}

/// Whether the process is gone, or will be once somebody asks how it ended.
bool IsGone(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(stat, text)) return true;
  return text.substr(text.rfind(')') + 2, 1) == "Z";
}

TEST(ProcessInterfaceTest, NothingOutlivesTheWorker) {
  const std::string file = testing::TempDir() + "interface_test_child";
  const std::string serve = ServedBackendName("oracle").substr(kProcessPrefix.size());
  // The command starts a second process, which never reads its input.
  auto judge = std::make_unique<Judge>("cmd:sleep 1000 & echo $! > " + file + "; " + serve, JudgeLimits{});
  ASSERT_FALSE(judge->Start());
  pid_t child = 0;
  std::ifstream(file) >> child;
  ASSERT_GT(child, 0);
  EXPECT_FALSE(IsGone(child));
  judge.reset();  // kills the worker
  for (int i = 0; i < 1000 && !IsGone(child); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(IsGone(child));
}

}  // namespace
}  // namespace conformance
