// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws, encodes and decodes the values of the kernel's tests, and sums the expected outputs by the definition. It
// shares no code with the kernel.
#include "kernel/testing/test_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace deconv::testing {
namespace {

// Returns the bits of an f16: a sign, 5 bits of exponent with a bias of 15, and 10 bits of mantissa. Example: 6 = 1.5 *
// 2^2 is scaled to 1.5 * 2^10 = 0x600. Its leading bit 0x400 adds 1 to the exponent field: (2 + 14) * 0x400 + 0x600 =
// 0x4600. The result is exact for small integers, Inf and NaN; other values are rounded to nearest.
uint16_t HalfBits(double value) {
  if (std::isnan(value)) return 0x7e00;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (std::isinf(value)) return static_cast<uint16_t>(sign | 0x7c00);
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), -14);  // -14 also for subnormals, which have no leading bit
  const double scaled = std::nearbyint(std::ldexp(value, 10 - exponent));
  return static_cast<uint16_t>(sign + (((exponent + 14) << 10) + static_cast<int>(scaled)));
}

// Returns the value of an f16. Exponent 31 is Inf or NaN, exponent 0 is zero or a subnormal. Example: 0x4600 has the
// exponent 17 and the mantissa 0x200 = 512, so its value is (512 + 1024) * 2^(17 - 25) = 6.
double HalfValue(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value = mantissa == 0 ? INFINITY : NAN;
  } else {
    value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class T>
void Put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}
template <class T>
T Get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// Writes one element. Integers are taken modulo 2^n.
void Encode(deconv_type type, double value, std::byte* at) {
  switch (type) {
    case DECONV_F64:
      return Put(at, value);
    case DECONV_F32:
      return Put(at, static_cast<float>(value));
    case DECONV_F16:
      return Put(at, HalfBits(value));
    case DECONV_BF16:
      return Put(at, static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16));
    default: {
      const auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
      std::memcpy(at, &bits, BytesOf(type));  // little endian
    }
  }
}

double Decode(deconv_type type, const std::byte* at) {
  switch (type) {
    case DECONV_F64:
      return Get<double>(at);
    case DECONV_F32:
      return Get<float>(at);
    case DECONV_F16:
      return HalfValue(Get<uint16_t>(at));
    case DECONV_BF16:
      return std::bit_cast<float>(static_cast<uint32_t>(Get<uint16_t>(at)) << 16);
    case DECONV_I8:
      return Get<int8_t>(at);
    case DECONV_I16:
      return Get<int16_t>(at);
    case DECONV_I32:
      return Get<int32_t>(at);
    case DECONV_I64:
      return static_cast<double>(Get<int64_t>(at));
    case DECONV_U8:
      return Get<uint8_t>(at);
    case DECONV_U16:
      return Get<uint16_t>(at);
    case DECONV_U32:
      return Get<uint32_t>(at);
    default:
      return static_cast<double>(Get<uint64_t>(at));
  }
}

// Returns the index in memory of the logical element [n, c, position].
int64_t TensorIndex(const TestOperator& op, int64_t channels, int64_t positions, int64_t n, int64_t c,
                    int64_t position) {
  return op.channels_last ? (n * positions + position) * channels + c : (n * channels + c) * positions + position;
}

}  // namespace

Values RandomValues(std::mt19937& random, const TestOperator& op, int magnitude) {
  const bool is_unsigned = op.type >= DECONV_U8 && op.type <= DECONV_U64;
  std::uniform_int_distribution<int> draw(is_unsigned ? 0 : -magnitude, magnitude);
  Values values;
  values.data.resize(static_cast<size_t>(op.DataCount()));
  values.filter.resize(static_cast<size_t>(op.FilterCount()));
  for (double& v : values.data) v = draw(random);
  for (double& v : values.filter) v = draw(random);
  return values;
}

namespace {

// Returns the position of the output to which the product of a data position and a tap is added; -1 if it is cropped.
// Positions and taps are numbered along all axes, the innermost one first: in data of 2 x 5, position 7 is row 1,
// column 2. `output` are the sizes of the output.
int64_t OutputPositionOf(const TestOperator& op, const Dims& output, int64_t position, int64_t tap) {
  int64_t output_position = 0;
  int64_t scale = 1;
  for (size_t a = op.data.size(); a-- > 0;) {
    const int64_t o =
        op.strides[a] * (position % op.data[a]) + op.dilations[a] * (tap % op.kernel[a]) - op.pads_begin[a];
    if (o < 0 || o >= output[a]) return -1;
    output_position += o * scale;
    scale *= output[a];
    position /= op.data[a];
    tap /= op.kernel[a];
  }
  return output_position;
}

}  // namespace

