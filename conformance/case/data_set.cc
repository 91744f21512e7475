// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The generator of conformance/case/data_sets.md. Every element is a function of (set, seed, tensor, flat index,
// geometry): no state runs from one element to the next.

#include "conformance/case/data_set.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::Geometry;

// SplitMix64: its increment and its finaliser.
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

std::uint64_t Mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

struct Stream {
  std::uint64_t key;

  Stream(std::uint64_t seed, Tensor tensor) : key(Mix(Mix(seed + kGolden) + static_cast<std::uint64_t>(tensor) + 1)) {}
  std::uint64_t Draw(std::uint64_t index) const { return Mix(key + (index + 1) * kGolden); }
};

// Uniform in [0, count): the high half of a draw, scaled.
std::uint64_t Pick(std::uint64_t draw, std::uint64_t count) { return ((draw >> 32) * count) >> 32; }

// The most products that an output can sum, at least 1; so large a number that it decides nothing stands for overflow.
std::uint64_t TapsOf(const Geometry& geometry) {
  constexpr std::uint64_t many = std::uint64_t{1} << 40;
  std::uint64_t taps = 1;
  const auto multiply = [&](std::int64_t factor) {
    const std::uint64_t f = std::max<std::uint64_t>(static_cast<std::uint64_t>(factor), 1);
    taps = f > many / taps ? many : taps * f;
  };
  multiply(geometry.in_channels);
  for (const oracle::Axis& axis : geometry.axes) multiply(axis.kernel);
  return taps;
}

// Sums of magnitudes up to 2^ExactBits are exact in the type.
int ExactBits(ElementType type) {
  if (oracle::IsFloat(type)) return oracle::FormatOf(type).precision;
  return static_cast<int>(oracle::ElementBytes(type)) * 8 - (oracle::IsSigned(type) ? 1 : 0);
}

// Magnitudes are 1 to Amplitude. 15 tells enough values apart; below 2 the values of an unsigned type would all be
// equal and a wrong index would show nowhere, so then the sum may leave the exact range of a narrow type (f16 and bf16
// are then rounded once, integers wrap).
std::uint64_t Amplitude(const Geometry& geometry) {
  constexpr std::uint64_t known_least = 2;
  constexpr std::uint64_t known_most = 15;
  const std::uint64_t taps = TapsOf(geometry);
  const std::uint64_t limit = (std::uint64_t{1} << std::min(ExactBits(geometry.type), 62)) - 1;
  std::uint64_t amplitude = known_most;
  while (amplitude > known_least && amplitude * amplitude * taps > limit) --amplitude;
  return amplitude;
}

// The bits of a small integer in a type; exact in all of them, so the conversion is a shift of its binary digits.
std::uint64_t SmallInteger(ElementType type, std::int64_t value) {
  if (!oracle::IsFloat(type)) return static_cast<std::uint64_t>(value);
  const oracle::FloatFormat format = oracle::FormatOf(type);
  const std::uint64_t magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  const int fraction_bits = format.precision - 1;
  const std::uint64_t sign = value < 0 ? 1 : 0;
  const std::uint64_t fraction = (magnitude << (fraction_bits - exponent)) & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto biased = static_cast<std::uint64_t>(exponent + format.max_exponent - 1);
  const int bits = static_cast<int>(oracle::ElementBytes(type)) * 8;
  return (sign << (bits - 1)) | (biased << fraction_bits) | fraction;
}

// Puts sign, exponent and fraction of a floating type together.
class FloatMaker {
 public:
  explicit FloatMaker(ElementType type)
      : format_(oracle::FormatOf(type)),
        fraction_bits_(format_.precision - 1),
        sign_shift_(static_cast<int>(oracle::ElementBytes(type)) * 8 - 1) {}

  const oracle::FloatFormat& format() const { return format_; }
  int fraction_bits() const { return fraction_bits_; }

