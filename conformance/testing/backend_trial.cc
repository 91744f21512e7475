// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: runs a backend with canaries (bytes that must not change) around its output, and compares the bits of the
// output with those of the oracle's gather loop. Checks planted faults (backends that are wrong on purpose) on their
// killers, the cases that show them: the fault must be wrong, and the correct variants of the same plain loop right.

#include "conformance/testing/backend_trial.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/case/random.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/mutants/hooked/number.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

constexpr std::size_t kMargin = 64;  // canaries on each side of the output: one cache line
constexpr std::byte kCanary{0xc5};

// One output of the gather loop: its bits, and the number of its products.
struct Expected {
  std::uint64_t bits;
  std::int64_t taps;
};

/// The outputs of the oracle's gather loop.
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

/// Whether an output is right: it has the expected bits, or differs only in ways that the specification leaves free.
bool SameBits(const oracle::Geometry& geometry, const Expected& expected, std::uint64_t got) {
  if (got == expected.bits) return true;
  const std::size_t bits = 8 * oracle::ElementBytes(geometry.type);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  // Every NaN counts as equal, and the sign of a zero is free (clauses V3 and V6).
  if (!IsFloat(geometry.type)) return false;
  // The bits of infinity: all bits of the exponent are set, and none of the fraction. A NaN has larger bits. Example:
  // in f16, of precision 11, 0x7FFF >> 10 << 10 is 0x7C00.
  const std::uint64_t infinity = [&] {
    const oracle::FloatFormat format = FormatOf(geometry.type);
    return (sign - 1) >> (format.precision - 1) << (format.precision - 1);
  }();
  if ((expected.bits & ~sign) > infinity) return (got & ~sign) > infinity;
  return (expected.bits & ~sign) == 0 && (got & ~sign) == 0;
}

/// Runs the backend once, on an output that is filled with `poison`. Returns an empty string or the first mistake, and
/// sets `declines` to whether the backend refused or does not support the operator.
std::string RunOnce(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect,
                    const oracle::Resolution& resolution, const Bytes& data, const Bytes& filter, std::byte poison,
                    bool& declines) {
  const auto declined = [](const RunAnswer& answer) {
    return answer.answer == DECONV_ANSWER_REFUSED || answer.answer == DECONV_ANSWER_UNSUPPORTED;
  };
  if (!resolution.ok()) {
    const RunAnswer answer = backend.Run(op, dialect, {});
    if (resolution.refusal->undefined) return "";  // every answer is accepted
    return declined(answer) ? "" : fmt::format("not refused by {}: {}", resolution.refusal->clause, answer.message);
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
  declines = declined(answer);
  if (declines && !resolution.open.empty()) return "";
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
    const std::uint64_t got = oracle::LoadBits(&inner[i * element], element);
    if (!SameBits(geometry, expected[i], got)) {
      return fmt::format("output {}: {:#x}, expected {:#x} of {} products", i, got, expected[i].bits, expected[i].taps);
    }
  }
  return "";
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
  // The poisons fill the output before a run. In floating types they are a NaN and a large number.
  std::array<bool, 2> declines{};
  constexpr std::array kPoisons = {std::byte{0xff}, std::byte{0x55}};
  for (std::size_t run = 0; run < kPoisons.size(); ++run) {
    std::string mistake = RunOnce(backend, op, dialect, resolution, data, filter, kPoisons[run], declines[run]);
    if (!mistake.empty()) return mistake;
  }
  return declines[0] == declines[1] ? "" : "computed in one run and refused in another";
}

std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect) {
  const oracle::Resolution resolution = Resolve(op, dialect);
  if (!resolution.ok()) return Mistake(backend, op, dialect, {}, {});
  const oracle::Geometry& geometry = *resolution.geometry;
  return Mistake(backend, op, dialect, SmallIntegers(geometry.type, geometry.DataCount(), 1),
                 SmallIntegers(geometry.type, geometry.FilterCount(), 2));
}

std::unique_ptr<Backend> OpenOrAbort(std::string_view name) {
  std::variant<std::unique_ptr<Backend>, BackendError> opened = OpenBackend(name);
  if (auto* error = std::get_if<BackendError>(&opened)) {
    fmt::print(stderr, "{}\n", error->message);
    std::abort();
  }
  return std::move(std::get<0>(opened));
}

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
