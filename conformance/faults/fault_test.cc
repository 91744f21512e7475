// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Each planted fault does its harm: it has a smallest case, its killer, on which the implementation without a fault is
// right and the one with it is not.

#include "conformance/faults/fault.h"

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/backend_trial.h"
#include "conformance/door/describe_operator.h"
#include "conformance/faults/attributes.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

struct Killer {
  Operator op;
  Dialect dialect = Dialect::kOpenvinoSpec;
  /// Empty: 1, 2, 3, ...
  std::vector<double> data = {}, filter = {};
};

Operator Plain(Dims data, Dims filter, const std::function<void(Operator&)>& change = nullptr) {
  Operator op;
  op.data.dims = std::move(data);
  op.filter.dims = std::move(filter);
  if (op.filter.dims.size() > op.data.dims.size()) op.kind = OperatorKind::kGroupConvolutionBackpropData;
  if (change) change(op);
  return op;
}

Operator Onednn(Dims data, Dims filter, Dims dst_shape) {
  Operator op = Plain(std::move(data), std::move(filter));
  op.kind = OperatorKind::kConvolutionBackwardData;
  const std::size_t axes = op.data.dims.size() - 2;
  op.strides = op.dilations = Dims(axes, 1);
  op.pads_begin = op.pads_end = Dims(axes, 0);
  op.dst_shape = std::move(dst_shape);
  return op;
}

Operator Typed(ElementType type, Dims data, Dims filter) {
  return Plain(std::move(data), std::move(filter), [&](Operator& op) { op.data.type = op.filter.type = type; });
}

oracle::ShapeInput Shape(Dims values) {
  return {ElementType::kI64, {static_cast<std::int64_t>(values.size())}, std::move(values)};
}