  std::uint64_t Normal(bool negative, int exponent, std::uint64_t fraction) const {
    const auto biased = static_cast<std::uint64_t>(exponent + format_.max_exponent - 1);
    return Signed(negative, (biased << fraction_bits_) | Fraction(fraction));
  }
  std::uint64_t Subnormal(bool negative, std::uint64_t fraction) const {
    return Signed(negative, std::max<std::uint64_t>(Fraction(fraction), 1));
  }
  std::uint64_t Zero(bool negative) const { return Signed(negative, 0); }
  std::uint64_t Infinity(bool negative) const {
    return Signed(negative, static_cast<std::uint64_t>(2 * format_.max_exponent - 1) << fraction_bits_);
  }
  std::uint64_t Nan() const { return Infinity(false) | (std::uint64_t{1} << (fraction_bits_ - 1)); }

 private:
  std::uint64_t Fraction(std::uint64_t draw) const { return draw & ((std::uint64_t{1} << fraction_bits_) - 1); }
  std::uint64_t Signed(bool negative, std::uint64_t bits) const {
    return bits | (static_cast<std::uint64_t>(negative) << sign_shift_);
  }

  oracle::FloatFormat format_;
  int fraction_bits_;
  int sign_shift_;
};

int CeilLog2(std::uint64_t value) { return static_cast<int>(std::bit_width(value - 1)); }
int FloorHalf(int value) { return value >= 0 ? value / 2 : -((1 - value) / 2); }

template <typename Word, typename Element>
void FillWords(std::span<std::byte> bytes, Element element) {
  const std::size_t count = bytes.size() / sizeof(Word);
  std::byte* out = bytes.data();
  for (std::size_t i = 0; i < count; ++i, out += sizeof(Word)) {
    const auto word = static_cast<Word>(element(static_cast<std::uint64_t>(i)));
    std::memcpy(out, &word, sizeof(Word));
  }
}

// `element(index)` gives the bits of an element in the low bits of a uint64.
template <typename Element>
void Fill(ElementType type, std::span<std::byte> bytes, Element element) {
  switch (oracle::ElementBytes(type)) {
    case 1:
      return FillWords<std::uint8_t>(bytes, element);
    case 2:
      return FillWords<std::uint16_t>(bytes, element);
    case 4:
      return FillWords<std::uint32_t>(bytes, element);
    default:
      return FillWords<std::uint64_t>(bytes, element);
  }
}

// All values an integer element can have, as bits: -A..-1, 1..A, or 1..A for an unsigned type.
std::vector<std::uint64_t> IntegerValues(const Geometry& geometry) {
  const auto amplitude = static_cast<std::int64_t>(Amplitude(geometry));
  std::vector<std::uint64_t> values;
  for (std::int64_t v = oracle::IsSigned(geometry.type) ? -amplitude : 1; v <= amplitude; ++v) {
    if (v != 0) values.push_back(SmallInteger(geometry.type, v));
  }
  return values;
}

void FillIntegers(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  const std::vector<std::uint64_t> values = IntegerValues(geometry);
  Fill(geometry.type, bytes,
       [&values, stream, count = values.size()](std::uint64_t i) { return values[Pick(stream.Draw(i), count)]; });
}

void FillReals(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  // Scaled down so that a sum of all taps stays near 1, also in f16.
  const int high = -(CeilLog2(TapsOf(geometry)) / 2);
  Fill(geometry.type, bytes, [make, stream, high](std::uint64_t i) {
    const std::uint64_t a = stream.Draw(i);
    return make.Normal((a >> 63) != 0, high - static_cast<int>((a >> 62) & 1), a);
  });
}

void FillWide(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  if (oracle::IsInteger(geometry.type)) {
    return Fill(geometry.type, bytes, [stream](std::uint64_t i) { return stream.Draw(i); });
  }
  const FloatMaker make(geometry.type);
  // Products of two elements neither overflow when all taps are summed, nor fall below the normal range.
  const int high = FloorHalf(make.format().max_exponent - 1 - CeilLog2(TapsOf(geometry))) - 1;
  const int low = std::min(make.format().min_exponent / 2, high);
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  Fill(geometry.type, bytes, [make, stream, low, count](std::uint64_t i) {
    const std::uint64_t a = stream.Draw(i);
    const int exponent = low + static_cast<int>(Pick(Mix(a + kGolden), count));
    return make.Normal((a >> 63) != 0, exponent, a);
  });
}

