// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the tensors of a case for an export: resolves the case, fills its operands, and computes the outputs and
// their tolerances with the oracle. A case that exceeds the limits of size is refused. Writes case.json, which
// describes the case for programs, and tolerance_0.npy.

#include "conformance/formats/computed_case.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/given_values.h"
#include "conformance/case/text/json_text.h"
#include "conformance/formats/npy.h"
#include "conformance/verdict/bound.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"
#include "oracle/resolve.h"

namespace conformance::formats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The number of outputs that are summed at once. It limits the memory for sums to some MiB.
constexpr std::int64_t kSumsAtOnce = 1 << 15;

/// The product of two factors; the largest number of 64 bits if it overflows.
std::uint64_t ProductOrMax(std::uint64_t left, std::uint64_t right) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(left, right, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

/// Returns an empty string, or a sentence that says which limit the case exceeds.
std::string CheckSize(const oracle::Geometry& geometry, const ExportLimits& limits) {
  const auto data = static_cast<std::uint64_t>(geometry.DataCount());
  const auto filter = static_cast<std::uint64_t>(geometry.FilterCount());
  const auto output = static_cast<std::uint64_t>(geometry.OutputCount());
  // Each count is below 2^63, but the sum of three may overflow. So the largest count is compared first.
  if (std::max({data, filter, output}) > limits.elements || data + filter + output > limits.elements) {
    return fmt::format("{} elements of data, {} of filter and {} of output, expected at most {} together", data, filter,
                       output, limits.elements);
  }
  // Each data element meets each filter element of its group: an upper bound, because pads may crop products.
  std::uint64_t products = ProductOrMax(data, static_cast<std::uint64_t>(geometry.out_channels));
  for (const oracle::Axis& axis : geometry.axes)
    products = ProductOrMax(products, static_cast<std::uint64_t>(axis.kernel));
  if (products > limits.products) {
    return fmt::format("up to {} products to sum, expected at most {}", products, limits.products);
  }
  return {};
}

void StoreLittleEndian(std::uint64_t bits, std::size_t width, std::byte* target) {
  for (std::size_t i = 0; i < width; ++i) target[i] = static_cast<std::byte>((bits >> (8 * i)) & 0xff);
}

/// Returns the largest |y - expected| of a right output y. The bound holds around the exact sum, and `expected` is that
/// sum rounded, so the tolerance is the bound plus the rounding error.
double ToleranceOf(const oracle::FloatSum& sum, const Arithmetic& arithmetic) {
  if (sum.special != oracle::Special::kNone) return 0;
  const Bound bound = BoundOf(sum, arithmetic);
  const double expected = oracle::FloatValue(sum.bits, arithmetic.type);
  if (bound.anything || std::isinf(expected)) return kInfinity;
  // Near the end of the type's range infinity may be a right answer. No finite tolerance can express that.
  for (const bool negative : {false, true}) {
    const std::uint64_t infinity = oracle::InfinityBits(negative, arithmetic.type);
    if (JudgeOutput(sum, infinity, arithmetic).verdict == OutputVerdict::kRight) return kInfinity;
  }
  const double rounding = std::abs((expected - sum.sum) - sum.sum_rest);
  const double tolerance = bound.error + rounding;
  // Each of the three operations above may have rounded down. The factor is larger than these three errors together.
  return tolerance == 0 ? 0 : tolerance * (1 + 4 * std::numeric_limits<double>::epsilon());
}

/// Calls use_sum(index, sum) with the exact sum of each output. Computes kSumsAtOnce sums at a time.
template <class Sum, class UseSum>
void ForEachSum(const oracle::Operands& operands, UseSum use_sum) {
  const std::int64_t count = operands.geometry().OutputCount();
  std::vector<Sum> sums(static_cast<std::size_t>(std::min(count, kSumsAtOnce)));
  for (std::int64_t begin = 0; begin < count; begin += kSumsAtOnce) {
    const std::int64_t size = std::min(kSumsAtOnce, count - begin);
    const std::span<Sum> chunk(sums.data(), static_cast<std::size_t>(size));
    oracle::Gather(operands, {begin, size}, chunk);
    for (std::int64_t i = 0; i < size; ++i)
      use_sum(static_cast<std::size_t>(begin + i), chunk[static_cast<std::size_t>(i)]);
  }
}

void ComputeOutputs(ComputedCase& computed) {
  const oracle::Operands operands(computed.geometry, computed.data, computed.filter);
  const oracle::ElementType type = computed.geometry.type;
  const std::size_t width = oracle::ElementBytes(type);
  if (oracle::IsFloat(type)) {
    const Arithmetic arithmetic = ArithmeticOf(Capabilities{}, type);  // by default f32 sums, subnormals kept
    ForEachSum<oracle::FloatSum>(operands, [&](std::size_t i, const oracle::FloatSum& sum) {
      StoreLittleEndian(sum.bits, width, &computed.output[i * width]);
      computed.tolerance[i] = ToleranceOf(sum, arithmetic);
      computed.largest_tolerance = std::max(computed.largest_tolerance, computed.tolerance[i]);
    });
  } else {
    ForEachSum<oracle::IntegerSum>(operands, [&](std::size_t i, const oracle::IntegerSum& sum) {
      StoreLittleEndian(sum.wrapped, width, &computed.output[i * width]);
    });
  }
}

}  // namespace

