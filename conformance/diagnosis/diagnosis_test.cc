// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnoses of planted faults: the right one is named, what speaks against it is counted, and every failure is in one
// cause.

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/diagnosis/class_evidence.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/group_by_cause.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/likeness.h"
#include "conformance/diagnosis/measure.h"
#include "conformance/diagnosis/minimize.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/taps.h"
#include "conformance/report/causes_text.h"
#include "conformance/run/runner.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/picture.h"
#include "conformance/worker/worker_process.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Small cases of many kinds, so that few faults look alike on all of them.
const std::vector<std::string>& Lines() {
  static const std::vector<std::string> kLines = {
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1",
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=1:dilations=1",
      "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:strides=3:dilations=2:pads_begin=2:pads_end=1",
      "ConvolutionBackpropData:data=2,2,3,4:filter=2,3,2,3:strides=2,1:dilations=1,2:pads_begin=1,0:pads_end=0,2",
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=6:strides=2:dilations=1:auto_pad=same_upper",
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=6:strides=2:dilations=1:auto_pad=same_lower",
      "ConvolutionBackpropData:data=1,2,3,3:filter=2,1,3,2:output_shape=6,5:strides=2,2:auto_pad=same_upper",
      "ConvolutionBackpropData:data=1,2,3,3:filter=2,1,3,2:output_shape=6,5:strides=2,2:auto_pad=same_lower",
      "ConvolutionBackpropData:data=1,1,4:filter=1,2,2:strides=3:dilations=1:output_padding=2",
      "ConvolutionBackpropData:data=1,1,4,3,2:filter=1,2,2,1,3:strides=1,2,3:dilations=2,1,1",
      "ConvolutionBackpropData:data=1,17,5:filter=17,5,3:strides=2:dilations=1:values=reals",
      "GroupConvolutionBackpropData:data=1,6,4:filter=2,3,2,3:strides=2:dilations=1:pads_begin=1:pads_end=1",
      "GroupConvolutionBackpropData:data=3,4,9:filter=4,1,1,3:strides=1:dilations=3",
      "ConvolutionBackpropData:data=1,2,4,5:filter=2,3,2,3:strides=1,1:dilations=1,1:pads_begin=1,0:pads_end=0,0",
      "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:strides=1:dilations=1",
      "ConvolutionBackpropData:data=1,2,5:filter=2,3,3:strides=1:dilations=1:seed=1",
      "ConvolutionBackpropData:data=1,2,4:filter=3,3,3:strides=1:dilations=1",
      "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:strides=0:dilations=1",
      "ConvolutionBackpropData:data=1,2,4:filter=2,3,3:strides=1:dilations=1:pads_begin=-1:pads_end=0",
  };
  return kLines;
}

std::vector<CaseResult> ResultsOf(const std::string& backend, const std::vector<std::string>& lines = Lines()) {
  RunOptions options;
  options.backend = backend;
  auto run = RunCases(DraftOf(lines), options);
  if (const auto* error = std::get_if<BackendError>(&run)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<RunRecord>(run).results;
}

Diagnosis Explained(const std::string& backend, const std::vector<CaseResult>& results,
                    const std::set<std::string_view>& without = {}) {
  // Not a matter of time: what is to be found is found however slow the machine is.
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {}, .seconds = 3600});
  if (const auto error = diagnoser.Observe()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return diagnoser.Explain(without);
}

std::vector<std::string> NamesOf(const Explanation& cause) {
  std::vector<std::string> names;
  for (const faults::Fault* fault : cause.hypotheses) names.emplace_back(fault->name);
  return names;
}

TEST(Diagnosis, NamesTheFaultOnAllFailures) {
  for (const std::string fault : {"filter_flipped", "same_upper_lower_exchanged", "pads_exchanged",
                                  "accepts_negative_pads", "output_padding_ignored", "strides_reversed"}) {
    const auto results = ResultsOf("fault:" + fault);
    const auto failures = static_cast<std::size_t>(
        std::ranges::count_if(results, [](const CaseResult& result) { return result.status == Status::kFail; }));
    ASSERT_NE(failures, 0U) << fault;
    const Diagnosis diagnosis = Explained("fault:" + fault, results);
    ASSERT_THAT(diagnosis.explanations, SizeIs(1)) << fault;
    const Explanation& cause = diagnosis.explanations.front();
    EXPECT_TRUE(cause.reproduces) << fault;
    EXPECT_THAT(NamesOf(cause), Contains(fault));
    EXPECT_EQ(cause.failures.size(), failures) << fault;
    EXPECT_EQ(cause.contradictions, 0U) << fault;
    EXPECT_THAT(diagnosis.unexplained, IsEmpty()) << fault;
  }
}

