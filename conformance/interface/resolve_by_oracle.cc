// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves the operator of a request with the oracle. If that is impossible, returns one of three answers: ERROR for a
// malformed description, UNSUPPORTED for an unknown dialect, REFUSED for an operator that the dialect refuses.

#include "conformance/interface/resolve_by_oracle.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/interface/answer.h"
#include "conformance/interface/describe_operator.h"

namespace conformance {

template <class Request>
std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(Request& request) {
  const std::variant<oracle::Operator, std::string> op = ReadOperator(*request.operation);
  if (const auto* complaint = std::get_if<std::string>(&op)) return Answer(request, DECONV_ANSWER_ERROR, *complaint);
  const std::variant<oracle::Dialect, std::string> dialect = ReadDialect(*request.operation);
  if (const auto* complaint = std::get_if<std::string>(&dialect)) {
    return Answer(request, DECONV_ANSWER_UNSUPPORTED, *complaint);
  }
  oracle::Resolution resolution = Resolve(std::get<0>(op), std::get<0>(dialect));
  if (!resolution.ok()) {
    return Answer(request, DECONV_ANSWER_REFUSED,
                  fmt::format("{}: {}", resolution.refusal->clause, resolution.refusal->message));
  }
  return *std::move(resolution.geometry);
}

template std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(deconv_run_request& request);
template std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(deconv_resolve_request& request);

}  // namespace conformance
