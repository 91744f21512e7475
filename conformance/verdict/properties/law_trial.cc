// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the operators that a law relates, and compares their outputs element by element.

#include "conformance/verdict/properties/law_trial.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/verdict/element.h"
#include "conformance/verdict/open_choice.h"
#include "conformance/verdict/properties/nd_array.h"

namespace conformance::properties {
namespace {

double LargestMagnitude(const NdArray& array) {
  double largest = 0;
  for (const double value : array.values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// An upper bound of the sum of magnitudes of any output, in units of the problem. For each output channel, it adds up
/// the magnitudes of the filter over input channels and taps. The bound is the largest of these sums, multiplied by the
/// largest magnitude of the data.
double LargestSum(const Problem& problem) {
  const auto out_channels = static_cast<std::size_t>(problem.geometry.out_channels);
  const auto in_channels = static_cast<std::size_t>(problem.geometry.in_channels);
  const std::size_t taps = problem.filter.values.size() / (problem.filter.dims[0] * out_channels);
  std::vector<double> sums(static_cast<std::size_t>(problem.geometry.groups) * out_channels, 0.0);
  for (std::size_t i = 0; i < problem.filter.values.size(); ++i) {
    // The filter is [G * C_IN, C_OUT, taps], so i = (channel * C_OUT + out_channel) * taps + tap.
    const std::size_t group = i / taps / out_channels / in_channels;
    const std::size_t out_channel = i / taps % out_channels;
    sums[group * out_channels + out_channel] += std::fabs(problem.filter.values[i]);
  }
  return std::ranges::max(sums) * LargestMagnitude(problem.data) / problem.unit;
}

/// Chooses how large the values of a case may be: up to 15, as in data set `integers`, or less, so that all sums of the
/// law are exact. The least is 2: if all values were 1, a wrong index would change nothing.
ValueDraw DrawFor(const Case& test_case, const oracle::Geometry& geometry) {
  const Law law = test_case.law.value_or(Law::kAdjoint);
  // The first two laws add two operands, and power-of-two doubles the data of an integer type.
  const bool has_double_sums = law == Law::kLinearData || law == Law::kLinearFilter || law == Law::kPowerOfTwo;
  double products = static_cast<double>(geometry.in_channels) * (has_double_sums ? 2 : 1);  // of one output
  for (const oracle::Axis& axis : geometry.axes) products *= static_cast<double>(axis.kernel);
  ValueDraw draw{.seed = test_case.seed};
  while (draw.largest > 2 &&
         static_cast<double>(draw.largest * draw.largest) * products > LargestExactSum(geometry.type)) {
    --draw.largest;
  }
  return draw;
}

/// Makes a case of the operator, without a law or other fields.
Case CaseOf(const oracle::Operator& op, oracle::Dialect dialect) {
  Case alone;
  alone.op = op;
  if (dialect != alone.EffectiveDialect()) alone.dialect = dialect;
  return alone;
}

/// The number as text: an integer without a point, if it is one.
std::string Number(double value) {
  if (std::isnan(value)) return "nan";
  return std::fabs(value) < 0x1p62 && value == std::trunc(value) ? fmt::format("{}", static_cast<std::int64_t>(value))
                                                                 : fmt::format("{:.17g}", value);
}

/// Added to a case's seed for a second, independent draw of values. Any large number does; no other draw adds this one.
constexpr std::uint64_t kOtherSeed = 0x0074'6865'7273'6565;

}  // namespace

LawTrial::LawTrial(const Case& test_case, oracle::Dialect dialect, const oracle::Geometry& geometry,
                   const Capabilities& declared, RunOperator run)
    : case_(test_case),
      dialect_(dialect),
      draw_(DrawFor(test_case, geometry)),
      base_(ProblemOf(test_case, geometry, draw_)),
      declared_(declared),
      run_(std::move(run)) {}

Problem LawTrial::Other() const {
  return ProblemOf(case_, base_.geometry, {.seed = draw_.seed + kOtherSeed, .largest = draw_.largest});
}

std::optional<oracle::Operator> LawTrial::SpelledForDialect(const Problem& problem) const {
  auto op = Express(problem);
  if (op) op = Spelled(*std::move(op), dialect_);
  return op;
}

std::string LawTrial::Obstacle(const Problem& problem) const {
  const auto op = SpelledForDialect(problem);
  if (!op) return "a related operator would need negative pads";
  return Obstacle(problem, *op);
}

std::string LawTrial::Obstacle(const Problem& problem, const oracle::Operator& op) const {
  // A law compares outputs bit by bit, so all sums must be exact.
  if (declared_.fast_algorithm && oracle::IsFloat(problem.geometry.type))
    return "the backend computes sums by transforms, which round";
  const oracle::Resolution resolution = oracle::Resolve(op, dialect_);
  if (!resolution.ok()) {
    return fmt::format("{} refuses the related operator {}: {}", oracle::DialectName(dialect_),
                       ToLine(CaseOf(op, dialect_)), resolution.refusal->message);
  }
  if (!HaveEqualOutputs(*resolution.geometry, problem.geometry)) {
    return fmt::format("{} gives the related operator another meaning: {}", oracle::DialectName(dialect_),
                       ToLine(CaseOf(op, dialect_)));
  }
  if (std::string reason = declared_.UnsupportedReason(op, dialect_); !reason.empty()) return reason;
  if (LargestSum(problem) > LargestExactSum(problem.geometry.type)) {
    return fmt::format("sums up to {:.0f} may be inexact in {}", LargestSum(problem),
                       oracle::ElementTypeName(problem.geometry.type));
  }
  return {};
}

std::optional<NdArray> LawTrial::OutputOfCase() { return OutputOf(base_, case_.op); }

std::optional<NdArray> LawTrial::OutputOf(const Problem& problem) {
  const auto op = SpelledForDialect(problem);
  if (!op) {
    DoesNotApply(Obstacle(problem));
    return std::nullopt;
  }
  return OutputOf(problem, *op);
}

std::optional<NdArray> LawTrial::OutputOf(const Problem& problem, const oracle::Operator& op) {
  if (outcome_.end != LawOutcome::End::kHolds) return std::nullopt;
  if (std::string obstacle = Obstacle(problem, op); !obstacle.empty()) {
    DoesNotApply(std::move(obstacle));
    return std::nullopt;
  }
  last_related_ = CaseOf(op, dialect_);
  auto ran = run_(op, problem);
  if (const auto* said_no = std::get_if<NotSupported>(&ran)) {
    if (op != case_.op) {
      // The reason does not name the operator, so that reports can group cases by it.
      DoesNotApply("the backend does not support a related operator: " + said_no->reason);
    } else {
      outcome_.end = LawOutcome::End::kNotSupported;
      outcome_.message = said_no->reason;
    }
    return std::nullopt;
  }
  if (auto* failed = std::get_if<AnswerFailure>(&ran)) {
    const bool refused = failed->failure == FailureClass::kWrongRefusal || failed->failure == FailureClass::kCannotDo;
    const oracle::Resolution resolution = oracle::Resolve(op, dialect_);
    if (refused && !resolution.open.empty()) {
      DoesNotApply(fmt::format("the backend refuses the related operator {}, which is open by {}",
                               ToLine(last_related_), OpenPointsText(resolution.open)));
      return std::nullopt;
    }
    std::string message = std::move(failed->message);
    outcome_.said = std::move(failed->said);
    if (op != case_.op) {
      outcome_.related = std::make_shared<const Case>(last_related_);
      message += fmt::format("; related operator {}", ToLine(last_related_));
    }
    Fail(failed->failure, std::move(message));
    return std::nullopt;
  }
  return std::get<NdArray>(std::move(ran));
}

bool LawTrial::Agree(const NdArray& got, const NdArray& by_law) {
  outcome_.outputs += static_cast<std::int64_t>(got.values.size());
  const std::int64_t first = FirstDifference(got, by_law);
  if (first < 0) return true;
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    outcome_.wrong_outputs += got.values[i] == by_law.values[i] ? 0 : 1;
  }
  const auto at = static_cast<std::size_t>(first);
  WrongOutput wrong;
  wrong.coordinate = CoordinateOf(first, got.dims);
  wrong.expected = Number(by_law.values[at]);
  wrong.got = Number(got.values[at]);
  wrong.error = std::fabs(got.values[at] - by_law.values[at]);
  outcome_.related = std::make_shared<const Case>(last_related_);
  Fail(FailureClass::kBrokenLaw,
       fmt::format("output {}: the law requires {}, got {}; {} of {} outputs differ; related operator {}",
                   DimsText(wrong.coordinate), wrong.expected, wrong.got, outcome_.wrong_outputs, got.values.size(),
                   ToLine(last_related_)));
  outcome_.first_wrong = std::move(wrong);
  return false;
}

void LawTrial::DoesNotApply(std::string why) {
  if (outcome_.end != LawOutcome::End::kHolds) return;
  outcome_.end = LawOutcome::End::kDoesNotApply;
  outcome_.message = fmt::format("law {}: {}", NameOf(*case_.law), why);
}

void LawTrial::Fail(FailureClass failure, std::string message) {
  if (outcome_.end != LawOutcome::End::kHolds) return;
  outcome_.end = LawOutcome::End::kFails;
  outcome_.failure = failure;
  outcome_.message = fmt::format("law {}: {}", NameOf(*case_.law), message);
}

}  // namespace conformance::properties