TEST(Diagnosis, NamesWhatOnlyAWorkerSurvives) {
  for (const std::string fault : {"writes_past_end", "keeps_filter"}) {
    const Diagnosis diagnosis = Explained("fault:" + fault, ResultsOf("fault:" + fault));
    ASSERT_THAT(diagnosis.explanations, Not(IsEmpty())) << fault;
    EXPECT_THAT(NamesOf(diagnosis.explanations.front()), Contains(fault));
  }
}

TEST(Diagnosis, LeavesAloneWhatAFaultWouldWalkForEver) {
  const auto scene_of = [](const char* line) {
    const auto parsed = ParseCaseLine(line);
    const auto backend = OpenBackend("oracle");
    return PrepareCase(std::get<Case>(parsed), std::get<std::unique_ptr<Backend>>(backend)->capabilities());
  };
  EXPECT_NE(scene_of("ConvolutionBackpropData:data=1,1,2:filter=1,1,2:dilations=100000:pads_begin=99999"), nullptr);
  EXPECT_EQ(
      scene_of("ConvolutionBackpropData:data=1,1,2:filter=1,1,2:dilations=1099511627776:pads_begin=1099511627775"),
      nullptr);
  EXPECT_EQ(scene_of("ConvolutionBackpropData:data=1,1,2:filter=1,1,2:strides=1099511627776:pads_end=1099511627775"),
            nullptr);
}

TEST(Diagnosis, OfABackendThatIsRightHasNothingToSay) {
  const Diagnosis diagnosis = Explained("fault:none", ResultsOf("fault:none"));
  EXPECT_THAT(diagnosis.explanations, IsEmpty());
  EXPECT_EQ(diagnosis.failures, 0U);
}

TEST(Diagnosis, WithoutTheFaultNamesItsClass) {
  for (const std::string fault : {"filter_flipped", "writes_past_end"}) {
    const Diagnosis diagnosis = Explained("fault:" + fault, ResultsOf("fault:" + fault), {fault});
    ASSERT_THAT(diagnosis.explanations, Not(IsEmpty())) << fault;
    EXPECT_THAT(NamesOf(diagnosis.explanations.front()), Not(Contains(fault)));
    EXPECT_EQ(diagnosis.explanations.front().mutant_class, faults::FindFault(fault)->mutant_class);
  }
}

/// A case that failed like this; nothing was run.
Trial FailureOf(std::size_t result, const std::string& line, FailureClass failure, const std::string& message = "") {
  Trial trial;
  trial.result = result;
  trial.scene = std::make_unique<PreparedCase>();
  trial.scene->test_case = DraftOf({line}).front().test_case;
  trial.behaviour.verdict.failure = failure;
  trial.behaviour.verdict.message = message;
  trial.failed = true;
  return trial;
}