// By the fault's name.
std::map<std::string_view, Killer> Killers() {
  const auto with = [](const std::function<void(Operator&)>& change) {
    return Killer{Plain({1, 1, 3}, {1, 1, 3}, change)};
  };
  const auto negative_total = Killer{Plain({1, 1, 2}, {1, 1, 1}, [](Operator& op) {
    op.strides = {2};
    op.output_shape = Shape({4});
  })};
  const auto output_padding = with([](Operator& op) {
    op.strides = {2};
    op.output_padding = {1};
    op.pads_end = {1};
  });
  const auto dilated = Killer{Plain({1, 1, 3}, {1, 1, 2}, [](Operator& op) { op.dilations = {2}; })};
  const auto grouped = Killer{Plain({1, 4, 3}, {2, 2, 2, 1})};
  const auto plain = with(nullptr);
  const double infinity = HUGE_VAL;
  return {
      {"same_upper_lower_exchanged", with([](Operator& op) {
         op.strides = {2};
         op.auto_pad = "same_upper";
         op.output_shape = Shape({6});
       })},
      {"pads_exchanged", with([](Operator& op) { op.pads_begin = {1}; })},
      {"auto_pad_ignored", with([](Operator& op) {
         op.auto_pad = "same_lower";
         op.pads_begin = op.pads_end = {1};
       })},
      {"negative_total_truncated", negative_total},
      {"negative_pad_clamped", negative_total},
      {"output_shape_ignored", with([](Operator& op) { op.output_shape = Shape({4}); })},
      {"output_size_off_by_one", with([](Operator& op) { op.strides = {2}; })},
      {"output_padding_ignored", output_padding},
      {"output_padding_zero", output_padding},
      {"output_padding_times_stride", output_padding},
      {"output_padding_at_begin", output_padding},
      {"dilation_ignored", dilated},
      {"dilation_ignored_in_values", dilated},
      {"stride_of_first_axis", {Plain({1, 1, 2, 2}, {1, 1, 2, 2}, [](Operator& op) { op.strides = {1, 2}; })}},
      {"pads_of_other_axis", {Plain({1, 1, 2, 2}, {1, 1, 2, 2}, [](Operator& op) { op.pads_begin = {1, 0}; })}},
      {"depth_pad_of_height",
       {Plain({1, 1, 2, 2, 2}, {1, 1, 2, 2, 2}, [](Operator& op) { op.pads_begin = {0, 1, 0}; })}},
      {"filter_flipped", plain},
      {"last_tap_dropped", {Plain({1, 1, 1}, {1, 1, 3})}},
      {"filter_groups_reversed", grouped},
      {"filter_of_first_group", grouped},
      {"output_channels_interleaved", grouped},
      {"filter_channels_exchanged", {Plain({1, 2, 1}, {2, 3, 1})}},
      {"channel_tail_dropped", {Plain({1, 5, 1}, {5, 1, 1})}},
      {"first_batch_only", {Plain({2, 1, 1}, {1, 1, 1})}},
      {"gaps_unwritten", {Plain({1, 1, 2}, {1, 1, 1}, [](Operator& op) { op.strides = {3}; })}},
      {"pointwise_tail_unwritten", {Plain({1, 1, 2}, {1, 1, 1})}},
      {"nxc_taken_for_ncx", {Onednn({1, 3, 2}, {1, 1, 2}, {1, 3, 1}), Dialect::kOnednnSpec}},
      {"xio_taken_for_oix", {Onednn({1, 1, 2}, {1, 2, 2}, {1, 1, 2}), Dialect::kOnednnSpec}},
      {"f16_sums_in_f16",
       {Typed(ElementType::kF16, {1, 3, 1}, {3, 1, 1}), Dialect::kOpenvinoSpec, {2048, 1, 1}, {1, 1, 1}}},
      {"bf16_sums_in_bf16",
       {Typed(ElementType::kBf16, {1, 3, 1}, {3, 1, 1}), Dialect::kOpenvinoSpec, {256, 1, 1}, {1, 1, 1}}},
      {"bf16_truncated", {Typed(ElementType::kBf16, {1, 2, 1}, {2, 1, 1}), Dialect::kOpenvinoSpec, {256, 3}, {1, 1}}},
      {"f16_overflow_clamped", {Typed(ElementType::kF16, {1, 1, 1}, {1, 1, 1}), Dialect::kOpenvinoSpec, {60000}, {2}}},
      {"subnormals_flushed",
       {Typed(ElementType::kF32, {1, 1, 1}, {1, 1, 1}),
        Dialect::kOpenvinoSpec,
        {std::ldexp(1.0, -100)},
        {std::ldexp(1.0, -40)}}},
      {"structural_zeros_multiply",
       {Plain({1, 1, 3}, {1, 1, 3}, [](Operator& op) { op.strides = {2}; }),
        Dialect::kOpenvinoSpec,
        {1, 10, 100},
        {1, infinity, 3}}},
      {"integers_saturate", {Typed(ElementType::kI8, {1, 1, 1}, {1, 1, 1}), Dialect::kOpenvinoSpec, {100}, {2}}},
      {"integers_in_f32", {Typed(ElementType::kI32, {1, 1, 1}, {1, 1, 1}), Dialect::kOpenvinoSpec, {16777217}, {1}}},
      {"adds_to_output", plain},
      {"accepts_negative_pads", with([](Operator& op) { op.pads_begin = {-1}; })},
      {"accepts_zero_dilation", with([](Operator& op) { op.dilations = {0}; })},
      {"accepts_zero_stride", with([](Operator& op) { op.strides = {0}; })},
      {"accepts_wrong_lengths", with([](Operator& op) { op.strides = {1, 1}; })},
      {"accepts_other_channels", {Plain({1, 1, 3}, {2, 1, 3})}},
      {"accepts_mixed_types", with([](Operator& op) { op.filter.type = ElementType::kF16; })},
      {"accepts_any_auto_pad", with([](Operator& op) { op.auto_pad = "same"; })},
      {"refuses_everything", plain},
      {"refuses_large_output_padding", with([](Operator& op) { op.output_padding = {1}; })},
      {"groups_unsupported", grouped},
      {"writes_past_end", plain},
      {"writes_before_begin", plain},
      {"modifies_data", plain},
      {"modifies_filter", plain},
  };
}

// Faults that need more than one operator, or a process to lose: they have tests of their own below.
const std::set<std::string_view> kOwnTest = {"reads_past_end", "needs_alignment", "keeps_filter", "crashes_sometimes",
                                             "hangs_sometimes"};

Bytes Fill(ElementType type, std::int64_t count, std::vector<double> values) {
  if (values.empty()) {
    values.resize(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 1);
  }
  return ElementsOf(type, values);
}

std::string MistakeOn(const std::string& backend, const Killer& killer) {
  const std::unique_ptr<Backend> opened = MustOpen(backend);
  const oracle::Resolution resolution = Resolve(killer.op, killer.dialect);
  if (!resolution.ok()) return Mistake(*opened, killer.op, killer.dialect, {}, {});
  const oracle::Geometry& geometry = *resolution.geometry;
  return Mistake(*opened, killer.op, killer.dialect, Fill(geometry.type, geometry.DataCount(), killer.data),
                 Fill(geometry.type, geometry.FilterCount(), killer.filter));
}

