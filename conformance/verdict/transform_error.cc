// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the error bound of backends that compute by transforms (FFT), in double. Each result is enlarged by more
// than the roundings of this computation, so that it stays an upper bound.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "conformance/verdict/declared_arithmetic.h"
#include "conformance/verdict/round.h"
#include "oracle/float_bits.h"
#include "oracle/operands.h"

namespace conformance {
namespace {

using oracle::Axis;
using oracle::Geometry;

/// The value of the element with this flat index. The oracle keeps it as an integer times 2^exponent, or as bits.
double ValueAt(const oracle::DecodedTensor& tensor, std::size_t index, oracle::ElementType type) {
  if (tensor.raw.empty()) return std::ldexp(static_cast<double>(tensor.values[index]), tensor.exponent);
  const std::size_t bytes = oracle::ElementBytes(type);
  return oracle::FloatValue(oracle::LoadBits(tensor.raw.data() + index * bytes, bytes), type);
}

/// The 2-norms of the parts of a tensor. `part_of` maps a flat index to its part. A part with a NaN or infinite element
/// has an infinite norm.
template <class PartOf>
std::vector<double> Norms(const oracle::DecodedTensor& tensor, std::int64_t elements, std::int64_t parts,
                          oracle::ElementType type, const PartOf& part_of) {
  std::vector<double> norms(static_cast<std::size_t>(parts), 0);
  for (std::int64_t index = 0; index < elements; ++index) {
    double& norm = norms[static_cast<std::size_t>(part_of(index))];
    const double value = ValueAt(tensor, static_cast<std::size_t>(index), type);
    norm = std::isfinite(value) ? std::hypot(norm, value) : kInfinite;
  }
  const double roundings = 1 + std::ldexp(static_cast<double>(elements), -52);
  for (double& norm : norms) norm *= roundings;
  return norms;
}

/// gamma_k of rounding error analysis: the relative error of k roundings with roundoff u is at most
/// k * u / (1 - k * u).
double Gamma(double k, double u) { return k * u < 1 ? k * u / (1 - k * u) : kInfinite; }

/// The quantities L and E / N of bound.md. N is the product of the operands' norms.
struct Transform {
  double length = 1;         ///< L: points of the transform; each axis is padded to a power of two
  double error = kInfinite;  ///< E / N: the error divided by the operands' norms; infinite if there is no bound
};

/// bound.md calls `twiddle` eta, `products` rho, and `back` tau + 2 * u.
Transform TransformOf(const Geometry& geometry, double u) {
  Transform transform;
  double data = 1;
  double kernel = 1;
  for (const Axis& axis : geometry.axes) {
    data *= static_cast<double>(axis.data);
    kernel *= static_cast<double>(axis.kernel);
    const double full = static_cast<double>(axis.stride) * static_cast<double>(axis.data - 1) +
                        static_cast<double>(axis.dilation) * static_cast<double>(axis.kernel - 1) + 1;
    int exponent = 0;  // frexp: full = fraction * 2^exponent, fraction in [1/2, 1)
    const double fraction = std::frexp(std::max(full, 1.0), &exponent);
    transform.length *= std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
  }
  const double stages = std::log2(transform.length);
  const double twiddle = u + Gamma(4, u) * (std::sqrt(2.0) + u);
  const double channels = Gamma(2 * static_cast<double>(geometry.in_channels) + 2, u);
  if (!(stages * twiddle < 1) || std::isinf(channels)) return transform;
  const double tau = stages * twiddle / (1 - stages * twiddle);
  const double products = std::expm1(2 * std::log1p(tau) + std::log1p(std::sqrt(2.0) * channels));
  const double back = tau + 2 * u;
  transform.error = products + back * (std::sqrt(std::min(data, kernel)) + std::sqrt(transform.length) * products);
  return transform;
}

}  // namespace

TransformErrors::TransformErrors(const oracle::Operands& operands, const Arithmetic& arithmetic) {
  const Geometry& geometry = operands.geometry();
  const oracle::Operands::Decoded& decoded = operands.decoded();
  const std::int64_t in = geometry.in_channels;
  const std::int64_t out = geometry.out_channels;
  const std::int64_t groups = geometry.groups;
  channels_last_ = geometry.layout == oracle::DataLayout::kNxc;
  channels_ = groups * out;
  positions_ = 1;
  std::int64_t data_positions = 1;
  std::int64_t kernel = 1;
  for (const Axis& axis : geometry.axes) {
    positions_ *= axis.output;
    data_positions *= axis.data;
    kernel *= axis.kernel;
  }
  const std::int64_t data_channels = groups * in;
  // One norm for each sample and input channel: n * data_channels + channel.
  const std::vector<double> data_norms =
      Norms(decoded.data, geometry.DataCount(), geometry.batch * data_channels, geometry.type, [&](std::int64_t index) {
        if (!channels_last_) return index / data_positions;
        return index / (data_positions * data_channels) * data_channels + index % data_channels;
      });
  const bool xoi = geometry.filter_layout == oracle::FilterLayout::kXoi;
  // One norm for each pair of an input channel and an output channel of its group: input * out + output. The flat index
  // is (input * out + output) * kernel + tap; in layout XIO it is (tap * out + output) * data_channels + input.
  const std::vector<double> filter_norms =
      Norms(decoded.filter, geometry.FilterCount(), data_channels * out, geometry.type, [&](std::int64_t index) {
        return xoi ? index % data_channels * out + index / data_channels % out : index / kernel;
      });

  const oracle::FloatFormat& accumulator = arithmetic.accumulator;
  const Transform transform = TransformOf(geometry, arithmetic.accumulator_roundoff);
  const double tiny = LossBelowNormal(arithmetic);
  const double data_root = std::sqrt(static_cast<double>(data_positions));
  const double kernel_root = std::sqrt(static_cast<double>(kernel));
  errors_.resize(static_cast<std::size_t>(geometry.batch * channels_));
  for (std::int64_t n = 0; n < geometry.batch; ++n) {
    for (std::int64_t channel = 0; channel < channels_; ++channel) {
      double norm = 0;                             // N of bound.md
      double sides = 1 + static_cast<double>(in);  // the brackets in "Underflow of transforms" of bound.md
      for (std::int64_t c = 0; c < in; ++c) {
        const std::int64_t data_channel = channel / out * in + c;
        const double data_norm = data_norms[static_cast<std::size_t>(n * data_channels + data_channel)];
        const double filter_norm = filter_norms[static_cast<std::size_t>(data_channel * out + channel % out)];
        norm += data_norm * filter_norm;
        sides += data_root * data_norm + kernel_root * filter_norm;
      }
      // bound.md derives the 16. The last factor of `error` is more than the roundings of this computation.
      const double underflow = 16 * tiny * transform.length * sides * (1 + transform.error);
      double error = (transform.error * norm + underflow) * (1 + std::ldexp(static_cast<double>(in) + 16, -50));
      // If an intermediate value may overflow, every output is right.
      const double largest = transform.length * data_root * kernel_root * std::max(norm, sides);
      const double range = std::ldexp(1.0, accumulator.max_exponent - 1);
      if (!(largest * (1 + transform.error) < range) || !std::isfinite(error)) error = kInfinite;
      errors_[static_cast<std::size_t>(n * channels_ + channel)] = error;
    }
  }
}

double TransformErrors::Of(std::int64_t flat) const {
  const std::int64_t index =
      channels_last_ ? flat / (positions_ * channels_) * channels_ + flat % channels_ : flat / positions_;
  return errors_[static_cast<std::size_t>(index)];
}

}  // namespace conformance
