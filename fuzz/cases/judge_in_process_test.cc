// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the judge of the fuzz targets on cases that are drawn at random. It must find planted faults, defects that a
// test backend has on purpose, and it must find nothing in a correct backend.

#include "fuzz/cases/judge_in_process.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "conformance/backends/open_backend.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/cases/case_mutator.h"
#include "gtest/gtest.h"

namespace fuzz {
namespace {

/// The backend of that name. Returns null and fails the test if it cannot be opened.
std::unique_ptr<conformance::Backend> Open(const std::string& name) {
  auto opened = conformance::OpenBackend(name);
  if (const auto* error = std::get_if<conformance::BackendError>(&opened)) {
    ADD_FAILURE() << error->message;
    return nullptr;
  }
  return std::move(std::get<std::unique_ptr<conformance::Backend>>(opened));
}

/// The result of judging drawn cases.
struct Search {
  int cases = 0;             ///< cases until the finding, or all
  std::string finding_text;  ///< empty if there is no finding
};

/// Judges drawn cases until the first finding, but at most `most_cases`.
Search SearchIn(const std::string& backend_name, int most_cases) {
  const std::unique_ptr<conformance::Backend> backend = Open(backend_name);
  if (backend == nullptr) return {};
  CaseMutator mutator(6);
  for (int i = 1; i <= most_cases; ++i) {
    const auto drawn = CaseOfText(mutator.Draw());
    if (!drawn) return {i, "a drawn case is no input"};
    if (const auto finding = JudgeInProcess(*backend, *drawn)) {
      return {i, FindingText(*finding, *drawn, backend_name)};
    }
  }
  return {most_cases, ""};
}

// Cases for each fault. With this seed, even the fault that is found last takes only a fraction of these cases.
constexpr int kMostCases = 2000;

class PlantedFault : public testing::TestWithParam<const char*> {};

TEST_P(PlantedFault, IsFound) {
  const std::string name = std::string("fault:") + GetParam();
  const Search search = SearchIn(name, kMostCases);
  EXPECT_NE(search.finding_text, "");
  EXPECT_NE(search.finding_text.find("\nreplay: deconv-cts replay --backend " + name + " "), std::string::npos)
      << search.finding_text;
  std::cout << "found after " << search.cases << " cases: " << search.finding_text;
}

// The planted faults that change answers, operands or the caller's state. Faults that kill the process or damage its
// memory are left out: memory checkers and worker processes find those.
constexpr const char* kFaults[] = {"f16_sums_in_f16",
                                   "bf16_sums_in_bf16",
                                   "bf16_truncated",
                                   "f16_overflow_clamped",
                                   "subnormals_flushed",
                                   "structural_zeros_multiply",
                                   "integers_saturate",
                                   "integers_in_f32",
                                   "adds_to_output",
                                   "modifies_data",
                                   "modifies_filter",
                                   "keeps_filter",
                                   "leaves_rounding_upward",
                                   "leaves_signals_blocked",
                                   "leaves_locale_changed",
                                   "auto_pad_ignored",
                                   "negative_total_truncated",
                                   "negative_pad_clamped",
                                   "same_upper_lower_exchanged",
                                   "pads_exchanged",
                                   "filter_channels_exchanged",
                                   "output_shape_ignored",
                                   "output_size_off_by_one",
                                   "output_padding_ignored",
                                   "output_padding_zero",
                                   "output_padding_times_stride",
                                   "output_padding_at_begin",
                                   "dilation_ignored",
                                   "dilation_ignored_in_values",
                                   "stride_of_first_axis",
                                   "pads_of_other_axis",
                                   "depth_pad_of_height",
                                   "filter_flipped",
                                   "last_tap_dropped",
                                   "filter_groups_reversed",
                                   "filter_of_first_group",
                                   "output_channels_interleaved",
                                   "channel_tail_dropped",
                                   "first_batch_only",
                                   "gaps_unwritten",
                                   "pointwise_tail_unwritten",
                                   "nxc_taken_for_ncx",
                                   "xio_taken_for_oix",
                                   "accepts_negative_pads",
                                   "accepts_zero_dilation",
                                   "accepts_zero_stride",
                                   "accepts_wrong_lengths",
                                   "accepts_other_channels",
                                   "accepts_mixed_types",
                                   "accepts_any_auto_pad",
                                   "refuses_everything",
                                   "refuses_large_output_padding",
                                   "groups_unsupported"};
INSTANTIATE_TEST_SUITE_P(Each, PlantedFault, testing::ValuesIn(kFaults),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(JudgeInProcess, FindsNothingWithoutAFault) { EXPECT_EQ(SearchIn("fault:none", 1000).finding_text, ""); }
TEST(JudgeInProcess, FindsNothingInTheOracle) { EXPECT_EQ(SearchIn("oracle", 1000).finding_text, ""); }

}  // namespace
}  // namespace fuzz
