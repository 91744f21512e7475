// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Encoding of values, operators of every kind, and the naive loop.
#include "kernel/testing/problem.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

namespace deconv::testing {
namespace {

int64_t Product(const Dims& dims) { return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()); }

Dims Join(std::initializer_list<Dims> parts) {
  Dims all;
  for (const Dims& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Exact for what the tests store: small integers and the specials.
uint16_t HalfBits(double value) {
  if (std::isnan(value)) return 0x7e00;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (std::isinf(value)) return static_cast<uint16_t>(sign | 0x7c00);
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), -14);
  const double scaled = std::nearbyint(std::ldexp(value, 10 - exponent));
  return static_cast<uint16_t>(sign + (((exponent + 14) << 10) + static_cast<int>(scaled)));
}

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

// Element index in memory of logical [n, c, position].
int64_t TensorIndex(const Problem& p, int64_t channels, int64_t positions, int64_t n, int64_t c, int64_t position) {
  return p.channels_last ? (n * positions + position) * channels + c : (n * channels + c) * positions + position;
}

}  // namespace

Dims Problem::OutputSpatial() const {
  Dims out;
  for (size_t a = 0; a < data.size(); ++a) {
    out.push_back(strides[a] * (data[a] - 1) + dilations[a] * (kernel[a] - 1) + 1 - pads_begin[a] - pads_end[a] +
                  output_padding[a]);
  }
  return out;
}
bool Problem::Shifted() const {
  return std::any_of(pads_begin.begin(), pads_begin.end(), [](int64_t pad) { return pad < 0; });
}
int64_t Problem::DataCount() const { return batch * groups * in_channels * Product(data); }
int64_t Problem::FilterCount() const { return groups * in_channels * out_channels * Product(kernel); }
int64_t Problem::OutputCount() const { return batch * groups * out_channels * Product(OutputSpatial()); }

