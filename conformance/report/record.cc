// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the result of a case as a JSON object, its record in the JSON report, and reads it back. Each member is
// checked; a wrong one throws std::invalid_argument with the value that was found and the expected one.

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/case.h"
#include "conformance/case/text/json_text.h"
#include "conformance/report/json.h"
#include "conformance/verdict/picture.h"

namespace conformance {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json FiniteOrNull(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

/// The number, or infinity for null, which JSON has instead.
double ReadNumber(const json& object, const char* member) {
  const json& value = object.at(member);
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

ordered_json OutputToJson(const WrongOutput& wrong) {
  return {{"coordinate", wrong.coordinate},     {"expected", wrong.expected},         {"got", wrong.got},
          {"error", FiniteOrNull(wrong.error)}, {"bound", FiniteOrNull(wrong.bound)}, {"taps", wrong.taps}};
}

WrongOutput OutputFromJson(const json& object) {
  WrongOutput wrong;
  wrong.coordinate = IntegersAt<std::int64_t>(object, "coordinate");
  wrong.expected = object.at("expected").get<std::string>();
  wrong.got = object.at("got").get<std::string>();
  wrong.error = ReadNumber(object, "error");
  wrong.bound = ReadNumber(object, "bound");
  wrong.taps = IntegerAt<std::int64_t>(object, "taps");
  if (object.contains("probable")) wrong.probable = ReadNumber(object, "probable");
  return wrong;
}

ordered_json GridToJson(const WrongGrid& grid) {
  return {
      {"plane", grid.plane},     {"row_axis", grid.row_axis}, {"column_axis", grid.column_axis}, {"rows", grid.rows},
      {"columns", grid.columns}, {"row_step", grid.row_step}, {"column_step", grid.column_step}, {"wrong", grid.wrong}};
}

WrongGrid GridFromJson(const json& object, const oracle::Dims& output_dims) {
  WrongGrid grid;
  grid.plane = IntegersAt<std::int64_t>(object, "plane");
  grid.row_axis = IntegerAt<std::size_t>(object, "row_axis");
  grid.column_axis = IntegerAt<std::size_t>(object, "column_axis");
  grid.rows = IntegerAt<std::int64_t>(object, "rows");
  grid.columns = IntegerAt<std::int64_t>(object, "columns");
  grid.row_step = IntegerAt<std::int64_t>(object, "row_step");
  grid.column_step = IntegerAt<std::int64_t>(object, "column_step");
  grid.wrong = IntegersAt<std::uint32_t>(object, "wrong");
  // All numbers are checked before any are multiplied, because a file may hold absurd ones.
  const auto has_few_cells = [](std::int64_t outputs, std::int64_t step, std::int64_t most) {
    return outputs > 0 && outputs <= INT32_MAX && step > 0 && step <= outputs && (outputs - 1) / step < most;
  };
  const bool is_drawable = grid.plane.size() == output_dims.size() && grid.row_axis < output_dims.size() &&
                           grid.column_axis < output_dims.size() &&
                           has_few_cells(grid.rows, grid.row_step, kMostGridRows) &&
                           has_few_cells(grid.columns, grid.column_step, kMostGridColumns);
  if (!is_drawable || !std::cmp_equal(grid.wrong.size(), grid.CellRows() * grid.CellColumns())) {
    throw std::invalid_argument(fmt::format(
        "wrong_grid: found {} cells, expected one for each {} x {} of {} x {} outputs, at most {} x {}",
        grid.wrong.size(), grid.row_step, grid.column_step, grid.rows, grid.columns, kMostGridRows, kMostGridColumns));
  }
  return grid;
}

Status ReadStatus(const std::string& name) {
  if (const auto found = FindNamed(kStatuses, name)) return *found;
  throw std::invalid_argument(
      fmt::format("status: found '{}', expected a status of conformance/verdict/verdicts.md", name));
}

FailureClass ReadFailure(const std::string& name) {
  if (const auto found = FindNamed(kFailureClasses, name)) return *found;
  throw std::invalid_argument(
      fmt::format("failure: found '{}', expected a failure class of conformance/verdict/verdicts.md", name));
}

ordered_json ChoicesToJson(const std::vector<OpenChoice>& choices) {
  ordered_json array = ordered_json::array();
  for (const OpenChoice& choice : choices) {
    array.push_back({{"clause", choice.clause}, {"point", choice.point}, {"computed", choice.computed}});
  }
  return array;
}

std::vector<OpenChoice> ChoicesFromJson(const json& object) {
  std::vector<OpenChoice> choices;
  if (!object.contains("choices")) return choices;
  for (const json& choice : object.at("choices")) {
    choices.push_back({.clause = choice.at("clause").get<std::string>(),
                       .point = choice.at("point").get<std::string>(),
                       .computed = choice.at("computed").get<bool>()});
  }
  return choices;
}

NeededTolerance NeededFromJson(const json& object) {
  const auto name = object.at("type").get<std::string>();
  const auto type = oracle::ParseElementType(name);
  if (!type || !oracle::IsFloat(*type)) {
    throw std::invalid_argument(fmt::format("needed: found type '{}', expected a floating type", name));
  }
  return {.type = *type,
          .rtol = ReadNumber(object, "rtol"),
          .atol = ReadNumber(object, "atol_of_largest"),
          .atol_beside = ReadNumber(object, "atol_of_largest_beside"),
          .ulps = ReadNumber(object, "ulps"),
          .outputs = IntegerAt<std::int64_t>(object, "outputs"),
          .cancelling = IntegerAt<std::int64_t>(object, "cancelling")};
}

/// The case of a line, or null if this version of the program cannot read the line.
std::shared_ptr<const Case> CaseOfLine(const std::string& line) {
  auto parsed = ParseCaseLine(line);
  auto* const test_case = std::get_if<Case>(&parsed);
  return test_case == nullptr ? nullptr : std::make_shared<const Case>(std::move(*test_case));
}

CaseResult ReadCaseResult(const json& object) {
  CaseResult result;
  const auto id = object.at("id").get<std::string>();
  const std::size_t slash = id.find('/');
  if (slash == std::string::npos) {
    throw std::invalid_argument(fmt::format("id: found '{}', expected suite/name", id));
  }
  result.origin.suite = id.substr(0, slash);
  result.origin.name = id.substr(slash + 1);
  result.origin.case_index = IntegerAt<std::size_t>(object, "place");
  result.judged.line = object.at("case").get<std::string>();
  result.judged.test_case = CaseOfLine(result.judged.line);
  result.verdict.status = ReadStatus(object.at("status").get<std::string>());
  result.judged.dialect = object.at("dialect").get<std::string>();
  result.judged.clauses = object.at("clauses").get<std::vector<std::string>>();
  result.judged.output_dims = IntegersAt<std::int64_t>(object, "output_dims");
  result.outputs.count = IntegerAt<std::int64_t>(object, "outputs");
  result.outputs.worst_ratio = ReadNumber(object, "worst_error_over_bound");
  result.seconds.backend = object.at("backend_seconds").get<double>();
  result.seconds.oracle = object.value("oracle_seconds", 0.0);
  result.seconds.total = object.at("seconds").get<double>();
  if (object.contains("needed")) result.outputs.needed = NeededFromJson(object.at("needed"));
  result.answer.refused = object.value("refused", false);
  if (object.contains("fits")) result.answer.fits = object.at("fits").get<std::vector<std::string>>();
  result.answer.choices = ChoicesFromJson(object);
  result.verdict.message = object.value("message", std::string());
  result.verdict.facts.said = object.value("said", std::string());
  result.verdict.facts.open = object.value("open", false);
  if (object.contains("excusing_word")) {
    const json& word = object.at("excusing_word");
    result.verdict.facts.excusing_word = {word.at("meaning").get<std::string>(), word.at("word").get<std::string>()};
  }
  result.verdict.facts.only_in = object.value("only_in", std::string());
  if (object.contains("related")) result.verdict.facts.related = CaseOfLine(object.at("related").get<std::string>());
  result.answer.implementation = object.value("implementation", std::string());
  result.trace.backtrace = object.value("backtrace", std::string());
  result.trace.replay_options = object.value("replay_options", std::string());
  result.sweep.judged = IntegerOr(object, "tuples", result.sweep.judged);
  result.sweep.skipped = IntegerOr(object, "tuples_skipped", result.sweep.skipped);
  result.outputs.excused = IntegerOr(object, "excused_outputs", result.outputs.excused);
  result.outputs.negative_zero_gaps = IntegerOr(object, "negative_zero_gaps", result.outputs.negative_zero_gaps);
  result.origin.reason = object.value("reason", std::string());
  result.origin.file = object.value("file", std::string());
  result.origin.file_line = IntegerOr(object, "file_line", 0);
  result.verdict.known_failure = object.value("expected", std::string());
  if (result.verdict.status == Status::kFail) {
    result.verdict.failure = ReadFailure(object.at("failure").get<std::string>());
    result.outputs.wrong = IntegerAt<std::int64_t>(object, "wrong_outputs");
    result.outputs.largest_error = ReadNumber(object, "largest_error");
  }
  if (object.contains("first_wrong")) result.outputs.first_wrong = OutputFromJson(object.at("first_wrong"));
  if (object.contains("wrong_grid"))
    result.outputs.wrong_grid = GridFromJson(object.at("wrong_grid"), result.judged.output_dims);
  if (object.contains("first_imprecise")) {
    result.outputs.imprecise = IntegerAt<std::int64_t>(object, "imprecise_outputs");
    result.outputs.first_imprecise = OutputFromJson(object.at("first_imprecise"));
  }
  return result;
}

}  // namespace

ordered_json NeededToJson(const NeededTolerance& needed) {
  return {{"type", oracle::ElementTypeName(needed.type)},
          {"rtol", FiniteOrNull(needed.rtol)},
          {"atol_of_largest", FiniteOrNull(needed.atol)},
          {"atol_of_largest_beside", FiniteOrNull(needed.atol_beside)},
          {"ulps", FiniteOrNull(needed.ulps)},
          {"outputs", needed.outputs},
          {"cancelling", needed.cancelling}};
}

ordered_json CaseToJson(const CaseResult& result) {
  ordered_json object = {{"place", result.origin.case_index},
                         {"id", result.id()},
                         {"case", result.judged.line},
                         {"status", StatusName(result.verdict.status)},
                         {"dialect", result.judged.dialect},
                         {"clauses", result.judged.clauses},
                         {"output_dims", result.judged.output_dims},
                         {"outputs", result.outputs.count},
                         {"worst_error_over_bound", FiniteOrNull(result.outputs.worst_ratio)},
                         {"backend_seconds", result.seconds.backend},
                         {"oracle_seconds", result.seconds.oracle},
                         {"seconds", result.seconds.total}};
  if (result.outputs.needed) object["needed"] = NeededToJson(*result.outputs.needed);
  if (result.answer.refused) object["refused"] = true;
  if (result.answer.fits) object["fits"] = *result.answer.fits;
  if (!result.answer.choices.empty()) object["choices"] = ChoicesToJson(result.answer.choices);
  if (!result.verdict.message.empty()) object["message"] = result.verdict.message;
  if (!result.verdict.facts.said.empty()) object["said"] = result.verdict.facts.said;
  if (result.verdict.facts.open) object["open"] = true;
  if (const auto& excusing = result.verdict.facts.excusing_word) {
    object["excusing_word"] = {{"meaning", excusing->meaning}, {"word", excusing->word}};
  }
  if (!result.verdict.facts.only_in.empty()) object["only_in"] = result.verdict.facts.only_in;
  if (result.verdict.facts.related) object["related"] = ToLine(*result.verdict.facts.related);
  if (!result.answer.implementation.empty()) object["implementation"] = result.answer.implementation;
  if (!result.trace.backtrace.empty()) object["backtrace"] = result.trace.backtrace;
  if (!result.trace.replay_options.empty()) object["replay_options"] = result.trace.replay_options;
  if (result.sweep.judged != 0) object["tuples"] = result.sweep.judged;
  if (result.sweep.skipped != 0) object["tuples_skipped"] = result.sweep.skipped;
  if (result.outputs.excused != 0) object["excused_outputs"] = result.outputs.excused;
  if (result.outputs.negative_zero_gaps != 0) object["negative_zero_gaps"] = result.outputs.negative_zero_gaps;
  if (!result.origin.reason.empty()) object["reason"] = result.origin.reason;
  if (!result.origin.file.empty()) object["file"] = result.origin.file;
  if (result.origin.file_line != 0) object["file_line"] = result.origin.file_line;
  if (result.verdict.IsKnownFailure()) object["expected"] = result.verdict.known_failure;
  if (result.verdict.status == Status::kFail) {
    object["failure"] = FailureClassNameOf(result.verdict.failure);
    object["wrong_outputs"] = result.outputs.wrong;
    object["largest_error"] = FiniteOrNull(result.outputs.largest_error);
  }
  if (result.outputs.first_wrong) object["first_wrong"] = OutputToJson(*result.outputs.first_wrong);
  if (result.outputs.wrong_grid) object["wrong_grid"] = GridToJson(*result.outputs.wrong_grid);
  if (result.outputs.first_imprecise) {
    object["imprecise_outputs"] = result.outputs.imprecise;
    object["first_imprecise"] = OutputToJson(*result.outputs.first_imprecise);
    object["first_imprecise"]["probable"] = FiniteOrNull(result.outputs.first_imprecise->probable);
  }
  return object;
}

std::variant<CaseResult, std::string> CaseFromJson(const json& object) {
  return CatchJsonError([&] { return ReadCaseResult(object); });
}

}  // namespace conformance
