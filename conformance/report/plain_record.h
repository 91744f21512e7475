// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of this folder: the record of a small run with a pass, a failure and a case that was not run.

#ifndef DECONV_CONFORMANCE_REPORT_PLAIN_RECORD_H_
#define DECONV_CONFORMANCE_REPORT_PLAIN_RECORD_H_

#include <cstddef>
#include <limits>
#include <string>

#include "conformance/run/run_record.h"

namespace conformance {

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

#endif  // DECONV_CONFORMANCE_REPORT_PLAIN_RECORD_H_
