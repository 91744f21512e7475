// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the HTML report part by part from document nodes.

#include "conformance/report/html/html.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/report/causes_text.h"
#include "conformance/report/comparison.h"
#include "conformance/report/html/html_data.h"
#include "conformance/report/html/html_element.h"
#include "conformance/report/html/html_support.h"
#include "conformance/report/html/page_assets.h"
#include "conformance/report/needed_text.h"
#include "conformance/report/printable.h"
#include "conformance/report/summary.h"
#include "conformance/verdict/dialect_fit.h"
#include "conformance/verdict/open_choice.h"

namespace conformance {
namespace {

constexpr std::size_t kPageCauses = 40;
constexpr std::size_t kPicturesOfCause = 4;
constexpr std::size_t kPageDiffering = 100;
constexpr std::size_t kFailuresWithoutScript = 50;

const char* StyleOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConforms:
    case Verdict::kMeetsExpectations:
      return "right";
    case Verdict::kFails:
      return "wrong";
    default:
      return "open";
  }
}

/// What the backend calls itself, or its name on the command line, which may be a long command.
std::string OwnName(const RunRecord& run) {
  return run.declared.name.empty() ? run.backend : fmt::format("{} {}", run.declared.name, run.declared.version);
}

/// "kernel 0.1.0 conforms", or "1 of 3 backends conforms, 1 meets its expectations".
std::string Headline(std::span<const RunRecord> runs) {
  if (runs.empty()) return "No backend was judged";
  if (runs.size() == 1) return fmt::format("{} {}", OwnName(runs.front()), VerdictText(runs.front()));
  const auto conforming = std::ranges::count(runs, Verdict::kConforms, VerdictOf);
  const auto meeting = std::ranges::count(runs, Verdict::kMeetsExpectations, VerdictOf);
  const std::string known = meeting == 0   ? ""
                            : meeting == 1 ? ", 1 meets its expectations"
                                           : fmt::format(", {} meet their expectations", meeting);
  return fmt::format("{} of {} backends conform{}{}", conforming, runs.size(), conforming == 1 ? "s" : "", known);
}

const char* StyleOf(std::span<const RunRecord> runs) {
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return VerdictOf(run) == Verdict::kFails; })) return "wrong";
  const bool all = std::ranges::all_of(runs, [](const RunRecord& run) { return IsGood(VerdictOf(run)); });
  return all && !runs.empty() ? "right" : "open";
}

void AddHeader(pugi::xml_node body, std::span<const RunRecord> runs, const RunDescription& description) {
  pugi::xml_node header = AddElement(body, "header");
  AddElement(AddElement(header, "p", "brand", "deconv-cts"), "span", "", "conformance of transposed convolution");
  AddElement(header, "h1", StyleOf(runs), Headline(runs));
  if (runs.size() == 1) AddElement(AddElement(header, "p", "lede"), "code", "", runs.front().backend);
  for (const RunRecord& run : runs) {
    pugi::xml_node line = AddElement(header, "p", "lede");
    if (runs.size() > 1) {
      AddElement(line, "strong", StyleOf(VerdictOf(run)), run.backend);
      AddText(line, fmt::format(" {}: ", VerdictText(run)));
    }
    AddText(line, fmt::format("{}, in {:.1f} s", CountsText(run), run.seconds));
  }
  for (const std::string& error : description.errors) AddElement(header, "p", "error", error);
  AddElement(header, "p", "facts",
             fmt::format("suite {} \u00B7 level {} \u00B7 seed {} \u00B7 exit code {}", description.suite_version,
                         description.level, description.seed, description.exit_code));
}

/// What each suite came to, as a bar.
void AddBar(pugi::xml_node cell, const SuiteCounts& counts) {
  pugi::xml_node bar = AddDrawing(cell, "bar", static_cast<std::int64_t>(counts.cases()), 1,
                                  fmt::format("{} of {} cases failed", counts.failed, counts.cases()));
  bar.append_attribute("preserveAspectRatio") = "none";
  std::size_t at = 0;
  const auto add = [&](const char* style, std::size_t count) {
    if (count == 0) return;
    pugi::xml_node part = AddElement(bar, "rect", style);
    part.append_attribute("x") = std::to_string(at).c_str();
    part.append_attribute("width") = std::to_string(count).c_str();
    part.append_attribute("height") = "1";
    at += count;
  };
  add("failed", counts.failed - counts.expected);
  add("known", counts.expected);
  add("warned", counts.warned);
  add("passed", counts.passed);
  add("idle", counts.not_run);
}

