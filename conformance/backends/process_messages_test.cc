// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the JSON lines of the process protocol between the suite and a command: a request carries the whole operator,
// and every part of an answer is checked.

#include "conformance/backends/process_messages.h"

#include <array>
#include <cstddef>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/byte_order.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/interface/resolved_geometry.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// The request line to run `op`.
std::string LineOf(const oracle::Operator& op) {
  const OperatorDescription description(op, oracle::Dialect::kOpenvinoSpec);
  deconv_run_request request{};
  request.operation = &description.get();
  request.data_bytes = 12;
  request.filter_bytes = 8;
  request.output_bytes = 28;
  request.threads = 2;
  return RunRequestLine(7, op, request);
}

/// A ConvolutionBackpropData whose data take 12 bytes and whose filter takes 8.
oracle::Operator Small() {
  oracle::Operator op;
  op.data = {oracle::ElementType::kF32, {1, 1, 3}};
  op.filter = {oracle::ElementType::kF32, {1, 1, 2}};
  return op;
}

TEST(ProcessMessagesTest, ARequestIsOneLine) {
  const std::string line = LineOf(Small());
  EXPECT_THAT(
      line, AllOf(EndsWith("}\n"), HasSubstr(R"("do":"run")"), HasSubstr(R"("id":7)"), HasSubstr(R"("data_bytes":12)"),
                  HasSubstr(R"("filter_bytes":8)"), HasSubstr(R"("output_bytes":28)"), HasSubstr(R"("threads":2)"),
                  HasSubstr(R"("kind":"ConvolutionBackpropData")"), HasSubstr(R"("dialect":"openvino-spec")"),
                  HasSubstr(R"("data":{"dims":[1,1,3],"element_type":"f32"})")));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(ProcessMessagesTest, AbsentAndEmptyAreTwoThings) {
  oracle::Operator op = Small();
  EXPECT_THAT(LineOf(op), AllOf(Not(HasSubstr("strides")), Not(HasSubstr("auto_pad")), Not(HasSubstr("output_shape"))));
  op.strides.emplace();
  op.auto_pad = "";
  op.output_shape.emplace();
  EXPECT_THAT(LineOf(op), AllOf(HasSubstr(R"("strides":[])"), HasSubstr(R"("auto_pad":"")"),
                                HasSubstr(R"("output_shape":{"dims":[],"element_type":"i64","values":[]})"),
                                Not(HasSubstr("dilations"))));
}

TEST(ProcessMessagesTest, IntegersThatADoubleCannotHoldAreStrings) {
  oracle::Operator op = Small();
  op.strides = {9007199254740991, 9007199254740992, -9007199254740992, INT64_MAX, INT64_MIN};
  EXPECT_THAT(LineOf(op), HasSubstr(R"("strides":[9007199254740991,"9007199254740992","-9007199254740992",)"
                                    R"("9223372036854775807","-9223372036854775808"])"));
}

TEST(ProcessMessagesTest, AShapeOfU64HasItsOwnNumbers) {
  oracle::Operator op = Small();
  op.output_shape = {oracle::ElementType::kU64, {3}, {7, -1, INT64_MIN}};
  EXPECT_THAT(LineOf(op), HasSubstr(R"("values":[7,"18446744073709551615","9223372036854775808"])"));
  op.output_shape->type = oracle::ElementType::kI64;
  EXPECT_THAT(LineOf(op), HasSubstr(R"("values":[7,-1,"-9223372036854775808"])"));
}

TEST(ProcessMessagesTest, TextsThatAreNoUtf8AndLineBreaksStayWithinTheLine) {
  oracle::Operator op = Small();
  op.auto_pad = "same\n\xff";
  const std::string line = LineOf(op);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_THAT(line, HasSubstr("\"auto_pad\":\"same\\n\xEF\xBF\xBD\""));
}

// A description with all required keys, without its closing brace, so that a test can add keys.
constexpr const char* kDescription =
    R"({"id":0,"protocol":1,"name":"n","version":"v","dialects":["onnx-11","onnx-1"],"operators":["ConvTranspose"],)"
    R"("element_types":["f32","f16"],"min_rank":3,"max_rank":5)";

TEST(ProcessMessagesTest, TheBytesOfEachElementAreReversed) {
  std::array<std::byte, 7> tensor = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                     std::byte{5}, std::byte{6}, std::byte{7}};
  ReverseElements(tensor, 2);
  EXPECT_THAT(tensor, ElementsAre(std::byte{2}, std::byte{1}, std::byte{4}, std::byte{3}, std::byte{6}, std::byte{5},
                                  std::byte{7}));
  ReverseElements(tensor, 1);
  EXPECT_EQ(tensor[0], std::byte{2});
  ReverseElements(tensor, 4);
  EXPECT_EQ(tensor[0], std::byte{3});
}

