// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests packing, the rearrangement of a filter's weights for a register tile. Compares packed filters with plain loops
// that follow the order of PackOrder (pack.h) element by element. All buffers lie between guard pages, at addresses of
// any alignment.
#include "kernel/base/pack.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/testing/guarded.h"

namespace deconv {
namespace {

using testing::Flush;
using testing::Guarded;

// A filter, and the order in which it is packed.
struct Case {
  PackOrder order;
  std::vector<LaneTiles> tiles;
  std::vector<std::vector<int64_t>> phases;  // the taps of each phase, in the order in which they are packed
  std::vector<TapPosition> positions;        // the position of each tap

  int64_t Elements() const { return order.groups * order.in_channels * order.filled_lanes * order.taps; }
  int64_t PackedBytes() const {
    return order.groups * order.padded_lanes * order.taps * order.Units() * order.form.UnitBytes();
  }
  // Returns the index of a weight in the filter.
  int64_t From(int64_t group, int64_t in, int64_t lane, int64_t tap) const {
    return group * order.group_stride + in * order.in_stride + lane / order.inner_lanes * order.outer_stride +
           lane % order.inner_lanes * order.inner_stride + tap * order.tap_stride;
  }
  bool Uses(int64_t tap) const { return positions[static_cast<size_t>(tap)].phase_taps > 0; }
};

// Packs one unit (`depth` input channels) of one tap, for all lanes of a tile. Returns the end of the written bytes.
char* ReferenceUnit(const Case& c, const char* filter, int64_t group, const LaneTiles& tiles, int64_t tile, int64_t tap,
                    int64_t unit, char* to) {
  const PackedForm& form = c.order.form;
  for (int64_t i = 0; i < tiles.lanes; ++i) {
    const int64_t lane = tiles.first_lane + tile * tiles.lanes + i;
    for (int64_t in = unit * form.depth; in < (unit + 1) * form.depth; ++in, to += form.part_bytes) {
      if (lane >= c.order.filled_lanes || in >= c.order.in_channels) continue;  // the part stays 0
      form.convert(filter + c.From(group, in, lane, tap) * form.element_bytes, 1, to);
    }
  }
  return to;
}

// Packs the whole filter by plain loops.
void Reference(const Case& c, const char* filter, char* packed) {
  std::memset(packed, 0, static_cast<size_t>(c.PackedBytes()));
  for (int64_t group = 0; group < c.order.groups; ++group) {
    for (const LaneTiles& tiles : c.tiles) {
      for (int64_t tile = 0; tile < tiles.tiles; ++tile) {
        char* to = packed + (group * c.order.padded_lanes + tiles.first_lane + tile * tiles.lanes) * c.order.taps *
                                c.order.Units() * c.order.form.UnitBytes();
        for (const std::vector<int64_t>& phase : c.phases) {
          for (int64_t first = 0; first < c.order.Units(); first += c.order.kc) {
            for (const int64_t tap : phase) {
              for (int64_t unit = first; unit < std::min(first + c.order.kc, c.order.Units()); ++unit) {
                to = ReferenceUnit(c, filter, group, tiles, tile, tap, unit, to);
              }
            }
          }
        }
      }
    }
  }
}

// Packs the whole filter with the code under test. Returns whether all weights are finite.
bool Pack(const Case& c, const char* filter, char* packed) {
  return PackUsedTaps(
      c.order.taps, [&](int64_t tap) { return c.positions[static_cast<size_t>(tap)]; },
      [&](int64_t first_tap, std::span<const TapPosition> positions) {
        bool finite = true;
        for (const LaneTiles& tiles : c.tiles)
          finite = PackTiles(c.order, tiles, first_tap, positions, filter, packed) && finite;
        return finite;
      });
}

// Draws random numbers. Equal seeds give equal tests.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int64_t operator()(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }
  // Returns a number up to `few` in four of five calls, else up to `many`. Counts of lanes, taps and input channels can
  // then exceed the blocks of packing (32 lanes, 64 columns or slots).
  int64_t Count(int64_t few, int64_t many) { return (*this)(0, 4) == 0 ? (*this)(1, many) : (*this)(1, few); }
  std::mt19937& Random() { return random_; }

