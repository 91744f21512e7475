// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the steps by which the oracle resolves a case as text: for each dialect its clauses, and the formula of each
// axis.

#include "conformance/cli/explain.h"

#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/verdict/dialect_fit.h"
#include "conformance/verdict/result.h"
#include "oracle/clause.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using Text = std::back_insert_iterator<std::string>;

std::string_view TitleOf(std::string_view clause) {
  const oracle::Clause* found = oracle::FindClause(clause);
  return found == nullptr ? std::string_view("unknown clause") : found->title;
}

/// Writes "axis 0: out[2*i + 1*k - 1] += data[i] * filter[k], ..." for each axis.
void ExplainGeometry(Text text, const oracle::Geometry& geometry) {
  fmt::format_to(text, "  output {}\n", DimsText(geometry.OutputDims()));
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    const oracle::Axis& axis = geometry.axes[i];
    const std::string shift =
        axis.pads_begin < 0 ? fmt::format("+ {}", -axis.pads_begin) : fmt::format("- {}", axis.pads_begin);
    fmt::format_to(text, "  axis {}: out[{}*i + {}*k {}] += data[i] * filter[k], i < {}, k < {}, output size {}\n", i,
                   axis.stride, axis.dilation, shift, axis.data, axis.kernel, axis.output);
    const std::int64_t first = -axis.pads_begin;
    if (first > 0) fmt::format_to(text, "    data element 0, tap 0 lands at offset {}\n", first);
  }
}

}  // namespace

std::string Explain(const Case& test_case) {
  std::string explanation;
  const Text text = std::back_inserter(explanation);
  fmt::format_to(text, "{}\n", ToLine(test_case));
  if (test_case.repeats) {
    fmt::format_to(text, "\nrepeat {}: {}\n", NameOf(*test_case.repeats),
                   kRepetitions[static_cast<std::size_t>(*test_case.repeats)].sentence);
  }
  if (test_case.law) fmt::format_to(text, "\nlaw {}: {}\n", NameOf(*test_case.law), SentenceOf(*test_case.law));
  for (const oracle::Dialect dialect : oracle::DialectsOf(test_case.op.kind)) {
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
    fmt::format_to(text, "\n{}\n", oracle::DialectName(dialect));
    for (const oracle::Step& step : resolution.steps) {
      fmt::format_to(text, "  {:<4} {}\n", step.clause, step.text);
    }
    for (const oracle::OpenPoint& point : resolution.open) {
      fmt::format_to(text, "  open by {} ({}): {}; a backend may refuse the operator\n", point.clause, point.point,
                     point.message);
    }
    if (resolution.ok()) {
      ExplainGeometry(text, *resolution.geometry);
    } else {
      fmt::format_to(text, "  {} by {} ({}): {}\n", resolution.refusal->undefined ? "left undefined" : "refused",
                     resolution.refusal->clause, TitleOf(resolution.refusal->clause), resolution.refusal->message);
    }
  }
  const std::vector<DialectGroup> groups = AgreeingDialects(test_case.op);
  if (groups.size() == 1 && groups.front().dialects.size() > 1) {
    const bool do_all_agree = groups.front().dialects.size() == oracle::DialectsOf(test_case.op.kind).size();
    fmt::format_to(text, "\nall dialects {}agree on the output\n", do_all_agree ? "" : "that give it a meaning ");
  } else if (groups.size() > 1) {
    fmt::format_to(text, "\ndialects disagree:");
    std::string_view separator = " ";
    for (const DialectGroup& group : groups) {
      std::vector<std::string_view> names;
      for (const oracle::Dialect dialect : group.dialects) names.push_back(DialectName(dialect));
      fmt::format_to(text, "{}{}", separator, fmt::join(names, " = "));
      separator = " | ";
    }
    fmt::format_to(text, "\n");
  }
  return explanation;
}

}  // namespace conformance