TEST(ProcessMessagesTest, ADescriptionIsRead) {
  auto read = ReadDescribeAnswer(std::string(kDescription) + "}", 0);
  ASSERT_TRUE(std::holds_alternative<ProcessDescription>(read)) << std::get<1>(read);
  ProcessDescription description = std::get<ProcessDescription>(read);
  EXPECT_EQ(description.name, "n");
  EXPECT_EQ(description.version, "v");
  EXPECT_THAT(description.dialects, ElementsAre("onnx-11", "onnx-1"));
  EXPECT_EQ(description.declared.operators, 1U << DECONV_ID_CONV_TRANSPOSE);
  EXPECT_EQ(description.declared.element_types, 1U << DECONV_ID_F32 | 1U << DECONV_ID_F16);
  EXPECT_EQ(description.declared.max_bytes, 0U);
  EXPECT_EQ(description.declared.deterministic, 0U);
  EXPECT_FALSE(description.resolves);

  read = ReadDescribeAnswer(std::string(kDescription) +
                                R"(,"max_bytes":"9007199254740993","accumulator":"storage","rounding":"faithful",)"
                                R"("subnormals":"flushed","overflow":"saturates","deterministic":"any-threads",)"
                                R"("max_threads":8,"algorithm":"fast","resolve":true})",
                            0);
  ASSERT_TRUE(std::holds_alternative<ProcessDescription>(read)) << std::get<1>(read);
  description = std::get<ProcessDescription>(read);
  EXPECT_EQ(description.declared.max_bytes, 9007199254740993U);
  EXPECT_EQ(description.declared.accumulator, DECONV_ACCUMULATOR_STORAGE);
  EXPECT_EQ(description.declared.faithful_rounding, 1);
  EXPECT_EQ(description.declared.subnormals, DECONV_SUBNORMALS_FLUSHED);
  EXPECT_EQ(description.declared.overflow, DECONV_OVERFLOW_SATURATES);
  EXPECT_EQ(description.declared.deterministic, DECONV_SAME_BITS_EVERY_RUN | DECONV_SAME_BITS_ANY_THREADS);
  EXPECT_EQ(description.declared.max_threads, 8);
  EXPECT_EQ(description.declared.algorithm, DECONV_ALGORITHM_FAST);
  EXPECT_TRUE(description.resolves);

  read = ReadDescribeAnswer(std::string(kDescription) + R"(,"subnormals":"flushed-in-bf16"})", 0);
  ASSERT_TRUE(std::holds_alternative<ProcessDescription>(read)) << std::get<1>(read);
  EXPECT_EQ(std::get<ProcessDescription>(read).declared.subnormals, DECONV_SUBNORMALS_FLUSHED_IN_BF16);
}

