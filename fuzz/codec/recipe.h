// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A recipe: the numbers that the first 84 bytes of an encoded case ask for, before they become an operator. Only the
// codec uses it.

#ifndef DECONV_FUZZ_CODEC_RECIPE_H_
#define DECONV_FUZZ_CODEC_RECIPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "fuzz/codec/codec.h"
#include "fuzz/codec/slots.h"

namespace conformance::codec {

using RecipeBytes = std::array<std::uint8_t, kRecipeBytes>;

struct AxisRecipe {
  std::int64_t data = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pads_begin = 0;
  std::int64_t pads_end = 0;
  std::int64_t output_padding = 0;
  std::int64_t delta = 0;  ///< output shape minus natural size with output_padding (at least 1)
};

enum class ShapeForm : std::uint8_t {
  kNone,
  kInput,
  kAttribute,
  kBoth,          ///< ConvolutionBackwardData: input and attribute say the same
  kBothDisagree,  ///< ... or not: the input has precedence (clause S15)
};

/// Bits of Recipe::absent.
enum AbsentBit : std::uint8_t {
  kNoStrides = 1,
  kNoDilations = 2,
  kNoPadsBegin = 4,
  kNoPadsEnd = 8,
  kNoOutputPadding = 16,
};

struct Recipe {
  oracle::OperatorKind kind = oracle::OperatorKind::kConvolutionBackpropData;
  std::optional<oracle::Dialect> dialect;
  oracle::ElementType type = oracle::ElementType::kF32;
  std::int64_t batch = 1;
  std::int64_t groups = 1;
  std::int64_t in_channels = 1;   ///< per group
  std::int64_t out_channels = 1;  ///< per group
  std::optional<std::string_view> auto_pad;
  ShapeForm shape_form = ShapeForm::kNone;
  oracle::ElementType shape_type = oracle::ElementType::kI64;
  std::uint8_t absent = 0;
  std::optional<std::string_view> data_format;
  std::optional<std::string_view> weights_format;
  bool names_one_group = false;  ///< the attribute is given although there is one group
  bool names_kernel = false;     ///< kernel_shape is given
  std::uint8_t foreign = 0;
  DataSet values = DataSet::kIntegers;
  std::uint16_t seed = 0;
  std::vector<AxisRecipe> axes = {AxisRecipe()};
};

Recipe ReadRecipe(const RecipeBytes& bytes);
/// What the bytes cannot say becomes 0.
RecipeBytes WriteRecipe(const Recipe& recipe);

/// Cuts the recipe back to a valid case within the limits; a recipe that is one already stays as it is.
void Tame(Recipe& recipe, const CodecLimits& limits);

/// What the dialect of a library asks of the sizes beyond its document; may make a tensor larger, so that it comes
/// before the limits.
void FitSizes(Recipe& recipe);
/// The rest of that, of a recipe that is valid by its document and of fitting sizes. Makes no tensor larger.
void FitDialect(Recipe& recipe);

/// Of a tame recipe.
Case CaseOf(const Recipe& recipe);
/// The recipe of `test_case` as far as it has one.
Recipe RecipeOf(const Case& test_case);

}  // namespace conformance::codec

#endif  // DECONV_FUZZ_CODEC_RECIPE_H_
