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
  pass.suite = "attributes";
  pass.name = "good";
  pass.line = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3";
  pass.outputs = 5;
  pass.worst_ratio = 0.25;
  CaseResult fail = pass;
  fail.name = "bad";
  fail.status = Status::kFail;
  fail.failure = FailureClass::kWrongValue;
  fail.message = "output [0,0,2]: expected 1 < 2 & \x01 \xff";
  fail.clauses = {"P3", "V1"};
  fail.first_wrong = WrongOutput{{0, 0, 2}, "1", "inf", std::numeric_limits<double>::infinity(), 0.5, 3};
  fail.wrong_outputs = 2;
  CaseResult skipped = pass;
  skipped.suite = "layers";
  skipped.name = "large";
  skipped.status = Status::kUndeclared;
  skipped.message = "rank 6 (declared: 3 to 5)";
  record.results = {pass, fail, skipped};
  for (std::size_t i = 0; i < record.results.size(); ++i) record.results[i].place = i;
  record.case_list_size = 3;
  record.case_list_hash = "0123456789abcdef";
  return record;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_PLAIN_RECORD_H_