void AddSuites(pugi::xml_node parent, const RunRecord& run) {
  pugi::xml_node table =
      AddTable(parent, "suites", {"suite", "passed", "warned", "failed", "expected", "not run", "error/bound", ""});
  for (const SuiteCounts& counts : CountsBySuite(run)) {
    const auto number = [](std::size_t count) { return count == 0 ? std::string("\u2013") : std::to_string(count); };
    pugi::xml_node row =
        AddRow(table, {counts.suite, number(counts.passed), number(counts.warned), number(counts.failed),
                       number(counts.expected), number(counts.not_run), fmt::format("{:.2g}", counts.worst_ratio)});
    if (counts.failed != counts.expected) row.append_attribute("class") = "fails";
    AddBar(AddElement(row, "td", "bars"), counts);
  }
}

/// The tolerances that the outputs would have needed, folded.
void AddNeeded(pugi::xml_node parent, const RunRecord& run) {
  const std::vector<NeededOfType> needed = NeededByType(run);
  if (needed.empty()) return;
  pugi::xml_node details = AddElement(parent, "details");
  AddElement(details, "summary", "", "The tolerance that a test without error bounds would have needed");
  pugi::xml_node table = AddTable(details, "words",
                                  {"type", "rtol", "ulp", "atol beside rtol, of the largest output", "at rtol 0",
                                   "outputs", "cancelling by half", "cases"});
  for (const auto& [right, one] : needed) {
    AddRow(table, {std::string(oracle::ElementTypeName(one.type)), ToleranceText(one.rtol),
                   fmt::format("{:.4g}", one.ulps), ToleranceText(one.atol_beside), ToleranceText(one.atol),
                   std::to_string(one.outputs), std::to_string(one.cancelling), right ? "right" : "failed"});
  }
}

/// What the backend does at the points that its dialects leave open, folded.
void AddChoices(pugi::xml_node parent, const RunRecord& run) {
  const std::vector<ChoiceCount> choices = ChoicesOf(run.results);
  if (choices.empty()) return;
  pugi::xml_node details = AddElement(parent, "details");
  AddElement(details, "summary", "", fmt::format("What the backend does at {} open points", choices.size()));
  pugi::xml_node table = AddTable(details, "words", {"clause", "open point", "the backend", "cases"});
  for (const ChoiceCount& choice : choices) {
    AddRow(table, {choice.clause, choice.point, choice.Verb(), std::to_string(choice.computed + choice.refused)});
  }
}

void AddClasses(pugi::xml_node parent, const RunRecord& run) {
  const auto classes = CountsByClass(run);
  const auto reasons = ReasonsWithoutVerdict(run);
  const std::vector<DialectFit> fits = FitsOf(run.results);
  if (!classes.empty()) {
    pugi::xml_node table = AddTable(parent, "words", {"failure class", "cases", "what it means"});
    for (const auto& [entry, count] : classes) AddRow(table, {entry.name, std::to_string(count), entry.sentence});
  }
  if (!fits.empty()) {
    pugi::xml_node list = AddElement(parent, "ul", "fits");
    for (const DialectFit& fit : fits) AddElement(list, "li", "", fit.Text());
  }
  AddNeeded(parent, run);
  AddChoices(parent, run);
  if (const std::string sweeps = SweepsText(run); !sweeps.empty()) {
    AddElement(parent, "p", "note", "Sweeps: " + sweeps);
  }
  if (run.declared.fast_algorithm) {
    AddElement(parent, "p", "note",
               "The backend declares sums by transforms, so floating-point outputs were judged by norms.");
  }
  if (reasons.empty()) return;
  pugi::xml_node details = AddElement(parent, "details");
  AddElement(details, "summary", "", fmt::format("Why cases have no verdict: {} reasons", reasons.size()));
  pugi::xml_node table = AddTable(details, "words", {"cases", "", "reason"});
  for (const ReasonWithoutVerdict& one : reasons) AddRow(table, {std::to_string(one.cases), one.word, one.reason});
}

struct Drawn {
  const CaseResult* result;
  WrongPicture picture;

  /// A plane tells more than a line, and outputs that are right beside wrong ones more than a plane that is all wrong.
  int Tells() const {
    const std::string everything = CellPath(picture.columns, picture.rows, [](auto, auto) { return true; });
    return (picture.rows > 1 ? 2 : 0) + (picture.all != everything ? 1 : 0);
  }
  bool LooksLike(const Drawn& other) const {
    return picture.columns == other.picture.columns && picture.all == other.picture.all &&
           picture.some == other.picture.some;
  }
};

