// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the error bound of backends that compute by transforms (FFT): against its formula with numbers worked out by
// hand, and against the errors of a real transform.

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/interface/backend.h"
#include "conformance/verdict/declared_arithmetic.h"
#include "oracle/testing/test_operators.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;

/// An operator with the values of its operands.
template <class T>
struct Trial {
  Operator op;
  std::vector<T> data;
  std::vector<T> filter;
};

template <class T>
oracle::Geometry GeometryOf(const Trial<T>& trial) {
  const oracle::Resolution resolution = oracle::Resolve(trial.op, oracle::DialectsOf(trial.op.kind).front());
  EXPECT_TRUE(resolution.ok()) << oracle::Outcome(resolution);
  return resolution.geometry.value_or(oracle::Geometry());
}

/// The errors of every output.
template <class T>
std::vector<double> Errors(const Trial<T>& trial, const Capabilities& declared = {}) {
  const oracle::Geometry geometry = GeometryOf(trial);
  const auto data = oracle::Bytes(trial.data);
  const auto filter = oracle::Bytes(trial.filter);
  const TransformErrors errors(oracle::Operands(geometry, data, filter), ArithmeticOf(declared, geometry.type));
  std::vector<double> errors_of_outputs;
  for (std::int64_t i = 0; i < geometry.OutputCount(); ++i) errors_of_outputs.push_back(errors.Of(i));
  return errors_of_outputs;
}

/// Two channels: the data norms are 5 and 13, the filter norms 2 and 1, so N = 5 * 2 + 13 * 1 = 23. The axis has
/// 2 * (2 - 1) + (3 - 1) + 1 = 5 positions, so L = 8.
Trial<float> TwoChannels() {
  Operator op = oracle::Line(2, 3, 2);
  op.data.dims = {1, 2, 2};
  op.filter.dims = {2, 1, 3};
  return {op, {3, 4, 5, 12}, {0, 2, 0, 0, 0, -1}};
}

void ExpectJustAbove(double found, double exact) {
  EXPECT_GE(found, exact);
  EXPECT_LE(found, exact * (1 + 1e-9));
}

// The expected numbers come from the formulas of bound.md, computed with 60 digits.
TEST(TransformErrors, AreThoseOfTheFormula) {
  for (const double error : Errors(Trial<float>{oracle::Line(2, 1, 1), {3, 4}, {2}})) {
    ExpectJustAbove(error, 1.64672446283588575741e-5);
  }
  for (const double error : Errors(TwoChannels())) ExpectJustAbove(error, 1.08984074890855846733e-4);
  Capabilities faithful;
  faithful.faithful_rounding = true;
  for (const double error : Errors(TwoChannels(), faithful)) ExpectJustAbove(error, 2.17969037573102313737e-4);
}

TEST(TransformErrors, OfDoublesAreThoseOfDoubles) {
  Trial<double> trial;
  trial.op = TwoChannels().op;
  trial.op.data.type = trial.op.filter.type = oracle::ElementType::kF64;
  trial.data = {3, 4, 5, 12};
  trial.filter = {0, 2, 0, 0, 0, -1};
  for (const double error : Errors(trial)) ExpectJustAbove(error, 2.02997831623181233630e-13);
}

TEST(TransformErrors, FlushingLosesMore) {
  Trial<float> tiny = TwoChannels();
  for (float& x : tiny.data) x *= 0x1p-126F;
  Capabilities flushing;
  flushing.subnormals = DECONV_SUBNORMALS_FLUSHED;
  const double kept = Errors(tiny).front();
  EXPECT_GT(kept, 0);
  // One operation loses 2^-150 or 2^-126 at most; L * (1 + C + sqrt(D) * |x| + sqrt(K) * |w|) is about 65 here.
  EXPECT_LT(kept, 0x1p-130);
  EXPECT_GT(Errors(tiny, flushing).front(), 16 * 0x1p-126 * 64);
}

TEST(TransformErrors, AreInfiniteWhereTheRangeEnds) {
  Trial<float> large = TwoChannels();
  large.data[0] = 0x1p120F;
  for (const double error : Errors(large)) EXPECT_TRUE(std::isfinite(error));
  large.data[0] = 0x1p126F;
  for (const double error : Errors(large)) EXPECT_TRUE(std::isinf(error));
}