 private:
  std::mt19937 random_;
};

uint16_t ExtendWithZeros(uint8_t value) { return value; }

struct NamedForm {
  const char* name;
  PackedForm form;
};

const NamedForm kForms[] = {{"f32", ComputeForm(DECONV_F32, true)},
                            {"f64", ComputeForm(DECONV_F64, false)},
                            {"f16 to f32", ComputeForm(DECONV_F16, true)},
                            {"bf16 to f32", ComputeForm(DECONV_BF16, true)},
                            {"u8 to f32", ComputeForm(DECONV_U8, true)},
                            {"i8 to u32", ComputeForm(DECONV_I8, false)},
                            {"i64", ComputeForm(DECONV_I64, false)},
                            {"narrow f16", UnchangedForm(DECONV_F16)},
                            {"narrow i8", UnchangedForm(DECONV_I8)},
                            {"pairs of bf16", ConvertingForm<BFloat16, ToBits<BFloat16>>(2)},
                            {"pairs of u8", ConvertingForm<uint8_t, ExtendWithZeros>(2)},
                            {"quads of i8", ConvertingForm<int8_t, ToBits<int8_t>>(4)}};

// Distributes the taps over random phases. In one filter of four, taps may belong to no phase: no output uses them.
void DealTaps(Draw& draw, Case& c) {
  c.phases.resize(static_cast<size_t>(draw(1, 4)));
  c.positions.assign(static_cast<size_t>(c.order.taps), {});
  const bool uses_all_taps = draw(0, 3) > 0;
  for (int64_t tap = 0; tap < c.order.taps; ++tap) {
    const auto phase = static_cast<size_t>(draw(0, static_cast<int64_t>(c.phases.size()) - (uses_all_taps ? 1 : 0)));
    if (phase < c.phases.size()) c.phases[phase].push_back(tap);
  }
  int64_t before = 0;
  for (std::vector<int64_t>& phase : c.phases) {
    std::shuffle(phase.begin(), phase.end(), draw.Random());
    const auto taps = static_cast<int64_t>(phase.size());
    for (int64_t i = 0; i < taps; ++i)
      c.positions[static_cast<size_t>(phase[static_cast<size_t>(i)])] = {before, taps, i};
    before += taps;
  }
}

// Returns a filter of random sizes that is packed in this form, with its elements in one of two orders.
Case RandomCase(Draw& draw, const PackedForm& form) {
  Case c;
  PackOrder& order = c.order;
  order.form = form;
  order.groups = draw.Count(2, 9);
  order.in_channels = draw.Count(3, 150);
  order.taps = draw.Count(9, 150);
  order.kc = draw(0, 1) == 0 ? 1 : draw(1, 80);
  // A lane has an inner and an outer index (PackOrder).
  const int64_t inner = draw.Count(5, 90);
  const int64_t outer = draw(1, 2);
  order.inner_lanes = inner;
  order.filled_lanes = inner * outer;
  const int64_t in_channels = order.in_channels;
  const int64_t taps = order.taps;
  if (draw(0, 1) == 0) {  // [outer, in, inner, taps]
    order.tap_stride = 1;
    order.inner_stride = taps;
    order.in_stride = inner * taps;
    order.outer_stride = in_channels * inner * taps;
    order.group_stride = outer * in_channels * inner * taps;
  } else {  // [taps, inner, groups, outer, in]
    order.in_stride = 1;
    order.outer_stride = in_channels;
    order.group_stride = outer * in_channels;
    order.inner_stride = order.groups * outer * in_channels;
    order.tap_stride = inner * order.inner_stride;
  }
  const LaneTiles first = {0, draw(0, 3), draw.Count(8, 70)};
  const int64_t done = first.tiles * first.lanes;
  const int64_t lanes = draw.Count(8, 70);
  const LaneTiles rest = {done, std::max<int64_t>(0, DivideUp(order.filled_lanes - done, lanes)), lanes};
  c.tiles = {first, rest};
  order.padded_lanes = done + rest.tiles * rest.lanes;
  DealTaps(draw, c);
  return c;
}

// Returns the sizes of a case in one line, for messages of failures.
std::string Describe(const Case& c, const char* form) {
  const PackOrder& o = c.order;
  std::string text = form;
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, int64_t>>{{"groups", o.groups},
                                                              {"in", o.in_channels},
                                                              {"inner", o.inner_lanes},
                                                              {"filled_lanes", o.filled_lanes},
                                                              {"taps", o.taps},
                                                              {"tap stride", o.tap_stride},
                                                              {"kc", o.kc},
                                                              {"lanes", c.tiles[0].lanes},
                                                              {"tiles", c.tiles[0].tiles},
                                                              {"lanes", c.tiles[1].lanes},
                                                              {"tiles", c.tiles[1].tiles}}) {
    text += std::string(", ") + name + " " + std::to_string(value);
  }
  return text;
}

// Stores the lowest bits of `bits` as element `index` of a filter.
void PutBits(const PackedForm& form, uint64_t bits, int64_t index, void* filter) {
  switch (form.element_bytes) {
    case 1:
      return StoreElement(filter, index, static_cast<uint8_t>(bits));
    case 2:
      return StoreElement(filter, index, static_cast<uint16_t>(bits));
    case 4:
      return StoreElement(filter, index, static_cast<uint32_t>(bits));
    default:
      return StoreElement(filter, index, bits);
  }
}

// Fills the filter with random bits. The uppermost bit of each exponent is 0, so that no element is Inf or NaN.
void FillFinite(Draw& draw, const Case& c, void* filter) {
  std::mt19937_64 random(draw.Random()());
  const PackedForm& form = c.order.form;
  const uint64_t exponent_bit = uint64_t{1} << (8 * form.element_bytes - 2);
  for (int64_t i = 0; i < c.Elements(); ++i) PutBits(form, random() & ~exponent_bit, i, filter);
}

