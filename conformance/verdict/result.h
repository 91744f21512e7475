// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on one case: status, failure class, and what reports show of them.

#ifndef DECONV_CONFORMANCE_VERDICT_RESULT_H_
#define DECONV_CONFORMANCE_VERDICT_RESULT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// Each has a name and one sentence (conformance/verdict/verdicts.md).
enum class Status {
  kPass,
  kLoose,
  kPowerless,
  kFail,
  kUndeclared,
  kTooLarge,
  kUndefined,
  kInapplicable,
};

struct StatusWord {
  Status status;
  std::string_view name;      ///< "too-large"
  std::string_view sentence;  ///< what it means
};

inline constexpr std::array kStatuses = {
    StatusWord{Status::kPass, "pass", "Every output is right, or an invalid operator was refused."},
    StatusWord{Status::kLoose, "loose",
               "Every output is right, but an error is larger than is probable: a warning, no failure."},
    StatusWord{Status::kPowerless, "powerless",
               "Every output is right, but the case could not have failed: one value written everywhere would do."},
    StatusWord{Status::kFail, "fail", "The backend's answer is wrong, and the failure class says how."},
    StatusWord{Status::kUndeclared, "undeclared",
               "The backend does not declare that it can do this case; it was not run."},
    StatusWord{Status::kTooLarge, "too-large", "The case needs more memory than the run may use; it was not run."},
    StatusWord{Status::kUndefined, "undefined",
               "The dialect gives the operator no meaning, so that any answer is as good; it was not run."},
    StatusWord{Status::kInapplicable, "inapplicable",
               "The case's law says nothing about this operator in the backend's dialect; it was not run."},
};

/// Whether the case was run and found right.
inline bool IsRight(Status status) {
  return status == Status::kPass || status == Status::kLoose || status == Status::kPowerless;
}

std::string_view StatusName(Status status);

/// Why a case failed. Each has a name and one sentence.
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
  kProtocol,
  kHang,
  kNondeterministic,
  kAccumulator,
  kError,
  kWrongDeclaredOutput,
  kBrokenLaw,
  kSuiteError,
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
    FailureClassName{
        FailureClass::kStructuralNan, "structural-nan",
        "NaN or infinity that only a zero of padding, stride or dilation can have made: it was multiplied."},
    FailureClassName{FailureClass::kGapNotZero, "gap-not-zero", "An output that no tap reaches is not +0.0."},
    FailureClassName{FailureClass::kUnwritten, "unwritten", "An output still holds what the buffer held before."},
    FailureClassName{FailureClass::kWrongShape, "wrong-shape", "The output's dimensions are not those of the dialect."},
    FailureClassName{FailureClass::kWrongPads, "wrong-pads",
                     "The pads_begin that the backend resolves to is not that of the dialect."},
    FailureClassName{FailureClass::kWrongRefusal, "wrong-refusal",
                     "A valid operator within what the backend declares was refused."},
    FailureClassName{FailureClass::kAcceptedInvalid, "accepted-invalid",
                     "An operator that the dialect refuses was accepted."},
    FailureClassName{FailureClass::kCannotDo, "cannot-do", "The backend says it cannot do what it declares."},
    FailureClassName{FailureClass::kModifiedInput, "modified-input", "Data or filter were changed."},
    FailureClassName{FailureClass::kOutOfBounds, "out-of-bounds", "Bytes outside the output were written."},
    FailureClassName{FailureClass::kCrash, "crash", "The backend's process died."},
    FailureClassName{FailureClass::kMemory, "memory", "The backend's process took more memory than the run may use."},
    FailureClassName{FailureClass::kProtocol, "protocol",
                     "Something that is no answer came from the backend's process."},
    FailureClassName{FailureClass::kHang, "hang", "The backend did not answer in time."},
    FailureClassName{FailureClass::kNondeterministic, "nondeterministic",
                     "The bits differ between two runs where the backend declares that they do not."},
    FailureClassName{FailureClass::kAccumulator, "accumulator",
                     "Sums are kept in fewer bits than the backend declares."},
    FailureClassName{FailureClass::kError, "error", "The backend reported an error."},
    FailureClassName{
        FailureClass::kWrongDeclaredOutput, "wrong-declared-output",
        "The case's file declares other output dimensions than its dialect gives: the file is wrong, not the backend."},
    FailureClassName{
        FailureClass::kBrokenLaw, "broken-law",
        "The outputs of related operators do not agree as the case's law says, though all sums are exact."},
    FailureClassName{FailureClass::kSuiteError, "suite-error",
                     "The case could not be judged: the suite lacked memory or a file, or the backend's process could "
                     "not be started again."},
};

