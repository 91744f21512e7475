// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that corpus/regressions, the folder with cases of real bugs of libraries, keeps its rules: every class of bugs
// has a file, and every case has a link to a report, a canonical line and the refusal that it claims. It also tests
// that the reader names the fault of a broken file.

#include "conformance/suite/regression_file.h"

#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/suite/suite_generators.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

// All classes of reported bugs of transposed convolution. Quantisation and bias are left out: the operator has neither.
const std::set<std::string>& Classes() {
  static const std::set<std::string> classes = {
      // Pads, output shape and size.
      "pads-split-swapped", "pads-ends-swapped", "auto-pad-ignored", "pads-with-output-shape", "negative-total",
      "output-shape-misread", "output-size-off-by-one", "pads-added-to-data",
      // output_padding.
      "output-padding-ignored", "output-padding-zeroed", "output-padding-scaled", "output-padding-at-the-beginning",
      // Dilation.
      "dilation-missing", "dilation-and-stride", "dilation-off-by-one",
      // Groups and channels.
      "group-offset", "group-channels-interleaved", "group-of-one-channel-only", "channels-swapped", "channel-tail",
      // Kernel.
      "kernel-flipped", "kernel-clipping", "forward-instead",
      // Axes and strides.
      "axes-swapped", "rank-promotion", "stride-of-another-axis", "stride-gaps", "width-tail", "batch-ignored",
      // Sizes, memory, threads, numbers, checks, formats.
      "zero-size", "index-overflow", "race", "not-the-same-twice", "out-of-bounds", "narrow-accumulator", "not-refused",
      "layout-confused", "workspace-for-nothing"};
  return classes;
}

std::vector<std::pair<std::string, RegressionFile>> Files() {
  std::vector<std::pair<std::string, RegressionFile>> files;
  const auto paths = CorpusFiles(CorpusRoot() / "regressions", ".txt");
  for (const fs::path& path : std::get<std::vector<fs::path>>(paths)) {
    auto file = ReadRegressionFile(path);
    const auto* error = std::get_if<ReadError>(&file);
    EXPECT_EQ(error, nullptr) << error->message;
    if (error == nullptr) files.emplace_back(path.stem().string(), std::get<RegressionFile>(file));
  }
  return files;
}

TEST(Regressions, EveryClassHasAFileAndEveryFileIsAClass) {
  std::set<std::string> found;
  std::size_t cases = 0;
  for (const auto& [name, file] : Files()) {
    found.insert(name);
    cases += file.cases.size();
    EXPECT_GE(file.cases.size(), 2U) << name;
    EXPECT_TRUE(file.defect.ends_with('.')) << name;
  }
  EXPECT_EQ(found, Classes());
  EXPECT_GE(cases, 250U);
}

TEST(Regressions, LinksAreReportsChangesOrSources) {
  std::set<std::string> links;
  for (const auto& [name, file] : Files()) {
    for (const Regression& regression : file.cases) {
      for (const std::string& link : regression.seen) {
        links.insert(link);
        EXPECT_THAT(link, testing::AnyOf(testing::MatchesRegex("https://github.com/[a-zA-Z0-9_.-]+/[a-zA-Z0-9_.-]+/"
                                                               "(issues|pull)/[0-9]+"),
                                         testing::MatchesRegex("https://github.com/[a-zA-Z0-9_.-]+/[a-zA-Z0-9_.-]+/"
                                                               "commit/[0-9a-f]+"),
                                         testing::MatchesRegex("https://github.com/[a-zA-Z0-9_.-]+/[a-zA-Z0-9_.-]+/"
                                                               "blob/[a-zA-Z0-9_./-]+"),
                                         testing::StartsWith("deconv-cts fuzz, ")))
            << name << "/" << regression.name;
      }
    }
  }
  EXPECT_GE(links.size(), 120U);
}

TEST(Regressions, LinesAreCanonicalAndRefusedWhereTheySaySo) {
  for (const auto& [name, file] : Files()) {
    std::ifstream stream(CorpusRoot() / "regressions" / (name + ".txt"));
    std::set<std::string> written;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("case: ")) written.insert(line.substr(6));
    }
    EXPECT_EQ(written.size(), file.cases.size()) << name;
    for (const Regression& regression : file.cases) {
      const std::string where = name + "/" + regression.name;
      EXPECT_TRUE(written.contains(ToLine(regression.test_case))) << where << ": " << ToLine(regression.test_case);
      EXPECT_TRUE(regression.why.ends_with('.')) << where;
      const auto resolution = oracle::Resolve(regression.test_case.op, regression.test_case.EffectiveDialect());
      EXPECT_EQ(resolution.ok() ? "" : resolution.refusal->clause, regression.refused) << where;
    }
  }
}