TEST(ClassEvidenceTest, IsWhatMostFailuresPointAt) {
  const std::string plain = Lines().front();
  const std::string empty = "ConvolutionBackpropData:data=0,1,3:filter=1,1,3:strides=1";
  const struct {
    std::string line;
    FailureClass failure;
    const char* message;
    const char* expected;
  } cases[] = {{plain, FailureClass::kAcceptedInvalid, "", "V1"},
               {plain, FailureClass::kModifiedInput, "", "M1"},
               {plain, FailureClass::kStructuralNan, "", "A39"},
               {plain, FailureClass::kWrongNan, "", "N2"},
               {plain, FailureClass::kAccumulator, "", "E1"},
               {plain, FailureClass::kHang, "", "R1"},
               {plain, FailureClass::kCrash, "killed by Floating point exception (8)", "Z1"},
               {plain, FailureClass::kCrash, "killed by Segmentation fault (11)", "M1"},
               {plain, FailureClass::kCrash, "exited with status 1", "R1"},
               {plain, FailureClass::kCrash, "killed by Aborted (6)", ""},
               {plain, FailureClass::kWrongValue, "likely cause: the output was not cleared, sums ...", "R2"},
               {plain, FailureClass::kWrongValue, "", ""},
               {empty, FailureClass::kWrongShape, "", "Z1"}};
  for (const auto& test : cases) {
    const Trial one = FailureOf(0, test.line, test.failure, test.message);
    const Trial other = FailureOf(1, plain, FailureClass::kUnwritten);
    const auto evidence = ClassEvidenceOf(std::vector<const Trial*>{&one, &other, &one}, {});
    EXPECT_EQ(evidence ? evidence->mutant_class : "", test.expected) << FailureClassNameOf(test.failure);
    EXPECT_EQ(ClassEvidenceOf(std::vector<const Trial*>{&one, &other}, {}), std::nullopt) << "half of them is not most";
  }
}

TEST(ClassEvidenceTest, NothingRightFromSomeCaseOnIsAnEarlierCallsDoing) {
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < 16; ++i) trials.push_back(FailureOf(i, Lines().front(), FailureClass::kWrongValue));
  std::vector<const Trial*> early;
  std::vector<const Trial*> late;
  for (std::size_t i = 0; i < 16; ++i) (i < 8 ? early : late).push_back(&trials[i]);
  ASSERT_TRUE(ClassEvidenceOf(late, early).has_value());
  EXPECT_EQ(ClassEvidenceOf(late, early)->mutant_class, "R2");
  EXPECT_FALSE(ClassEvidenceOf(early, late).has_value());
}

// A hypothesis that reproduces every failure is still refuted by what passed.
TEST(Diagnosis, CountsWhatSpeaksAgainstIt) {
  std::vector<CaseResult> results = ResultsOf("fault:filter_flipped_at_stride_one");
  const Diagnosis with = Explained("fault:filter_flipped_at_stride_one", results);
  ASSERT_THAT(with.explanations, Not(IsEmpty()));
  EXPECT_THAT(NamesOf(with.explanations.front()), ElementsAre("filter_flipped_at_stride_one"));
  const Diagnosis without = Explained("fault:filter_flipped_at_stride_one", results, {"filter_flipped_at_stride_one"});
  ASSERT_THAT(without.explanations, Not(IsEmpty()));
  EXPECT_TRUE(std::ranges::none_of(without.explanations, [](const Explanation& cause) {
    return cause.hypotheses.front()->name == "filter_flipped" && cause.contradictions == 0;
  }));
}

TEST(Diagnosis, SaysWhatDoesNotFailAgain) {
  std::vector<CaseResult> results = ResultsOf("fault:none");
  results[2].status = Status::kFail;
  results[2].failure = FailureClass::kWrongValue;
  const Diagnosis diagnosis = Explained("fault:none", results);
  EXPECT_THAT(diagnosis.vanished, ElementsAre(2));
  const std::vector<Cause> causes = CausesOf(results, diagnosis).causes;
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, HasSubstr("passed when run again"));
}

TEST(Clusters, HoldEveryFailureOnce) {
  const auto results = ResultsOf("fault:pads_exchanged");
  const Diagnosis diagnosis = Explained("fault:pads_exchanged", results);
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].status == Status::kFail) failed.push_back(results[i].place);
  }
  // Also where nothing was tried.
  for (const Diagnosis& one : {diagnosis, Diagnosis{}}) {
    std::vector<std::size_t> placed;
    for (const Cause& cause : CausesOf(results, one).causes) {
      EXPECT_THAT(cause.failures, Contains(cause.smallest));
      placed.insert(placed.end(), cause.failures.begin(), cause.failures.end());
    }
    std::ranges::sort(placed);
    EXPECT_EQ(placed, failed);
  }
}

