// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the buffers that the runner shares with the worker, the process that runs a backend: every byte outside of a
// buffer is either inaccessible or a canary, whose change is noticed.

#include "conformance/backends/worker/arena.h"

#include <algorithm>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

// Sizes on a machine with pages of 4096 bytes: a small odd one, a whole page, and more than a page.
constexpr ArenaLayout kLayout{{13, 4096, 5000}, Placement::kAgainstEnd};

TEST(Arena, SharesItsBuffersWithTheView) {
  for (const Placement placement : {Placement::kAgainstEnd, Placement::kAgainstBegin}) {
    ArenaLayout layout = kLayout;
    layout.placement = placement;
    Arena arena;
    ASSERT_TRUE(arena.Resize(layout));
    GuardedView view;
    ASSERT_TRUE(view.Map(arena.file(), layout));
    for (std::size_t i = 0; i < kBufferCount; ++i) {
      ASSERT_EQ(view.buffer(i).size(), layout.bytes[i]);
      std::ranges::fill(view.buffer(i), std::byte(i + 1));
      EXPECT_TRUE(std::ranges::all_of(arena.buffer(i), [&](std::byte b) { return b == std::byte(i + 1); }));
    }
    EXPECT_EQ(arena.BrokenCanary(), "");
  }
}

TEST(Arena, SeesWhatIsWrittenBesideABuffer) {
  Arena arena;
  ASSERT_TRUE(arena.Resize(kLayout));
  arena.buffer(kOutputBuffer).data()[-1] = std::byte{0};
  EXPECT_EQ(arena.BrokenCanary(), "1 byte(s) before the output buffer");
  arena.FillCanaries();
  arena.Place(Placement::kAgainstBegin);
  EXPECT_EQ(arena.BrokenCanary(), "");
  arena.buffer(kDataBuffer).data()[kLayout.bytes[kDataBuffer] + 2] = std::byte{0};
  EXPECT_EQ(arena.BrokenCanary(), "3 byte(s) past the data buffer");
}

TEST(Arena, KeepsTheInputsWhenTheyMove) {
  Arena arena;
  ASSERT_TRUE(arena.Resize(kLayout));
  std::ranges::fill(arena.buffer(kDataBuffer), std::byte{7});
  std::ranges::fill(arena.buffer(kFilterBuffer), std::byte{9});
  for (const Placement placement : {Placement::kAgainstBegin, Placement::kAgainstEnd}) {
    arena.Place(placement);
    EXPECT_TRUE(std::ranges::all_of(arena.buffer(kDataBuffer), [](std::byte b) { return b == std::byte{7}; }));
    EXPECT_TRUE(std::ranges::all_of(arena.buffer(kFilterBuffer), [](std::byte b) { return b == std::byte{9}; }));
  }
}

TEST(GuardedViewDeathTest, TheGuardPagesAreInaccessible) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ArenaLayout layout = kLayout;
  for (const Placement placement : {Placement::kAgainstEnd, Placement::kAgainstBegin}) {
    layout.placement = placement;
    Arena arena;
    ASSERT_TRUE(arena.Resize(layout));
    GuardedView view;
    ASSERT_TRUE(view.Map(arena.file(), layout));
    for (std::size_t i = 0; i < kBufferCount; ++i) {
      volatile std::byte* buffer = view.buffer(i).data();
      const auto size = static_cast<std::ptrdiff_t>(layout.bytes[i]);
      const std::ptrdiff_t outside = placement == Placement::kAgainstEnd ? size : -1;
      EXPECT_DEATH(buffer[outside] = std::byte{0}, "") << "buffer " << i;
    }
  }
}

TEST(GuardedViewDeathTest, ReadOnlyInputsCannotBeWritten) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Arena arena;
  ASSERT_TRUE(arena.Resize(kLayout));
  GuardedView view;
  ASSERT_TRUE(view.Map(arena.file(), kLayout, Inputs::kReadOnly));
  for (const std::size_t i : {kDataBuffer, kFilterBuffer}) {
    volatile std::byte* buffer = view.buffer(i).data();
    EXPECT_TRUE(buffer[0] == std::byte{0});
    EXPECT_DEATH(buffer[0] = std::byte{0}, "") << "buffer " << i;
  }
  view.buffer(kOutputBuffer).back() = std::byte{1};
  ASSERT_TRUE(view.Map(arena.file(), kLayout, Inputs::kWritable));
  view.buffer(kFilterBuffer).back() = std::byte{1};
}

// Two small cases use the same pages. Map() keeps these pages and changes their protection.
TEST(GuardedViewDeathTest, PagesThatAreMappedStay) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Arena arena;
  ASSERT_TRUE(arena.Resize({{12, 20, 40}, Placement::kAgainstEnd}));
  GuardedView view;
  ASSERT_TRUE(view.Map(arena.file(), arena.layout(), Inputs::kWritable));
  const std::byte* const end = view.buffer(kDataBuffer).data() + 12;
  view.buffer(kDataBuffer).back() = std::byte{1};
  ASSERT_TRUE(arena.Resize({{8, 4, 100}, Placement::kAgainstEnd}));
  ASSERT_TRUE(view.Map(arena.file(), arena.layout(), Inputs::kReadOnly));
  EXPECT_EQ(view.buffer(kDataBuffer).data() + 8, end);
  arena.buffer(kDataBuffer).back() = std::byte{7};
  EXPECT_EQ(view.buffer(kDataBuffer).back(), std::byte{7});
  EXPECT_DEATH(*const_cast<volatile std::byte*>(end - 1) = std::byte{0}, "");
  EXPECT_DEATH(*const_cast<volatile std::byte*>(end) = std::byte{0}, "");
  view.buffer(kOutputBuffer).back() = std::byte{2};
  EXPECT_EQ(arena.buffer(kOutputBuffer).back(), std::byte{2});
}

TEST(Arena, TakesEmptyBuffersAndGrowsAndShrinks) {
  Arena arena;
  for (const std::uint64_t bytes : {0ull, 100ull, 200ull << 20, 1ull, 0ull}) {
    ASSERT_TRUE(arena.Resize({{bytes, bytes, bytes}, Placement::kAgainstEnd}));
    GuardedView view;
    ASSERT_TRUE(view.Map(arena.file(), arena.layout()));
    for (std::size_t i = 0; i < kBufferCount; ++i) {
      ASSERT_EQ(arena.buffer(i).size(), bytes);
      if (bytes != 0) view.buffer(i).back() = std::byte{1};
    }
    EXPECT_EQ(arena.BrokenCanary(), "");
  }
}

}  // namespace
}  // namespace conformance
