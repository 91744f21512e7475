// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints a case as its case line, one line of text that every command accepts, and fills the data tensor of a case. The
// grammar of lines: conformance/case/case_line.md.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/case.h"
#include "conformance/case/case_line_fields.h"
#include "conformance/case/given_values.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;

}  // namespace

oracle::Dialect Case::EffectiveDialect() const { return dialect ? *dialect : oracle::DialectsOf(op.kind).front(); }

void FillData(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> bytes) {
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kData, bytes);
  KeepDataOnly(test_case, geometry, bytes);
}

void KeepDataOnly(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> bytes) {
  if (!test_case.data_only) return;
  const std::size_t element = oracle::ElementBytes(geometry.type);
  auto kept = test_case.data_only->begin();
  for (std::int64_t i = 0; i < geometry.DataCount(); ++i) {
    if (kept != test_case.data_only->end() && *kept == i) {
      ++kept;
    } else {
      std::ranges::fill(bytes.subspan(static_cast<std::size_t>(i) * element, element), std::byte{0});
    }
  }
}

std::string ToLine(const Case& test_case) {
  if (test_case.sweep) return ToLine(*test_case.sweep);
  const Operator& op = test_case.op;
  std::string line(OperatorKindName(op.kind));
  const auto add = [&](std::string_view name, std::string_view value) { line += fmt::format(":{}={}", name, value); };
  const auto add_list = [&](std::string_view name, const Dims& list) {
    add(name, fmt::format("{}", fmt::join(list, ",")));
  };

  add_list(field::kData, op.data.dims);
  add_list(field::kFilter, op.filter.dims);
  if (op.data.type != oracle::ElementType::kF32) add(field::kType, ElementTypeName(op.data.type));
  if (op.filter.type != op.data.type) add(field::kFilterType, ElementTypeName(op.filter.type));
  if (op.output_shape) {
    const oracle::ShapeInput& shape = *op.output_shape;
    std::vector<std::string> values;
    for (const std::int64_t value : shape.values) values.push_back(IntegerText(shape.type, value));
    add(field::kOutputShape, fmt::format("{}", fmt::join(values, ",")));
    if (shape.type != oracle::ElementType::kI64) add(field::kOutputShapeType, ElementTypeName(shape.type));
    if (shape.dims != Dims{static_cast<std::int64_t>(shape.values.size())})
      add_list(field::kOutputShapeDims, shape.dims);
  }
  for (const ListField& field : kListFields) {
    if (op.*field.member) add_list(field.name, *(op.*field.member));
  }
  for (const TextField& field : kTextFields) {
    if (op.*field.member) add(field.name, EncodeText(*(op.*field.member)));
  }
  if (op.groups) add(field::kGroups, fmt::format("{}", *op.groups));

  const oracle::Dialect default_dialect = oracle::DialectsOf(op.kind).front();
  if (test_case.EffectiveDialect() != default_dialect) add(field::kDialect, DialectName(test_case.EffectiveDialect()));
  if (test_case.values != DataSet::kIntegers) add(field::kValues, DataSetName(test_case.values));
  if (test_case.seed != 0) add(field::kSeed, fmt::format("{}", test_case.seed));
  if (test_case.data_only) add_list(field::kDataOnly, *test_case.data_only);
  if (const auto& file = test_case.filter_values) {
    add(field::kFilterValues, fmt::format("{}@{}", EncodeText(file->path), file->offset));
    if (test_case.filter_values->stored_as)
      add(field::kFilterStoredAs, ElementTypeName(*test_case.filter_values->stored_as));
  }
  for (const GivenField& given : kGivenFields) {
    if (test_case.*given.member) add(given.name, ToText(*(test_case.*given.member), ValueTypeOf(op, given.name)));
  }
  if (test_case.law) add(field::kLaw, NameOf(*test_case.law));
  if (test_case.repeats) add(field::kRepeats, NameOf(*test_case.repeats));
  return line;
}

}  // namespace conformance
