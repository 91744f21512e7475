// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the declarations of a backend (the library under test) decide which operators it gets, and that every
// answer of a backend is checked before the suite uses it.

#include "conformance/interface/backend.h"

#include <cstring>
#include <functional>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/interface/backend_description.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A ConvolutionBackpropData of f32. Its output is [1, 3, 7].
Operator Plain() {
  Operator op;
  op.data.dims = {1, 2, 5};
  op.filter.dims = {2, 3, 3};
  return op;
}

/// The capabilities that the backends of these tests declare.
Capabilities Declared() {
  Capabilities declared;
  declared.dialects = {Dialect::kOpenvinoRuntime, Dialect::kOnednnSpec};
  declared.operators = 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA | 1U << DECONV_ID_CONV_TRANSPOSE;
  declared.element_types = 1U << DECONV_ID_F32;
  return declared;
}

TEST(CapabilitiesTest, JudgedByTheWantedDialectElseByTheFirstThatDefinesTheOperator) {
  Capabilities declared = Declared();
  Operator op = Plain();
  EXPECT_EQ(declared.JudgingDialect(op, Dialect::kOpenvinoSpec), Dialect::kOpenvinoRuntime);
  declared.dialects.push_back(Dialect::kOpenvinoSpec);
  EXPECT_EQ(declared.JudgingDialect(op, Dialect::kOpenvinoSpec), Dialect::kOpenvinoSpec);
  // Declared, but not legal for this operator.
  EXPECT_EQ(declared.JudgingDialect(op, Dialect::kOnednnSpec), Dialect::kOpenvinoRuntime);
  op.kind = OperatorKind::kConvTranspose;
  EXPECT_EQ(declared.JudgingDialect(op, Dialect::kOnnx11), std::nullopt);
}

TEST(CapabilitiesTest, TheReasonNamesWhatIsNotDeclared) {
  Capabilities declared = Declared();
  EXPECT_EQ(declared.UnsupportedReason(Plain()), "");

  Operator op = Plain();
  op.kind = OperatorKind::kConvolutionBackwardData;
  EXPECT_EQ(declared.UnsupportedReason(op), "ConvolutionBackwardData (not declared)");
  op.kind = OperatorKind::kConvTranspose;
  EXPECT_EQ(declared.UnsupportedReason(op), "ConvTranspose (no declared dialect defines it)");

  op = Plain();
  op.data.type = op.filter.type = ElementType::kF64;
  EXPECT_EQ(declared.UnsupportedReason(op), "type f64 (not declared)");
  // A type that nobody declares: the backend has to refuse it.
  op.data.type = op.filter.type = ElementType::kString;
  EXPECT_EQ(declared.UnsupportedReason(op), "");

  op = Plain();
  op.data.dims = {1, 2, 5, 5, 5, 5};
  EXPECT_EQ(declared.UnsupportedReason(op), "rank 6 (declared: 3 to 5)");
}

TEST(CapabilitiesTest, TheLargestTensorCounts) {
  Capabilities declared = Declared();
  declared.max_bytes = 84;  // 3 channels of 7 outputs
  EXPECT_EQ(declared.UnsupportedReason(Plain()), "");
  declared.max_bytes = 83;
  EXPECT_EQ(declared.UnsupportedReason(Plain()), "a tensor of 84 bytes (declared: up to 83)");
  // A product beyond 64 bits is large, not small.
  Operator op = Plain();
  op.data.dims = {std::int64_t{1} << 40, std::int64_t{1} << 40, 1};
  EXPECT_THAT(declared.UnsupportedReason(op), HasSubstr("a tensor of 18446744073709551615 bytes"));
}

/// A function of a test that plays the backend: it fills in the request and returns the answer.
using Behaviour = std::function<int(deconv_run_request&)>;

const deconv_backend_description* Describe(void* /*self*/) {
  static const char* const kDialects[] = {"openvino-spec", nullptr};
  static const deconv_backend_description kDescription = {.size = sizeof(deconv_backend_description),
                                                          .name = "scripted",
                                                          .version = "1",
                                                          .dialects = kDialects,
                                                          .operators = 0xf,
                                                          .element_types = 0xfff,
                                                          .min_rank = 3,
                                                          .max_rank = 10,
                                                          .max_bytes = 0,
                                                          .accumulator = 0,
                                                          .faithful_rounding = 0,
                                                          .subnormals = 0,
                                                          .overflow = 0,
                                                          .deterministic = 0,
                                                          .max_threads = 0,
                                                          .algorithm = 0,
                                                          .arithmetic = nullptr,
                                                          .arithmetic_count = 0,
                                                          .known_deviations = 0,
                                                          .unsupported = 0,
                                                          .max_attribute = 0,
                                                          .takes_resolved = 0,
                                                          .saturating_types = 0,
                                                          .types_in_f32 = 0};
  return &kDescription;
}

/// The answer that the suite makes of a backend with this behaviour, asked to run Plain().
RunAnswer AnswerOf(Behaviour behaviour, const RunBuffers& buffers = {}) {
  const deconv_backend interface = {.size = sizeof(deconv_backend),
                                    .abi = DECONV_BACKEND_ABI,
                                    .self = &behaviour,
                                    .describe = Describe,
                                    .run =
                                        [](void* self, deconv_run_request* request) {
                                          return static_cast<deconv_answer>((*static_cast<Behaviour*>(self))(*request));
                                        },
                                    .close = nullptr,
                                    .resolve = nullptr,
                                    .plan = nullptr,
                                    .release = nullptr,
                                    .supports = nullptr};
  return Backend(interface).Run(Plain(), Dialect::kOpenvinoSpec, buffers);
}