TEST(Clusters, TellCausesInWords) {
  const auto results = ResultsOf("fault:same_upper_lower_exchanged");
  const std::string text = CausesText(CausesOf(results, Explained("fault:same_upper_lower_exchanged", results)),
                                      results, "fault:same_upper_lower_exchanged");
  EXPECT_THAT(text, HasSubstr("causes: 1 for"));
  EXPECT_THAT(text, HasSubstr(std::string(faults::FindFault("same_upper_lower_exchanged")->sentence)));
  EXPECT_THAT(text, HasSubstr(std::string(ClassTitle("P1"))));
  EXPECT_THAT(text, HasSubstr("deconv-cts replay --backend fault:same_upper_lower_exchanged Conv"));
}

TEST(Classes, AllHaveTitles) {
  for (const faults::Fault& fault : faults::Faults()) {
    EXPECT_FALSE(ClassTitle(fault.mutant_class).empty()) << fault.mutant_class;
  }
}

// A vendor's sums are rounded on their own way: what is within the bound of the fault's is the same, what is not, is
// not.
TEST(Likeness, AllowsForRounding) {
  const std::string line = "ConvolutionBackpropData:data=1,17,5:filter=17,5,3:strides=2:dilations=1:values=reals";
  const faults::Fault& fault = *faults::FindFault("filter_flipped");
  const auto stage = std::make_shared<TrialSetup>();
  ObservingJudge witness("fault:filter_flipped", {}, stage);
  ASSERT_FALSE(witness.Start().has_value());
  const SuiteCase planned = DraftOf({line}).front();
  auto scene = PrepareCase(planned.test_case, witness.capabilities());
  ASSERT_NE(scene, nullptr);
  const Trial trial = TrialOf(0, std::move(scene), witness.Observe(planned), witness.capabilities());
  ASSERT_TRUE(trial.failed);
  Hypothesis hypothesis(fault);
  const Call same = hypothesis.Run(*trial.scene, kFirstPoison);
  const Call& seen = trial.behaviour.calls.front();
  EXPECT_EQ(LikenessOf(trial, seen, same, witness.capabilities()), Likeness::kSame);
  const auto first_moved = [&](float by) {
    Call moved = same;
    float value = 0;
    std::memcpy(&value, moved.output.data(), sizeof value);
    value += by;
    std::memcpy(moved.output.data(), &value, sizeof value);
    return moved;
  };
  const auto bound = static_cast<float>(trial.largest_bound);
  EXPECT_EQ(LikenessOf(trial, seen, first_moved(bound), witness.capabilities()), Likeness::kClose);
  EXPECT_EQ(LikenessOf(trial, seen, first_moved(8 * bound), witness.capabilities()), Likeness::kNone);
  Hypothesis other(*faults::FindFault("pads_exchanged"));
  EXPECT_EQ(LikenessOf(trial, seen, other.Run(*trial.scene, kFirstPoison), witness.capabilities()), Likeness::kNone);
}

TEST(Minimize, FindsASmallCaseThatFailsTheSameWay) {
  const std::string line =
      "GroupConvolutionBackpropData:data=2,6,4,5,3:filter=2,3,2,3,2,3:strides=2,1,2:dilations=1,2,1:pads_begin=1,0,1:"
      "pads_end=0,1,1:output_padding=1,0,0:type=f64:values=wide:seed=7";
  MinimizeOptions options;
  options.backend = "fault:filter_flipped";
  options.seconds = 3600;
  std::vector<std::size_t> runs;
  const auto minimized =
      Minimize(DraftOf({line}).front(), options, [&](const CaseResult&, std::size_t run) { runs.push_back(run); });
  ASSERT_TRUE(std::holds_alternative<Minimized>(minimized));
  const auto& found = std::get<Minimized>(minimized);
  ASSERT_TRUE(found.failed());
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.steps, runs.size());
  EXPECT_TRUE(std::ranges::is_sorted(runs));
  const Case& smallest = found.smallest.test_case;
  EXPECT_EQ(smallest.op.data.dims, (oracle::Dims{1, 1, 1}));
  EXPECT_EQ(smallest.values, DataSet::kIntegers);
  EXPECT_EQ(smallest.seed, 0U);
  EXPECT_EQ(NonZeroData(smallest, found.result), 1);
  EXPECT_THAT(found.hypotheses, Contains(faults::FindFault("filter_flipped")));
  // The line alone says it all.
  EXPECT_EQ(ResultsOf("fault:filter_flipped", {found.result.line}).front().failure, FailureClass::kWrongValue);
  EXPECT_EQ(ResultsOf("fault:none", {found.result.line}).front().status, Status::kPass);
}

