// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the bits of the wrong outputs of a failure with the exact sums, rounded once.

#include "conformance/diagnosis/value_class.h"

#include <cmath>
#include <cstdint>

#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::FloatClass;

/// The share of the wrong outputs that must show a class.
constexpr double kNearlyAll = 0.9;

struct Counts {
  double wrong = 0;
  double gaps_next_to_zero = 0;
  double wrong_infinities = 0;
  double subnormal = 0;
  double neighbours = 0;
  double nearer_to_zero = 0;  ///< of the neighbours
};

void Count(const oracle::FloatSum& sum, std::uint64_t got, oracle::ElementType type, Counts& counts) {
  ++counts.wrong;
  const FloatClass right_kind = oracle::DecodeFloat(sum.bits, type).kind;
  const FloatClass got_kind = oracle::DecodeFloat(got, type).kind;
  const bool finite_and_infinite = (right_kind == FloatClass::kFinite && got_kind == FloatClass::kInfinity) ||
                                   (right_kind == FloatClass::kInfinity && got_kind == FloatClass::kFinite);
  const bool neighbours = got + 1 == sum.bits || sum.bits + 1 == got;
  counts.wrong_infinities += finite_and_infinite ? 1 : 0;
  counts.subnormal += oracle::DecodeFloat(sum.bits, type).subnormal ? 1 : 0;
  counts.gaps_next_to_zero += neighbours && sum.taps == 0 ? 1 : 0;
  if (!neighbours) return;
  ++counts.neighbours;
  const bool nearer = std::abs(oracle::FloatValue(got, type)) < std::abs(oracle::FloatValue(sum.bits, type));
  counts.nearer_to_zero += nearer ? 1 : 0;
}

}  // namespace

std::string_view ClassOfValues(const Trial& trial) {
  if (trial.wrong.empty() || !trial.prepared->valid() || trial.prepared->expected == nullptr) return {};
  const oracle::ElementType type = trial.prepared->geometry().type;
  if (!oracle::IsFloat(type)) return {};
  const Call& call = trial.behaviour.calls[trial.failed_call];
  const auto sums = trial.prepared->expected->Sums<oracle::FloatSum>({0, trial.prepared->geometry().OutputCount()});
  Counts counts;
  for (std::size_t i = 0; i < trial.wrong.size(); ++i) {
    if (!trial.wrong[i]) continue;
    Count(sums[i], ElementBits(call.output, static_cast<std::int64_t>(i), oracle::ElementBytes(type)), type, counts);
  }
  const double enough = kNearlyAll * counts.wrong;
  if (counts.wrong == 0) return {};
  if (counts.gaps_next_to_zero >= enough || counts.wrong_infinities >= enough) return "N2";
  if (counts.subnormal >= enough) return "N3";
  if (counts.neighbours < enough) return {};
  return counts.nearer_to_zero >= enough ? "E1" : "N1";
}

}  // namespace conformance