/// The pictures of a cause: that of its smallest case, and of others that look different and tell the most.
void AddPictures(pugi::xml_node parent, const RunRecord& run, const Cause& cause) {
  constexpr std::size_t kLookedAt = 300;
  std::vector<std::size_t> places = {cause.smallest};
  places.insert(places.end(), cause.failures.begin(), cause.failures.end());
  std::vector<Drawn> drawn;
  for (std::size_t i = 0; i < std::min(kLookedAt, places.size()); ++i) {
    const CaseResult* result = ResultAt(run.results, places[i]);
    if (result == nullptr || !result->wrong_grid || !result->first_wrong) continue;
    Drawn one{result, PictureOf(*result->wrong_grid, result->output_dims, result->first_wrong->coordinate)};
    if (std::ranges::none_of(drawn, [&](const Drawn& other) { return one.LooksLike(other); })) {
      drawn.push_back(std::move(one));
    }
  }
  if (drawn.empty()) return;
  std::ranges::sort(drawn.begin() + 1, drawn.end(), std::less<>(),
                    [](const Drawn& one) { return std::pair(-one.Tells(), one.result->place); });
  drawn.resize(std::min(drawn.size(), kPicturesOfCause));
  pugi::xml_node pictures = AddElement(parent, "div", "pictures");
  for (const Drawn& one : drawn) AddPicture(pictures, one.picture, one.result->id());
}

void AddCause(pugi::xml_node parent, const RunRecord& run, const Cause& cause, std::size_t number) {
  pugi::xml_node article = AddElement(parent, "article", "cause");
  SetAttribute(article, "data-backend", PrintableLine(run.backend));
  SetAttribute(article, "data-cause", std::to_string(number));
  AddElement(article, "p", "count", std::to_string(cause.failures.size()));
  pugi::xml_node text = AddElement(article, "div", "told");
  AddLinkedText(AddElement(text, "h4"), cause.title);
  pugi::xml_node notes = AddElement(text, "ul");
  for (const std::string& note : CauseNotes(cause)) AddLinkedText(AddElement(notes, "li"), note);
  AddPictures(text, run, cause);
  if (const CaseResult* smallest = ResultAt(run.results, cause.smallest)) {
    AddElement(text, "p", "label", "smallest failing case");
    AddCommand(text, ReplayCommand(run.backend, *smallest));
  }
}

void AddCauses(pugi::xml_node parent, const RunRecord& run) {
  if (!run.causes) return;
  pugi::xml_node section = AddElement(parent, "section", "causes");
  AddElement(section, "h3", "", "Causes");
  AddElement(section, "p", "note", CausesHeadline(*run.causes));
  const std::vector<Cause>& causes = run.causes->causes;
  for (std::size_t i = 0; i < std::min(kPageCauses, causes.size()); ++i) AddCause(section, run, causes[i], i + 1);
  if (causes.size() > kPageCauses) {
    AddElement(section, "p", "note", fmt::format("... and {} more", causes.size() - kPageCauses));
  }
}

void AddFacts(pugi::xml_node parent, const RunRecord& run, const RunDescription& description) {
  pugi::xml_node list = AddElement(parent, "dl");
  for (const Fact& fact : FactsOf(run, description)) {
    AddElement(list, "dt", "", fact.name);
    AddElement(list, "dd", "", fact.value);
  }
}

void AddRun(pugi::xml_node main, const RunRecord& run, const RunDescription& description) {
  pugi::xml_node section = AddElement(main, "section", "run");
  const Verdict verdict = VerdictOf(run);
  pugi::xml_node heading = AddElement(section, "h2", "", run.backend);
  AddElement(heading, "span", StyleOf(verdict), VerdictText(run));
  AddSuites(section, run);
  AddClasses(section, run);
  AddCauses(section, run);
  AddSupport(section, run);
  pugi::xml_node details = AddElement(section, "details", "judged");
  AddElement(details, "summary", "big", "What was judged");
  AddFacts(details, run, description);
}

