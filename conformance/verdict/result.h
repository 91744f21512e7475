// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on one case: status, failure class, and what reports show of them.

#ifndef DECONV_CONFORMANCE_VERDICT_RESULT_H_
#define DECONV_CONFORMANCE_VERDICT_RESULT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// The outcome of a case. Each has a name and one sentence (conformance/verdict/verdicts.md).
enum class Status {
  kPass,
  kLoose,
  kPowerless,
  kFail,
  kUndeclared,
  kUnsupported,
  kTooLarge,
  kUndefined,
  kNotJudged,
  kInapplicable,
  kSkippedAfterHangs,
};

struct StatusWord {
  Status status;
  std::string_view name;      ///< "too-large"
  std::string_view sentence;  ///< what it means
};

inline constexpr std::array kStatuses = {
    StatusWord{Status::kPass, "pass", "Every output is right, or an invalid or open operator was refused."},
    StatusWord{Status::kLoose, "loose",
               "Every output is right, but an error is larger than is probable: a warning, not a failure."},
    StatusWord{Status::kPowerless, "powerless",
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

struct FailureClassName {
  FailureClass failure;
  std::string_view name;      ///< "wrong-value"
  std::string_view sentence;  ///< what it means
};

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

/// What a backend did at a point that its dialect leaves open.
struct OpenChoice {
  std::string clause;
  std::string point;  ///< "a batch of 0"
  bool computed = false;

  bool operator==(const OpenChoice&) const = default;
};

/// The tolerance that the finite outputs of a floating type would have needed in a test without bounds. y is an output,
/// s the exact sum. An output that cancels has |s| below half the sum of its products' magnitudes, or below the
/// smallest normal number: no rtol fits it. An output whose products are all 0 does not cancel. The atols are parts of
/// the case's largest |s|, so that cases of large and of small values can be compared.
struct NeededTolerance {
  oracle::ElementType type = oracle::ElementType::kF32;
  double rtol = 0;              ///< with atol 0: the largest |y - s| / |s| of outputs that do not cancel
  double atol = 0;              ///< with rtol 0: the largest |y - s| of all outputs, divided by the largest |s|
  double atol_beside = 0;       ///< with rtol 2 units of the type: what the outputs need in addition, divided likewise
  double ulps = 0;              ///< between y and s rounded to nearest, of outputs that do not cancel
  std::int64_t outputs = 0;     ///< that count
  std::int64_t cancelling = 0;  ///< of them

  /// Both together.
  void Include(const NeededTolerance& other);
};

/// The parts of a verdict that code reads. The message holds the same for people. JSON reports contain `said`,
/// `related` and `open`; the other members are for code that has judged the case itself.
struct VerdictFacts {
  std::string said;  ///< the backend's own words, if it refused, declined or reported an error
  /// A law compares several operators. If it fails, this case holds the operator that failed or that disagrees.
  std::shared_ptr<const Case> related;
  bool open = false;                  ///< the case failed, and its operator is open: the backend may refuse it
  bool adds_to_old_contents = false;  ///< the backend adds its sums to what the output held before the run
  bool bits_differ = false;           ///< both runs were right, and their outputs have different bits
  bool threads_differ = false;        ///< these two runs used different numbers of threads
  bool still_computing = false;       ///< of a hang: the backend's process still took CPU time at the time limit
};

struct CaseResult {
  std::size_t place = 0;  ///< in the case list
  std::string suite;
  std::string name;
  std::string line;  ///< the text of `test_case`
  /// The case that was judged. If a sweep fails, it is the operator that fails, or the part of the sweep that fails. It
  /// is null if the result comes from a report whose case line this version cannot read.
  std::shared_ptr<const Case> test_case;
  std::string reason;
  std::string file;  ///< from which the case was read, if it was read from a file
  int file_line = 0;
  std::string expected;  ///< the reason of a known failure; empty if the failure was not expected
  Status status = Status::kPass;
  FailureClass failure = FailureClass::kNone;
  std::string message;  ///< one line; empty for a plain pass
  VerdictFacts facts;
  std::vector<std::string> clauses;  ///< that decide the case, in the order of the resolution
  std::string dialect;               ///< the one it was judged by
  oracle::Dims output_dims;          ///< the oracle's; empty if it refuses
  std::optional<WrongOutput> first_wrong;
  std::optional<WrongOutput> first_loose;
  std::optional<WrongGrid> wrong_grid;  ///< with first_wrong
  bool refused = false;                 ///< an invalid operator, rightly refused
  bool deciding = false;  ///< dialects of the operator differ on it, and the backend declares that it can do it
  std::vector<OpenChoice> choices;  ///< at the operator's open points; none if a refusal has several possible reasons
  std::vector<std::string> fits;    ///< of a deciding case: the dialects that the backend's answer fits
  std::string implementation;       ///< which code ran, if the backend says so
  std::string backtrace;            ///< of a crash: the call stack, a frame a line
  std::string standard_error;       ///< of a failure: the end of what the backend wrote there; not in reports
  std::string replay_options;       ///< of a failure: flags without which a replay might pass, or empty
  std::int64_t outputs = 0;         ///< judged
  std::int64_t tuples = 0;          ///< of a sweep: operators judged
  std::int64_t tuples_skipped = 0;  ///< of a sweep: operators that the backend cannot do
  std::int64_t wrong_outputs = 0;
  double largest_error = 0;  ///< of the wrong outputs
  std::int64_t loose_outputs = 0;
  std::int64_t excused_outputs = 0;       ///< wrong, and explained by a deviation that the backend declares
  std::int64_t negative_zero_gaps = 0;    ///< outputs without products that are -0.0, which is right
  std::optional<NeededTolerance> needed;  ///< of floating types; absent where no output was compared
  double worst_ratio = 0;                 ///< largest part of the error bound of the sums that an output needs
  double backend_seconds = 0;
  double oracle_seconds = 0;  ///< the right outputs, and comparing with them; not of laws and sweeps
  double seconds = 0;         ///< all in all

  std::string id() const { return suite + "/" + name; }
  void SetCase(Case judged);
  bool IsSweep() const { return test_case != nullptr && test_case->sweep.has_value(); }
  /// Whether it failed and a law judged it: several related operators.
  bool BreaksLaw() const { return status == Status::kFail && test_case != nullptr && test_case->law.has_value(); }
};

/// The result of the case at this place of the case list, or nullptr. `results` are in the order of the case list.
const CaseResult* ResultAt(std::span<const CaseResult> results, std::size_t place);

/// Limits of a run without which a failure might not be met again.
struct LimitsToRepeat {
  std::optional<double> timeout_seconds = std::nullopt;
  std::optional<double> worker_memory_gib = std::nullopt;
  std::optional<double> memory_gib = std::nullopt;
  std::optional<double> work = std::nullopt;
};

/// These limits as flags of `replay`; empty if there are none.
std::string ReplayFlags(const LimitsToRepeat& limits);

/// What stands for the backend where outputs come from case lines.
inline constexpr std::string_view kRecordedBackend = "recorded";

/// The command that judges the case again, for a shell.
std::string ReplayCommand(std::string_view backend, std::string_view line);
std::string ReplayCommand(std::string_view backend, const CaseResult& result);

/// "[0,3,17,5]"
std::string DimsText(const oracle::Dims& dims);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_RESULT_H_
