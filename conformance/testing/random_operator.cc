// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the kind, sizes, tensors and attributes of an operator in turn, and spoils one operator in eight.

#include "conformance/testing/random_operator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace conformance {

std::int64_t Random::Pick(std::int64_t least, std::int64_t most) {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  const std::uint64_t bits = state_ * 0x2545f4914f6cdd1dU >> 32;
  return least + static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(most - least + 1));
}

namespace {

oracle::Dims PickEach(Random& random, std::size_t count, std::int64_t least, std::int64_t most) {
  oracle::Dims values(count);
  for (std::int64_t& value : values) value = random.Pick(least, most);
  return values;
}

std::string PickAutoPad(Random& random, oracle::Dialect dialect) {
  const bool onnx = Speaks(dialect, oracle::OperatorKind::kConvTranspose);
  const bool onednn = Speaks(dialect, oracle::OperatorKind::kConvolutionBackwardData);
  switch (random.Pick(0, 3)) {
    case 0:
      return onnx ? "NOTSET" : onednn ? "None" : "explicit";
    case 1:
      return onnx || onednn ? "VALID" : "valid";
    case 2:
      return onnx || onednn ? "SAME_UPPER" : "same_upper";
    default:
      return onnx || onednn ? "SAME_LOWER" : "same_lower";
  }
}

void Spoil(Random& random, oracle::Operator& op) {
  switch (random.Pick(0, 6)) {
    case 0:
      op.pads_begin = oracle::Dims(op.data.dims.size() - 2, -1);
      break;
    case 1:
      op.strides = oracle::Dims(op.data.dims.size() - 2, 0);
      break;
    case 2:
      op.dilations = oracle::Dims(op.data.dims.size() - 1, 1);
      break;
    case 3:
      op.filter.dims[0] += 1;
      break;
    case 4:
      op.auto_pad = "same";
      break;
    case 5:
      op.filter.type = oracle::ElementType::kBoolean;
      break;
    default:
      op.data.dims.push_back(1);
      break;
  }
}

/// The sizes of a random operator, as far as its tensors' dims need them.
struct RandomSizes {
  oracle::Dims data;    ///< spatial
  oracle::Dims kernel;  ///< spatial
  std::int64_t batch = 1;
  std::int64_t groups = 1;
  std::int64_t in = 1;   ///< channels of a group
  std::int64_t out = 1;  ///< channels of a group
};

oracle::Dims Joined(const oracle::Dims& head, const oracle::Dims& spatial, const oracle::Dims& tail) {
  oracle::Dims dims = head;
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  dims.insert(dims.end(), tail.begin(), tail.end());
  return dims;
}

class OperatorDrawing {
 public:
  OperatorDrawing(Random& random, oracle::Dialect dialect, int max_rank)
      : random_(random),
        dialect_(dialect),
        max_rank_(max_rank),
        onnx_(Speaks(dialect, oracle::OperatorKind::kConvTranspose)),
        onednn_(Speaks(dialect, oracle::OperatorKind::kConvolutionBackwardData)) {}

  oracle::Operator Draw() {
    DrawKind();
    DrawSizes();
    DrawTensors();
    DrawAttributes();
    if (onednn_ || random_.OneIn(2)) DrawOutputShape();
    if (random_.OneIn(8)) Spoil(random_, op_);
    return std::move(op_);
  }

 private:
  void DrawKind() {
    using oracle::OperatorKind;
    grouped_ = !onnx_ && !onednn_ && random_.OneIn(2);
    op_.kind = onnx_      ? OperatorKind::kConvTranspose
               : onednn_  ? OperatorKind::kConvolutionBackwardData
               : grouped_ ? OperatorKind::kGroupConvolutionBackpropData
                          : OperatorKind::kConvolutionBackpropData;
  }

  void DrawSizes() {
    axes_ = static_cast<std::size_t>(random_.Pick(1, max_rank_ - 2));
    // Few elements along an axis where there are many axes.
    const std::int64_t most = axes_ <= 2 ? 5 : 2;
    sizes_.data = PickEach(random_, axes_, 1, most + 1);
    sizes_.kernel = PickEach(random_, axes_, 1, std::min<std::int64_t>(most, 3));
    sizes_.batch = random_.Pick(1, 2);
    sizes_.groups = grouped_ || onnx_ || onednn_ ? random_.Pick(1, 3) : 1;
    sizes_.in = random_.Pick(1, 2);
    sizes_.out = random_.Pick(1, 3);
  }

