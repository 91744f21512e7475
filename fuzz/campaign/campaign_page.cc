// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes campaign.html, the page that shows a fuzzing campaign to its user: its causes of failures, and curves of
// executions, features (properties of the cases that were tried) and findings over time. The style is that of the HTML
// report of `deconv-cts run`.

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "conformance/cli/version.h"
#include "conformance/report/html/page_assets.h"
#include "conformance/report/printable.h"
#include "fuzz/campaign/campaign_reports.h"

namespace fuzz {
namespace {

// The size of a curve's drawing, in units of SVG. The browser scales it.
constexpr int kWidth = 640;
constexpr int kHeight = 160;

constexpr const char* kCurveStyle =
    ".curves{display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:1.2rem}\n"
    "svg.curve{width:100%;height:auto;border-bottom:1px solid var(--line);border-left:1px solid var(--line)}\n"
    "svg.curve path{fill:none;stroke:var(--accent);stroke-width:3;vector-effect:non-scaling-stroke}\n";

/// An element with a text, which the XML library escapes. `css_class` is its class, unless it is empty.
pugi::xml_node AddElement(pugi::xml_node parent, const char* name, const char* css_class = "",
                          std::string_view text = {}) {
  pugi::xml_node node = parent.append_child(name);
  if (*css_class != '\0') node.append_attribute("class") = css_class;
  if (!text.empty()) node.append_child(pugi::node_pcdata).set_value(conformance::PrintableText(text).c_str());
  return node;
}

/// Adds a command that the reader can copy.
void AddCommand(pugi::xml_node parent, std::string_view command) {
  AddElement(AddElement(parent, "div", "command"), "code", "", conformance::PrintableLine(command));
}

/// Adds a curve of one of the counts over time. `member` is the count. A count of 0 is drawn at y = kHeight and the
/// largest count at y = 0, because y grows downwards in SVG.
void AddCurve(pugi::xml_node parent, const std::vector<CurvePoint>& points, std::string_view title,
              std::uint64_t CurvePoint::* member) {
  const double seconds = std::max(points.back().seconds, 1e-3);
  std::uint64_t most = 1;
  for (const CurvePoint& point : points) most = std::max(most, point.*member);
  std::string path;
  for (const CurvePoint& point : points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', kWidth * point.seconds / seconds,
                        kHeight * (1 - static_cast<double>(point.*member) / static_cast<double>(most)));
  }
  pugi::xml_node figure = AddElement(parent, "figure");
  const std::string caption = fmt::format("{}: {} after {:.0f} s", title, points.back().*member, seconds);
  pugi::xml_node drawing = AddElement(figure, "svg", "curve");
  drawing.append_attribute("viewBox") = fmt::format("0 0 {} {}", kWidth, kHeight).c_str();
  drawing.append_attribute("role") = "img";
  drawing.append_attribute("aria-label") = caption.c_str();
  AddElement(drawing, "path").append_attribute("d") = path.c_str();
  AddElement(figure, "figcaption", "", caption);
}

/// Adds a cause with its smallest case and the command that replays it.
void AddCause(pugi::xml_node parent, const CampaignOptions& options, const CampaignCause& cause) {
  AddElement(parent, "h3", "wrong", cause.title);
  AddElement(parent, "p", "", fmt::format("{} findings; {}", cause.findings, cause.message));
  AddCommand(parent, ReplayOf(options, cause));
  AddElement(parent, "p", "note", "findings/" + FileNameOf(cause));
}

/// "BACKEND: no finding", or the numbers of findings and causes.
std::string HeadlineOf(const CampaignOptions& options, const CampaignRecord& record) {
  if (record.findings.empty()) return fmt::format("{}: no finding", options.backend);
  if (!record.causes) return fmt::format("{}: {} findings so far", options.backend, record.findings.size());
  const std::size_t causes = record.causes->causes.size();
  return fmt::format("{}: {} findings, {} cause{}", options.backend, record.findings.size(), causes,
                     causes == 1 ? "" : "s");
}

}  // namespace

std::string CampaignPage(const CampaignOptions& options, const CampaignRecord& record) {
  pugi::xml_document document;
  pugi::xml_node body = document.append_child("body");
  pugi::xml_node header = AddElement(body, "header");
  AddElement(AddElement(header, "p", "brand", "deconv-cts"), "span", "", "fuzzing campaign");
  AddElement(header, "h1", record.findings.empty() ? "right" : "wrong", HeadlineOf(options, record));
  AddElement(header, "p", "lede",
             fmt::format("{} executions in {:.0f} s, {} of them within what the backend declares; {} features of cases "
                         "reached",
                         record.executions, record.seconds, record.judged, record.features));
  AddElement(header, "p", "facts",
             fmt::format("suite {} \u00B7 seed {} \u00B7 {} job{} \u00B7 {} restarts \u00B7 {} inputs in the corpus",
                         conformance::kSuiteVersion, options.seed, options.jobs, options.jobs == 1 ? "" : "s",
                         record.restarts, record.inputs));
  if (!record.engine_error.empty()) AddElement(header, "p", "error", record.engine_error);
  for (const std::string& remark : RemarksOf(record)) AddElement(header, "p", "note", remark);
  if (!record.curve.empty()) {
    AddElement(body, "h2", "", "Curves");
    pugi::xml_node curves = AddElement(body, "div", "curves");
    AddCurve(curves, record.curve, "executions", &CurvePoint::executions);
    AddCurve(curves, record.curve, "features of cases", &CurvePoint::features);
    AddCurve(curves, record.curve, "findings", &CurvePoint::findings);
  }
  if (record.causes) {
    AddElement(body, "h2", "", "Causes");
    for (const CampaignCause& cause : record.causes->causes) AddCause(body, options, cause);
    if (!record.causes->unconfirmed.empty()) {
      AddElement(body, "h2", "", "Findings that passed when they were judged again");
      for (const FoundCase& found : record.causes->unconfirmed) {
        AddElement(body, "p", "", found.message);
        AddCommand(body, found.line);
      }
    }
  }
  std::ostringstream text;
  body.print(text, "", pugi::format_raw | pugi::format_no_empty_element_tags);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>fuzzing campaign</title>\n<style>\n{}{}</style>\n"
      "</head>\n{}\n</html>\n",
      conformance::kPageStyle, kCurveStyle, text.str());
}

}  // namespace fuzz