TEST(TransformErrors, WithoutInputChannelsAreThoseOfAZero) {
  Trial<float> trial;
  trial.op = TwoChannels().op;
  trial.op.data.dims[1] = 0;
  trial.op.filter.dims[0] = 0;
  for (const double error : Errors(trial)) EXPECT_LT(error, 0x1p-130);
}

/// Two samples, two groups of two channels in and two out, two axes, as ConvolutionBackwardData.
Trial<float> Grouped(bool channels_last) {
  Operator op = oracle::AsBackwardData(oracle::Line(2, 2, 1), {2, 4, 3, 4});
  op.data.dims = {2, 4, 2, 3};
  op.filter.dims = {4, 2, 2, 2};
  op.strides = op.dilations = Dims{1, 1};
  op.pads_begin = op.pads_end = Dims{0, 0};
  op.groups = 2;
  Trial<float> trial{op, std::vector<float>(2 * 4 * 6), std::vector<float>(4 * 2 * 4)};
  // Every channel of every sample, and every pair of channels, has a different norm. A sample has 24 data elements, in
  // 4 channels of 6.
  for (std::size_t i = 0; i < trial.data.size(); ++i) {
    const std::size_t channel = i / 6;
    trial.data[i] = static_cast<float>(1 + channel * (i % 6 + 1));
  }
  for (std::size_t i = 0; i < trial.filter.size(); ++i) {
    const std::size_t pair = i / 4;
    trial.filter[i] = static_cast<float>(1 + pair * (i % 4 + 2));
  }
  if (!channels_last) return trial;
  Trial<float> last = trial;
  last.op.data_format = "NXC";
  last.op.weights_format = "XIO";
  last.op.data.dims = {2, 2, 3, 4};
  last.op.filter.dims = {2, 2, 2, 4};
  last.op.dst_shape = Dims{2, 3, 4, 4};
  // Data [sample, channel, position] of 2, 4, 6 become [sample, position, channel]; the filter [input, output, tap] of
  // 4, 2, 4 becomes [tap, output, input].
  for (std::size_t i = 0; i < trial.data.size(); ++i) {
    last.data[i / 24 * 24 + i % 6 * 4 + i / 6 % 4] = trial.data[i];
  }
  for (std::size_t i = 0; i < trial.filter.size(); ++i) {
    last.filter[i % 4 * 8 + i / 4 % 2 * 4 + i / 8] = trial.filter[i];
  }
  return last;
}

/// The errors of all outputs of Grouped(), sorted by sample, then by channel. Each of the 2 samples has 4 channels with
/// 12 outputs.
std::vector<double> ByChannel(const std::vector<double>& errors, bool channels_last) {
  std::vector<double> by_channel;
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t channel = 0; channel < 4; ++channel) {
      for (std::size_t position = 0; position < 12; ++position) {
        by_channel.push_back(
            errors[channels_last ? (n * 12 + position) * 4 + channel : (n * 4 + channel) * 12 + position]);
      }
    }
  }
  return by_channel;
}

TEST(TransformErrors, AreThoseOfSampleAndChannelInEachLayout) {
  const std::vector<double> first = ByChannel(Errors(Grouped(false)), false);
  const std::vector<double> last = ByChannel(Errors(Grouped(true)), true);
  ASSERT_EQ(first.size(), 96U);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], last[i], 1e-12 * first[i]) << i;
  for (std::size_t i = 12; i < first.size(); i += 12) EXPECT_NE(first[i], first[i - 12]) << i;
}

// A NaN makes only the errors of its own sample and group infinite.
TEST(TransformErrors, SpecialsStayInTheirSampleAndGroup) {
  for (const bool channels_last : {false, true}) {
    Trial<float> trial = Grouped(channels_last);
    // Sample 1, channel 3: of group 1.
    trial.data[channels_last ? 24 + 7 : 24 + 3 * 6] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<double> errors = ByChannel(Errors(trial), channels_last);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      // 48 outputs in a sample and 12 in a channel: channels 2 and 3 of sample 1.
      const bool mixes_nan = i / 48 == 1 && i / 12 % 4 >= 2;
      EXPECT_EQ(std::isinf(errors[i]), mixes_nan) << i;
    }
  }
}

using Complex = std::complex<float>;