// A translation of a case is the case as another kind of operator. It has the same geometry, and so the same numbers.
TEST(Regressions, TranslationsHaveTheGeometryOfTheirOrigin) {
  const auto cases = std::get<std::vector<SuiteCase>>(SuiteCases("regressions", Level::kFull, 0));
  const auto resolved = [](const SuiteCase& suite_case) {
    return oracle::Resolve(suite_case.test_case.op, suite_case.test_case.EffectiveDialect());
  };
  std::map<std::string, oracle::Geometry> origins;
  int translations = 0;
  for (const SuiteCase& suite_case : cases) {
    if (suite_case.name.ends_with(".invalid")) continue;
    const oracle::Resolution resolution = resolved(suite_case);
    ASSERT_TRUE(resolution.ok()) << suite_case.name << ": " << resolution.refusal->message;
    if (!suite_case.reason.starts_with("The geometry of ")) {
      origins.emplace(suite_case.name, *resolution.geometry);
      continue;
    }
    ++translations;
    const auto origin = origins.find(suite_case.name.substr(0, suite_case.name.rfind('.')));
    ASSERT_NE(origin, origins.end()) << suite_case.name;
    ASSERT_EQ(resolution.geometry->axes.size(), origin->second.axes.size());
    for (std::size_t i = 0; i < origin->second.axes.size(); ++i) {
      oracle::Axis axis = resolution.geometry->axes[i];
      axis.pads_end = origin->second.axes[i].pads_end;  // has no effect: the output size decides
      EXPECT_EQ(axis, origin->second.axes[i]) << suite_case.name << " axis " << i;
    }
    EXPECT_EQ(resolution.geometry->groups, origin->second.groups) << suite_case.name;
    EXPECT_EQ(resolution.geometry->batch, origin->second.batch) << suite_case.name;
    EXPECT_EQ(resolution.geometry->in_channels, origin->second.in_channels) << suite_case.name;
    EXPECT_EQ(resolution.geometry->out_channels, origin->second.out_channels) << suite_case.name;
  }
  EXPECT_GE(translations, 400);
}

class BrokenRegressionFile : public testing::Test {
 protected:
  std::string MessageOf(const std::string& text) {
    const fs::path path = fs::path(testing::TempDir()) / "broken-regressions.txt";
    std::ofstream(path) << text;
    const auto result = ReadRegressionFile(path);
    fs::remove(path);
    const auto* error = std::get_if<ReadError>(&result);
    return error == nullptr ? "" : error->message;
  }

  const std::string head_ = "defect: It is wrong.\n\n";
  const std::string name_ = "name: one\n";
  const std::string case_ = "case: ConvTranspose:data=1,1,3:filter=1,1,3\n";
  const std::string seen_ = "seen: https://github.com/onnx/onnx/issues/1\n";
  const std::string why_ = "why: It was.\n";
};

TEST_F(BrokenRegressionFile, AWholeOneIsRead) {
  EXPECT_EQ(MessageOf(head_ + name_ + case_ + seen_ + why_ + "level: full\nrefused: A1\n"), "");
}

TEST_F(BrokenRegressionFile, EachFaultIsNamed) {
  EXPECT_THAT(MessageOf(name_ + case_ + seen_ + why_), HasSubstr("no defect"));
  EXPECT_THAT(MessageOf(head_), HasSubstr("no case"));
  EXPECT_THAT(MessageOf(head_ + case_ + seen_ + why_), HasSubstr("has no name"));
  EXPECT_THAT(MessageOf(head_ + name_ + seen_ + why_), HasSubstr("has no case"));
  EXPECT_THAT(MessageOf(head_ + name_ + case_ + why_), HasSubstr("has no seen"));
  EXPECT_THAT(MessageOf(head_ + name_ + case_ + seen_), HasSubstr("has no why"));
  EXPECT_THAT(MessageOf(head_ + name_ + case_ + seen_ + why_ + case_), HasSubstr(".txt:7: found a second case"));
  EXPECT_THAT(MessageOf(head_ + name_ + name_ + case_ + seen_ + why_), HasSubstr(".txt:4: found a second name"));
  EXPECT_THAT(MessageOf(head_ + name_ + case_ + seen_ + why_ + "\n" + name_ + case_ + seen_ + why_),
              HasSubstr("found a second case 'one'"));
  EXPECT_THAT(MessageOf(head_ + name_ + "case: Convolution:data=1\n" + seen_ + why_), HasSubstr(".txt:4: case: "));
  EXPECT_THAT(MessageOf(head_ + name_ + case_ + seen_ + why_ + "level: soon\n"), HasSubstr("expected smoke"));
  EXPECT_THAT(MessageOf(head_ + name_ + case_ + seen_ + why_ + "link: x\n"), HasSubstr("found key 'link'"));
  EXPECT_THAT(MessageOf(head_ + "nonsense\n"), HasSubstr(".txt:3: found 'nonsense', expected KEY: VALUE"));
}

TEST_F(BrokenRegressionFile, AMissingOneIsNamed) {
  const auto result = ReadRegressionFile("/nowhere/at/all.txt");
  ASSERT_TRUE(std::holds_alternative<ReadError>(result));
  EXPECT_THAT(std::get<ReadError>(result).message, HasSubstr("/nowhere/at/all.txt: No such file"));
}

}  // namespace
}  // namespace conformance