std::string Problem::ToString() const {
  std::string text = "kind " + std::to_string(kind) + " type " + std::to_string(type) +
                     (channels_last ? " NXC" : " NCX") + (filter_xio ? " XIO" : "");
  text += " n" + std::to_string(batch) + " g" + std::to_string(groups) + " ci" + std::to_string(in_channels) + " co" +
          std::to_string(out_channels);
  const auto add = [&](const char* name, const Dims& dims) {
    text += std::string(" ") + name;
    for (size_t i = 0; i < dims.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
  };
  add("x", data);
  add("k", kernel);
  add("s", strides);
  add("d", dilations);
  add("pb", pads_begin);
  add("pe", pads_end);
  add("op", output_padding);
  return text;
}

ProblemOperator::ProblemOperator(const Problem& problem)
    : problem_(problem), op_(Tagged<deconv_operator>()), options_(Tagged<deconv_options>()) {
  const Problem& p = problem_;
  const int64_t in = p.groups * p.in_channels;
  const bool onednn = p.kind == DECONV_CONVOLUTION_BACKWARD_DATA;
  op_.kind = p.kind;
  op_.dialect = onednn ? DECONV_ONEDNN_SPEC : p.kind == DECONV_CONV_TRANSPOSE ? DECONV_ONNX_11 : DECONV_OPENVINO_SPEC;
  data_ = onednn && p.channels_last ? Join({{p.batch}, p.data, {in}}) : Join({{p.batch, in}, p.data});
  filter_ = p.kind == DECONV_GROUP_CONVOLUTION_BACKPROP_DATA
                ? Join({{p.groups, p.in_channels, p.out_channels}, p.kernel})
            : onednn && p.filter_xio ? Join({p.kernel, {p.out_channels, in}})
                                     : Join({{in, p.out_channels}, p.kernel});
  op_.data = Tensor(p.type, data_);
  op_.filter = Tensor(p.type, filter_);
  op_.strides = List(p.strides);
  op_.dilations = List(p.dilations);
  if (p.Shifted()) {
    output_shape_ = p.OutputSpatial();
    shape_dims_ = {static_cast<int64_t>(output_shape_.size())};
    op_.has_output_shape = 1;
    op_.output_shape = Tensor(DECONV_I64, shape_dims_);
    op_.output_shape_values = List(output_shape_);
    op_.auto_pad = "same_lower";
  } else {
    op_.pads_begin = List(p.pads_begin);
    op_.pads_end = List(p.pads_end);
  }
  op_.output_padding = List(p.output_padding);
  if (onednn) {
    const int64_t out = p.groups * p.out_channels;
    dst_ = p.channels_last ? Join({{p.batch}, p.OutputSpatial(), {out}}) : Join({{p.batch, out}, p.OutputSpatial()});
    op_.dst_shape = List(dst_);
    op_.data_format = p.channels_last ? "NXC" : "NCX";
    op_.weights_format = p.filter_xio ? "XIO" : "OIX";
  } else {
    options_.layout = p.channels_last ? DECONV_NXC : DECONV_NCX;
  }
  if (onednn || p.kind == DECONV_CONV_TRANSPOSE) {
    op_.has_groups = 1;
    op_.groups = p.groups;
  }
}

bool Fits(const Problem& problem, const char* algorithm) {
  ProblemOperator description(problem);
  description.ForceAlgorithm(algorithm);
  return Plan::Create(description.Op(), &description.Options()).has_value();
}

Problem RandomProblem(std::mt19937& random, int axes, deconv_type type) {
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const auto channels = [&] { return draw(0, 3) == 0 ? draw(1, 19) : draw(1, 5); };
  Problem p;
  p.type = type;
  const bool onednn_type = type == DECONV_F32 || type == DECONV_F16 || type == DECONV_BF16;
  p.kind = static_cast<deconv_kind>(draw(1, 4));
  if (p.kind == DECONV_CONVOLUTION_BACKWARD_DATA && !onednn_type) p.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  const bool onnx_type = type == DECONV_F64 || type == DECONV_F32 || type == DECONV_F16;
  if (p.kind == DECONV_CONV_TRANSPOSE && !onnx_type) p.kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  p.channels_last = draw(0, 1) == 1;
  p.filter_xio = draw(0, 1) == 1;
  p.batch = draw(1, 2);
  p.groups = p.kind == DECONV_CONVOLUTION_BACKPROP_DATA ? 1 : draw(1, 3);
  p.in_channels = channels();
  p.out_channels = channels();
  const bool openvino = p.kind <= DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  const bool shifted = openvino && draw(0, 5) == 0;
  for (int a = 0; a < axes; ++a) {
    // Innermost axes long enough for full tiles now and then; few taps and positions in high ranks.
    const bool inner = a + 1 == axes;
    const int64_t x = axes > 3 ? draw(1, 2) : inner && draw(0, 2) == 0 ? draw(1, axes == 1 ? 300 : 70) : draw(1, 7);
    const int64_t k = draw(1, axes > 3 ? 2 : 5);
    const int64_t s = axes > 3 ? draw(1, 2) : draw(0, 9) == 0 ? draw(5, 9) : draw(1, 4);
    const int64_t d = draw(1, axes > 3 ? 2 : 4);
    const int64_t op = draw(0, 2) == 0 ? draw(0, axes > 3 ? 1 : s + 2) : 0;
    const int64_t natural = s * (x - 1) + d * (k - 1) + 1;
    const int64_t crop = draw(0, natural + op - 1);
    const int64_t small = std::min<int64_t>(crop, draw(0, 3));
    const int64_t total = draw(0, 3) == 0 ? crop : small;
    const int64_t begin = draw(0, total);
    p.data.push_back(x);
    p.kernel.push_back(k);
    p.strides.push_back(s);
    p.dilations.push_back(d);
    p.output_padding.push_back(op);
    const int64_t shift = axes > 2 ? int64_t{inner} : draw(1, inner && draw(0, 3) == 0 ? 60 : 5);
    p.pads_begin.push_back(shifted ? -shift : begin);
    p.pads_end.push_back(shifted ? -shift : total - begin);
  }
  return p;
}

Values RandomValues(std::mt19937& random, const Problem& problem, int magnitude) {
  const bool is_unsigned = problem.type >= DECONV_U8 && problem.type <= DECONV_U64;
  std::uniform_int_distribution<int> draw(is_unsigned ? 0 : -magnitude, magnitude);
  Values values;
  values.data.resize(static_cast<size_t>(problem.DataCount()));
  values.filter.resize(static_cast<size_t>(problem.FilterCount()));
  for (double& v : values.data) v = draw(random);
  for (double& v : values.filter) v = draw(random);
  return values;
}

std::vector<double> NaiveScatter(const Problem& p, const Values& values) {
  const Dims output = p.OutputSpatial();
  const int64_t positions = Product(p.data);
  const int64_t taps = Product(p.kernel);
  const int64_t outputs = Product(output);
  std::vector<double> sums(static_cast<size_t>(p.OutputCount()));
  for (int64_t position = 0; position < positions; ++position) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      int64_t target = 0;
      int64_t scale = 1;
      int64_t i = position;
      int64_t k = tap;
      bool inside = true;
      for (size_t a = p.data.size(); a-- > 0;) {
        const int64_t o = p.strides[a] * (i % p.data[a]) + p.dilations[a] * (k % p.kernel[a]) - p.pads_begin[a];
        inside = inside && o >= 0 && o < output[a];
        target += o * scale;
        scale *= output[a];
        i /= p.data[a];
        k /= p.kernel[a];
      }
      if (!inside) continue;
      for (int64_t n = 0; n < p.batch; ++n) {
        for (int64_t g = 0; g < p.groups; ++g) {
          for (int64_t ci = 0; ci < p.in_channels; ++ci) {
            const double x =
                values.data[static_cast<size_t>(((n * p.groups + g) * p.in_channels + ci) * positions + position)];
            for (int64_t co = 0; co < p.out_channels; ++co) {
              const double w =
                  values.filter[static_cast<size_t>(((g * p.in_channels + ci) * p.out_channels + co) * taps + tap)];
              sums[static_cast<size_t>(((n * p.groups + g) * p.out_channels + co) * outputs + target)] += x * w;
            }
          }
        }
      }
    }
  }
  return sums;
}