TEST(ProcessMessagesTest, TypesMayHaveTheirOwnArithmetic) {
  const auto read = ReadDescribeAnswer(
      std::string(kDescription) +
          R"(,"arithmetic":[{"element_type":"bf16","rounding":"faithful-sums","subnormals":"flushed"},)"
          R"({"element_type":"f16","accumulator":"f64-through-f32"}],)"
          R"("known_deviations":["structural-nan","clamped-infinity"],"saturating_types":["i8","u64"],"types_in_f32":["f64","i32"]})",
      0);
  ASSERT_TRUE(std::holds_alternative<ProcessDescription>(read)) << std::get<1>(read);
  const ProcessDescription& description = std::get<ProcessDescription>(read);
  ASSERT_EQ(description.arithmetic.size(), 2U);
  EXPECT_EQ(description.arithmetic[0].element_type, DECONV_ID_BF16);
  EXPECT_EQ(description.arithmetic[0].accumulator, DECONV_ACCUMULATOR_F32);
  EXPECT_EQ(description.arithmetic[0].rounding, DECONV_ROUNDING_FAITHFUL_SUMS);
  EXPECT_EQ(description.arithmetic[0].subnormals, DECONV_SUBNORMALS_FLUSHED);
  EXPECT_EQ(description.arithmetic[1].element_type, DECONV_ID_F16);
  EXPECT_EQ(description.arithmetic[1].accumulator, DECONV_ACCUMULATOR_F64_THROUGH_F32);
  EXPECT_EQ(description.arithmetic[1].rounding, DECONV_ROUNDING_NEAREST);
  EXPECT_EQ(description.declared.known_deviations, DECONV_DEVIATION_STRUCTURAL_NAN | DECONV_DEVIATION_CLAMPED_INFINITY);
  EXPECT_EQ(description.declared.saturating_types, 1U << DECONV_ID_I8 | 1U << DECONV_ID_U64);
  EXPECT_EQ(description.declared.types_in_f32, 1U << DECONV_ID_F64 | 1U << DECONV_ID_I32);
}