/// The recursive FFT of radix 2, in place. `sign` is -1 for the forward transform and 1 for the inverse (not scaled).
void Transform(std::span<Complex> values, int sign) {
  const std::size_t half = values.size() / 2;
  if (half == 0) return;
  std::vector<Complex> even(half);
  std::vector<Complex> odd(half);
  for (std::size_t i = 0; i < half; ++i) {
    even[i] = values[2 * i];
    odd[i] = values[2 * i + 1];
  }
  Transform(even, sign);
  Transform(odd, sign);
  for (std::size_t i = 0; i < half; ++i) {
    const double angle = sign * std::numbers::pi * static_cast<double>(i) / static_cast<double>(half);
    const Complex factor(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
    values[i] = even[i] + factor * odd[i];
    values[half + i] = even[i] - factor * odd[i];
  }
}

/// Computes an operator with one axis, one output channel and no pads by transforms of the data with zeros inserted for
/// the stride. `spoils` cuts each product of spectra to the 8 bits of bf16, a planted fault.
std::vector<float> ByTransforms(const Trial<float>& trial, std::int64_t outputs, bool spoils) {
  const auto channels = static_cast<std::size_t>(trial.op.data.dims[1]);
  const auto x = static_cast<std::size_t>(trial.op.data.dims[2]);
  const auto k = static_cast<std::size_t>(trial.op.filter.dims[2]);
  const auto stride = static_cast<std::size_t>(trial.op.strides->front());
  const std::size_t length = std::bit_ceil(static_cast<std::size_t>(outputs));
  std::vector<Complex> sums(length);
  for (std::size_t c = 0; c < channels; ++c) {
    std::vector<Complex> data(length);
    std::vector<Complex> filter(length);
    for (std::size_t i = 0; i < x; ++i) data[i * stride] = trial.data[c * x + i];
    for (std::size_t i = 0; i < k; ++i) filter[i] = trial.filter[c * k + i];
    Transform(data, -1);
    Transform(filter, -1);
    for (std::size_t i = 0; i < length; ++i) {
      Complex product = data[i] * filter[i];
      if (spoils) {
        const auto coarse = [](float value) {
          return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFF0000U);
        };
        product = {coarse(product.real()), coarse(product.imag())};
      }
      sums[i] += product;
    }
  }
  Transform(sums, 1);
  std::vector<float> result;
  for (std::int64_t i = 0; i < outputs; ++i) {
    result.push_back(sums[static_cast<std::size_t>(i)].real() / static_cast<float>(length));
  }
  return result;
}

/// The largest error over its bound.
double WorstRatio(const Trial<float>& trial, bool spoils) {
  const oracle::Geometry geometry = GeometryOf(trial);
  const auto data = oracle::Bytes(trial.data);
  const auto filter = oracle::Bytes(trial.filter);
  const oracle::Operands operands(geometry, data, filter);
  std::vector<oracle::FloatSum> sums(static_cast<std::size_t>(geometry.OutputCount()));
  oracle::Gather(operands, {0, geometry.OutputCount()}, sums);
  const std::vector<double> errors = Errors(trial);
  const std::vector<float> outputs = ByTransforms(trial, geometry.OutputCount(), spoils);
  double worst = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(outputs[i]) - sums[i].sum) / errors[i]);
  }
  return worst;
}

/// An operator with one axis of `x` data elements and `k` taps, and with values from -0.5 to 0.5.
Trial<float> Random(std::int64_t channels, std::int64_t x, std::int64_t k, std::int64_t stride, std::uint64_t seed) {
  Operator op = oracle::Line(x, k, stride);
  op.data.dims = {1, channels, x};
  op.filter.dims = {channels, 1, k};
  Trial<float> trial{op, std::vector<float>(static_cast<std::size_t>(channels * x)),
                     std::vector<float>(static_cast<std::size_t>(channels * k))};
  std::mt19937_64 random(seed);
  const auto draw = [&] { return static_cast<float>(static_cast<double>(random() >> 11) * 0x1p-53 - 0.5); };
  for (float& value : trial.data) value = draw();
  for (float& value : trial.filter) value = draw();
  return trial;
}

TEST(TransformErrors, ATransformStaysBelowAndACoarseOneDoesNot) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const std::int64_t channels : {1, 3, 16}) {
      const Trial<float> trial = Random(channels, 37, 11, 2, seed);
      const double ratio = WorstRatio(trial, false);
      EXPECT_LT(ratio, 1) << channels << " channels, seed " << seed;
      EXPECT_GT(ratio, 1e-4) << channels << " channels, seed " << seed;
      EXPECT_GT(WorstRatio(trial, true), 1) << channels << " channels, seed " << seed;
    }
  }
}

}  // namespace
}  // namespace conformance
