// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on one case.

#ifndef DECONV_CONFORMANCE_RESULT_H_
#define DECONV_CONFORMANCE_RESULT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

enum class Status {
  kPass,
  kFail,
  kUndeclared,  ///< the backend does not declare that it can do this case; it was not run
  kTooLarge,    ///< more memory than the run may use; it was not run
  kUndefined,   ///< the dialect gives the operator no meaning, so that any answer is as good; it was not run
};

std::string_view StatusName(Status status);

/// Why a case failed. Each has a name and one sentence.
enum class FailureClass {
  kNone,
  kWrongValue,
  kWrongNan,
  kGapNotZero,
  kUnwritten,
  kWrongShape,
  kWrongRefusal,
  kAcceptedInvalid,
  kCannotDo,
  kModifiedInput,
  kOutOfBounds,
  kCrash,
  kHang,
  kError,
  kWrongDeclaredOutput,
  kBrokenLaw,
};

struct FailureClassName {
  FailureClass failure;
  std::string_view name;      ///< "wrong-value"
  std::string_view sentence;  ///< what it means
};

inline constexpr std::array kFailureClasses = {
    FailureClassName{FailureClass::kWrongValue, "wrong-value",
                     "An output differs from the exact sum by more than the error bound."},
    FailureClassName{FailureClass::kWrongNan, "wrong-nan",
                     "NaN or infinity where the operands give none, or none where they do."},
    FailureClassName{FailureClass::kGapNotZero, "gap-not-zero", "An output that no tap reaches is not +0.0."},
    FailureClassName{FailureClass::kUnwritten, "unwritten", "An output still holds what the buffer held before."},
    FailureClassName{FailureClass::kWrongShape, "wrong-shape", "The output's dimensions are not those of the dialect."},
    FailureClassName{FailureClass::kWrongRefusal, "wrong-refusal",
                     "A valid operator within what the backend declares was refused."},
    FailureClassName{FailureClass::kAcceptedInvalid, "accepted-invalid",
                     "An operator that the dialect refuses was accepted."},
    FailureClassName{FailureClass::kCannotDo, "cannot-do", "The backend says it cannot do what it declares."},
    FailureClassName{FailureClass::kModifiedInput, "modified-input", "Data or filter were changed."},
    FailureClassName{FailureClass::kOutOfBounds, "out-of-bounds", "Bytes outside the output were written."},
    FailureClassName{FailureClass::kCrash, "crash", "The backend's process died."},
    FailureClassName{FailureClass::kHang, "hang", "The backend did not answer in time."},
    FailureClassName{FailureClass::kError, "error", "The backend reported an error."},
    FailureClassName{
        FailureClass::kWrongDeclaredOutput, "wrong-declared-output",
        "The case's file declares other output dimensions than its dialect gives: the file is wrong, not the backend."},
    FailureClassName{FailureClass::kBrokenLaw, "broken-law",
                     "The outputs of related operators do not agree as the case's law says, though all sums are exact."},
};

/// Its name; "none" for kNone.
std::string_view FailureClassNameOf(FailureClass failure);

/// The first output that is wrong.
struct WrongOutput {
  oracle::Dims coordinate;  ///< in the operator's layout
  std::string expected;
  std::string got;
  double error = 0;  ///< distance to the exact sum
  double bound = 0;  ///< what was allowed
  std::int64_t taps = 0;
};

struct CaseResult {
  std::string suite;
  std::string name;
  std::string line;  ///< the case
  std::string reason;
  Status status = Status::kPass;
  FailureClass failure = FailureClass::kNone;
  std::string message;               ///< one line; empty for a plain pass
  std::vector<std::string> clauses;  ///< that decide the case, in the order of the resolution
  std::string dialect;               ///< the one it was judged by
  oracle::Dims output_dims;          ///< the oracle's; empty if it refuses
  std::optional<WrongOutput> first_wrong;
  bool refused = false;      ///< an invalid operator, rightly refused
  std::int64_t outputs = 0;  ///< judged
  std::int64_t wrong_outputs = 0;
  double worst_ratio = 0;  ///< largest error over bound among the outputs that have a bound
  double backend_seconds = 0;
  double seconds = 0;  ///< all in all

  std::string id() const { return suite + "/" + name; }
};

/// "[0,3,17,5]"
std::string DimsText(const oracle::Dims& dims);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RESULT_H_
