// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of reports: makes the records of a plain run, and of runs with one failure of each class or with each
// warning. Their messages contain markup, which a report must escape.

#ifndef DECONV_CONFORMANCE_TESTING_TEST_RECORDS_H_
#define DECONV_CONFORMANCE_TESTING_TEST_RECORDS_H_

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "conformance/report/summary.h"
#include "conformance/run/run_record.h"
#include "conformance/run/runner.h"

namespace conformance {

/// A text that breaks a report that does not escape it. It ends elements, table cells, strings and blocks of code of
/// some format, reverses the direction of text, and is malformed UTF-8.
// NOLINTNEXTLINE(misc-misleading-bidirectional): the text must be misleading
inline const std::string kHostile = "</script><b>&amp;\"'|`````\n# no heading\x01\xff\\u003c {{}} [a](b) \u202E";

/// The settings of a run, as reports record them.
inline RunDescription DescriptionOfTest() {
  RunDescription description;
  description.suite_version = "1.2";
  description.level = "smoke";
  description.exit_code = 1;
  return description;
}

/// The result of a case that passed, with an output of 5 x 6 elements.
inline CaseResult PassOfTest(const std::string& name) {
  CaseResult pass;
  pass.origin.suite = "attributes";
  pass.origin.name = name;
  pass.judged.line = "ConvolutionBackpropData:data=1,1,3,4:filter=1,1,3,3";
  pass.judged.dialect = "openvino-spec";
  pass.judged.output_dims = {1, 1, 5, 6};
  pass.verdict.status = Status::kPass;
  pass.outputs.count = 30;
  pass.outputs.worst_ratio = 0.25;
  return pass;
}

/// Numbers the results of a run, as those of a complete case list.
inline void Number(RunRecord& run) {
  for (std::size_t i = 0; i < run.results.size(); ++i) run.results[i].origin.case_index = i;
  run.case_list_size = run.results.size();
  run.case_list_hash = "0123456789abcdef";
}

/// The number of failures in EveryFailure(), as text.
inline const std::string kFailures = std::to_string(kFailureClasses.size());

/// A run with a pass, and then a failure of each class in the order of kFailureClasses. Their messages are hostile.
inline RunRecord EveryFailure() {
  RunRecord run;
  run.backend = "fault:some";
  run.declared.name = "some";
  run.declared.version = "1";
  run.declared.dialects = {oracle::Dialect::kOpenvinoSpec};
  run.results = {PassOfTest("good")};
  for (const FailureClassName& entry : kFailureClasses) {
    CaseResult fail = PassOfTest("bad-" + std::string(entry.name));
    fail.verdict.status = Status::kFail;
    fail.verdict.failure = entry.value;
    fail.verdict.message = kHostile;
    fail.origin.reason = "seen in https://github.com/some/where/issues/1.";
    fail.judged.clauses = {"P3", "V1"};
    fail.trace.backtrace = "frame <1>\nframe 2\n";
    // Coordinate, expected, got, error, bound, number of products.
    fail.outputs.first_wrong =
        WrongOutput{{0, 0, 1, 2}, "1", kHostile, std::numeric_limits<double>::infinity(), 0.5, 3};
    fail.outputs.wrong = 3;
    // Plane, row axis, column axis, rows, columns, row step, column step, and the wrong outputs of each of 5 x 6 cells.
    fail.outputs.wrong_grid = WrongGrid{{0, 0, 1, 2}, 2, 3, 5, 6, 1, 1, std::vector<std::uint32_t>(30)};
    for (const std::size_t cell : {8u, 9u, 29u}) fail.outputs.wrong_grid->wrong[cell] = 1;
    run.results.push_back(std::move(fail));
  }
  Number(run);
  run.seconds = 1.5;
  FailureCauses& causes = run.causes.emplace();
  causes.failures = causes.tried = run.results.size() - 1;
  Cause cause{.kind = CauseKind::kWrongOutput,
              .title = "the answer is " + kHostile,
              .condition = "stride[0] >= " + kHostile,
              .wrong_outputs = "the outputs at " + kHostile,
              .hypotheses = {"filter_flipped"},
              .details = {"a bug of this kind: https://github.com/some/where/issues/2"},
              .failures = {},
              .presumed = 1,
              .smallest = 1};
  for (std::size_t case_index = 1; case_index < run.results.size(); ++case_index) cause.failures.push_back(case_index);
  causes.causes.push_back(std::move(cause));
  return run;
}

/// A run of the same cases with an expected failure, an imprecise case, a vacuous case, and a case that was not run.
inline RunRecord EveryWarning() {
  RunRecord run;
  run.backend = "kernel";
  run.declared.name = "kernel";
  run.declared.version = "1";
  run.results = {PassOfTest("good"), PassOfTest("bad-wrong-value"), PassOfTest("imprecise"), PassOfTest("vacuous"),
                 PassOfTest("idle")};
  run.results[1].verdict.status = Status::kFail;
  run.results[1].verdict.failure = FailureClass::kWrongValue;
  run.results[1].verdict.message = "output [0,0,1,2]: expected 1, got 2";
  run.results[1].verdict.known_failure = "known: https://github.com/some/where/issues/3";
  run.results[2].verdict.status = Status::kImprecise;
  run.results[2].verdict.message = "probable up to 1e-6";
  run.results[2].outputs.first_imprecise = WrongOutput{{0, 0, 1, 2}, "1", "1.1", 0.1, 0.5, 3, 0.05};
  run.results[3].verdict.status = Status::kVacuous;
  run.results[3].verdict.message = "0 written everywhere";
  run.results[4].verdict.status = Status::kUndeclared;
  run.results[4].verdict.message = "rank 6 | (declared: 3 to 5)";
  Number(run);
  return run;
}

/// A small run with a pass, a failure and a case that was not run.
inline RunRecord PlainRecord() {
  RunRecord record;
  record.backend = "fault:some";
  record.declared.name = "some";
  record.declared.version = "1";
  record.declared.dialects = {oracle::Dialect::kOpenvinoSpec};
  CaseResult pass;
  pass.origin.suite = "attributes";
  pass.origin.name = "good";
  pass.judged.line = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3";
  pass.verdict.status = Status::kPass;
  pass.outputs.count = 5;
  pass.outputs.worst_ratio = 0.25;
  CaseResult fail = pass;
  fail.origin.name = "bad";
  fail.verdict.status = Status::kFail;
  fail.verdict.failure = FailureClass::kWrongValue;
  fail.verdict.message = "output [0,0,2]: expected 1 < 2 & \x01 \xff";
  fail.judged.clauses = {"P3", "V1"};
  fail.outputs.first_wrong = WrongOutput{{0, 0, 2}, "1", "inf", std::numeric_limits<double>::infinity(), 0.5, 3};
  fail.outputs.wrong = 2;
  CaseResult skipped = pass;
  skipped.origin.suite = "layers";
  skipped.origin.name = "large";
  skipped.verdict.status = Status::kUndeclared;
  skipped.verdict.message = "rank 6 (declared: 3 to 5)";
  record.results = {pass, fail, skipped};
  for (std::size_t i = 0; i < record.results.size(); ++i) record.results[i].origin.case_index = i;
  record.case_list_size = 3;
  record.case_list_hash = "0123456789abcdef";
  return record;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_TEST_RECORDS_H_
