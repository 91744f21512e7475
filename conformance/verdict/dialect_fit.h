// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out which dialects agree on a case, and which of them a backend's answer fits. A case on which dialects differ
// is a deciding case. A backend whose answers fit another dialect than the declared one has a wrong declaration.

#ifndef DECONV_CONFORMANCE_VERDICT_DIALECT_FIT_H_
#define DECONV_CONFORMANCE_VERDICT_DIALECT_FIT_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// Dialects that give an operator the same outputs.
struct DialectGroup {
  std::vector<oracle::Dialect> dialects;
  std::vector<oracle::Dialect> open = {};    ///< dialects of the group that leave the operator open
  std::optional<oracle::Geometry> geometry;  ///< absent: they refuse the operator
};

/// The dialects that speak the operator, grouped by what they make of it: pads_begin and output size, or a refusal.
/// pads_end decides no value and makes no difference. A dialect that leaves the operator undefined is in no group,
/// nor is `tensorflow` without an output shape.
std::vector<DialectGroup> AgreeingDialects(const oracle::Operator& op);

/// Whether an answer can tell dialects apart: there are two groups or more, and no more outputs than are worth
/// comparing.
bool Decides(std::span<const DialectGroup> groups);

/// The result of one run of a backend. `output` holds the output of the dialect that was asked for, or nothing if that
/// dialect refuses the operator.
struct Observation {
  const RunAnswer& answer;
  oracle::Dims asked_dims;
  std::span<const std::byte> data;
  std::span<const std::byte> filter;
  std::span<const std::byte> output;
};

/// Names of the dialects whose refusal, output size and, where the backend wrote outputs of that size, values the
/// answer has. Empty after an error.
std::vector<std::string> FittingDialects(std::span<const DialectGroup> groups, const Observation& observation,
                                         const Capabilities& declared);

/// The deciding cases of a run that were judged by one dialect.
struct DialectFit {
  std::string declared;
  std::size_t deciding = 0;
  std::size_t fitting = 0;  ///< deciding cases whose answer fits `declared`
  std::string better;       ///< the dialect that fits the most, if more than `declared`; else empty
  std::size_t better_fitting = 0;
};

/// The fits by dialect, in the order of the first deciding case.
std::vector<DialectFit> FitsOf(std::span<const CaseResult> results);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_DIALECT_FIT_H_