TEST(FaultTest, EachHasAKiller) {
  const std::map<std::string_view, Killer> killers = Killers();
  for (const faults::Fault& fault : faults::Faults()) {
    if (fault.name == "none" || kOwnTest.contains(fault.name)) continue;
    const auto killer = killers.find(fault.name);
    if (killer == killers.end()) {
      ADD_FAILURE() << fault.name << " has no killer";
      continue;
    }
    EXPECT_EQ(MistakeOn("fault:none", killer->second), "") << "on the killer of " << fault.name;
    EXPECT_NE(MistakeOn("fault:" + std::string(fault.name), killer->second), "") << fault.name << " is not killed";
  }
}

TEST(FaultTest, IsDescribed) {
  std::set<std::string_view> names;
  for (const faults::Fault& fault : faults::Faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name << " stands twice";
    EXPECT_FALSE(fault.sentence.empty()) << fault.name;
    EXPECT_EQ(fault.mutant_class.empty(), fault.name == "none") << fault.name;
    EXPECT_TRUE(fault.link.empty() || fault.link.starts_with("https://")) << fault.name;
  }
}

TEST(FaultTest, KeepsFilterOfTheCallBefore) {
  const Operator op = Plain({1, 1, 3}, {1, 1, 3});
  const Bytes data = Fill(ElementType::kF32, 3, {});
  const std::unique_ptr<Backend> backend = MustOpen("fault:keeps_filter");
  EXPECT_EQ(Mistake(*backend, op, Dialect::kOpenvinoSpec, data, Fill(ElementType::kF32, 3, {1, 2, 3})), "");
  EXPECT_NE(Mistake(*backend, op, Dialect::kOpenvinoSpec, data, Fill(ElementType::kF32, 3, {4, 5, 6})), "");
}

// A run on buffers that the test placed itself.
void RunOn(const std::string& name, const Operator& op, std::span<std::byte> data) {
  const oracle::Geometry geometry = *Resolve(op, Dialect::kOpenvinoSpec).geometry;
  const Bytes filter(static_cast<std::size_t>(geometry.FilterCount()) * 4);
  Bytes output(static_cast<std::size_t>(geometry.OutputCount()) * 4);
  (void)MustOpen(name)->Run(op, Dialect::kOpenvinoSpec, {.data = data, .filter = filter, .output = output});
}

TEST(FaultDeathTest, ReadsPastTheDatasEnd) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<char*>(pages) + page, page, PROT_NONE), 0);
  const std::span<std::byte> data(static_cast<std::byte*>(pages) + page - 12, 12);
  const Operator op = Plain({1, 1, 3}, {1, 1, 3});
  RunOn("fault:none", op, data);
  EXPECT_DEATH(RunOn("fault:reads_past_end", op, data), "");
  munmap(pages, 2 * page);
}

TEST(FaultDeathTest, NeedsAlignment) {
  alignas(16) std::array<std::byte, 32> buffer{};
  const Operator op = Plain({1, 1, 3}, {1, 1, 3});
  RunOn("fault:none", op, std::span(buffer).subspan(4, 12));
  EXPECT_DEATH(RunOn("fault:needs_alignment", op, std::span(buffer).subspan(4, 12)), "");
}

// The first case, of those that differ in the width, with or without the backend's attention.
Operator ChosenOneIn(std::uint64_t every, bool chosen) {
  for (std::int64_t width = 1;; ++width) {
    Operator op = Plain({1, 1, width}, {1, 1, 1});
    const OperatorDescription description(op, Dialect::kOpenvinoSpec);
    if ((faults::CaseHash(faults::ReadAttributes(description.get())) % every == 0) == chosen) return op;
  }
}

TEST(FaultDeathTest, CrashesWhereTheCaseSaysSo) {
  EXPECT_EQ(MistakeOn("fault:crashes_sometimes", {ChosenOneIn(16, false)}), "");
  EXPECT_DEATH(MistakeOn("fault:crashes_sometimes", {ChosenOneIn(16, true)}), "");
  EXPECT_DEATH(MistakeOn("fault:crashes_sometimes?every=1", {ChosenOneIn(16, false)}), "");
}

TEST(FaultDeathTest, HangsWhereTheCaseSaysSo) {
  EXPECT_EQ(MistakeOn("fault:hangs_sometimes", {ChosenOneIn(16, false)}), "");
  EXPECT_EXIT(
      {
        alarm(1);
        (void)MistakeOn("fault:hangs_sometimes", {ChosenOneIn(16, true)});
      },
      testing::KilledBySignal(SIGALRM), "");
}

}  // namespace
}  // namespace conformance