struct FilterPlace {
  std::uint64_t in_channel;   ///< within its group
  std::uint64_t out_channel;  ///< likewise
  std::uint64_t tap;          ///< flat position in the kernel
};

// Where the elements of a filter stand, for values that depend on it.
class FilterPlaces {
 public:
  explicit FilterPlaces(const Geometry& geometry)
      : geometry_(geometry),
        in_(static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.in_channels, 1))),
        out_(static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.out_channels, 1))) {
    for (const oracle::Axis& axis : geometry.axes) kernel_ *= static_cast<std::uint64_t>(axis.kernel);
  }

  /// Products of an output that all of its group's taps reach.
  std::uint64_t terms() const { return in_ * kernel_; }
  /// Which of them an element belongs to.
  std::uint64_t Term(const FilterPlace& place) const { return place.in_channel * kernel_ + place.tap; }

  FilterPlace Of(std::uint64_t index) const {
    if (geometry_.filter_layout == oracle::FilterLayout::kXoi) {
      const std::uint64_t channels = in_ * static_cast<std::uint64_t>(geometry_.groups);
      return {index % channels % in_, index / channels % out_, index / channels / out_};
    }
    return {index / kernel_ / out_ % in_, index / kernel_ % out_, index % kernel_};
  }

  /// Neighbouring channels, and neighbouring taps of one stride phase, alternate.
  bool Alternates(std::uint64_t index) const {
    const FilterPlace place = Of(index);
    std::uint64_t ordinal = place.in_channel;
    std::uint64_t tap = place.tap;
    for (std::size_t j = geometry_.axes.size(); j-- > 0;) {
      const auto size = static_cast<std::uint64_t>(geometry_.axes[j].kernel);
      ordinal += tap % size / static_cast<std::uint64_t>(geometry_.axes[j].stride);
      tap /= size;
    }
    return ordinal % 2 != 0;
  }

  /// The upper half of a group's input channels.
  bool InUpperHalf(std::uint64_t index) const { return 2 * Of(index).in_channel >= in_; }

 private:
  const Geometry& geometry_;
  std::uint64_t in_;
  std::uint64_t out_;
  std::uint64_t kernel_ = 1;
};

void FillCancellation(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const FilterPlaces places(geometry);
  const int exponent = -(CeilLog2(TapsOf(geometry)) / 2);
  // All magnitudes agree in the upper half of the significand, so that a sum leaves only the lower halves.
  const std::uint64_t low_half = (std::uint64_t{1} << ((make.fraction_bits() + 1) / 2)) - 1;
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    return make.Normal(tensor == Tensor::kFilter && places.Alternates(i), exponent, stream.Draw(i) & low_half);
  });
}

void FillSubnormals(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const int middle = make.format().min_exponent / 2;
  Fill(geometry.type, bytes, [make, stream, middle, tensor](std::uint64_t i) {
    const std::uint64_t a = stream.Draw(i);
    const std::uint64_t b = Mix(a + kGolden);
    const bool negative = (a >> 63) != 0;
    const std::uint64_t sort = Pick(b, 8);
    // One data element in four and one filter element in eight is subnormal. A quarter of the filter is near 1 and
    // keeps subnormal data subnormal; the other products straddle the smallest normal number.
    if (sort == 0 || (sort == 1 && tensor == Tensor::kData)) return make.Subnormal(negative, a);
    if (tensor == Tensor::kFilter && sort <= 2) return make.Normal(negative, static_cast<int>(b % 3) - 1, a);
    return make.Normal(negative, middle - 5 + static_cast<int>(b % 8), a);
  });
}

