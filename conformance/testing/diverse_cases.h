// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of reports and of the search for causes: small cases of many kinds, and their results on a backend (an
// implementation of transposed convolution).

#ifndef DECONV_CONFORMANCE_TESTING_DIVERSE_CASES_H_
#define DECONV_CONFORMANCE_TESTING_DIVERSE_CASES_H_

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/run/runner.h"
#include "conformance/testing/test_cases.h"

namespace conformance {

/// The case lines. Two planted faults (backends that are wrong on purpose) seldom give the same answers to all of them.
inline const std::vector<std::string>& DiverseLines() {
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

/// Runs the lines on a backend. If it cannot be opened, the test fails and the result is empty.
inline std::vector<CaseResult> ResultsOf(const std::string& backend,
                                         const std::vector<std::string>& lines = DiverseLines()) {
  RunOptions options;
  options.backend = backend;
  auto run = RunCases(TestCasesOf(lines), options);
  if (const auto* error = std::get_if<BackendError>(&run)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<RunRecord>(run).results;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_DIVERSE_CASES_H_