TEST(ProcessMessagesTest, WrongDescriptionsAreRefused) {
  const struct {
    std::string line;
    const char* complaint;
  } cases[] = {
      {"loading ...", "is no line of JSON: 'loading ...', expected an answer to request 0"},
      {"[1]", "is no line of JSON: '[1]'"},
      {R"({"id":0,"min_rank":)" + std::string(300'000, '[') + std::string(300'000, ']') + "}", "is no line of JSON"},
      {"{}", R"(has no key "id")"},
      {R"({"id":1})", "has the number 1, expected 0"},
      {R"({"id":1.5})", R"(has '1.5' as "id", expected an integer)"},
      {R"({"id":0})", R"(has no key "protocol")"},
      {R"({"id":0,"protocol":2,"name":"n","version":"v","dialects":[],"operators":[],"element_types":[],"min_rank":3,)"
       R"("max_rank":5})",
       "speaks version 2 of the protocol, expected 1"},
      {std::string(kDescription) + R"(,"acumulator":"f32"})", "unknown key 'acumulator' (did you mean accumulator?)"},
      {std::string(kDescription) + R"(,"accumulator":"f3"})",
       R"(has 'f3' in "accumulator" (did you mean f32?), expected of f32, f64, storage, f64-through-f32)"},
      {std::string(kDescription) + R"(,"max_bytes":-1})", R"(has '-1' as "max_bytes")"},
      {std::string(kDescription) + R"(,"max_bytes":18446744073709551615})", R"(as "max_bytes")"},
      {std::string(kDescription) + R"(,"max_bytes":"12x"})", R"(has '"12x"' as "max_bytes")"},
      {std::string(kDescription) + R"(,"resolve":1})", R"(has '1' as "resolve", expected true or false)"},
      {R"({"id":0,"protocol":1,"name":"n","version":"v","dialects":"onnx-11","operators":["ConvTranspose"],)"
       R"("element_types":["f32"],"min_rank":3,"max_rank":5})",
       R"(has '"onnx-11"' as "dialects", expected a list of names)"},
      {std::string(kDescription) + R"(,"arithmetic":{"bf16":{}}})", R"(as "arithmetic", expected a list of objects)"},
      {std::string(kDescription) + R"(,"arithmetic":[{"rounding":"faithful"}]})",
       R"(in a row of "arithmetic" has no key "element_type")"},
      {std::string(kDescription) + R"(,"arithmetic":[{"element_type":"bf16","roundings":"faithful"}]})",
       R"(in a row of "arithmetic" has an unknown key 'roundings' (did you mean rounding?))"},
      {std::string(kDescription) + R"(,"known_deviations":["structural-nans"]})", "did you mean structural-nan?"},
      {std::string(kDescription) + R"(,"saturating_types":["f32"]})", "has 'f32' in \"saturating_types\""},
      {std::string(kDescription) + R"(,"types_in_f32":["f32"]})", "has 'f32' in \"types_in_f32\""},
      {std::string(kDescription) + R"(,"supports":1})", R"(has '1' as "supports", expected true or false)"},
      {std::string(kDescription) + R"(,"takes_resolved":"yes"})", R"(as "takes_resolved", expected true or false)"},
      {std::string(kDescription) + R"(,"max_attribute":-1})", R"(has '-1' as "max_attribute")"},
      {std::string(kDescription) + R"(,"unsupported":"groups"})", R"(as "unsupported", expected a list of names)"},
      {std::string(kDescription) + R"(,"unsupported":["group"]})",
       R"(has 'group' in "unsupported" (did you mean groups?))"},
  };
  for (const auto& test : cases) {
    const auto read = ReadDescribeAnswer(test.line, 0);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << test.line;
    EXPECT_THAT(std::get<std::string>(read), HasSubstr(test.complaint)) << test.line;
  }
}

TEST(ProcessMessagesTest, AnswersAreRead) {
  auto read = ReadRunAnswer(
      R"({"id":3,"answer":"computed","dims":[1,"2",7],"output_bytes":56,"message":"m","implementation":"i"})", 3);
  ASSERT_TRUE(std::holds_alternative<ProcessAnswer>(read)) << std::get<1>(read);
  EXPECT_EQ(std::get<ProcessAnswer>(read).answer, DECONV_ANSWER_COMPUTED);
  EXPECT_THAT(std::get<ProcessAnswer>(read).dims, ElementsAre(1, 2, 7));
  EXPECT_EQ(std::get<ProcessAnswer>(read).output_bytes, 56U);
  EXPECT_EQ(std::get<ProcessAnswer>(read).message, "m");
  EXPECT_EQ(std::get<ProcessAnswer>(read).implementation, "i");

  read = ReadResolveAnswer(R"({"id":3,"answer":"computed","dims":[1,1,7],"pads_begin":[-1]})", 3);
  ASSERT_TRUE(std::holds_alternative<ProcessAnswer>(read)) << std::get<1>(read);
  ASSERT_TRUE(std::get<ProcessAnswer>(read).pads_begin);
  EXPECT_THAT(*std::get<ProcessAnswer>(read).pads_begin, ElementsAre(-1));
  read = ReadResolveAnswer(R"({"id":3,"answer":"refused"})", 3);
  ASSERT_TRUE(std::holds_alternative<ProcessAnswer>(read)) << std::get<1>(read);
  EXPECT_FALSE(std::get<ProcessAnswer>(read).pads_begin);
}

TEST(ProcessMessagesTest, LimitsAreRead) {
  const auto read = ReadDescribeAnswer(
      std::string(kDescription) + R"(,"supports":true,"takes_resolved":true,"max_attribute":"9007199254740993",)"
                                  R"("unsupported":["dilations","negative-pads","xio"]})",
      0);
  ASSERT_TRUE(std::holds_alternative<ProcessDescription>(read)) << std::get<1>(read);
  const ProcessDescription& description = std::get<ProcessDescription>(read);
  EXPECT_TRUE(description.answers_supports);
  EXPECT_EQ(description.declared.takes_resolved, 1);
  EXPECT_EQ(description.declared.max_attribute, 9007199254740993);
  EXPECT_EQ(description.declared.unsupported,
            DECONV_UNSUPPORTED_DILATIONS | DECONV_UNSUPPORTED_NEGATIVE_PADS | DECONV_UNSUPPORTED_XIO);
}

TEST(ProcessMessagesTest, AnswersToSupportsAreChecked) {
  const auto yes = ReadSupportsAnswer(R"({"id":3,"supported":true})", 3);
  ASSERT_TRUE(std::holds_alternative<SupportsAnswer>(yes)) << std::get<1>(yes);
  EXPECT_TRUE(std::get<SupportsAnswer>(yes).supported);
  const auto no = ReadSupportsAnswer(R"({"id":3,"supported":false,"message":"only one group"})", 3);
  ASSERT_TRUE(std::holds_alternative<SupportsAnswer>(no)) << std::get<1>(no);
  EXPECT_FALSE(std::get<SupportsAnswer>(no).supported);
  EXPECT_EQ(std::get<SupportsAnswer>(no).message, "only one group");
  const struct {
    const char* line;
    const char* complaint;
  } cases[] = {
      {R"({"id":3})", R"(has no key "supported")"},
      {R"({"id":3,"supported":1})", R"(has '1' as "supported", expected true or false)"},
      {R"({"id":3,"supported":"yes"})", R"(as "supported", expected true or false)"},
      {R"({"id":3,"supported":false,"message":7})", R"(has '7' as "message", expected a string)"},
      {R"({"id":3,"supported":false,"reason":"x"})", "unknown key 'reason'"},
      {R"({"id":2,"supported":true})", "has the number 2, expected 3"},
      {"true", "is no line of JSON"},
  };
  for (const auto& test : cases) {
    const auto read = ReadSupportsAnswer(test.line, 3);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << test.line;
    EXPECT_THAT(std::get<std::string>(read), HasSubstr(test.complaint)) << test.line;
  }
}

TEST(ProcessMessagesTest, ResolvedGeometryIsInTheRequest) {
  const oracle::Operator op = Small();
  const OperatorDescription description(op, oracle::Dialect::kOpenvinoSpec);
  const deconv_resolved_geometry resolved =
      ResolvedGeometry(*oracle::Resolve(op, oracle::Dialect::kOpenvinoSpec).geometry);
  deconv_supports_request request{};
  request.operation = &description.get();
  request.resolved = &resolved;
  EXPECT_THAT(SupportsRequestLine(7, op, request),
              AllOf(HasSubstr(R"("do":"supports")"), HasSubstr(R"("batch":1)"), HasSubstr(R"("channels_last":false)"),
                    HasSubstr(R"("filter_layout":"giox")"), HasSubstr(R"("output":[4])"),
                    HasSubstr(R"("pads_begin":[0])"), HasSubstr(R"("output_padding":[0])")));
  // Only a backend that takes resolved geometry (`may_omit_dims`) may omit dims.
  const auto omitted = R"({"id":3,"answer":"computed","output_bytes":16})";
  EXPECT_TRUE(std::holds_alternative<std::string>(ReadRunAnswer(omitted, 3)));
  EXPECT_TRUE(std::holds_alternative<ProcessAnswer>(ReadRunAnswer(omitted, 3, true)));
}

TEST(ProcessMessagesTest, WrongAnswersAreRefused) {
  const struct {
    const char* line;
    const char* complaint;
  } cases[] = {
      {R"({"id":3})", R"(has no key "answer")"},
      {R"({"id":3,"answer":"done"})", R"(has 'done' in "answer", expected of computed, refused)"},
      {R"({"id":3,"answer":"computed","output_bytes":4})", R"(has no key "dims")"},
      {R"({"id":3,"answer":"computed","dims":[1]})", R"(has no key "output_bytes")"},
      {R"({"id":3,"answer":"computed","dims":[1.0],"output_bytes":4})", R"(has '1.0' as value 0 of "dims")"},
      {R"({"id":3,"answer":"computed","dims":[1,9223372036854775808],"output_bytes":4})",
       R"(has '9223372036854775808' as value 1 of "dims", expected an integer from -9223372036854775808 to 92)"},
      {R"({"id":3,"answer":"computed","dims":7,"output_bytes":4})", "expected a list of at most 16 integers"},
      {R"({"id":3,"answer":"computed","dims":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"output_bytes":4})",
       "expected a list of at most 16 integers"},
      {R"({"id":3,"answer":"refused","output_bytes":4})", "expected none with this answer"},
      {R"({"id":3,"answer":"refused","mesage":"x"})", "unknown key 'mesage' (did you mean message?)"},
      {R"({"id":"4","answer":"refused"})", "has the number 4, expected 3"},
      {"", "is no line of JSON: ''"},
  };
  for (const auto& test : cases) {
    const auto read = ReadRunAnswer(test.line, 3);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << test.line;
    EXPECT_THAT(std::get<std::string>(read), HasSubstr(test.complaint)) << test.line;
  }
}

}  // namespace
}  // namespace conformance