void FillSpecials(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const std::vector<std::uint64_t> values = IntegerValues(geometry);
  const std::uint64_t count = bytes.size() / oracle::ElementBytes(geometry.type);
  if (count == 0) return;
  // One element in `period` is special, and at least one: rare enough that finite outputs remain.
  const std::uint64_t period = std::min(count, std::max<std::uint64_t>(4 * TapsOf(geometry), 11));
  const std::uint64_t phase = stream.key % period;
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    const std::uint64_t a = stream.Draw(i);
    if (i % period != phase) return values[Pick(a, values.size())];
    const std::uint64_t sort = Pick(a, 3);
    return sort == 0 ? make.Nan() : make.Infinity(sort == 1);
  });
}

// All products of the lower half of the channels are positive, those of the upper half negative: with enough taps each
// partial sum climbs out of the range of the type and comes back. The magnitudes fall with the root of the taps, as
// the difference of two such halves grows, so that about as many sums stay in the range as leave it.
void FillOverflow(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const FilterPlaces places(geometry);
  const int middle = make.format().max_exponent / 2 - 1;
  const int lowered = middle - CeilLog2(TapsOf(geometry)) / 2;
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    const std::uint64_t a = stream.Draw(i);
    const std::uint64_t b = Mix(a + kGolden);
    if (tensor == Tensor::kData) return make.Normal(false, lowered + static_cast<int>(b % 2), a);
    return make.Normal(places.InUpperHalf(i), middle + 1 - static_cast<int>(b % 3), a);
  });
}

void FillZeros(const Stream& stream, std::uint64_t seed, const Geometry& geometry, Tensor tensor,
               std::span<std::byte> bytes) {
  const Tensor with_zeros = seed % 2 == 0 ? Tensor::kData : Tensor::kFilter;
  const FloatMaker make(geometry.type);
  const std::vector<std::uint64_t> values = IntegerValues(geometry);
  const std::uint64_t taps = TapsOf(geometry);
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    const std::uint64_t a = stream.Draw(i);
    const std::uint64_t b = Mix(a + kGolden);
    const bool negative = (a & 1) != 0;
    // Half of the one tensor's elements are zeros. About one of the other's in as many as meet in an output is
    // infinite, so that sums without one remain.
    if (tensor == with_zeros && Pick(b, 2) == 0) return make.Zero(negative);
    if (tensor != with_zeros && Pick(b, std::max<std::uint64_t>(taps, 3)) == 0) return make.Infinity(negative);
    return values[Pick(a, values.size())];
  });
}

void FillExtremes(const Stream& stream, ElementType type, std::span<std::byte> bytes) {
  const int bits = static_cast<int>(oracle::ElementBytes(type)) * 8;
  const std::uint64_t lowest = oracle::IsSigned(type) ? std::uint64_t{1} << (bits - 1) : 0;
  // Wraps where the type does: the number before the lowest is the highest.
  const std::array<std::uint64_t, 6> values = {lowest, lowest - 1, lowest + 1, lowest - 2, 1, ~std::uint64_t{0}};
  Fill(type, bytes, [&values, stream](std::uint64_t i) { return values[Pick(stream.Draw(i), values.size())]; });
}

void FillTaps(const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const auto step = tensor == Tensor::kData ? static_cast<std::uint64_t>(geometry.FilterCount()) : 1;
  const oracle::ElementType type = geometry.type;
  Fill(type, bytes, [step, type](std::uint64_t i) {
    const std::uint64_t exponent = step * i;
    return oracle::IsFloat(type) ? FloatMaker(type).Normal(false, static_cast<int>(exponent), 0)
                                 : std::uint64_t{1} << exponent;
  });
}

// Powers of two beside which small odd numbers are rounded: by 11 bits, and by 24, which only f64 sums are exact for.
std::vector<int> SwampingExponents(ElementType type) {
  constexpr int past_f32 = 25;
  constexpr int past_f16 = 12;
  switch (type) {
    case ElementType::kF64:
      return {past_f32};
    case ElementType::kF16:
      return {past_f16};  // 2^25 is beyond its range
    default:
      return {past_f16, past_f32};
  }
}

