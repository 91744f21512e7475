// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the corpus follows its rules, and that the check finds each violation planted in a copy of the corpus.

#include "conformance/testing/corpus_lint.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/suite/suite.h"

namespace conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

/// Each test changes a fresh copy of the corpus.
class CorpusLint : public testing::Test {
 protected:
  void SetUp() override {
    scratch_ = fs::temp_directory_path() /
               ("corpus_lint_test_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(scratch_);
    copy_ = scratch_ / "corpus";
    fs::create_directories(copy_);
    fs::copy(CorpusRoot(), copy_, fs::copy_options::recursive);
  }
  void TearDown() override { fs::remove_all(scratch_); }

  std::vector<std::string> Findings() const { return LintCorpus(copy_, scratch_); }

  void Edit(const fs::path& file, const std::string& from, const std::string& to) const {
    std::ifstream stream(copy_ / file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << file << " has no " << from;
    std::ofstream(copy_ / file, std::ios::binary) << text.replace(at, from.size(), to);
  }

  fs::path scratch_;
  fs::path copy_;
};

TEST_F(CorpusLint, TheCorpusKeepsItsRules) { EXPECT_THAT(LintCorpus(CorpusRoot(), scratch_), IsEmpty()); }

TEST_F(CorpusLint, FindsAFileWithoutAnOrigin) {
  Edit("layers/dcgan_l2.xml", "<!-- origin:", "<!-- from:");
  EXPECT_THAT(Findings(), Contains("layers/dcgan_l2.xml: has no <!-- origin: ... -->"));
}

TEST_F(CorpusLint, FindsAFragmentThatIsNotListed) {
  Edit("spec/ORIGINS.txt", "fragments/group_1d.xml", "# fragments/group_1d.xml");
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains("spec/fragments/group_1d.xml: is not listed in ORIGINS.txt"));
}

TEST_F(CorpusLint, FindsANetThatIsNotItsFragment) {
  Edit("spec/nets/convolution_2020.xml", "pads_end=\"1, 1\"", "pads_end=\"1, 1\" output_padding=\"0, 0\"");
  EXPECT_THAT(Findings(), ElementsAre("spec/nets/convolution_2020.xml: describes another case than its fragment"));
}

TEST_F(CorpusLint, FindsTwoFilesWithOneCase) {
  fs::copy(copy_ / "layers/sam_up1.xml", copy_ / "layers/sam_up1_again.xml");
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains("layers/sam_up1_again.xml: describes the same case as sam_up1.xml"));
  EXPECT_THAT(findings, Contains("layers/sam_up1_again.xml: has no line in layers.txt"));
}

TEST_F(CorpusLint, FindsAWrongDeclaredShape) {
  Edit("layers/s1_k3.xml", "strides=\"1, 1\"", "strides=\"2, 2\"");
  EXPECT_THAT(Findings(), Contains("layers/s1_k3.xml: declares output [1,64,56,56], expected [1,64,111,111]"));
}

TEST_F(CorpusLint, FindsAnOperatorThatIsRefused) {
  Edit("layers/s1_k3.xml", "strides=\"1, 1\"", "strides=\"0, 1\"");
  EXPECT_THAT(Findings(), Contains(HasSubstr("layers/s1_k3.xml: is refused: A2 ")));
}

TEST_F(CorpusLint, FindsAFileThatDoesNotRead) {
  Edit("layers/s1_k3.xml", "strides=\"1, 1\"", "strides=\"1, one\"");
  EXPECT_THAT(Findings(), Contains(HasSubstr("strides: found ' one', expected an integer")));
}

TEST_F(CorpusLint, FindsALineOfLayersThatIsNoNet) {
  Edit("layers/layers.txt", "hifigan_u1          1  1   512", "hifigan_u1          1  1   511");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("no net describes 'hifigan_u1' with these numbers")));
}

TEST_F(CorpusLint, FindsABinary) {
  std::ofstream(copy_ / "layers" / "weights.bin", std::ios::binary) << std::string(70000, '\0');
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains("layers/weights.bin: is binary"));
  EXPECT_THAT(findings, Contains("layers/weights.bin: has 70000 bytes, expected at most 65536"));
}

TEST_F(CorpusLint, FindsAMissingFolder) {
  fs::remove_all(copy_ / "layers");
  EXPECT_THAT(Findings(), Contains(HasSubstr("corpus/layers: No such file or directory")));
}

}  // namespace
}  // namespace conformance