  void DrawTensors() {
    const auto& [data, kernel, batch, groups, in, out] = sizes_;
    nxc_ = onednn_ && !random_.OneIn(2);
    const bool xio = onednn_ && !random_.OneIn(2);
    if (onednn_ && (!nxc_ || random_.OneIn(2))) op_.data_format = nxc_ ? "NXC" : "NCX";
    if (onednn_ && (!xio || random_.OneIn(2))) op_.weights_format = xio ? "XIO" : "OIX";
    op_.data.dims = WithChannels(data, groups * in);
    op_.filter.dims = xio        ? Joined({}, kernel, {out, groups * in})
                      : grouped_ ? Joined({groups, in, out}, kernel, {})
                                 : Joined({groups * in, out}, kernel, {});
    if (onnx_ || (onednn_ && random_.OneIn(2)) || groups > 1) {
      if (!grouped_) op_.groups = groups;
    }
    const std::size_t types = onednn_ || onnx_ ? 3 : oracle::kNumericTypes.size();
    const auto type_at = static_cast<std::size_t>(random_.Pick(0, static_cast<std::int64_t>(types) - 1));
    op_.data.type = oracle::kNumericTypes[onednn_ ? type_at + 1 : type_at];  // after f64: f32, f16, bf16
    op_.filter.type = op_.data.type;
  }

  void DrawAttributes() {
    op_.strides = PickEach(random_, axes_, 1, 3);
    op_.dilations = PickEach(random_, axes_, 1, 3);
    op_.pads_begin = PickEach(random_, axes_, 0, 2);
    op_.pads_end = PickEach(random_, axes_, 0, 2);
    if (random_.OneIn(2)) op_.output_padding = PickEach(random_, axes_, 0, 2);
    if (!random_.OneIn(3)) op_.auto_pad = PickAutoPad(random_, dialect_);
    if (onnx_ && op_.auto_pad && *op_.auto_pad != "NOTSET") op_.pads_begin = op_.pads_end = std::nullopt;
  }

  void DrawOutputShape() {
    oracle::Dims shape(axes_);
    for (std::size_t j = 0; j < axes_; ++j) {
      const std::int64_t natural =
          (*op_.strides)[j] * (sizes_.data[j] - 1) + (*op_.dilations)[j] * (sizes_.kernel[j] - 1) + 1;
      shape[j] = std::max<std::int64_t>(1, natural + random_.Pick(-3, 3));
    }
    if (onednn_) shape = WithChannels(shape, sizes_.groups * sizes_.out);
    if (onnx_) {
      op_.output_shape_attribute = shape;
    } else if (onednn_ && random_.OneIn(2)) {
      op_.dst_shape = shape;
    } else {
      op_.output_shape = {oracle::ElementType::kI32, {static_cast<std::int64_t>(shape.size())}, shape};
    }
  }

  oracle::Dims WithChannels(const oracle::Dims& spatial, std::int64_t channels) const {
    return nxc_ ? Joined({sizes_.batch}, spatial, {channels}) : Joined({sizes_.batch, channels}, spatial, {});
  }

  Random& random_;
  oracle::Dialect dialect_;
  int max_rank_;
  bool onnx_;
  bool onednn_;
  bool grouped_ = false;
  bool nxc_ = false;  ///< channels last
  std::size_t axes_ = 0;
  RandomSizes sizes_;
  oracle::Operator op_;
};

}  // namespace

oracle::Operator RandomOperator(Random& random, oracle::Dialect dialect, int max_rank) {
  return OperatorDrawing(random, dialect, max_rank).Draw();
}

std::string ToText(const oracle::Operator& op) {
  std::string text =
      fmt::format("{} {} data [{}] filter {} [{}]", OperatorKindName(op.kind), ElementTypeName(op.data.type),
                  fmt::join(op.data.dims, ", "), ElementTypeName(op.filter.type), fmt::join(op.filter.dims, ", "));
  const auto add = [&](const char* name, const std::optional<oracle::Dims>& list) {
    if (list) text += fmt::format(" {} [{}]", name, fmt::join(*list, ", "));
  };
  add("strides", op.strides);
  add("dilations", op.dilations);
  add("pads_begin", op.pads_begin);
  add("pads_end", op.pads_end);
  add("output_padding", op.output_padding);
  add("dst_shape", op.dst_shape);
  add("output_shape", op.output_shape_attribute);
  if (op.output_shape) add("shape input", op.output_shape->values);
  if (op.groups) text += fmt::format(" groups {}", *op.groups);
  for (const auto& name : {op.auto_pad, op.data_format, op.weights_format}) {
    if (name) text += " " + *name;
  }
  return text;
}

}  // namespace conformance