// Sums of data that are 1, so that the filter's elements are the terms. Output channel after output channel, the large
// terms stand in other places, since only an addition of a small one between them loses something.
void FillSwamping(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FilterPlaces places(geometry);
  const std::uint64_t terms = places.terms();
  const std::vector<int> exponents = SwampingExponents(geometry.type);
  const FloatMaker make(geometry.type);
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    if (tensor == Tensor::kData) return SmallInteger(geometry.type, 1);
    const std::uint64_t small = SmallInteger(geometry.type, 1 + 2 * static_cast<std::int64_t>(stream.Draw(i) >> 63));
    if (terms < 3) return small;
    const FilterPlace place = places.Of(i);
    const std::uint64_t pairs = terms * (terms - 1);
    const std::uint64_t pair = place.out_channel % pairs;
    const std::uint64_t positive = pair % terms;
    const std::uint64_t negative = (positive + 1 + pair / terms) % terms;
    const std::uint64_t term = places.Term(place);
    if (term != positive && term != negative) return small;
    return make.Normal(term == negative, exponents[place.out_channel / pairs % exponents.size()], 0);
  });
}

}  // namespace

std::string_view DataSetName(DataSet set) {
  switch (set) {
    case DataSet::kIntegers:
      return "integers";
    case DataSet::kReals:
      return "reals";
    case DataSet::kWide:
      return "wide";
    case DataSet::kCancellation:
      return "cancellation";
    case DataSet::kSubnormals:
      return "subnormals";
    case DataSet::kSpecials:
      return "specials";
    case DataSet::kOverflow:
      return "overflow";
    case DataSet::kZeros:
      return "zeros";
    case DataSet::kExtremes:
      return "extremes";
    case DataSet::kTaps:
      return "taps";
    case DataSet::kSwamping:
      return "swamping";
  }
  return {};
}

std::optional<DataSet> ParseDataSet(std::string_view name) {
  for (const DataSet set : kDataSets) {
    if (DataSetName(set) == name) return set;
  }
  return std::nullopt;
}

bool Suits(DataSet set, oracle::ElementType type) {
  if (set == DataSet::kIntegers || set == DataSet::kWide || set == DataSet::kTaps) return true;
  return (set == DataSet::kExtremes) != oracle::IsFloat(type);
}

// Products are 2^0 to 2^(data_count * filter_count - 1), each at most once in a sum.
bool TapsFit(std::int64_t data_count, std::int64_t filter_count, oracle::ElementType type) {
  const int bits = ExactBits(type);
  return data_count <= bits && filter_count <= bits && data_count * filter_count <= bits;
}

void FillTensor(DataSet set, std::uint64_t seed, const oracle::Geometry& geometry, Tensor tensor,
                std::span<std::byte> bytes) {
  const Stream stream(seed, tensor);
  const bool fits = set != DataSet::kTaps || TapsFit(geometry.DataCount(), geometry.FilterCount(), geometry.type);
  if (!Suits(set, geometry.type) || !fits) set = DataSet::kIntegers;
  switch (set) {
    case DataSet::kIntegers:
      return FillIntegers(stream, geometry, bytes);
    case DataSet::kReals:
      return FillReals(stream, geometry, bytes);
    case DataSet::kWide:
      return FillWide(stream, geometry, bytes);
    case DataSet::kCancellation:
      return FillCancellation(stream, geometry, tensor, bytes);
    case DataSet::kSubnormals:
      return FillSubnormals(stream, geometry, tensor, bytes);
    case DataSet::kSpecials:
      return FillSpecials(stream, geometry, bytes);
    case DataSet::kOverflow:
      return FillOverflow(stream, geometry, tensor, bytes);
    case DataSet::kZeros:
      return FillZeros(stream, seed, geometry, tensor, bytes);
    case DataSet::kExtremes:
      return FillExtremes(stream, geometry.type, bytes);
    case DataSet::kTaps:
      return FillTaps(geometry, tensor, bytes);
    case DataSet::kSwamping:
      return FillSwamping(stream, geometry, tensor, bytes);
  }
}

}  // namespace conformance
