// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws random operators of a dialect, fills tensors with exact values, and compares bits with the gather loop.

#include "conformance/testing/backend_trial.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/open_backend.h"
#include "conformance/door/describe_operator.h"
#include "conformance/faults/number.h"
#include "oracle/evaluate.h"

namespace conformance {
namespace {

constexpr std::size_t kMargin = 64;
constexpr std::byte kCanary{0xc5};

// The bits that the gather loop expects, and how many products made them.
struct Expected {
  std::uint64_t bits;
  std::int64_t taps;
};

std::vector<Expected> Gathered(const oracle::Geometry& geometry, const Bytes& data, const Bytes& filter) {
  const oracle::Operands operands(geometry, data, filter);
  const oracle::OutputRange all{.begin = 0, .count = geometry.OutputCount()};
  const auto count = static_cast<std::size_t>(all.count);
  std::vector<Expected> expected(count);
  if (IsFloat(geometry.type)) {
    std::vector<oracle::FloatSum> sums(count);
    Gather(operands, all, sums);
    std::ranges::transform(sums, expected.begin(), [](const auto& sum) { return Expected{sum.bits, sum.taps}; });
  } else {
    std::vector<oracle::IntegerSum> sums(count);
    Gather(operands, all, sums);
    std::ranges::transform(sums, expected.begin(), [](const auto& sum) { return Expected{sum.wrapped, sum.taps}; });
  }
  return expected;
}

bool SameBits(const oracle::Geometry& geometry, const Expected& expected, std::uint64_t got) {
  if (got == expected.bits) return true;
  const std::size_t bits = 8 * oracle::ElementBytes(geometry.type);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  // Any NaN is the NaN, and the sign of a zero that products made is free (clause V6).
  if (!IsFloat(geometry.type)) return false;
  const std::uint64_t infinity = [&] {
    const oracle::FloatFormat format = FormatOf(geometry.type);
    return (sign - 1) >> (format.precision - 1) << (format.precision - 1);
  }();
  if ((expected.bits & ~sign) > infinity) return (got & ~sign) > infinity;
  return expected.taps > 0 && (expected.bits & ~sign) == 0 && (got & ~sign) == 0;
}

std::string RunOnce(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect,
                    const oracle::Resolution& resolution, const Bytes& data, const Bytes& filter, std::byte poison) {
  if (!resolution.ok()) {
    const RunAnswer answer = backend.Run(op, dialect, {});
    if (resolution.refusal->undefined) return "";  // any answer is as good
    const bool turned_away = answer.answer == DECONV_ANSWER_REFUSED || answer.answer == DECONV_ANSWER_UNSUPPORTED;
    return turned_away ? "" : fmt::format("not refused by {}: {}", resolution.refusal->clause, answer.message);
  }
  const oracle::Geometry& geometry = *resolution.geometry;
  const std::size_t element = oracle::ElementBytes(geometry.type);
  const auto count = static_cast<std::size_t>(geometry.OutputCount());
  Bytes data_sent = data;
  Bytes filter_sent = filter;
  Bytes output(count * element + 2 * kMargin, kCanary);
  const std::span<std::byte> inner = std::span(output).subspan(kMargin, count * element);
  std::ranges::fill(inner, poison);

  const RunAnswer answer = backend.Run(op, dialect, {.data = data_sent, .filter = filter_sent, .output = inner});
  if (answer.answer != DECONV_ANSWER_COMPUTED) {
    return fmt::format("answer {}: {}", static_cast<int>(answer.answer), answer.message);
  }
  if (answer.output_dims != geometry.OutputDims()) {
    return fmt::format("dims [{}], expected [{}]", fmt::join(answer.output_dims, ", "),
                       fmt::join(geometry.OutputDims(), ", "));
  }
  if (data_sent != data || filter_sent != filter) return "an input was changed";
  const auto is_canary = [](std::byte byte) { return byte == kCanary; };
  if (!std::all_of(output.begin(), output.begin() + kMargin, is_canary) ||
      !std::all_of(output.end() - kMargin, output.end(), is_canary)) {
    return "written outside the output";
  }
  const std::vector<Expected> expected = Gathered(geometry, data, filter);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t got = 0;
    for (std::size_t byte = element; byte-- > 0;)
      got = got << 8 | std::to_integer<std::uint64_t>(inner[i * element + byte]);
    if (!SameBits(geometry, expected[i], got)) {
      return fmt::format("output {}: {:#x}, expected {:#x} of {} products", i, got, expected[i].bits, expected[i].taps);
    }
  }
  return "";
}

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

}  // namespace

Bytes ElementsOf(oracle::ElementType type, const std::vector<double>& values) {
  const auto id = static_cast<std::int32_t>(ElementTypeId(type));
  const std::size_t element = oracle::ElementBytes(type);
  Bytes bytes(values.size() * element);
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto* const at = reinterpret_cast<unsigned char*>(bytes.data() + i * element);
    if (IsFloat(type)) {
      faults::StoreDouble(id, values[i], at);
    } else {
      faults::StoreInteger(id, static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])), at);
    }
  }
  return bytes;
}

Bytes SmallIntegers(oracle::ElementType type, std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  const bool negative = IsFloat(type) || IsSigned(type);
  for (double& value : values) {
    value = static_cast<double>(random.Pick(1, 2));
    if (negative && random.OneIn(2)) value = -value;
  }
  return ElementsOf(type, values);
}