/// Its name; "none" for kNone.
std::string_view FailureClassNameOf(FailureClass failure);

/// The first output that is wrong, or loose.
struct WrongOutput {
  oracle::Dims coordinate;  ///< in the operator's layout
  std::string expected;
  std::string got;
  double error = 0;  ///< distance to the exact sum
  double bound = 0;  ///< what was allowed
  std::int64_t taps = 0;
  double probable = 0;  ///< of a loose one
};

/// Where outputs are wrong: counts on a grid over the plane of the last two spatial axes in which the first wrong
/// output lies. A large plane is made coarser, so that a grid has at most 24 x 48 cells
/// (conformance/verdict/picture.h).
struct WrongGrid {
  oracle::Dims plane;        ///< the first wrong coordinate; its entries at the grid's axes mean nothing
  std::size_t row_axis = 0;  ///< of the output's dims; with one spatial axis the same as column_axis, and rows is 1
  std::size_t column_axis = 0;
  std::int64_t rows = 0;  ///< outputs
  std::int64_t columns = 0;
  std::int64_t row_step = 1;  ///< outputs a cell
  std::int64_t column_step = 1;
  std::vector<std::uint32_t> wrong;  ///< of each cell, row after row

  std::int64_t CellRows() const { return (rows + row_step - 1) / row_step; }
  std::int64_t CellColumns() const { return (columns + column_step - 1) / column_step; }
};

struct CaseResult {
  std::size_t place = 0;  ///< in the plan
  std::string suite;
  std::string name;
  std::string line;  ///< the case
  std::string reason;
  std::string file;  ///< that the case was read from, if somebody named one
  int file_line = 0;
  std::string expected;  ///< of a failure that is known: why; empty: nobody expected it
  Status status = Status::kPass;
  FailureClass failure = FailureClass::kNone;
  std::string message;               ///< one line; empty for a plain pass
  std::vector<std::string> clauses;  ///< that decide the case, in the order of the resolution
  std::string dialect;               ///< the one it was judged by
  oracle::Dims output_dims;          ///< the oracle's; empty if it refuses
  std::optional<WrongOutput> first_wrong;
  std::optional<WrongOutput> first_loose;
  std::optional<WrongGrid> wrong_grid;  ///< with first_wrong
  bool refused = false;                 ///< an invalid operator, rightly refused
  bool deciding = false;          ///< dialects of the operator differ on it, and the backend declares that it can do it
  std::vector<std::string> fits;  ///< of a deciding case: the dialects that the backend's answer fits
  std::string implementation;     ///< which code ran, if the backend says so
  std::string backtrace;          ///< of a crash: the call stack, a frame a line
  std::string replay_options;     ///< of a failure: flags without which it might not be met again, or empty
  std::int64_t outputs = 0;       ///< judged
  std::int64_t tuples = 0;        ///< of a sweep: operators judged
  std::int64_t wrong_outputs = 0;
  double largest_error = 0;  ///< of the wrong outputs
  std::int64_t loose_outputs = 0;
  double worst_ratio = 0;  ///< largest error over bound among the outputs that have a bound
  double backend_seconds = 0;
  double oracle_seconds = 0;  ///< the right outputs, and comparing with them; not of laws and sweeps
  double seconds = 0;         ///< all in all

  std::string id() const { return suite + "/" + name; }
};

/// The result of the case at this place of the plan, or nullptr. `results` are in the order of the plan.
const CaseResult* ResultAt(std::span<const CaseResult> results, std::size_t place);

/// Limits of a run without which a failure might not be met again.
struct LimitsToRepeat {
  std::optional<double> timeout_seconds = std::nullopt;
  std::optional<double> worker_memory_gib = std::nullopt;
  std::optional<double> memory_gib = std::nullopt;
};

/// These limits as flags of `replay`; empty if there are none.
std::string ReplayFlags(const LimitsToRepeat& limits);

/// The command that judges the case again, for a shell.
std::string ReplayCommand(std::string_view backend, std::string_view line);
std::string ReplayCommand(std::string_view backend, const CaseResult& result);

/// "[0,3,17,5]"
std::string DimsText(const oracle::Dims& dims);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_RESULT_H_
