// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of the inputs
// and attributes that give the output size. The shape input is read as another type, or absent pads or a spelling of
// auto_pad are misunderstood.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// Reads an output_shape of type kType as the C++ type WrongType.
template <std::int32_t kType, typename WrongType>
void ReadShapeAs(Attributes& attributes) {
  if (attributes.onednn() || !attributes.has_shape || attributes.shape_type != kType) return;
  for (std::int64_t& size : attributes.shape) size = static_cast<std::int64_t>(static_cast<WrongType>(size));
}

// Reads a dst_shape of s32 as if it held s64: each pair of values becomes one number, and zeros follow.
void ReadPairsAsOne(Attributes& attributes) {
  if (!attributes.onednn() || !attributes.has_shape || attributes.shape_type != DECONV_ID_I32) return;
  List pairs(attributes.shape.size(), 0);
  for (std::size_t i = 0; i < attributes.shape.size(); ++i) {
    const auto bits = static_cast<std::uint64_t>(static_cast<std::uint32_t>(attributes.shape[i]))
                      << (i % 2 == 0 ? 0 : 32);
    pairs[i / 2] = static_cast<std::int64_t>(static_cast<std::uint64_t>(pairs[i / 2]) | bits);
  }
  attributes.shape = pairs;
}

// Strikes only if both shapes are given with the same length, so that nothing but the choice is wrong.
void PreferAttributeToS32(Attributes& attributes) {
  if (attributes.onednn() && attributes.has_shape && attributes.shape_type == DECONV_ID_I32 && attributes.dst_shape &&
      attributes.dst_shape->size() == attributes.shape.size())
    attributes.shape = *attributes.dst_shape;
}

const char* RefuseNarrowShape(const FaultyGeometry& geometry) {
  return geometry.shape_type == DECONV_ID_I8 || geometry.shape_type == DECONV_ID_I16
             ? "output_shape must be of 32 or 64 bits"
             : nullptr;
}

bool HasSamePads(const FaultyGeometry& geometry) {
  return geometry.auto_pad == AutoPad::kSameUpper || geometry.auto_pad == AutoPad::kSameLower;
}

bool IsOpenvino(const FaultyGeometry& geometry) {
  return geometry.kind == DECONV_ID_CONVOLUTION_BACKPROP_DATA ||
         geometry.kind == DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA;
}

const char* RefuseMissingPads(const FaultyGeometry& geometry) {
  return IsOpenvino(geometry) && geometry.has_output_shape && !geometry.has_pads ? "pads_begin is missing" : nullptr;
}

void ReadMissingPadsAsZero(FaultyGeometry& geometry) {
  if (!IsOpenvino(geometry) || !geometry.has_output_shape || geometry.has_pads) return;
  for (FaultyAxis& axis : geometry.axes) axis.pads_begin = 0;
}

// Makes each axis one larger if same_upper or same_lower stands without pads.
void GrowWithoutPads(FaultyGeometry& geometry) {
  if (!IsOpenvino(geometry) || geometry.has_output_shape || geometry.has_pads || !HasSamePads(geometry)) return;
  for (FaultyAxis& axis : geometry.axes) ++axis.output;
}

void CopyBeginToMissingEnd(Attributes& attributes) {
  if (!attributes.onednn() && !attributes.pads_end) attributes.pads_end = attributes.pads_begin;
}

bool IsAllLower(const std::string& text) {
  return std::ranges::none_of(text, [](unsigned char c) { return std::isupper(c) != 0; });
}

bool IsAllUpper(const std::string& text) {
  return std::ranges::none_of(text, [](unsigned char c) { return std::islower(c) != 0; });
}

// Whether `text` is same_upper, same_lower or valid in any letter case.
bool IsSameOrValid(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text == "same_upper" || text == "same_lower" || text == "valid";
}

void ForgetLowerCase(Attributes& attributes) {
  const bool strikes = attributes.onednn() && attributes.dialect == "onednn-spec" && attributes.auto_pad;
  if (strikes && IsAllLower(*attributes.auto_pad) && IsSameOrValid(*attributes.auto_pad)) attributes.auto_pad.reset();
}

void ForgetCapitals(Attributes& attributes) {
  const bool strikes = !attributes.onednn() && !attributes.onnx() && attributes.auto_pad;
  if (strikes && IsAllUpper(*attributes.auto_pad) && IsSameOrValid(*attributes.auto_pad)) attributes.auto_pad.reset();
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and the hook
// that changes a step of a correct loop (fault_hooks.h).
constexpr std::array kShapeFaults = {
    Planted("u8_shape_sign_extended", "P6", "reads an output_shape of u8 as i8, so that 128 becomes negative",
            {.attributes = ReadShapeAs<DECONV_ID_U8, std::int8_t>}),
    Planted("u16_shape_in_8_bits", "P6", "reads the low byte alone of each value of an output_shape of u16",
            {.attributes = ReadShapeAs<DECONV_ID_U16, std::uint8_t>}),
    Planted("i16_shape_in_8_bits", "P6", "reads the low byte alone of each value of an output_shape of i16",
            {.attributes = ReadShapeAs<DECONV_ID_I16, std::uint8_t>}),
    Planted("u32_shape_in_8_bits", "P6", "reads the low byte alone of each value of an output_shape of u32",
            {.attributes = ReadShapeAs<DECONV_ID_U32, std::uint8_t>}),
    Planted("u64_shape_in_32_bits", "P6", "reads the low 32 bits alone of each value of an output_shape of u64",
            {.attributes = ReadShapeAs<DECONV_ID_U64, std::uint32_t>}),
    Planted("narrow_shape_refused", "V1", "refuses an output_shape of i8 or i16, although any integer type is allowed",
            {.refuses = RefuseNarrowShape}),
    Planted("s32_dst_shape_read_as_s64", "P6", "reads pairs of values of a dst_shape of s32 as one s64 each",
            {.attributes = ReadPairsAsOne}),
    Planted("s32_dst_shape_attribute_preferred", "P6",
            "uses the attribute dst_shape although the input of that name is given in s32",
            {.attributes = PreferAttributeToS32}),
    Planted("missing_pads_refused", "V1", "refuses an output_shape without pads, although pads may then be omitted",
            {.refuses = RefuseMissingPads}),
    Planted("missing_pads_taken_for_zero", "P4",
            "crops nothing at the beginning if an output_shape is given and pads are omitted",
            {.values = ReadMissingPadsAsZero}),
    Planted("missing_pads_grow_same", "P7",
            "makes each axis one larger if pads are omitted beside same_upper or same_lower",
            {.shape = GrowWithoutPads}),
    Planted("missing_pads_end_taken_for_begin", "P2", "crops the end by pads_begin if pads_end is omitted",
            {.attributes = CopyBeginToMissingEnd}),
    Planted("lower_case_auto_pad_ignored", "P3",
            "ignores an auto_pad in lower case, as the library spells it in upper case (onednn-spec)",
            {.attributes = ForgetLowerCase}),
    Planted("upper_case_auto_pad_ignored", "P3", "ignores an auto_pad in upper case on the operators of OpenVINO",
            {.attributes = ForgetCapitals}),
};

}  // namespace

std::span<const Fault> ShapeFaults() { return kShapeFaults; }

}  // namespace conformance::faults
