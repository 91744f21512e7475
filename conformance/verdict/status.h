// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a verdict: the statuses of a case and the classes of failures, each with a name and a sentence.

#ifndef DECONV_CONFORMANCE_VERDICT_STATUS_H_
#define DECONV_CONFORMANCE_VERDICT_STATUS_H_

#include <array>
#include <string_view>

#include "conformance/case/text/names.h"

namespace conformance {

/// The outcome of a case. Each status has a name and one sentence (conformance/verdict/verdicts.md).
enum class Status {
  kPass,
  kImprecise,
  kVacuous,
  kFail,
  kUndeclared,
  kUnsupported,
  kTooLarge,
  kUndefined,
  kNotJudged,
  kInapplicable,
  kSkippedAfterHangs,
};

using StatusWord = Explained<Status>;

inline constexpr std::array kStatuses = {
    StatusWord{Status::kPass, "pass", "Every output is right, or an invalid or open operator was refused."},
    StatusWord{Status::kImprecise, "imprecise",
               "Every output is right, but an error is larger than is probable: a warning, not a failure."},
    StatusWord{Status::kVacuous, "vacuous",
               "Every output is right, but the case could not have failed: one value in every output would also pass."},
    StatusWord{Status::kFail, "fail", "The backend's answer is wrong; the failure class says how."},
    StatusWord{Status::kUndeclared, "undeclared",
               "The backend does not declare that it can do this case, so it was not run."},
    StatusWord{Status::kUnsupported, "unsupported",
               "The backend was asked and said that it does not support this operator, so it was not run."},
    StatusWord{Status::kTooLarge, "too-large",
               "The case needs more memory, work or time than the run may use, so it was not run."},
    StatusWord{Status::kUndefined, "undefined",
               "The dialect does not define this operator, so any answer is right; the backend gave one."},
    StatusWord{Status::kNotJudged, "not-judged",
               "The backend refused an invalid or open operator, but it also fails on the neighbour, so the refusal "
               "proves nothing."},
    StatusWord{Status::kInapplicable, "inapplicable",
               "The case's law does not apply to this operator in the backend's dialect, so it was not run."},
    StatusWord{Status::kSkippedAfterHangs, "skipped-after-hangs",
               "The case was not run, because the backend had hung on too many cases; the run does not conform."},
};

/// Whether the case was run and found right.
inline bool IsRight(Status status) {
  return status == Status::kPass || status == Status::kImprecise || status == Status::kVacuous;
}

/// The name of a status.
inline std::string_view StatusName(Status status) { return NameOf(kStatuses, status); }

/// The class of a failure says how a case failed. Each class has a name and one sentence.
enum class FailureClass {
  kNone,
  kWrongValue,
  kWrongNan,
  kStructuralNan,
  kGapNotZero,
  kUnwritten,
  kWrongShape,
  kWrongPads,
  kWrongRefusal,
  kAcceptedInvalid,
  kCannotDo,
  kModifiedInput,
  kOutOfBounds,
  kCrash,
  kMemory,
  kLeak,
  kProtocol,
  kHang,
  kNondeterministic,
  kAccumulator,
  kError,
  kWrongDeclaredOutput,
  kBrokenLaw,
  kSuiteError,
};

using FailureClassName = Explained<FailureClass>;

inline constexpr std::array kFailureClasses = {
    FailureClassName{FailureClass::kWrongValue, "wrong-value",
                     "An output differs from the exact sum by more than the error bound."},
    FailureClassName{
        FailureClass::kWrongNan, "wrong-nan",
        "An output is NaN or infinite where the operands give a finite value, or finite where they do not."},
    FailureClassName{FailureClass::kStructuralNan, "structural-nan",
                     "An output is NaN or infinite because a zero of padding, stride or dilation was multiplied."},
    FailureClassName{FailureClass::kGapNotZero, "gap-not-zero", "An output that no tap reaches is not zero."},
    FailureClassName{FailureClass::kUnwritten, "unwritten",
                     "An output still has its old contents: the backend did not write it."},
    FailureClassName{FailureClass::kWrongShape, "wrong-shape",
                     "The output dimensions differ from those of the dialect."},
    FailureClassName{FailureClass::kWrongPads, "wrong-pads",
                     "The pads_begin that the backend resolves differ from those of the dialect."},
    FailureClassName{FailureClass::kWrongRefusal, "wrong-refusal",
                     "The backend refused a valid operator that it declares."},
    FailureClassName{FailureClass::kAcceptedInvalid, "accepted-invalid",
                     "The backend accepted an operator that the dialect refuses."},
    FailureClassName{FailureClass::kCannotDo, "cannot-do",
                     "The backend answered that it cannot do an operator that it declares."},
    FailureClassName{FailureClass::kModifiedInput, "modified-input",
                     "The backend changed data or filter, which it may only read."},
    FailureClassName{FailureClass::kOutOfBounds, "out-of-bounds", "The backend wrote bytes outside the output."},
    FailureClassName{FailureClass::kCrash, "crash", "The backend's process died."},
    FailureClassName{FailureClass::kMemory, "memory", "The backend's process took more memory than the run allows."},
    FailureClassName{FailureClass::kLeak, "leak",
                     "The backend's process holds more memory, files or threads after every call."},
    FailureClassName{FailureClass::kProtocol, "protocol",
                     "The backend sent something that is not a valid answer, or left its caller's state changed."},
    FailureClassName{FailureClass::kHang, "hang", "The backend did not answer within the time limit."},
    FailureClassName{
        FailureClass::kNondeterministic, "nondeterministic",
        "Two runs gave different answers: the backend computed an open operator in one run only, or the bits "
        "differ although it declares equal bits."},
    FailureClassName{FailureClass::kAccumulator, "accumulator",
                     "The backend keeps sums in fewer bits than it declares."},
    FailureClassName{FailureClass::kError, "error", "The backend reported an error."},
    FailureClassName{FailureClass::kWrongDeclaredOutput, "wrong-declared-output",
                     "The output dimensions in the case's file differ from those of its dialect: the file is wrong, "
                     "not the backend."},
    FailureClassName{
        FailureClass::kBrokenLaw, "broken-law",
        "The outputs of related operators do not agree as the case's law requires, although all sums are exact."},
    FailureClassName{
        FailureClass::kSuiteError, "suite-error",
        "The suite could not judge the case: it lacked memory or a file, or could not restart the backend's "
        "process."},
};

/// The name of a failure class; "none" for kNone.
inline std::string_view FailureClassNameOf(FailureClass failure) {
  return failure == FailureClass::kNone ? "none" : NameOf(kFailureClasses, failure);
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_STATUS_H_
