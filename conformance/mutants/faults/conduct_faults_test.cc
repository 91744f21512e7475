// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that each planted fault of memory, caches, crashes, hangs and races has its effect: an access outside of a
// buffer, a wrong output of a later call, a changed state of the caller, or a process that dies or hangs. A planted
// fault is a backend that is wrong on purpose in one way. A killer is a small case on which it is wrong.

#include <array>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/interface/describe_operator.h"
#include "conformance/mutants/hooked/attributes.h"
#include "conformance/testing/backend_trial.h"

namespace conformance {
namespace {

const Killer kPlain = {.op = Plain({1, 1, 3}, {1, 1, 3})};

// Three pages of memory. Only the middle one can be read and written.
class GuardedPage {
 public:
  GuardedPage() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    pages_ = static_cast<std::byte*>(mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    (void)mprotect(pages_ + page_, page_, PROT_READ | PROT_WRITE);
  }
  ~GuardedPage() { munmap(pages_, 3 * page_); }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  std::span<std::byte> AtBegin(std::size_t bytes) const { return {pages_ + page_, bytes}; }
  std::span<std::byte> AtEnd(std::size_t bytes) const { return {pages_ + 2 * page_ - bytes, bytes}; }

 private:
  std::size_t page_;
  std::byte* pages_;
};

struct MemoryFault {
  const char* name;
  std::size_t buffer;  // 0 data, 1 filter, 2 output
  bool behind;         // the fault leaves the buffer at its end, not at its begin
};

// Runs kPlain with one buffer next to a page that cannot be read or written: behind the buffer, or before it.
void RunGuarded(const std::string& name, std::size_t buffer, bool behind) {
  const std::array<std::size_t, 3> bytes = {12, 12, 20};  // 3, 3 and 5 elements of f32
  const GuardedPage page;
  std::array<Bytes, 3> buffers;
  std::array<std::span<std::byte>, 3> spans;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    buffers[i].resize(bytes[i]);
    spans[i] = i != buffer ? std::span(buffers[i]) : behind ? page.AtEnd(bytes[i]) : page.AtBegin(bytes[i]);
  }
  (void)OpenOrAbort(name)->Run(kPlain.op, kPlain.dialect, {.data = spans[0], .filter = spans[1], .output = spans[2]});
}

TEST(MemoryFaultsDeathTest, LeaveTheirBuffers) {
  constexpr MemoryFault kFaults[] = {
      {"writes_past_end", 2, true},
      {"writes_before_begin", 2, false},
      {"writes_far_past_end", 2, true},
      {"writes_far_before_begin", 2, false},
      {"writes_past_data", 0, true},
      {"writes_before_data", 0, false},
      {"writes_past_filter", 1, true},
      {"writes_before_filter", 1, false},
      {"writes_past_end_of_channel_tail", 2, true},
      {"reads_past_end", 0, true},
      {"reads_before_data", 0, false},
      {"reads_past_filter", 1, true},
      {"reads_before_filter", 1, false},
      {"reads_past_output", 2, true},
      {"reads_before_output", 2, false},
      {"reads_far_past_data", 0, true},
      {"reads_filter_by_vectors", 1, true},
  };
  std::set<std::string_view> own_tests = {"needs_alignment"};
  for (const MemoryFault& fault : kFaults) {
    RunGuarded("fault:none", fault.buffer, fault.behind);
    EXPECT_DEATH(RunGuarded(std::string("fault:") + fault.name, fault.buffer, fault.behind), "") << fault.name;
    own_tests.insert(fault.name);
  }
  ExpectKilled(faults::MemoryFaults(), {{"modifies_data", kPlain}, {"modifies_filter", kPlain}}, own_tests);
}

TEST(MemoryFaultsDeathTest, NeedAlignment) {
  alignas(16) std::array<std::byte, 32> data{};
  alignas(16) std::array<std::byte, 16> filter{};
  alignas(16) std::array<std::byte, 32> output{};
  const auto run = [&](const char* name, std::size_t offset) {
    (void)OpenOrAbort(name)->Run(kPlain.op, kPlain.dialect,
                                 {.data = std::span(data).subspan(offset, 12),
                                  .filter = std::span(filter).first(12),
                                  .output = std::span(output).first(20)});
  };
  run("fault:none", 4);
  run("fault:needs_alignment", 0);
  EXPECT_DEATH(run("fault:needs_alignment", 4), "");
}

// Runs two killers one after the other on one backend, and returns the mistake of the second run.
std::string SecondMistake(const std::string& name, const Killer& first, const Killer& second) {
  const std::unique_ptr<Backend> backend = OpenOrAbort(name);
  const auto run = [&](const Killer& killer) {
    const oracle::Geometry geometry = *Resolve(killer.op, killer.dialect).geometry;
    return Mistake(*backend, killer.op, killer.dialect, Fill(geometry.type, geometry.DataCount(), killer.data),
                   Fill(geometry.type, geometry.FilterCount(), killer.filter));
  };
  EXPECT_EQ(run(first), "") << name;
  return run(second);
}

TEST(ConductFaultsTest, RememberTheCallBefore) {
  const auto with = [](const OperatorChange& change) { return Killer{.op = Plain({1, 1, 3}, {1, 1, 3}, change)}; };
  const Killer other_filter = {.op = kPlain.op, .filter = {4, 5, 6}};
  const Killer other_data = {.op = kPlain.op, .data = {4, 5, 6}};
  const Killer crop_begin = with([](Operator& op) { op.pads_begin = {1}; });
  const Killer crop_end = with([](Operator& op) { op.pads_end = {1}; });
  const Killer dilated = with([](Operator& op) { op.dilations = {2}; });
  EXPECT_EQ(SecondMistake("fault:none", crop_begin, crop_end), "");
  EXPECT_NE(SecondMistake("fault:keeps_filter", kPlain, other_filter), "");
  EXPECT_NE(SecondMistake("fault:keeps_plan_of_sizes", crop_begin, crop_end), "");
  EXPECT_NE(SecondMistake("fault:keeps_dilations", kPlain, dilated), "");
  EXPECT_NE(SecondMistake("fault:keeps_output", kPlain, other_data), "");
}

// The outputs of one run for each filter. All runs have the same data, and find the filter at the same address.
std::vector<Bytes> Outputs(const std::string& name, const Operator& op, const std::vector<Bytes>& filters,
                           const Bytes& data) {
  const std::unique_ptr<Backend> backend = OpenOrAbort(name);
  Bytes filter = filters.front();
  std::vector<Bytes> outputs;
  for (const Bytes& next : filters) {
    filter = next;
    outputs.emplace_back(static_cast<std::size_t>(Resolve(op, Dialect::kOpenvinoSpec).geometry->OutputCount()) * 4);
    (void)backend->Run(op, Dialect::kOpenvinoSpec, {.data = data, .filter = filter, .output = outputs.back()});
  }
  return outputs;
}

TEST(ConductFaultsTest, KeepTheFilterOfAnAddress) {
  const Bytes one = Fill(ElementType::kF32, 3, {1, 2, 3});
  const Bytes other = Fill(ElementType::kF32, 3, {4, 5, 6});
  const auto right = Outputs("fault:none", kPlain.op, {one, other}, one);
  const auto wrong = Outputs("fault:keeps_filter_of_pointer", kPlain.op, {one, other}, one);
  EXPECT_EQ(wrong[0], right[0]);
  EXPECT_NE(wrong[1], right[1]);
}

TEST(ConductFaultsTest, DifferFromRunToRun) {
  const Operator op = Plain({1, 3, 1}, {3, 1, 1});
  const Bytes ones = Fill(ElementType::kF32, 3, {1, 1, 1});
  const Bytes data = Fill(ElementType::kF32, 3, {16777216, 1, 1});  // 2^24: only in reverse order do the ones count
  const auto same = Outputs("fault:none", op, {ones, ones}, data);
  EXPECT_EQ(same[0], same[1]);
  const auto differ = Outputs("fault:second_call_reordered", op, {ones, ones}, data);
  EXPECT_NE(differ[0], differ[1]);
}

TEST(ConductFaultsTest, FailFromTheHundredthCallOn) {
  const Bytes ones = Fill(ElementType::kF32, 3, {1, 1, 1});
  const auto outputs = Outputs("fault:hundredth_call_zero", kPlain.op, std::vector<Bytes>(100, ones), ones);
  EXPECT_EQ(outputs[98], outputs[0]);
  EXPECT_NE(outputs[99], outputs[0]);
}

// Returns the case of the smallest width that the hash chooses as one in `every`; if `chosen` is false, of the smallest
// that it does not choose.
Killer ChosenOneIn(std::uint64_t every, bool chosen) {
  for (std::int64_t width = 1;; ++width) {
    Operator op = Plain({1, 1, width}, {1, 1, 1});
    const OperatorDescription description(op, Dialect::kOpenvinoSpec);
    if ((faults::CaseHash(faults::ReadAttributes(description.get())) % every == 0) == chosen) return {.op = op};
  }
}

TEST(ConductFaultsTest, RaceInChosenCasesOnly) {
  for (const std::string name : {"fault:race_loses_update", "fault:race_repeats_update", "fault:race_loses_output"}) {
    EXPECT_EQ(MistakeOn(name, ChosenOneIn(16, false)), "") << name;
    EXPECT_NE(MistakeOn(name, ChosenOneIn(16, true)), "") << name;
    EXPECT_NE(MistakeOn(name + "?every=1", ChosenOneIn(16, false)), "") << name;
  }
}

TEST(ConductFaultsDeathTest, CrashInChosenCasesOnly) {
  EXPECT_EQ(MistakeOn("fault:crashes_sometimes", ChosenOneIn(16, false)), "");
  EXPECT_DEATH(MistakeOn("fault:crashes_sometimes", ChosenOneIn(16, true)), "");
  EXPECT_DEATH(MistakeOn("fault:crashes_sometimes?every=1", ChosenOneIn(16, false)), "");
}

TEST(ConductFaultsDeathTest, ExitInChosenCasesOnly) {
  EXPECT_EQ(MistakeOn("fault:exits_sometimes", ChosenOneIn(16, false)), "");
  EXPECT_EXIT(MistakeOn("fault:exits_sometimes", ChosenOneIn(16, true)), testing::ExitedWithCode(0), "");
}

TEST(ConductFaultsDeathTest, HangInChosenCasesOnly) {
  EXPECT_EQ(MistakeOn("fault:hangs_sometimes", ChosenOneIn(16, false)), "");
  EXPECT_EXIT(
      {
        alarm(1);
        (void)MistakeOn("fault:hangs_sometimes", ChosenOneIn(16, true));
      },
      testing::KilledBySignal(SIGALRM), "");
}

TEST(ConductFaultsDeathTest, CrashOnEmptyOrManyElements) {
  const Killer no_samples = {.op = Plain({0, 1, 3}, {1, 1, 3})};
  const Killer no_data = {.op = Plain({1, 1, 0}, {1, 1, 3})};
  const Killer many = {.op = Plain({1, 1, 65537}, {1, 1, 1})};
  for (const Killer& killer : {no_samples, no_data, many}) EXPECT_EQ(MistakeOn("fault:none", killer), "");
  EXPECT_DEATH(MistakeOn("fault:crashes_on_zero_batch", no_samples), "");
  EXPECT_DEATH(MistakeOn("fault:crashes_on_empty_data", no_data), "");
  EXPECT_DEATH(MistakeOn("fault:crashes_on_many_outputs", many), "");
}

TEST(ConductFaultsTest, LeaveTheStateOfTheCallerChanged) {
  EXPECT_EQ(MistakeOn("fault:leaves_rounding_upward", kPlain), "");
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);

  EXPECT_EQ(MistakeOn("fault:leaves_signals_blocked", kPlain), "");
  sigset_t blocked;
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGUSR2), 1);

  EXPECT_EQ(MistakeOn("fault:leaves_locale_changed", kPlain), "");
  EXPECT_STREQ(std::setlocale(LC_NUMERIC, nullptr), "C.UTF-8");
  std::setlocale(LC_ALL, "C");
}

TEST(ConductFaultsTest, AreKilled) {
  ExpectKilled(
      faults::ConductFaults(), {{"second_call_unwritten", kPlain}},
      {"keeps_filter", "keeps_filter_of_pointer", "keeps_plan_of_sizes", "keeps_dilations", "keeps_output",
       "second_call_reordered", "hundredth_call_zero", "race_loses_update", "race_repeats_update", "race_loses_output",
       "crashes_sometimes", "hangs_sometimes", "exits_sometimes", "crashes_on_zero_batch", "crashes_on_empty_data",
       "crashes_on_many_outputs", "leaves_rounding_upward", "leaves_signals_blocked", "leaves_locale_changed"});
}

}  // namespace
}  // namespace conformance