TEST(Minimize, KeepsAsFewDataElementsAsFail) {
  MinimizeOptions options;
  options.backend = "fault:last_coordinate_dropped";
  options.seconds = 3600;
  const std::string line = "ConvolutionBackpropData:data=1,1,9,9:filter=1,1,3,3:strides=2,2:dilations=1,1";
  const auto minimized = Minimize(DraftOf({line}).front(), options, [](const CaseResult&, std::size_t) {});
  const auto& found = std::get<Minimized>(minimized);
  ASSERT_TRUE(found.failed());
  EXPECT_LE(NonZeroData(found.smallest.test_case, found.result), 1);
}

TEST(Minimize, LeavesWhatPassesAsItIs) {
  MinimizeOptions options;
  options.backend = "fault:none";
  const auto minimized = Minimize(DraftOf({Lines().front()}).front(), options, [](const CaseResult&, std::size_t) {});
  const auto& found = std::get<Minimized>(minimized);
  EXPECT_FALSE(found.failed());
  EXPECT_EQ(found.steps, 0U);
  EXPECT_EQ(found.result.line, Lines().front());
}

// Position by position: the picture is of the outputs that the comparison finds wrong.
TEST(Picture, ShowsWhereOutputsAreWrong) {
  const std::string line = "ConvolutionBackpropData:data=1,1,3,4:filter=1,1,1,1:strides=1,1:dilations=1,1";
  const auto results = ResultsOf("fault:last_row_unwritten", {line});
  ASSERT_TRUE(results[0].wrong_grid.has_value()) << results[0].message;
  const WrongGrid& grid = *results[0].wrong_grid;
  EXPECT_EQ(grid.rows, 3);
  EXPECT_EQ(grid.columns, 4);
  EXPECT_THAT(grid.wrong, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_EQ(PictureText(grid, results[0].output_dims, false),
            "     wrong outputs of [0,0,*,*]: 4 of 12\n       ....\n       ....\n       ####\n");
  EXPECT_THAT(PictureText(grid, results[0].output_dims, true), HasSubstr("\x1b[31m#"));
}

TEST(Picture, IsCoarserWhereThePlaneIsLarge) {
  oracle::Geometry geometry;
  geometry.layout = oracle::DataLayout::kNxc;
  geometry.batch = 1;
  geometry.in_channels = geometry.out_channels = 2;
  geometry.axes = {{.data = 1, .kernel = 1, .output = 3}, {.data = 1, .kernel = 1, .output = 100}};
  WrongGridMaker maker(geometry);
  // Channel 1 of [1,3,100,2]: columns 10 to 13 of row 1, and one of channel 0, which is not drawn.
  for (std::int64_t column = 10; column < 14; ++column) maker.Meet((100 + column) * 2 + 1);
  maker.Meet((100 + 50) * 2);
  const auto grid = maker.Take();
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->column_step, 3);
  EXPECT_EQ(grid->CellColumns(), 34);
  std::string row(34, '.');
  row[3] = '+';
  row[4] = '+';
  const std::string text = PictureText(*grid, geometry.OutputDims(), false);
  EXPECT_THAT(text, HasSubstr("wrong outputs of [0,*,*,1]: 4 of 300, a character for 1 x 3"));
  EXPECT_THAT(text, HasSubstr(row));
  EXPECT_EQ(WrongGridMaker(geometry).Take(), std::nullopt);
}

