// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the values of expressions of symbols, such as "floor(h/2 - 1/2) + 1", in which exporters of ONNX models write
// sizes. Other texts must have no value.

#include "conformance/formats/symbol_expression.h"

#include <string>

#include <gtest/gtest.h>

namespace conformance::formats {
namespace {

const SymbolValues kSymbols = {{"h", 65}, {"s53", 64}, {"p2o.DynamicDimension.1", 640}, {"batch size", 3}};

TEST(SymbolExpression, ExpressionsOfExportersHaveTheirValues) {
  EXPECT_EQ(Evaluate("(((s53 - 1)//4)) + 1", kSymbols), 16);                                 // torch.onnx
  EXPECT_EQ(Evaluate("floor(floor(p2o.DynamicDimension.1/2 - 1/2)/2) + 1", kSymbols), 160);  // ONNX Runtime
  EXPECT_EQ(Evaluate("floor(h/2 - 1/2) + 1", kSymbols), 33);
  EXPECT_EQ(Evaluate("Max(1, s53, h)*Min(2, h)", kSymbols), 130);
  EXPECT_EQ(Evaluate("2**3 * ceiling(h/4) - -1", kSymbols), 137);
  EXPECT_EQ(Evaluate("FloorDiv(-7, 2) + Mod(-7, 2) + Abs(-9)", kSymbols), 6);
  EXPECT_EQ(Evaluate("-7//2 + -7 % 4", kSymbols), -3);
  EXPECT_EQ(Evaluate("batch size", kSymbols), 3);
}

TEST(SymbolExpression, OtherTextsHaveNoValue) {
  for (const char* text : {"",
                           "w",
                           "h/2",
                           "h/0",
                           "h +",
                           "(h",
                           "h)",
                           "sin(h)",
                           "2 h",
                           "floor()",
                           "h, 2",
                           "floor(h, 2)",
                           "h//0",
                           "9223372036854775807 + 1",
                           "-9223372036854775807 - 1",
                           "2**64",
                           "h**-1",
                           "1.5",
                           "s53*9223372036854775807",
                           "99999999999999999999"}) {
    EXPECT_EQ(Evaluate(text, kSymbols), std::nullopt) << text;
  }
  EXPECT_EQ(Evaluate(std::string(3000, '(') + "1" + std::string(3000, ')'), kSymbols), std::nullopt);
  EXPECT_EQ(Evaluate(std::string(1000, '-') + "1", kSymbols), std::nullopt);
}

TEST(SymbolExpression, ANameIsASymbol) {
  EXPECT_TRUE(IsSymbol("p2o.DynamicDimension.0"));
  EXPECT_FALSE(IsSymbol("h + 1"));
  EXPECT_FALSE(IsSymbol("2h"));
  EXPECT_FALSE(IsSymbol(""));
}

}  // namespace
}  // namespace conformance::formats
