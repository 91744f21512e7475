// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the oracle's speed on a small layer, on one core. The estimate for a large case divides by the number of
// cores, because the oracle computes it on all of them.

#include "conformance/verdict/judge/oracle_pace.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "oracle/evaluate.h"

namespace conformance {
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
