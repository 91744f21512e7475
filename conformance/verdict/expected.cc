// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the exact sums by which the outputs of a backend are judged, on all cores if there are many products.

#include "conformance/verdict/expected.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <type_traits>

namespace conformance {

double ProductsOf(const oracle::Geometry& geometry) {
  double products_of_element = static_cast<double>(geometry.out_channels);
  for (const oracle::Axis& axis : geometry.axes) products_of_element *= static_cast<double>(axis.kernel);
  return products_of_element * static_cast<double>(geometry.DataCount());
}

namespace {

// Each thread gets at least this many products, which keep a core busy for some tens of milliseconds.
constexpr double kProductsOfAThread = 1 << 22;

/// Computes the exact sums on all cores, because one case of a model may take minutes on a single core.
template <class Sum>
void GatherInThreads(const oracle::Operands& operands, oracle::OutputRange range, std::span<Sum> sums) {
  const oracle::Geometry& geometry = operands.geometry();
  const double range_share =
      static_cast<double>(range.count) / static_cast<double>(std::max<std::int64_t>(geometry.OutputCount(), 1));
  const double useful_threads = ProductsOf(geometry) * range_share / kProductsOfAThread;
  if (useful_threads < 2) return oracle::Gather(operands, range, sums);
  const double cores = std::max(1U, std::thread::hardware_concurrency());
  const auto parts = static_cast<std::int64_t>(std::min({useful_threads, cores, static_cast<double>(range.count)}));
  const auto gather = [&](std::int64_t part) {
    const std::int64_t begin = range.count * part / parts;
    const std::int64_t count = range.count * (part + 1) / parts - begin;
    oracle::Gather(operands, {range.begin + begin, count},
                   sums.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)));
  };
  std::vector<std::jthread> threads;  // joined at the end
  for (std::int64_t part = 1; part < parts; ++part) {
    try {
      threads.emplace_back(gather, part);
    } catch (const std::system_error&) {
      gather(part);  // the system allows no further thread
    }
  }
  gather(0);
}

}  // namespace

template <class Sum>
std::span<const Sum> Expected::Sums(oracle::OutputRange range) {
  std::vector<Sum>* sums = nullptr;
  if constexpr (std::is_same_v<Sum, oracle::FloatSum>) {
    sums = &floats_;
  } else {
    sums = &integers_;
  }
  if (range.begin < held_.begin || range.begin + range.count > held_.begin + held_.count) {
    sums->resize(static_cast<std::size_t>(range.count));
    GatherInThreads<Sum>(operands_, range, *sums);
    held_ = range;
  }
  return std::span(*sums).subspan(static_cast<std::size_t>(range.begin - held_.begin),
                                  static_cast<std::size_t>(range.count));
}

template std::span<const oracle::FloatSum> Expected::Sums(oracle::OutputRange range);
template std::span<const oracle::IntegerSum> Expected::Sums(oracle::OutputRange range);

}  // namespace conformance