/// Writes the output dims, and returns `answer`.
int WriteDims(deconv_run_request& request, std::initializer_list<std::int64_t> dims, int answer) {
  request.output_rank = static_cast<std::int32_t>(dims.size());
  std::copy(dims.begin(), dims.end(), request.output_dims);
  return answer;
}

/// Writes the message, and returns `answer`.
int WriteMessage(deconv_run_request& request, const char* message, int answer) {
  (void)std::snprintf(request.message, sizeof(request.message), "%s", message);
  return answer;
}

TEST(BackendRunTest, TheRequestCarriesTheBuffersAndTheOperator) {
  std::byte data[40];
  std::byte filter[72];
  std::byte output[84];
  const RunAnswer answer = AnswerOf(
      [&](deconv_run_request& request) {
        EXPECT_EQ(request.size, sizeof(deconv_run_request));
        EXPECT_EQ(request.data, data);
        EXPECT_EQ(request.data_bytes, sizeof(data));
        EXPECT_EQ(request.filter, filter);
        EXPECT_EQ(request.filter_bytes, sizeof(filter));
        EXPECT_EQ(request.output, output);
        EXPECT_EQ(request.output_bytes, sizeof(output));
        EXPECT_STREQ(request.operation->dialect, "openvino-spec");
        EXPECT_EQ(request.operation->filter.dims.values[1], 3);
        return WriteDims(request, {1, 3, 7}, DECONV_ANSWER_COMPUTED);
      },
      {.data = data, .filter = filter, .output = output});
  EXPECT_EQ(answer.answer, DECONV_ANSWER_COMPUTED);
  EXPECT_THAT(answer.output_dims, ElementsAre(1, 3, 7));
  EXPECT_EQ(answer.message, "");
}

TEST(BackendRunTest, RefusalsKeepTheirWordsAndHaveNoDims) {
  const RunAnswer answer =
      AnswerOf([](auto& request) { return WriteMessage(request, "pads are negative", DECONV_ANSWER_REFUSED); });
  EXPECT_EQ(answer.answer, DECONV_ANSWER_REFUSED);
  EXPECT_EQ(answer.message, "pads are negative");
  EXPECT_THAT(answer.output_dims, IsEmpty());
  EXPECT_EQ(AnswerOf([](auto&) { return DECONV_ANSWER_UNSUPPORTED; }).message, "(the backend gave no reason)");
}

TEST(BackendRunTest, TheNameOfTheImplementationIsReadAndMayBeEmpty) {
  const RunAnswer named = AnswerOf([](deconv_run_request& request) {
    (void)std::snprintf(request.implementation, sizeof(request.implementation), "loops on \x01");
    return WriteDims(request, {1, 3, 7}, DECONV_ANSWER_COMPUTED);
  });
  EXPECT_EQ(named.answer, DECONV_ANSWER_COMPUTED);
  EXPECT_EQ(named.implementation, "loops on ?");
  EXPECT_EQ(
      AnswerOf([](auto& request) { return WriteDims(request, {1, 3, 7}, DECONV_ANSWER_COMPUTED); }).implementation, "");
  const RunAnswer endless = AnswerOf([](deconv_run_request& request) {
    std::fill(std::begin(request.implementation), std::end(request.implementation), 'x');
    return WriteDims(request, {1, 3, 7}, DECONV_ANSWER_COMPUTED);
  });
  EXPECT_EQ(endless.answer, kContractBroken);
  EXPECT_THAT(endless.message, HasSubstr("an implementation without its terminating zero byte"));
}

TEST(BackendRunTest, AnswersThatBreakTheContractAreRejected) {
  const struct {
    Behaviour behaviour;
    const char* message;
  } cases[] = {
      {[](auto&) { return 5; }, "answer 5, expected 0 to 4"},
      {[](auto&) { return -1; }, "answer"},
      {[](auto&) { return DECONV_ANSWER_COMPUTED; }, "output_rank -1"},
      {[](auto& request) {
         request.output_rank = 17;
         return DECONV_ANSWER_OTHER_SHAPE;
       },
       "output_rank 17, expected 0 to 16"},
      {[](auto& request) {
         request.output_rank = 2;  // a rank without dims
         return DECONV_ANSWER_COMPUTED;
       },
       "a negative number among the output dims"},
      {[](auto& request) { return WriteDims(request, {1, -3, 7}, DECONV_ANSWER_COMPUTED); }, "[1, -3, 7]"},
      {[](auto& request) {
         std::memset(request.message, 'x', sizeof(request.message));
         return DECONV_ANSWER_REFUSED;
       },
       "terminating zero"},
      {[](auto& request) { return WriteMessage(request, "one\ntwo", DECONV_ANSWER_REFUSED); },
       "several lines: one?two"},
  };
  for (const auto& test : cases) {
    const RunAnswer answer = AnswerOf(test.behaviour);
    EXPECT_EQ(answer.answer, kContractBroken) << test.message;
    EXPECT_THAT(answer.message, AllOf(HasSubstr("broke the interface's contract"), HasSubstr(test.message)));
  }
}

TEST(BackendRunTest, TextsAreMadePrintable) {
  EXPECT_EQ(Printable("tab\tbell\a"), "tab?bell?");
  EXPECT_EQ(Printable("größer ≤"), "größer ≤");
  EXPECT_EQ(Printable("\xff\xc3"), "??");
  EXPECT_EQ(Printable("\xe0\x80\x80\xed\xa0\x80"), "??????");  // overlong, surrogate
}

}  // namespace
}  // namespace conformance
