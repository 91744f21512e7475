// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the second run of a case and compares its bits with the first run. Recognizes outputs that hold the poison (the
// byte that filled the output before the run), or the right sum added to the poison.

#include "conformance/verdict/judge/second_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

// The first output is copied up to this size. Of a larger output only a hash is stored.
constexpr std::size_t kMostKept = std::size_t{16} << 20;

std::size_t HashOf(std::span<const std::byte> bytes) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// The bits of an element of which each byte is the poison.
std::uint64_t PoisonBits(std::byte poison, std::size_t bytes) {
  std::uint64_t bits = 0;
  std::memset(&bits, std::to_integer<int>(poison), bytes);
  return bits;
}

std::size_t ElementBytesOf(const CaseTrial& trial) { return oracle::ElementBytes(trial.geometry().type); }

std::uint64_t OutputBits(CaseTrial& trial, std::int64_t index) {
  return ElementBits(trial.output(), index, ElementBytesOf(trial));
}

bool IsPoison(std::span<const std::byte> output, std::int64_t index, std::size_t element_bytes, std::byte poison) {
  return ElementBits(output, index, element_bytes) == PoisonBits(poison, element_bytes);
}

/// Whether the output at `index` still holds the poison.
bool ContainsPoison(CaseTrial& trial, std::int64_t index, std::byte poison) {
  return IsPoison(trial.output(), index, ElementBytesOf(trial), poison);
}

/// Whether the output at `index` is the right sum added to the poison.
bool AddedToPoison(CaseTrial& trial, std::int64_t index, std::byte poison) {
  Expected& expected = trial.setup().expected();
  const oracle::ElementType type = expected.geometry().type;
  const std::size_t element_bytes = oracle::ElementBytes(type);
  const std::uint64_t got = OutputBits(trial, index);
  const std::uint64_t before = PoisonBits(poison, element_bytes);
  if (oracle::IsInteger(type)) {
    const std::uint64_t sum = expected.Sums<oracle::IntegerSum>({index, 1}).front().wrapped + before;
    return got == (element_bytes == 8 ? sum : sum & ((std::uint64_t{1} << (8 * element_bytes)) - 1));
  }
  const double held = oracle::FloatValue(before, type);
  if (std::isnan(held)) return std::isnan(oracle::FloatValue(got, type));
  oracle::FloatSum sum = expected.Sums<oracle::FloatSum>({index, 1}).front();
  sum.taps += 1;
  sum.sum += held;
  sum.magnitude += std::abs(held);
  sum.quantum = 0;  // unknown with the poison as a term; 0 makes the bound assume rounding
  return JudgeOutput(sum, got, ArithmeticOf(trial.declared(), type)).verdict == OutputVerdict::kRight;
}

/// Makes the second run: with buffers at the begin of their pages, and with the second poison in the output.
bool RunAgainstBegin(CaseTrial& trial, int threads) {
  trial.setup().arena().Place(Placement::kAgainstBegin);
  std::ranges::fill(trial.output(), kSecondPoison);
  return trial.RunOnce(Placement::kAgainstBegin, threads);
}

