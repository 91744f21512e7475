// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the classes that each operator can have in each dialect, and completes rows of classes by backtracking.

#include "conformance/suite/covering/model.h"

#include <bit>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "oracle/element_type.h"
#include "oracle/operator.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::OperatorKind;

// The order in which the search chooses classes. Parameters that share constraints come first, so that dead ends show
// early.
constexpr std::array kSearchOrder = {
    Property::kAutoPad,      Property::kOutputShape, Property::kStride,        Property::kKernel, Property::kPads,
    Property::kDilation,     Property::kRelation,    Property::kOutputPadding, Property::kSpan,   Property::kRank,
    Property::kOperator,     Property::kGroups,      Property::kBatch,         Property::kType,   Property::kDataFormat,
    Property::kFilterFormat, Property::kShapeSource};
static_assert(kSearchOrder.size() == kParameters);

/// The element types that the dialect defines for the operator, as classes.
std::vector<std::uint8_t> TypesOf(OperatorKind kind, Dialect dialect) {
  std::vector<ElementType> types(oracle::kNumericTypes.begin(), oracle::kNumericTypes.end());
  if (kind == OperatorKind::kConvolutionBackwardData)
    types = {ElementType::kF32, ElementType::kF16, ElementType::kBf16};
  if (kind == OperatorKind::kConvTranspose) types = {ElementType::kF64, ElementType::kF32, ElementType::kF16};
  // Clauses T5 and T8.
  if (dialect == Dialect::kOnnx22 || dialect == Dialect::kTensorflow) types.push_back(ElementType::kBf16);
  std::vector<std::uint8_t> classes;
  for (const ElementType type : types) classes.push_back(static_cast<std::uint8_t>(type));
  return classes;
}

}  // namespace

Model::Model(OperatorKind kind, Dialect dialect)
    : kind_(kind), dialect_(dialect), constraints_(ConstraintsOf(kind, dialect)) {
  const auto classes = [this](Property parameter) -> std::vector<std::uint8_t>& {
    return classes_[static_cast<std::size_t>(parameter)];
  };
  classes(Property::kOperator).push_back(static_cast<std::uint8_t>(kind));
  classes(Property::kType) = TypesOf(kind, dialect);
  const bool backward = kind == OperatorKind::kConvolutionBackwardData;
  for (std::size_t i = 0; i < kParameters; ++i) {
    const auto parameter = static_cast<Property>(i);
    if (parameter == Property::kOperator || parameter == Property::kType) continue;
    // Only ConvolutionBackwardData has formats, and an output shape as input or attribute.
    if (i >= static_cast<std::size_t>(Property::kDataFormat) && !backward) continue;
    classes(parameter).resize(ClassesInArrays(parameter));
    std::iota(classes(parameter).begin(), classes(parameter).end(), std::uint8_t{0});
  }
  for (std::size_t i = 0; i < kParameters; ++i) {
    if (classes_[i].size() > 1) parameters_.push_back(static_cast<Property>(i));
  }
  for (const Property parameter : kSearchOrder) {
    if (!classes(parameter).empty()) order_.push_back(parameter);
  }
  for (std::size_t c = 0; c < constraints_.size(); ++c) {
    for (std::size_t i = 0; i < kParameters; ++i) {
      if ((constraints_[c].reads >> i & 1) != 0) reading_[i].push_back(c);
    }
  }
}

const Constraint* Model::Forbidden(const ClassRow& row) const {
  std::uint32_t known = 0;
  for (std::size_t i = 0; i < kParameters; ++i) {
    if (row.Has(static_cast<Property>(i))) known |= std::uint32_t{1} << i;
  }
  for (const Constraint& constraint : constraints_) {
    if ((constraint.reads & ~known) == 0 && constraint.forbids(row)) return &constraint;
  }
  return nullptr;
}

bool Model::ForbiddenAt(const ClassRow& row, Property parameter) const {
  for (const std::size_t c : reading_[static_cast<std::size_t>(parameter)]) {
    const Constraint& constraint = constraints_[c];
    bool has_all_properties = true;
    for (std::uint32_t unchecked_properties = constraint.reads; unchecked_properties != 0 && has_all_properties;
         unchecked_properties &= unchecked_properties - 1) {
      has_all_properties = row.Has(static_cast<Property>(std::countr_zero(unchecked_properties)));
    }
    if (has_all_properties && constraint.forbids(row)) return true;
  }
  return false;
}

bool Model::Complete(ClassRow& row) const { return Forbidden(row) == nullptr && CompleteFrom(row, 0); }

bool Model::CompleteFrom(ClassRow& row, std::size_t at) const {
  while (at < order_.size() && row.Has(order_[at])) ++at;
  if (at == order_.size()) return true;
  const Property parameter = order_[at];
  for (const std::uint8_t value : classes(parameter)) {
    row[parameter] = value;
    if (!ForbiddenAt(row, parameter) && CompleteFrom(row, at + 1)) return true;
  }
  row[parameter] = ClassRow::kNone;
  return false;
}

const Model& ModelOf(OperatorKind kind, Dialect dialect) {
  static std::mutex mutex;
  static std::map<std::pair<OperatorKind, Dialect>, Model> models;
  const std::lock_guard lock(mutex);
  return models.try_emplace({kind, dialect}, kind, dialect).first->second;
}

}  // namespace conformance
