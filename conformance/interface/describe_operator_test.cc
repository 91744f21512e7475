// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that an operator is unchanged after conversion to C structs and back, and that malformed structs are reported.
// Also tests the messages and checks of a backend's answers (answer.h), and the text of its name.

#include "conformance/interface/describe_operator.h"

#include <cstring>
#include <iterator>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/interface/answer.h"
#include "conformance/interface/backend.h"
#include "conformance/testing/backend_trial.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::Operator;
using testing::HasSubstr;

void ExpectRoundTrip(const Operator& op, Dialect dialect) {
  const OperatorDescription description(op, dialect);
  const std::variant<Operator, std::string> read = ReadOperator(description.get());
  ASSERT_TRUE(std::holds_alternative<Operator>(read)) << std::get<std::string>(read);
  EXPECT_EQ(std::get<Operator>(read), op) << LineOf(op);
  EXPECT_EQ(std::get<Dialect>(ReadDialect(description.get())), dialect);
}

TEST(DescribeOperatorTest, RandomOperatorsComeBack) {
  for (const Dialect dialect : oracle::kDialects) {
    Random random(7);
    for (int i = 0; i < 200; ++i) ExpectRoundTrip(RandomCase(random, dialect, 8).op, dialect);
  }
}

TEST(DescribeOperatorTest, EmptyIsNotAbsent) {
  Operator op;
  ExpectRoundTrip(op, Dialect::kOpenvinoSpec);
  EXPECT_EQ(OperatorDescription(op, Dialect::kOpenvinoSpec).get().strides.values, nullptr);
  op.strides = op.dst_shape = op.kernel_shape = op.output_shape_attribute = oracle::Dims{};
  op.output_shape = oracle::ShapeInput{};
  op.auto_pad = op.data_format = op.weights_format = "";
  op.groups = 0;
  op.data.type = oracle::ElementType::kBoolean;
  op.filter.type = oracle::ElementType::kString;
  ExpectRoundTrip(op, Dialect::kOnednnSpec);
  const OperatorDescription description(op, Dialect::kOnednnSpec);
  EXPECT_NE(description.get().strides.values, nullptr);
  EXPECT_EQ(description.get().strides.count, 0);
  EXPECT_NE(description.get().data.dims.values, nullptr);
  EXPECT_EQ(description.get().data.element_type, DECONV_ID_BOOLEAN);
}

TEST(DescribeOperatorTest, AShapeHasValuesOfItsType) {
  Operator op;
  op.data.dims = op.filter.dims = {1, 1, 1};
  op.output_shape = {oracle::ElementType::kI8, {1}, {127}};
  ExpectRoundTrip(op, Dialect::kOpenvinoSpec);
  op.output_shape->values = {300};
  const OperatorDescription beyond(op, Dialect::kOpenvinoSpec);
  const std::variant<Operator, std::string> read = ReadOperator(beyond.get());
  ASSERT_TRUE(std::holds_alternative<std::string>(read));
  EXPECT_EQ(std::get<std::string>(read), "output_shape: value 300, expected a value of type i8");
  // 2^64 - 1 is passed as the same 64 bits, which are -1.
  op.output_shape = {oracle::ElementType::kU64, {1}, {-1}};
  ExpectRoundTrip(op, Dialect::kOpenvinoSpec);
  const OperatorDescription bits(op, Dialect::kOpenvinoSpec);
  EXPECT_EQ(static_cast<std::uint64_t>(bits.get().output_shape_values.values[0]), UINT64_MAX);
}

TEST(DescribeOperatorTest, MalformedDescriptionsAreReported) {
  Operator op;
  op.data.dims = op.filter.dims = {1, 1, 1};
  const OperatorDescription description(op, Dialect::kOpenvinoSpec);
  const auto complaint = [&](auto change) {
    deconv_operator_description broken = description.get();
    change(broken);
    const std::variant<Operator, std::string> read = ReadOperator(broken);
    return std::holds_alternative<Operator>(read) ? std::string("(none)") : std::get<std::string>(read);
  };
  EXPECT_EQ(complaint([](auto&) {}), "(none)");
  EXPECT_THAT(complaint([](auto& d) { d.size = 8; }), HasSubstr("of 8 bytes"));
  EXPECT_THAT(complaint([](auto& d) { d.kind = 4; }), HasSubstr("operator 4"));
  EXPECT_THAT(complaint([](auto& d) { d.filter.element_type = 14; }), HasSubstr("filter: element type 14"));
  EXPECT_THAT(complaint([](auto& d) { d.data.dims = {nullptr, 0}; }), HasSubstr("data: no dims"));
  EXPECT_THAT(complaint([](auto& d) { d.strides = {nullptr, 2}; }), HasSubstr("strides: a list of 2 values"));
  EXPECT_THAT(complaint([](auto& d) { d.pads_end.count = -1; }), HasSubstr("pads_end: a list of -1 values"));
  EXPECT_THAT(complaint([](auto& d) { d.groups = d.data.dims; }), HasSubstr("groups: 3 values"));

  deconv_operator_description broken = description.get();
  broken.dialect = "klingon";
  EXPECT_EQ(std::get<std::string>(ReadDialect(broken)), "dialect 'klingon' is unknown");
  broken.dialect = nullptr;
  EXPECT_EQ(std::get<std::string>(ReadDialect(broken)), "no dialect");
}

TEST(AnswerTest, MessagesAreCutAndMadeOneLine) {
  deconv_run_request request{};
  EXPECT_EQ(Answer(request, DECONV_ANSWER_REFUSED, "one\ntwo"), DECONV_ANSWER_REFUSED);
  EXPECT_STREQ(request.message, "one two");
  Answer(request, DECONV_ANSWER_ERROR, std::string(5000, 'x'));
  EXPECT_EQ(std::strlen(request.message), std::size(request.message) - 1);
}

TEST(AnswerTest, BuffersOfOtherSizesAreNotUsed) {
  deconv_run_request request{};
  request.data_bytes = 4;
  request.filter_bytes = 8;
  request.output_bytes = 12;
  EXPECT_EQ(CheckBuffers(request, 4, 8, 12), DECONV_ANSWER_COMPUTED);
  EXPECT_EQ(CheckBuffers(request, 4, 8, 16), DECONV_ANSWER_OTHER_SHAPE);
  EXPECT_EQ(CheckBuffers(request, 5, 8, 12), DECONV_ANSWER_ERROR);
  EXPECT_EQ(CheckBuffers(request, 4, 9, 12), DECONV_ANSWER_ERROR);
}

TEST(Capabilities, TheNameIsFollowedByTheVersionIfOneIsDeclared) {
  Capabilities declared;
  declared.name = "vendor";
  EXPECT_EQ(declared.NameAndVersion(), "vendor");
  declared.version = "1.0";
  EXPECT_EQ(declared.NameAndVersion(), "vendor 1.0");
}

}  // namespace
}  // namespace conformance
