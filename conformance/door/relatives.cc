// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes one attribute of an operator after the other, and keeps what is valid.

#include "conformance/door/relatives.h"

#include <optional>
#include <utility>

#include "oracle/resolve.h"

namespace conformance {

std::vector<oracle::Operator> RelativesOf(const oracle::Operator& op, oracle::Dialect dialect) {
  std::vector<oracle::Operator> relatives;
  const auto add = [&](const auto& change) {
    oracle::Operator relative = op;
    change(relative);
    if (relative != op && oracle::Resolve(relative, dialect, oracle::StepTexts::kLeftOut).ok()) {
      relatives.push_back(std::move(relative));
    }
  };
  const auto raise = [&](std::optional<oracle::Dims> oracle::Operator::* list) {
    add([list](oracle::Operator& relative) {
      if (auto& values = relative.*list; values && !values->empty()) ++values->back();
    });
  };
  raise(&oracle::Operator::strides);
  raise(&oracle::Operator::dilations);
  raise(&oracle::Operator::pads_begin);
  add([](oracle::Operator& relative) { std::swap(relative.pads_begin, relative.pads_end); });
  add([](oracle::Operator& relative) {
    ++relative.data.dims.front();
    if (relative.dst_shape) ++relative.dst_shape->front();
  });
  add([](oracle::Operator& relative) {
    const bool f32 = relative.data.type == oracle::ElementType::kF32;
    relative.data.type = relative.filter.type = f32 ? oracle::ElementType::kF16 : oracle::ElementType::kF32;
  });
  return relatives;
}

}  // namespace conformance