void EncodeData(const Problem& p, const std::vector<double>& logical, std::span<std::byte> memory) {
  const int64_t channels = p.groups * p.in_channels;
  const int64_t positions = Product(p.data);
  size_t at = 0;
  for (int64_t n = 0; n < p.batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t i = 0; i < positions; ++i) {
        const int64_t index = TensorIndex(p, channels, positions, n, c, i);
        Encode(p.type, logical[at++], memory.data() + static_cast<size_t>(index) * BytesOf(p.type));
      }
    }
  }
}

void EncodeFilter(const Problem& p, const std::vector<double>& logical, std::span<std::byte> memory) {
  const int64_t taps = Product(p.kernel);
  const bool xio = p.kind == DECONV_CONVOLUTION_BACKWARD_DATA && p.filter_xio;
  size_t at = 0;
  for (int64_t g = 0; g < p.groups; ++g) {
    for (int64_t ci = 0; ci < p.in_channels; ++ci) {
      for (int64_t co = 0; co < p.out_channels; ++co) {
        for (int64_t k = 0; k < taps; ++k) {
          const int64_t in = g * p.in_channels + ci;
          const int64_t index =
              xio ? (k * p.out_channels + co) * p.groups * p.in_channels + in : (in * p.out_channels + co) * taps + k;
          Encode(p.type, logical[at++], memory.data() + static_cast<size_t>(index) * BytesOf(p.type));
        }
      }
    }
  }
}

std::vector<double> DecodeOutput(const Problem& p, std::span<const std::byte> memory) {
  const int64_t channels = p.groups * p.out_channels;
  const int64_t positions = Product(p.OutputSpatial());
  std::vector<double> logical;
  logical.reserve(static_cast<size_t>(p.OutputCount()));
  for (int64_t n = 0; n < p.batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t i = 0; i < positions; ++i) {
        const int64_t index = TensorIndex(p, channels, positions, n, c, i);
        logical.push_back(Decode(p.type, memory.data() + static_cast<size_t>(index) * BytesOf(p.type)));
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
