// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the explanations of a wrong output: the picture of the wrong positions, and the list of taps of one output.

#include "conformance/diagnosis/taps.h"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/data_set.h"
#include "conformance/testing/diverse_cases.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/picture.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The picture shows the outputs that the comparison finds wrong, position by position.
TEST(Picture, ShowsWhereOutputsAreWrong) {
  const std::string line = "ConvolutionBackpropData:data=1,1,3,4:filter=1,1,1,1:strides=1,1:dilations=1,1";
  const auto results = ResultsOf("fault:last_row_unwritten", {line});
  ASSERT_TRUE(results[0].outputs.wrong_grid.has_value()) << results[0].verdict.message;
  const WrongGrid& grid = *results[0].outputs.wrong_grid;
  EXPECT_EQ(grid.rows, 3);
  EXPECT_EQ(grid.columns, 4);
  EXPECT_THAT(grid.wrong, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_EQ(PictureText(grid, results[0].judged.output_dims, false),
            "     wrong outputs of [0,0,*,*]: 4 of 12\n       ....\n       ....\n       ####\n");
  EXPECT_THAT(PictureText(grid, results[0].judged.output_dims, true), HasSubstr("\x1b[31m#"));
}

TEST(Picture, IsCoarserWhereThePlaneIsLarge) {
  oracle::Geometry geometry;
  geometry.layout = oracle::DataLayout::kNxc;
  geometry.batch = 1;
  geometry.in_channels = geometry.out_channels = 2;
  geometry.axes = {{.data = 1, .kernel = 1, .output = 3}, {.data = 1, .kernel = 1, .output = 100}};
  WrongGridMaker maker(geometry);
  // Channel 1 of [1,3,100,2]: columns 10 to 13 of row 1, and one of channel 0, which is not drawn.
  for (std::int64_t column = 10; column < 14; ++column) maker.Observe((100 + column) * 2 + 1);
  maker.Observe((100 + 50) * 2);
  const auto grid = maker.Build();
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->column_step, 3);
  EXPECT_EQ(grid->CellColumns(), 34);
  std::string row(34, '.');
  row[3] = '+';
  row[4] = '+';
  const std::string text = PictureText(*grid, geometry.OutputDims(), false);
  EXPECT_THAT(text, HasSubstr("wrong outputs of [0,*,*,1]: 4 of 300, a character for 1 x 3"));
  EXPECT_THAT(text, HasSubstr(row));
  EXPECT_EQ(WrongGridMaker(geometry).Build(), std::nullopt);
}

// Each product is listed once, and together they give the oracle's sum, in every layout.
TEST(Taps, AreTheProductsOfAnOutput) {
  const std::vector<std::string> lines = {
      "ConvolutionBackpropData:data=1,2,3,4:filter=2,3,2,3:strides=2,1:dilations=1,2:pads_begin=1,0:pads_end=0,1",
      "GroupConvolutionBackpropData:data=2,4,5:filter=2,2,3,3:strides=2:dilations=1",
      "ConvolutionBackwardData:data=1,3,4:filter=3,2,4:dst_shape=1,7,2:strides=2:dilations=1:pads_begin=0:pads_end=0",
  };
  for (const std::string& line : lines) {
    const Case test_case = TestCasesOf({line}).front().test_case;
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
    ASSERT_TRUE(resolution.ok()) << line;
    const oracle::Geometry& geometry = *resolution.geometry;
    std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * sizeof(float));
    std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * sizeof(float));
    FillTensor(test_case.values, test_case.seed, geometry, Tensor::kData, data);
    FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
    const oracle::OutputRange all{0, geometry.OutputCount()};
    std::vector<oracle::FloatSum> sums(static_cast<std::size_t>(all.count));
    Gather(oracle::Operands(geometry, data, filter), all, sums);
    for (std::int64_t i = 0; i < all.count; ++i) {
      const oracle::Dims at = CoordinateOf(i, geometry.OutputDims());
      const TapsOfOutput taps = TapsAt(geometry, test_case.op.filter.dims, data, filter, at, 1000);
      const oracle::FloatSum& sum = sums[static_cast<std::size_t>(i)];
      ASSERT_EQ(taps.count, sum.taps) << line << DimsText(at);
      double total = 0;
      for (const TapOfOutput& tap : taps.taps) {
        total += std::stod(tap.product);
        EXPECT_EQ(std::stod(tap.data_value) * std::stod(tap.filter_value), std::stod(tap.product));
      }
      EXPECT_EQ(total, oracle::FloatValue(sum.bits, geometry.type)) << line << DimsText(at);
    }
  }
}

TEST(Taps, AreToldOfAnOutputThatExists) {
  const Case test_case = TestCasesOf({DiverseLines().front()}).front().test_case;
  const oracle::Dialect dialect = test_case.EffectiveDialect();
  const auto taps = TapsText(test_case, dialect, {0, 0, 2});
  ASSERT_TRUE(std::holds_alternative<std::string>(taps));
  EXPECT_THAT(std::get<std::string>(taps), HasSubstr("taps of output [0,0,2]: 2"));
  EXPECT_THAT(std::get<std::string>(taps), HasSubstr("data[0,0,1] "));
  const auto beyond = TapsText(test_case, dialect, {0, 0, 7});
  ASSERT_TRUE(std::holds_alternative<NoTaps>(beyond));
  EXPECT_THAT(std::get<NoTaps>(beyond).message, HasSubstr("expected a coordinate within [1,1,7]"));
}

}  // namespace
}  // namespace conformance
