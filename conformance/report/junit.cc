// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the JUnit report, the XML that CI systems show as test results. It is built as a document, so that the XML
// library escapes all text.

#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/report/facts.h"
#include "conformance/report/printable.h"
#include "conformance/report/report_formats.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

void AddProperty(pugi::xml_node properties, const char* name, const std::string& value) {
  pugi::xml_node entry = properties.append_child("property");
  entry.append_attribute("name") = name;
  entry.append_attribute("value") = PrintableText(value).c_str();
}

/// Adds a testcase with its properties, and the failure or the reason why it was skipped.
void AddCase(pugi::xml_node suite, const RunRecord& run, const CaseResult& result) {
  pugi::xml_node node = suite.append_child("testcase");
  node.append_attribute("classname") = fmt::format("{}.{}", run.backend, result.origin.suite).c_str();
  node.append_attribute("name") = result.origin.name.c_str();
  node.append_attribute("time") = fmt::format("{:.6f}", result.seconds.total).c_str();
  const pugi::xml_node properties = node.append_child("properties");
  AddProperty(properties, "case", result.judged.line);
  AddProperty(properties, "dialect", result.judged.dialect);
  AddProperty(properties, "status", std::string(StatusName(result.verdict.status)));
  AddProperty(properties, "worst_error_over_bound", fmt::format("{:.6g}", result.outputs.worst_ratio));
  if (result.verdict.IsKnownFailure()) {
    node.append_child("skipped").append_attribute("message") =
        PrintableText(fmt::format("expected to fail: {} ({})", result.verdict.known_failure, result.verdict.message))
            .c_str();
  } else if (result.verdict.status == Status::kFail) {
    pugi::xml_node failure = node.append_child("failure");
    failure.append_attribute("type") = std::string(FailureClassNameOf(result.verdict.failure)).c_str();
    failure.append_attribute("message") = PrintableText(result.verdict.message).c_str();
    failure.text().set(
        PrintableText(fmt::format("{}{}{}clauses {}\nreplay: {}\nexplain: deconv-cts explain {}\n{}",
                                  result.origin.reason.empty() ? "" : "about: ", result.origin.reason,
                                  result.origin.reason.empty() ? "" : "\n", fmt::join(result.judged.clauses, ", "),
                                  ReplayCommand(run.backend, result), result.judged.line, result.trace.backtrace))
            .c_str());
  } else if (IsRight(result.verdict.status)) {
    // JUnit has no warnings, so an imprecise or vacuous case passes and its output contains the warning.
    if (result.verdict.status != Status::kPass)
      node.append_child("system-out").text().set(PrintableText(result.verdict.message).c_str());
  } else {
    node.append_child("skipped").append_attribute("message") =
        PrintableText(fmt::format("{}: {}", StatusName(result.verdict.status), result.verdict.message)).c_str();
  }
}

}  // namespace

std::string JunitReport(std::span<const RunSummary> runs, const RunDescription& description) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  for (const RunSummary& summary : runs) {
    const RunRecord& run = *summary.run;
    const Table judged = RunFactsTable(summary, description);
    std::map<std::string, pugi::xml_node> nodes;
    struct Counts {
      std::size_t tests = 0, failures = 0, skipped = 0;
      double seconds = 0;
    };
    std::map<std::string, Counts> counts;
    for (const CaseResult& result : run.results) {
      pugi::xml_node& node = nodes[result.origin.suite];
      if (!node) {
        node = root.append_child("testsuite");
        pugi::xml_node properties = node.append_child("properties");
        for (const auto& row : judged.rows) AddProperty(properties, row.front().c_str(), row.back());
      }
      AddCase(node, run, result);
      Counts& count = counts[result.origin.suite];
      ++count.tests;
      const bool fails = result.verdict.IsNewFailure();
      count.failures += fails ? 1 : 0;
      count.skipped += !IsRight(result.verdict.status) && !fails ? 1 : 0;
      count.seconds += result.seconds.total;
    }
    for (auto& [suite, node] : nodes) {
      node.append_attribute("name") = fmt::format("{}.{}", run.backend, suite).c_str();
      node.append_attribute("tests") = std::to_string(counts[suite].tests).c_str();
      node.append_attribute("failures") = std::to_string(counts[suite].failures).c_str();
      node.append_attribute("skipped") = std::to_string(counts[suite].skipped).c_str();
      node.append_attribute("time") = fmt::format("{:.6f}", counts[suite].seconds).c_str();
    }
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace conformance