// Each product once, and together what the oracle says, in every layout.
TEST(Taps, AreTheProductsOfAnOutput) {
  const std::vector<std::string> lines = {
      "ConvolutionBackpropData:data=1,2,3,4:filter=2,3,2,3:strides=2,1:dilations=1,2:pads_begin=1,0:pads_end=0,1",
      "GroupConvolutionBackpropData:data=2,4,5:filter=2,2,3,3:strides=2:dilations=1",
      "ConvolutionBackwardData:data=1,3,4:filter=3,2,4:dst_shape=1,7,2:strides=2:dilations=1:pads_begin=0:pads_end=0",
  };
  for (const std::string& line : lines) {
    const Case test_case = DraftOf({line}).front().test_case;
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
    ASSERT_TRUE(resolution.ok()) << line;
    const oracle::Geometry& geometry = *resolution.geometry;
    std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * sizeof(float));
    std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * sizeof(float));
    FillTensor(test_case.values, test_case.seed, geometry, Tensor::kData, data);
    FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
    const oracle::OutputRange all{0, geometry.OutputCount()};
    std::vector<oracle::FloatSum> sums(static_cast<std::size_t>(all.count));
    Gather(oracle::Operands(geometry, data, filter), all, sums);
    for (std::int64_t i = 0; i < all.count; ++i) {
      const oracle::Dims at = CoordinateOf(i, geometry.OutputDims());
      const TapsOfOutput taps = TapsAt(geometry, test_case.op.filter.dims, data, filter, at, 1000);
      const oracle::FloatSum& sum = sums[static_cast<std::size_t>(i)];
      ASSERT_EQ(taps.count, sum.taps) << line << DimsText(at);
      double total = 0;
      for (const TapOfOutput& tap : taps.taps) {
        total += std::stod(tap.product);
        EXPECT_EQ(std::stod(tap.data_value) * std::stod(tap.filter_value), std::stod(tap.product));
      }
      EXPECT_EQ(total, oracle::FloatValue(sum.bits, geometry.type)) << line << DimsText(at);
    }
  }
}

TEST(Taps, AreToldOfAnOutputThatExists) {
  const Case test_case = DraftOf({Lines().front()}).front().test_case;
  const oracle::Dialect dialect = test_case.EffectiveDialect();
  const auto taps = TapsText(test_case, dialect, {0, 0, 2});
  ASSERT_TRUE(std::holds_alternative<std::string>(taps));
  EXPECT_THAT(std::get<std::string>(taps), HasSubstr("taps of output [0,0,2]: 2"));
  EXPECT_THAT(std::get<std::string>(taps), HasSubstr("data[0,0,1] "));
  const auto beyond = TapsText(test_case, dialect, {0, 0, 7});
  ASSERT_TRUE(std::holds_alternative<NoTaps>(beyond));
  EXPECT_THAT(std::get<NoTaps>(beyond).message, HasSubstr("expected one within [1,1,7]"));
}

TEST(Measurement, CountsWhatBecomesSmall) {
  const std::vector<const faults::Fault*> bank = {faults::FindFault("filter_flipped"),
                                                  faults::FindFault("crashes_on_many_outputs")};
  const auto measured = MeasureMinimize(DraftOf(Lines()), bank, 1, {}, [](std::size_t) {});
  ASSERT_TRUE(std::holds_alternative<std::vector<MinimizedFault>>(measured));
  const auto& minimized = std::get<std::vector<MinimizedFault>>(measured);
  ASSERT_THAT(minimized, SizeIs(1));
  EXPECT_LE(minimized[0].axes, 2U);
  EXPECT_LE(minimized[0].non_zero_data, 4);
  MinimizedFault large = minimized[0];
  large.non_zero_data = 5;
  EXPECT_FALSE(large.good());
}

TEST(Measurement, CountsWhatIsNamed) {
  const std::vector<const faults::Fault*> bank = {faults::FindFault("filter_flipped"),
                                                  faults::FindFault("accepts_negative_pads"),
                                                  faults::FindFault("crashes_on_many_outputs")};
  std::size_t calls = 0;
  const auto measured = MeasureDiagnosis(DraftOf(Lines()), bank, 1, {}, [&](std::size_t done) { calls = done; });
  ASSERT_TRUE(std::holds_alternative<DiagnosisPower>(measured));
  const auto& power = std::get<DiagnosisPower>(measured);
  EXPECT_EQ(calls, 3U);
  EXPECT_EQ(power.Failing(), 2U);
  EXPECT_EQ(power.faults[2].failures, 0U);
  EXPECT_EQ(power.NamedPercent(), 100);
  EXPECT_TRUE(power.faults[0].class_named);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  const int served = conformance::ServeIfWorker({argv, static_cast<std::size_t>(argc)});
  if (served >= 0) return served;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
