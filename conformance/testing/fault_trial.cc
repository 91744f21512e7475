// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds small operators, and checks planted faults on their killers: the fault must be wrong, and the correct variants
// of the same plain loop must be right.

#include "conformance/testing/fault_trial.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

namespace conformance {

using oracle::OperatorKind;

Operator Plain(Dims data, Dims filter, const OperatorChange& change) {
  Operator op;
  op.data.dims = std::move(data);
  op.filter.dims = std::move(filter);
  // Strides, dilations and pads are always given, because the documents do not define operators without them.
  const std::size_t axes = std::max<std::size_t>(op.data.dims.size(), 2) - 2;
  op.strides = op.dilations = Dims(axes, 1);
  op.pads_begin = op.pads_end = Dims(axes, 0);
  if (op.filter.dims.size() > op.data.dims.size()) op.kind = OperatorKind::kGroupConvolutionBackpropData;
  if (change) change(op);
  return op;
}

Operator Onednn(Dims data, Dims filter, Dims dst_shape, const OperatorChange& change) {
  Operator op = Plain(std::move(data), std::move(filter));
  op.kind = OperatorKind::kConvolutionBackwardData;
  op.dst_shape = std::move(dst_shape);
  if (change) change(op);
  return op;
}

Operator Onnx(Dims data, Dims filter, const OperatorChange& change) {
  Operator op = Plain(std::move(data), std::move(filter));
  op.kind = OperatorKind::kConvTranspose;
  op.pads_begin = op.pads_end = std::nullopt;  // auto_pad excludes them
  if (change) change(op);
  return op;
}

Operator Typed(ElementType type, Dims data, Dims filter) {
  return Plain(std::move(data), std::move(filter), [&](Operator& op) { op.data.type = op.filter.type = type; });
}

Killer Sum(ElementType type, std::vector<double> data, std::vector<double> filter) {
  const auto channels = static_cast<std::int64_t>(data.size());
  return {.op = Typed(type, {1, channels, 1}, {channels, 1, 1}), .data = std::move(data), .filter = std::move(filter)};
}

oracle::ShapeInput Shape(Dims values) {
  return {ElementType::kI64, {static_cast<std::int64_t>(values.size())}, std::move(values)};
}

Bytes Fill(ElementType type, std::int64_t count, std::vector<double> values) {
  if (values.empty()) {
    values.resize(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 1);
  }
  return ElementsOf(type, values);
}

std::string MistakeOn(const std::string& backend, const Killer& killer) {
  const std::unique_ptr<Backend> opened = OpenOrAbort(backend);
  const oracle::Resolution resolution = Resolve(killer.op, killer.dialect);
  if (!resolution.ok()) return Mistake(*opened, killer.op, killer.dialect, {}, {});
  const oracle::Geometry& geometry = *resolution.geometry;
  return Mistake(*opened, killer.op, killer.dialect, Fill(geometry.type, geometry.DataCount(), killer.data),
                 Fill(geometry.type, geometry.FilterCount(), killer.filter));
}

void ExpectKilled(std::span<const faults::Fault> table, const Killers& killers,
                  const std::set<std::string_view>& own_tests) {
  for (const faults::Fault& fault : table) {
    if (own_tests.contains(fault.name)) continue;
    const auto killer = killers.find(fault.name);
    if (killer == killers.end()) {
      ADD_FAILURE() << fault.name << " has no killer";
      continue;
    }
    for (const faults::Fault& correct : faults::CorrectVariants()) {
      EXPECT_EQ(MistakeOn("fault:" + std::string(correct.name), killer->second), "")
          << correct.name << " on the killer of " << fault.name;
    }
    EXPECT_NE(MistakeOn("fault:" + std::string(fault.name), killer->second), "") << fault.name << " is not killed";
  }
}

}  // namespace conformance