TEST(Pack, FollowsTheOrderOfThePackedFilter) {
  Draw draw(1);
  int compared = 0;
  for (int i = 0; i < 1500; ++i) {
    const auto& [name, form] = kForms[static_cast<size_t>(i) % std::size(kForms)];
    const Case c = RandomCase(draw, form);
    if (c.Elements() * form.element_bytes > 400'000) continue;  // keeps the test short
    ++compared;
    const Flush flush = std::array{Flush::kWithEnd, Flush::kWithBegin, Flush::kOdd}[static_cast<size_t>(draw(0, 2))];
    Guarded filter(static_cast<size_t>(c.Elements() * form.element_bytes), flush);
    Guarded packed(static_cast<size_t>(c.PackedBytes()), flush);
    FillFinite(draw, c, filter.bytes().data());
    filter.MakeReadOnly();
    std::memset(packed.bytes().data(), 0, packed.bytes().size());  // taps that no output uses leave holes
    std::vector<char> expected(packed.bytes().size());
    const char* const from = reinterpret_cast<const char*>(filter.bytes().data());
    Reference(c, from, expected.data());
    EXPECT_TRUE(Pack(c, from, reinterpret_cast<char*>(packed.bytes().data()))) << Describe(c, name);
    ASSERT_EQ(std::memcmp(packed.bytes().data(), expected.data(), expected.size()), 0) << Describe(c, name);
  }
  EXPECT_GT(compared, 1000);
}

// Lanes and parts without a weight become zeros, whatever the packed filter held.
TEST(Pack, WritesEveryByteIfAllTapsAreUsed) {
  Draw draw(2);
  for (int i = 0; i < 500; ++i) {
    const auto& [name, form] = kForms[static_cast<size_t>(i) % std::size(kForms)];
    const Case c = RandomCase(draw, form);
    if (c.Elements() >= 100'000) continue;  // keeps the test short
    bool uses_all_taps = true;
    for (int64_t tap = 0; tap < c.order.taps; ++tap) uses_all_taps = uses_all_taps && c.Uses(tap);
    if (!uses_all_taps) continue;
    std::vector<char> filter(static_cast<size_t>(c.Elements() * form.element_bytes));
    std::vector<char> first(static_cast<size_t>(c.PackedBytes()), '\x55');
    std::vector<char> second(first.size(), '\xaa');
    Pack(c, filter.data(), first.data());
    Pack(c, filter.data(), second.data());
    ASSERT_TRUE(first == second) << Describe(c, name);
  }
}

TEST(Pack, FindsInfAndNanWhereverTheyAre) {
  struct Special {
    deconv_type type;
    uint64_t bits;
  };
  // Inf and NaN of both signs. Of the bits of the mantissa, a NaN has the lowest one, the uppermost one, or all.
  const Special specials[] = {{DECONV_F32, 0x7f800000},
                              {DECONV_F32, 0xff800000},
                              {DECONV_F32, 0x7f800001},
                              {DECONV_F32, 0xffffffff},
                              {DECONV_F64, 0x7ff0000000000000},
                              {DECONV_F64, 0xfff0000000000001},
                              {DECONV_F16, 0x7c00},
                              {DECONV_F16, 0xfc01},
                              {DECONV_BF16, 0x7f80},
                              {DECONV_BF16, 0xffc0}};
  Draw draw(3);
  for (int i = 0; i < 1000; ++i) {
    const Special& special = specials[static_cast<size_t>(i) % std::size(specials)];
    const bool narrow = ElementBytes(special.type) == 2 && draw(0, 1) == 0;
    PackedForm form = narrow ? UnchangedForm(special.type) : ComputeForm(special.type, special.type != DECONV_F64);
    if (narrow && draw(0, 1) == 0) form.depth = 2;
    const Case c = RandomCase(draw, form);
    if (c.Elements() > 50'000) continue;
    std::vector<char> filter(static_cast<size_t>(c.Elements() * form.element_bytes));
    std::vector<char> packed(static_cast<size_t>(c.PackedBytes()));
    FillFinite(draw, c, filter.data());
    ASSERT_TRUE(Pack(c, filter.data(), packed.data())) << Describe(c, "finite");
    // The last element of the filter, or any.
    const bool takes_last = draw(0, 3) == 0;
    const int64_t tap = takes_last ? c.order.taps - 1 : draw(0, c.order.taps - 1);
    const int64_t lane = takes_last ? c.order.filled_lanes - 1 : draw(0, c.order.filled_lanes - 1);
    const int64_t in = takes_last ? c.order.in_channels - 1 : draw(0, c.order.in_channels - 1);
    const int64_t group = takes_last ? c.order.groups - 1 : draw(0, c.order.groups - 1);
    PutBits(form, special.bits, c.From(group, in, lane, tap), filter.data());
    EXPECT_EQ(Pack(c, filter.data(), packed.data()), !c.Uses(tap))
        << Describe(c, "special") << ", tap " << tap << ", lane " << lane << ", input channel " << in;
  }
}

}  // namespace
}  // namespace deconv
