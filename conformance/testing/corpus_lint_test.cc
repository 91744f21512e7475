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

TEST_F(CorpusLint, FindsAFragmentThatIsNotListed) {
  Edit("spec/ORIGINS.txt", "fragments/group_1d.xml", "# fragments/group_1d.xml");
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains("spec/fragments/group_1d.xml: is not listed in ORIGINS.txt"));
}

TEST_F(CorpusLint, FindsANetThatIsNotItsFragment) {
  Edit("spec/nets/convolution_2020.xml", "pads_end=\"1, 1\"", "pads_end=\"1, 1\" output_padding=\"0, 0\"");
  EXPECT_THAT(Findings(), ElementsAre("spec/nets/convolution_2020.xml: describes another case than its fragment"));
}

TEST_F(CorpusLint, FindsTwoLayersWithOneCase) {
  Edit("layers.txt", "data=1,100,1,1:filter=100,1024,4,4:strides=1,1",
       "data=1,1024,4,4:filter=1024,512,4,4:strides=2,2");
  Edit("layers.txt", "pads_begin=0,0:pads_end=0,0:output_padding=0,0:auto_pad=explicit  # dcgan_l1",
       "pads_begin=1,1:pads_end=1,1:output_padding=0,0:auto_pad=explicit  # dcgan_l1");
  EXPECT_THAT(Findings(), ElementsAre("layers.txt: dcgan_l2 is the same case as dcgan_l1"));
}

TEST_F(CorpusLint, FindsALayerWithoutAnOrigin) {
  Edit("layers.txt", "  # s1_k3: ", "  # s1_k3 ");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("expected CASE  # NAME: ORIGIN")));
}

TEST_F(CorpusLint, FindsTwoLayersWithOneName) {
  Edit("layers.txt", "  # dcgan_l2: ", "  # dcgan_l1: ");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("found a second layer 'dcgan_l1', expected a name of its own")));
}

TEST_F(CorpusLint, FindsALayerThatIsNoCase) {
  Edit("layers.txt", "data=1,100,1,1:", "data=1,100,1,one:");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("field 'data': found 'one', expected an integer")));
}

TEST_F(CorpusLint, FindsALayerThatIsRefused) {
  Edit("layers.txt", "filter=100,1024,4,4:strides=1,1", "filter=100,1024,4,4:strides=0,1");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("layers.txt: dcgan_l1 is refused: A2 ")));
}

TEST_F(CorpusLint, FindsAWrongDeclaredShape) {
  Edit("spec/nets/convolution_2020.xml", "<dim>447</dim>", "<dim>448</dim>");
  EXPECT_THAT(Findings(),
              Contains(HasSubstr("spec/nets/convolution_2020.xml: declares output [1,10,448,447], expected")));
}

TEST_F(CorpusLint, FindsAnOperatorThatIsRefused) {
  Edit("spec/nets/convolution_2020.xml", "strides=\"2, 2\"", "strides=\"0, 2\"");
  EXPECT_THAT(Findings(), Contains(HasSubstr("spec/nets/convolution_2020.xml: is refused: A2 ")));
}

TEST_F(CorpusLint, FindsAFileThatDoesNotRead) {
  Edit("spec/nets/convolution_2020.xml", "strides=\"2, 2\"", "strides=\"2, one\"");
  EXPECT_THAT(Findings(), Contains(HasSubstr("strides: found ' one', expected an integer")));
}

TEST_F(CorpusLint, FindsABinary) {
  std::ofstream(copy_ / "spec" / "weights.bin", std::ios::binary) << std::string(70000, '\0');
  const auto findings = Findings();
  EXPECT_THAT(findings, Contains("spec/weights.bin: is binary"));
  EXPECT_THAT(findings, Contains("spec/weights.bin: has 70000 bytes, expected at most 65536"));
}

TEST_F(CorpusLint, FindsAMissingFile) {
  fs::remove(copy_ / "layers.txt");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("corpus/layers.txt: No such file or directory")));
}

}  // namespace
}  // namespace conformance
