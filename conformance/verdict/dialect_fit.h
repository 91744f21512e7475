// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out which dialects agree on a case, and which dialects a backend's answer fits. A dialect is a document's or
// library's reading of the attributes. A case on which dialects differ is a deciding case. If the answers to deciding
// cases fit another dialect better, the backend declares the wrong dialect.

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
  std::vector<oracle::Dialect> open = {};    ///< those of `dialects` that allow the backend to refuse the operator
  std::optional<oracle::Geometry> geometry;  ///< absent if the dialects refuse the operator
};

/// The dialects that know the operator's kind, grouped by its resolution: pads_begin and output size, or a refusal.
/// pads_end is ignored, because no output value depends on it. A dialect that leaves the operator undefined is in no
/// group, nor is `tensorflow` without an output shape.
std::vector<DialectGroup> AgreeingDialects(const oracle::Operator& op);

/// Whether an answer can show which dialect the backend follows: there are at least two groups, and no group has more
/// than 2^22 outputs, which would take long to compare.
bool Decides(std::span<const DialectGroup> groups);

/// One run of a backend. `output` is the output buffer, with the dims `asked_dims` of the dialect that the backend was
/// asked for. Both are empty if that dialect refuses the operator.
struct Observation {
  const RunAnswer& answer;
  oracle::Dims asked_dims;
  std::span<const std::byte> data;
  std::span<const std::byte> filter;
  std::span<const std::byte> output;
};

/// Names of the dialects that the answer fits: a refusal fits a refusing or open dialect. Outputs fit if their size is
/// right and, where the backend wrote them, their values are right. Empty after an error.
std::vector<std::string> FittingDialects(std::span<const DialectGroup> groups, const Observation& observation,
                                         const Capabilities& declared);

/// The deciding cases of a run that one dialect judged, counted.
struct DialectFit {
  std::string declared;
  std::size_t deciding = 0;
  std::size_t fitting = 0;  ///< deciding cases whose answer fits `declared`
  std::string better;       ///< the dialect that fits the most, if more than `declared`; else empty
  std::size_t better_fitting = 0;
};

/// One row for each dialect that judged deciding cases, in the order of the first deciding case.
std::vector<DialectFit> FitsOf(std::span<const CaseResult> results);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_DIALECT_FIT_H_