std::variant<oracle::Resolution, std::string> ResolutionOf(const Case& test_case) {
  if (test_case.sweep) return std::string("a sweep is many cases, expected one");
  const oracle::Dialect dialect = test_case.EffectiveDialect();
  oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  if (resolution.ok()) return resolution;
  return fmt::format("{} {} by {}, so that there is nothing to compute: {}", oracle::DialectName(dialect),
                     resolution.refusal->undefined ? "leaves the operator undefined" : "refuses the operator",
                     resolution.refusal->clause, resolution.refusal->message);
}

std::variant<ComputedCase, std::string> ComputeCase(const Case& test_case, const ExportLimits& limits) {
  auto resolved = ResolutionOf(test_case);
  if (auto* sentence = std::get_if<std::string>(&resolved)) return std::move(*sentence);
  ComputedCase computed;
  computed.test_case = test_case;
  auto& resolution = std::get<oracle::Resolution>(resolved);
  computed.geometry = *std::move(resolution.geometry);
  computed.open = std::move(resolution.open);
  const oracle::Geometry& geometry = computed.geometry;
  if (std::string sentence = CheckSize(geometry, limits); !sentence.empty()) return sentence;
  const std::size_t width = oracle::ElementBytes(geometry.type);
  computed.data.resize(static_cast<std::size_t>(geometry.DataCount()) * width);
  computed.filter.resize(static_cast<std::size_t>(geometry.FilterCount()) * width);
  computed.output.resize(static_cast<std::size_t>(geometry.OutputCount()) * width);
  computed.tolerance.resize(static_cast<std::size_t>(geometry.OutputCount()));
  if (std::string error = FillOperands(test_case, geometry, computed.data, computed.filter); !error.empty())
    return error;
  ComputeOutputs(computed);
  return computed;
}

void AddCaseFiles(const std::string& name, const ComputedCase& computed, std::vector<ExportedFile>& files) {
  using Json = nlohmann::ordered_json;
  const oracle::Geometry& geometry = computed.geometry;
  const bool floats = oracle::IsFloat(geometry.type);
  Json tolerance = {
      {"file", "tolerance_0.npy"},
      {"largest", std::isinf(computed.largest_tolerance) ? Json("infinite") : Json(computed.largest_tolerance)},
      {"meaning",
       "a result y is right if it equals the expected one or |y - expected| <= tolerance, output by "
       "output; where NaN is expected any NaN is right; never stricter than the suite's own verdict"}};
  if (floats) {
    tolerance["accumulator"] = geometry.type == oracle::ElementType::kF64 ? "f64" : "f32";
    tolerance["subnormals"] = "kept";
  }
  Json axes = Json::array();
  for (const oracle::Axis& axis : geometry.axes) {
    axes.push_back({{"data", axis.data},
                    {"kernel", axis.kernel},
                    {"stride", axis.stride},
                    {"dilation", axis.dilation},
                    {"pad_begin", axis.pads_begin},  // the key of the format, whatever the member is called
                    {"output", axis.output}});
  }
  Json json = {{"case", ToLine(computed.test_case)},
               {"dialect", std::string(oracle::DialectName(computed.test_case.EffectiveDialect()))},
               {"element_type", std::string(oracle::ElementTypeName(geometry.type))},
               {"npy_type", std::string(NpyType(geometry.type))},
               {"output_dims", geometry.OutputDims()},
               {"axes", axes},
               {"axes_meaning", "output[stride * i + dilation * k - pad_begin] += data[i] * filter[k]"},
               {"tolerance", tolerance}};
  if (!computed.open.empty()) {
    Json points = Json::array();
    for (const oracle::OpenPoint& point : computed.open)
      points.push_back(fmt::format("{}: {}", point.clause, point.point));
    json["open"] = points;
    json["open_meaning"] = "the document leaves this open: an implementation may also refuse the operator";
  }
  if (geometry.type == oracle::ElementType::kBf16) json["note"] = "npy has no bf16: its files hold the bits as u2";
  if (!floats) json["note"] = "integers are sums modulo 2^bits";
  files.push_back({name + "/case.json", JsonText(json, 2) + "\n"});
  files.push_back({name + "/tolerance_0.npy", Npy(oracle::ElementType::kF64, geometry.OutputDims(),
                                                  std::as_bytes(std::span(computed.tolerance)))});
}

}  // namespace conformance::formats