void AddComparison(pugi::xml_node main, std::span<const RunRecord> runs) {
  const BackendComparison comparison = CompareBackends(runs);
  pugi::xml_node section = AddElement(main, "section", "comparison");
  AddElement(section, "h2", "", "Backends compared");
  AddElement(section, "p", "note", "Each cell: passed / failed / not run.");
  pugi::xml_node table = AddElement(AddElement(section, "div", "scroll"), "table", "compared");
  pugi::xml_node head = AddElement(AddElement(table, "thead"), "tr");
  AddElement(head, "th", "", "suite");
  for (const std::string_view backend : comparison.backends) AddElement(head, "th", "", backend);
  pugi::xml_node body = AddElement(table, "tbody");
  for (const ComparedSuite& suite : comparison.suites) {
    pugi::xml_node row = AddElement(body, "tr");
    AddElement(row, "th", "", suite.suite);
    for (const SuiteCounts& counts : suite.counts) {
      AddElement(row, "td",
                 counts.failed != counts.expected ? "wrong"
                 : counts.failed != 0             ? "known"
                                                  : "",
                 fmt::format("{} / {} / {}", counts.passed + counts.warned, counts.failed, counts.not_run));
    }
  }
  AddElement(section, "p", "note",
             fmt::format("The backends differ on {} of the {} cases on which at least two were judged.",
                         comparison.differing.size(), comparison.common));
  if (comparison.differing.empty()) return;
  const std::size_t shown = std::min(kPageDiffering, comparison.differing.size());
  pugi::xml_node details = AddElement(section, "details");
  AddElement(details, "summary", "",
             shown == comparison.differing.size()
                 ? std::string("The cases on which the backends differ")
                 : fmt::format("The first {} cases on which the backends differ", shown));
  pugi::xml_node cases = AddElement(AddElement(details, "div", "scroll"), "table", "compared");
  pugi::xml_node names = AddElement(AddElement(cases, "thead"), "tr");
  AddElement(names, "th", "", "case");
  for (const std::string_view backend : comparison.backends) AddElement(names, "th", "", backend);
  pugi::xml_node rows = AddElement(cases, "tbody");
  for (std::size_t i = 0; i < shown; ++i) {
    pugi::xml_node row = AddElement(rows, "tr");
    AddElement(AddElement(row, "th"), "code", "", comparison.differing[i].any().id());
    for (const CaseResult* result : comparison.differing[i].results) {
      const bool failed = result != nullptr && result->status == Status::kFail;
      AddElement(row, "td", failed ? "wrong" : "", OutcomeWord(result));
    }
  }
}

/// What the script replaces by a list of everything.
void AddCases(pugi::xml_node main, std::span<const RunRecord> runs) {
  pugi::xml_node section = AddElement(main, "section", "cases");
  section.append_attribute("id") = "cases";
  AddElement(section, "h2", "", "Cases");
  pugi::xml_node list = AddElement(section, "div");
  list.append_attribute("id") = "list";
  pugi::xml_node fallback = AddElement(list, "noscript");
  AddElement(fallback, "p", "note", "The list of all cases, its filter and the details of each case need JavaScript.");
  for (const RunRecord& run : runs) {
    const std::vector<const CaseResult*> failures = FailuresOf(run);
    if (failures.empty()) continue;
    pugi::xml_node table = AddTable(fallback, "words", {"case", "failure", "message"});
    for (std::size_t i = 0; i < std::min(kFailuresWithoutScript, failures.size()); ++i) {
      const CaseResult& result = *failures[i];
      AddRow(table, {result.id(), FailureClassNameOf(result.failure), PrintableLine(result.message)});
    }
    if (failures.size() > kFailuresWithoutScript) {
      AddElement(fallback, "p", "note", fmt::format("... and {} more", failures.size() - kFailuresWithoutScript));
    }
  }
}

std::string TextOf(const pugi::xml_node& node) {
  std::ostringstream text;
  // Without extra spaces, and with end tags, because "<td />" would not end a cell.
  node.print(text, "", pugi::format_raw | pugi::format_no_empty_element_tags);
  return text.str();
}

}  // namespace

std::string HtmlReport(std::span<const RunRecord> runs, const RunDescription& description) {
  pugi::xml_document document;
  pugi::xml_node body = document.append_child("body");
  AddHeader(body, runs, description);
  pugi::xml_node main = AddElement(body, "main");
  if (runs.size() > 1) AddComparison(main, runs);
  for (const RunRecord& run : runs) AddRun(main, run, description);
  AddCases(main, runs);
  pugi::xml_document title;
  AddElement(title, "title", "", fmt::format("{} - deconv-cts", Headline(runs)));
  // What the policy forbids no text of a backend can bring about: nothing is loaded from anywhere.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n{}\n<style>\n{}</style>\n</head>\n{}\n"
      "<script id=\"data\" type=\"application/json\">{}</script>\n<script>\n{}</script>\n</html>\n",
      TextOf(title.first_child()), kPageStyle, TextOf(body), PageData(runs), kPageScript);
}

}  // namespace conformance
