// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates memory and work of a case before it runs: of one operator from its sizes, of a sweep (many small operators)
// from the number of its operators. For the time it measures the oracle on a small layer, on one core. The estimate for
// a large case divides by the number of cores, because the oracle computes it on all of them.

#include "conformance/verdict/judge/resource_estimate.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/sweep_cases.h"
#include "oracle/evaluate.h"

namespace conformance {
namespace {

using oracle::Geometry;

ResourceEstimate EstimateSweep(const Sweep& sweep) {
  // A tuple (one operator of the sweep) takes some microseconds. In this time other cases compute 30 products. A tuple
  // of a dense sweep has about 1000 products. Only one batch of tuples is in memory at a time.
  const double products_per_tuple = sweep.of == SweepOf::kDense ? 1000 : 30;
  const SweepCases cases(sweep);
  return {std::uint64_t{8} << 20, products_per_tuple * static_cast<double>(cases.end() - cases.begin())};
}

ResourceEstimate EstimateByDialect(const Case& test_case, oracle::Dialect dialect) {
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  return resolution.ok() ? EstimateResources(test_case, *resolution.geometry) : ResourceEstimate{};
}

}  // namespace

double WorkOf(const Geometry& geometry) {
  return ProductsOf(geometry) + static_cast<double>(geometry.DataCount()) +
         static_cast<double>(geometry.FilterCount()) + static_cast<double>(geometry.OutputCount());
}

double PositionsOf(const Geometry& geometry) {
  double longest = 1;
  for (const oracle::Axis& axis : geometry.axes) {
    const double data = static_cast<double>(axis.stride) * static_cast<double>(axis.data);
    const double filter = static_cast<double>(axis.dilation) * static_cast<double>(axis.kernel);
    longest = std::max(longest, data + filter);
  }
  return longest * static_cast<double>(geometry.OutputCount());
}

ResourceEstimate EstimateResources(const Case& test_case, const Geometry& geometry) {
  const auto element_bytes = static_cast<double>(oracle::ElementBytes(geometry.type));
  const double inputs = static_cast<double>(geometry.DataCount()) + static_cast<double>(geometry.FilterCount());
  // The oracle also stores the inputs decoded, with 16 bytes an element. The sum is a double, because it may pass 2^64.
  double bytes = (inputs + static_cast<double>(geometry.OutputCount())) * element_bytes + inputs * 16;
  // A law keeps tensors of several operators, and one or two of their axes are longer. So 16 times the case's
  // elements are counted, at 8 bytes each.
  if (test_case.law) bytes += 16 * 8 * (inputs + static_cast<double>(geometry.OutputCount()));
  constexpr double kMost = 0x1p62;  // so that callers can add such numbers
  return {static_cast<std::uint64_t>(std::min(bytes, kMost)), ProductsOf(geometry)};
}

ResourceEstimate EstimateResources(const Case& test_case, const Capabilities& declared) {
  if (test_case.sweep) return EstimateSweep(*test_case.sweep);
  const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect || !declared.UnsupportedReason(test_case.op, *dialect).empty()) return {};
  return EstimateByDialect(test_case, *dialect);
}

ResourceEstimate EstimateResources(const Case& test_case) {
  return test_case.sweep ? EstimateSweep(*test_case.sweep) : EstimateByDialect(test_case, test_case.EffectiveDialect());
}

namespace {

using oracle::ElementType;

// Products per second of a slow core. If even this core ends a case within `shortest` seconds, nothing is measured.
constexpr double kSlowest = 1e7;

/// Products per second of one core. The measured layer has 256 input channels, 32 output channels and 4 x 4 taps, as
/// large layers have; it has 1e7 products.
template <class Sum>
double Measured(ElementType type) {
  // The geometry is not resolved from an operator, because a dialect may forbid the type, as ONNX forbids integers.
  const oracle::Geometry geometry = {
      .type = type,
      .batch = 1,
      .in_channels = 256,
      .out_channels = 32,
      .axes = std::vector<oracle::Axis>(2, {.data = 9, .kernel = 4, .stride = 2, .output = 20})};
  const auto element = static_cast<std::int64_t>(oracle::ElementBytes(type));
  // As f32 these bytes are numbers from 0.5 to 2. Sums of very different magnitudes take longer, but are rare.
  const auto values = [element](std::int64_t count) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * element));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 4 == 3 ? 0x3f : i * 37);
    return bytes;
  };
  const std::vector<std::byte> data = values(geometry.DataCount());
  const std::vector<std::byte> filter = values(geometry.FilterCount());
  const oracle::Operands operands(geometry, data, filter);
  std::vector<Sum> sums(static_cast<std::size_t>(geometry.OutputCount()));
  double least = 1;
  for (int i = 0; i < 3; ++i) {  // the least of three, because another process may delay one
    const auto start = std::chrono::steady_clock::now();
    oracle::Gather(operands, {0, geometry.OutputCount()}, std::span(sums));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    least = std::clamp(seconds.count(), 1e-6, least);
  }
  return ProductsOf(geometry) / least;
}

double FloatPace() {
  static const double pace = Measured<oracle::FloatSum>(ElementType::kF32);
  return pace;
}

double IntegerPace() {
  static const double pace = Measured<oracle::IntegerSum>(ElementType::kI32);
  return pace;
}

}  // namespace

std::string LongWorkText(const Case& test_case, const ResourceEstimate& estimate, double shortest) {
  if (test_case.sweep || test_case.law || estimate.products < shortest * kSlowest) return {};
  const double pace = oracle::IsFloat(test_case.op.data.type) ? FloatPace() : IntegerPace();
  const double seconds = estimate.products / (pace * std::max(1U, std::thread::hardware_concurrency()));
  if (seconds < shortest) return {};
  return fmt::format("{:.2g} products take the oracle about {:.0f} s", estimate.products, seconds);
}

}  // namespace conformance