std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect, const Bytes& data,
                    const Bytes& filter) {
  const oracle::Resolution resolution = Resolve(op, dialect);
  // As floating types the poisons are a NaN and a large number.
  for (const std::byte poison : {std::byte{0xff}, std::byte{0x55}}) {
    std::string mistake = RunOnce(backend, op, dialect, resolution, data, filter, poison);
    if (!mistake.empty()) return mistake;
  }
  return "";
}

std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect) {
  const oracle::Resolution resolution = Resolve(op, dialect);
  if (!resolution.ok()) return Mistake(backend, op, dialect, {}, {});
  const oracle::Geometry& geometry = *resolution.geometry;
  return Mistake(backend, op, dialect, SmallIntegers(geometry.type, geometry.DataCount(), 1),
                 SmallIntegers(geometry.type, geometry.FilterCount(), 2));
}

std::unique_ptr<Backend> MustOpen(std::string_view name) {
  std::variant<std::unique_ptr<Backend>, BackendError> opened = OpenBackend(name);
  if (auto* error = std::get_if<BackendError>(&opened)) {
    fmt::print(stderr, "{}\n", error->message);
    std::abort();
  }
  return std::move(std::get<0>(opened));
}

std::int64_t Random::Pick(std::int64_t least, std::int64_t most) {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  const std::uint64_t bits = state_ * 0x2545f4914f6cdd1dU >> 32;
  return least + static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(most - least + 1));
}

oracle::Operator RandomOperator(Random& random, oracle::Dialect dialect, int max_rank) {
  const bool onnx = Speaks(dialect, oracle::OperatorKind::kConvTranspose);
  const bool onednn = Speaks(dialect, oracle::OperatorKind::kConvolutionBackwardData);
  oracle::Operator op;
  using oracle::OperatorKind;
  const bool grouped = !onnx && !onednn && random.OneIn(2);
  op.kind = onnx      ? OperatorKind::kConvTranspose
            : onednn  ? OperatorKind::kConvolutionBackwardData
            : grouped ? OperatorKind::kGroupConvolutionBackpropData
                      : OperatorKind::kConvolutionBackpropData;
  const auto axes = static_cast<std::size_t>(random.Pick(1, max_rank - 2));
  // Few elements an axis where there are many axes.
  const std::int64_t most = axes <= 2 ? 5 : 2;
  const oracle::Dims data = PickEach(random, axes, 1, most + 1);
  const oracle::Dims kernel = PickEach(random, axes, 1, std::min<std::int64_t>(most, 3));
  const std::int64_t batch = random.Pick(1, 2);
  const std::int64_t groups = grouped || onnx || onednn ? random.Pick(1, 3) : 1;
  const std::int64_t in = random.Pick(1, 2);
  const std::int64_t out = random.Pick(1, 3);

  const bool nxc = onednn && !random.OneIn(2);
  const bool xio = onednn && !random.OneIn(2);
  if (onednn && (!nxc || random.OneIn(2))) op.data_format = nxc ? "NXC" : "NCX";
  if (onednn && (!xio || random.OneIn(2))) op.weights_format = xio ? "XIO" : "OIX";
  const auto join = [&](const oracle::Dims& head, const oracle::Dims& spatial, const oracle::Dims& tail) {
    oracle::Dims dims = head;
    dims.insert(dims.end(), spatial.begin(), spatial.end());
    dims.insert(dims.end(), tail.begin(), tail.end());
    return dims;
  };
  op.data.dims = nxc ? join({batch}, data, {groups * in}) : join({batch, groups * in}, data, {});
  op.filter.dims = xio       ? join({}, kernel, {out, groups * in})
                   : grouped ? join({groups, in, out}, kernel, {})
                             : join({groups * in, out}, kernel, {});
  if (onnx || (onednn && random.OneIn(2)) || groups > 1) {
    if (!grouped) op.groups = groups;
  }

  const std::size_t types = onednn ? 3 : onnx ? 3 : oracle::kNumericTypes.size();
  const auto type_at = static_cast<std::size_t>(random.Pick(0, static_cast<std::int64_t>(types) - 1));
  op.data.type = oracle::kNumericTypes[onednn ? type_at + 1 : type_at];  // after f64: f32, f16, bf16
  op.filter.type = op.data.type;

  op.strides = PickEach(random, axes, 1, 3);
  op.dilations = PickEach(random, axes, 1, 3);
  op.pads_begin = PickEach(random, axes, 0, 2);
  op.pads_end = PickEach(random, axes, 0, 2);
  if (random.OneIn(2)) op.output_padding = PickEach(random, axes, 0, 2);
  if (!random.OneIn(3)) op.auto_pad = PickAutoPad(random, dialect);
  if (onnx && op.auto_pad && *op.auto_pad != "NOTSET") op.pads_begin = op.pads_end = std::nullopt;

  if (onednn || random.OneIn(2)) {
    oracle::Dims shape(axes);
    for (std::size_t j = 0; j < axes; ++j) {
      const std::int64_t natural = (*op.strides)[j] * (data[j] - 1) + (*op.dilations)[j] * (kernel[j] - 1) + 1;
      shape[j] = std::max<std::int64_t>(1, natural + random.Pick(-3, 3));
    }
    if (onednn) shape = nxc ? join({batch}, shape, {groups * out}) : join({batch, groups * out}, shape, {});
    if (onnx) {
      op.output_shape_attribute = shape;
    } else if (onednn && random.OneIn(2)) {
      op.dst_shape = shape;
    } else {
      op.output_shape = {oracle::ElementType::kI32, {static_cast<std::int64_t>(shape.size())}, shape};
    }
  }
  if (random.OneIn(8)) Spoil(random, op);
  return op;
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