std::vector<double> NaiveScatter(const TestOperator& op, const Values& values) {
  const Dims output = op.OutputSpatial();
  const int64_t positions = Product(op.data);
  const int64_t taps = Product(op.kernel);
  const int64_t outputs = Product(output);
  std::vector<double> sums(static_cast<size_t>(op.OutputCount()));
  for (int64_t position = 0; position < positions; ++position) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t output_position = OutputPositionOf(op, output, position, tap);
      if (output_position < 0) continue;
      for (int64_t n = 0; n < op.batch; ++n) {
        for (int64_t g = 0; g < op.groups; ++g) {
          for (int64_t ci = 0; ci < op.in_channels; ++ci) {
            const double x =
                values.data[static_cast<size_t>(((n * op.groups + g) * op.in_channels + ci) * positions + position)];
            for (int64_t co = 0; co < op.out_channels; ++co) {
              const double w =
                  values.filter[static_cast<size_t>(((g * op.in_channels + ci) * op.out_channels + co) * taps + tap)];
              const int64_t at = ((n * op.groups + g) * op.out_channels + co) * outputs + output_position;
              sums[static_cast<size_t>(at)] += x * w;
            }
          }
        }
      }
    }
  }
  return sums;
}

void EncodeData(const TestOperator& op, const std::vector<double>& logical, std::span<std::byte> memory) {
  const int64_t channels = op.groups * op.in_channels;
  const int64_t positions = Product(op.data);
  size_t at = 0;
  for (int64_t n = 0; n < op.batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t i = 0; i < positions; ++i) {
        const int64_t index = TensorIndex(op, channels, positions, n, c, i);
        Encode(op.type, logical[at++], memory.data() + static_cast<size_t>(index) * BytesOf(op.type));
      }
    }
  }
}

void EncodeFilter(const TestOperator& op, const std::vector<double>& logical, std::span<std::byte> memory) {
  const int64_t taps = Product(op.kernel);
  const bool xio = op.kind == DECONV_CONVOLUTION_BACKWARD_DATA && op.filter_xio;
  size_t at = 0;
  for (int64_t g = 0; g < op.groups; ++g) {
    for (int64_t ci = 0; ci < op.in_channels; ++ci) {
      for (int64_t co = 0; co < op.out_channels; ++co) {
        for (int64_t k = 0; k < taps; ++k) {
          const int64_t in = g * op.in_channels + ci;
          const int64_t index = xio ? (k * op.out_channels + co) * op.groups * op.in_channels + in
                                    : (in * op.out_channels + co) * taps + k;
          Encode(op.type, logical[at++], memory.data() + static_cast<size_t>(index) * BytesOf(op.type));
        }
      }
    }
  }
}

std::vector<double> DecodeOutput(const TestOperator& op, std::span<const std::byte> memory) {
  const int64_t channels = op.groups * op.out_channels;
  const int64_t positions = Product(op.OutputSpatial());
  std::vector<double> logical;
  logical.reserve(static_cast<size_t>(op.OutputCount()));
  for (int64_t n = 0; n < op.batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t i = 0; i < positions; ++i) {
        const int64_t index = TensorIndex(op, channels, positions, n, c, i);
        logical.push_back(Decode(op.type, memory.data() + static_cast<size_t>(index) * BytesOf(op.type)));
      }
    }
  }
  return logical;
}

double Wrapped(deconv_type type, double value) {
  if (type < DECONV_I8) return value;
  std::byte bytes[8] = {};
  Encode(type, value, bytes);
  return Decode(type, bytes);
}

// Half the distance from 1 to the next number: f16 has 10 bits of mantissa, bf16 has 7.
double Roundoff(deconv_type type) { return type == DECONV_F16 ? 0x1p-11 : type == DECONV_BF16 ? 0x1p-8 : 0; }

size_t BytesOf(deconv_type type) {
  switch (type) {
    case DECONV_F64:
    case DECONV_I64:
    case DECONV_U64:
      return 8;
    case DECONV_F32:
    case DECONV_I32:
    case DECONV_U32:
      return 4;
    case DECONV_I8:
    case DECONV_U8:
      return 1;
    default:
      return 2;
  }
}

}  // namespace deconv::testing
