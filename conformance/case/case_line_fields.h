// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields NAME=VALUE of a case line, the one-line text of a test. Printer and parser use the same tables, so that
// they cannot disagree: a table row pairs the name of a field with the member of Operator or Case that holds its value.

#ifndef DECONV_CONFORMANCE_CASE_CASE_LINE_FIELDS_H_
#define DECONV_CONFORMANCE_CASE_CASE_LINE_FIELDS_H_

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/case/case.h"
#include "oracle/operator.h"

namespace conformance {

/// The names of all fields; printing and parsing use them.
namespace field {
inline constexpr std::string_view kData = "data";
inline constexpr std::string_view kFilter = "filter";
inline constexpr std::string_view kType = "type";
inline constexpr std::string_view kFilterType = "filter_type";
inline constexpr std::string_view kOutputShape = "output_shape";
inline constexpr std::string_view kOutputShapeType = "output_shape_type";
inline constexpr std::string_view kOutputShapeDims = "output_shape_dims";
inline constexpr std::string_view kGroups = "groups";
inline constexpr std::string_view kDialect = "dialect";
inline constexpr std::string_view kValues = "values";
inline constexpr std::string_view kSeed = "seed";
inline constexpr std::string_view kDataOnly = "data_only";
inline constexpr std::string_view kFilterValues = "filter_values";
inline constexpr std::string_view kFilterStoredAs = "filter_stored_as";
inline constexpr std::string_view kDataValues = "data_values";
inline constexpr std::string_view kRecorded = "recorded";
inline constexpr std::string_view kLaw = "law";
inline constexpr std::string_view kRepeats = "repeat";
}  // namespace field

struct ListField {
  std::string_view name;
  std::optional<oracle::Dims> oracle::Operator::* member;
};
inline constexpr std::array kListFields = {
    ListField{"strides", &oracle::Operator::strides},
    ListField{"dilations", &oracle::Operator::dilations},
    ListField{"pads_begin", &oracle::Operator::pads_begin},
    ListField{"pads_end", &oracle::Operator::pads_end},
    ListField{"output_padding", &oracle::Operator::output_padding},
    ListField{"dst_shape", &oracle::Operator::dst_shape},
    ListField{"kernel_shape", &oracle::Operator::kernel_shape},
    ListField{"output_shape_attribute", &oracle::Operator::output_shape_attribute},
};

struct TextField {
  std::string_view name;
  std::optional<std::string> oracle::Operator::* member;
};
inline constexpr std::array kTextFields = {
    TextField{"auto_pad", &oracle::Operator::auto_pad},
    TextField{"data_format", &oracle::Operator::data_format},
    TextField{"weights_format", &oracle::Operator::weights_format},
};

/// A field for tensor values that replace those of the data set. A filter has one more source: FileValues of case.h.
struct GivenField {
  std::string_view name;
  std::optional<GivenValues> Case::* member;
};
inline constexpr std::array kGivenFields = {
    GivenField{field::kDataValues, &Case::given_data},
    GivenField{field::kFilterValues, &Case::given_filter},
    GivenField{field::kRecorded, &Case::recorded},
};

/// The element type of the values in a field of kGivenFields. Outputs (`recorded`) have the type of the data.
inline oracle::ElementType ValueTypeOf(const oracle::Operator& op, std::string_view field) {
  return field == field::kFilterValues ? op.filter.type : op.data.type;
}

/// All names in the order in which error messages list them: tensors, attributes, values.
inline constexpr auto kFieldNames = [] {
  constexpr std::array kTensors = {field::kData,           field::kFilter,      field::kType,
                                   field::kFilterType,     field::kOutputShape, field::kOutputShapeType,
                                   field::kOutputShapeDims};
  constexpr std::array kOthers = {field::kGroups,   field::kDialect,      field::kValues,         field::kSeed,
                                  field::kDataOnly, field::kFilterValues, field::kFilterStoredAs, field::kLaw,
                                  field::kRepeats,  field::kDataValues,   field::kRecorded};
  std::array<std::string_view, kTensors.size() + kListFields.size() + kTextFields.size() + kOthers.size()> names{};
  auto* at = std::ranges::copy(kTensors, names.begin()).out;
  at = std::ranges::transform(kListFields, at, &ListField::name).out;
  at = std::ranges::transform(kTextFields, at, &TextField::name).out;
  std::ranges::copy(kOthers, at);
  return names;
}();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_CASE_LINE_FIELDS_H_