/// Judges two right runs whose bits differ. The difference is a failure if the backend promises equal bits. It is also
/// a failure if the first output that differs still holds the poison in both runs. Else the message only mentions it.
void JudgeDifferentBits(CaseTrial& trial, std::span<const std::byte> first_output) {
  std::string message = "both runs are right, but their bits differ";
  if (!first_output.empty()) {
    const auto differs = std::ranges::mismatch(first_output, trial.output()).in1 - first_output.begin();
    const std::size_t element_bytes = ElementBytesOf(trial);
    const auto index = differs / static_cast<std::ptrdiff_t>(element_bytes);
    const std::string coordinate = DimsText(CoordinateOf(index, trial.geometry().OutputDims()));
    if (IsPoison(first_output, index, element_bytes, kFirstPoison) && ContainsPoison(trial, index, kSecondPoison)) {
      trial.Fail(FailureClass::kUnwritten,
                 fmt::format("output {} still has its old contents in both runs: the backend did not write it; any "
                             "value would have been right there",
                             coordinate));
      return;
    }
    message += fmt::format(", first at output {}", coordinate);
  }
  const auto [first, second] = trial.threads();
  const bool other_threads = first != second;
  trial.result().verdict.facts.bits_differ = true;
  trial.result().verdict.facts.threads_differ = other_threads;
  if (other_threads) message += fmt::format(" ({} and {} threads)", first, second);
  if (PromisesSameBits(trial.declared(), other_threads)) {
    trial.Fail(FailureClass::kNondeterministic,
               fmt::format("{}; the backend declares the same bits {}", message,
                           other_threads ? "with any number of threads" : "in every run"));
    return;
  }
  std::string& verdict_message = trial.result().verdict.message;
  verdict_message += (verdict_message.empty() ? "" : "; ") + message;
}

}  // namespace

void FailOnOtherChoice(CaseTrial& trial) {
  trial.Fail(FailureClass::kNondeterministic, "the backend computed the operator in one run and refused it in another");
}

bool PromisesSameBits(const Capabilities& declared, bool other_threads) {
  const bool any_threads = (declared.deterministic & DECONV_SAME_BITS_ANY_THREADS) != 0;
  return any_threads || (!other_threads && (declared.deterministic & DECONV_SAME_BITS_EVERY_RUN) != 0);
}

void RepeatRefusal(CaseTrial& trial) {
  if (!RunAgainstBegin(trial, trial.threads().first)) return;
  if (!trial.declined()) return FailOnOtherChoice(trial);
  trial.result().verdict.status = Status::kPass;
}

void CheckRepeatedRun(CaseTrial& trial) {
  const auto output = trial.output();
  const std::size_t first_hash = HashOf(output);
  std::vector<std::byte> first_output;
  if (output.size() <= kMostKept) first_output.assign(output.begin(), output.end());

  if (!RunAgainstBegin(trial, trial.threads().second)) return;
  if (trial.declined()) return FailOnOtherChoice(trial);
  if (HashOf(trial.output()) == first_hash) return;
  if (trial.JudgeOutputs()) return JudgeDifferentBits(trial, first_output);

  CaseResult& result = trial.result();
  if (ContainsPoison(trial, trial.first_wrong_index(), kSecondPoison))
    result.verdict.failure = FailureClass::kUnwritten;
  const std::string_view plan_note =
      trial.declared().plans ? ", through a plan that had run before or lived beside another plan" : "";
  if (trial.threads().first == trial.threads().second) {
    result.verdict.facts.only_in = fmt::format("the second run{}", plan_note);
  }
  result.verdict.message = fmt::format("the first run was right, the second run{}{} was wrong: {}", plan_note,
                                       plan_note.empty() ? "" : ",", result.verdict.message);
}

void CheckForOldContents(CaseTrial& trial) {
  const std::int64_t suspect = trial.first_wrong_index();
  const bool looks_unwritten = ContainsPoison(trial, suspect, kFirstPoison);
  if (!looks_unwritten && !AddedToPoison(trial, suspect, kFirstPoison)) return;
  CaseResult first = trial.result();
  if (!RunAgainstBegin(trial, trial.threads().first) || trial.declined()) return;
  if (looks_unwritten && ContainsPoison(trial, suspect, kSecondPoison)) {
    first.verdict.failure = FailureClass::kUnwritten;
  } else if (AddedToPoison(trial, suspect, kSecondPoison)) {
    if (first.verdict.failure == FailureClass::kStructuralNan) {
      first.verdict.failure = FailureClass::kWrongNan;
      first.judged.clauses.back() = ValueClauseOf(first.verdict.failure, trial.geometry().type);
    }
    first.verdict.facts.adds_to_old_contents = true;
    first.verdict.message +=
        "; likely cause: the backend adds its sums to the output's old contents instead of clearing it";
  }
  trial.result() = std::move(first);
}

}  // namespace conformance
