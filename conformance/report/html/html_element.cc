// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds elements, text and attributes to the document.

#include "conformance/report/html/html_element.h"

#include <fmt/format.h>

#include "conformance/report/printable.h"

namespace conformance {

void AddText(pugi::xml_node parent, std::string_view text) {
  parent.append_child(pugi::node_pcdata).set_value(PrintableText(text).c_str());
}

void SetAttribute(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name) = PrintableText(value).c_str();
}

pugi::xml_node AddElement(pugi::xml_node parent, const char* name, const char* style, std::string_view text) {
  pugi::xml_node node = parent.append_child(name);
  if (*style != '\0') node.append_attribute("class") = style;
  if (!text.empty()) AddText(node, text);
  return node;
}

void AddLinkedText(pugi::xml_node parent, std::string_view text) {
  const std::string printable = PrintableText(text);
  for (const TextPiece& piece : PiecesOf(printable)) {
    if (!piece.link) {
      AddText(parent, piece.text);
      continue;
    }
    pugi::xml_node link = AddElement(parent, "a", "", piece.text);
    SetAttribute(link, "href", piece.text);
    link.append_attribute("rel") = "noreferrer noopener";
  }
}

pugi::xml_node AddRow(pugi::xml_node table, std::initializer_list<std::string_view> cells) {
  pugi::xml_node row = AddElement(table, "tr");
  bool first = true;
  for (const std::string_view cell : cells) {
    pugi::xml_node node = AddElement(row, first ? "th" : "td", "", cell);
    if (first) node.append_attribute("scope") = "row";
    first = false;
  }
  return row;
}

pugi::xml_node AddTable(pugi::xml_node parent, const char* style, std::initializer_list<std::string_view> headings) {
  pugi::xml_node table = AddElement(AddElement(parent, "div", "scroll"), "table", style);
  if (headings.size() != 0) {
    pugi::xml_node row = AddElement(AddElement(table, "thead"), "tr");
    for (const std::string_view heading : headings) {
      AddElement(row, "th", "", heading).append_attribute("scope") = "col";
    }
  }
  return AddElement(table, "tbody");
}

void AddCommand(pugi::xml_node parent, std::string_view command) {
  AddElement(AddElement(parent, "div", "command"), "code", "", PrintableLine(command));
}

pugi::xml_node AddDrawing(pugi::xml_node parent, const char* style, std::int64_t columns, std::int64_t rows,
                          std::string_view title) {
  pugi::xml_node drawing = AddElement(parent, "svg", style);
  drawing.append_attribute("viewBox") = fmt::format("0 0 {} {}", columns, rows).c_str();
  drawing.append_attribute("role") = "img";
  SetAttribute(drawing, "aria-label", title);
  return drawing;
}

void AddPath(pugi::xml_node drawing, const char* style, const std::string& path) {
  if (!path.empty()) AddElement(drawing, "path", style).append_attribute("d") = path.c_str();
}

void AddPicture(pugi::xml_node parent, const WrongPicture& picture, std::string_view title) {
  pugi::xml_node figure = AddElement(parent, "figure");
  pugi::xml_node drawing = AddDrawing(figure, "picture", picture.columns, picture.rows, picture.caption);
  // As large as is good to see, few cells or many; narrower if the screen is.
  const int cell = picture.columns > 24 ? 7 : picture.columns > 10 ? 11 : 16;
  drawing.append_attribute("style") = fmt::format("width:{}px", picture.columns * cell).c_str();
  AddPath(drawing, "right", CellPath(picture.columns, picture.rows, [](auto, auto) { return true; }));
  AddPath(drawing, "some", picture.some);
  AddPath(drawing, "all", picture.all);
  std::string lines;
  for (std::int64_t column = 1; column < picture.columns; ++column) {
    lines += fmt::format("M{} 0v{}", column, picture.rows);
  }
  for (std::int64_t row = 1; row < picture.rows; ++row) lines += fmt::format("M0 {}h{}", row, picture.columns);
  AddPath(drawing, "lines", lines);
  pugi::xml_node first = AddElement(drawing, "rect", "first");
  first.append_attribute("x") = fmt::format("{}", picture.first_column).c_str();
  first.append_attribute("y") = fmt::format("{}", picture.first_row).c_str();
  first.append_attribute("width") = "1";
  first.append_attribute("height") = "1";
  pugi::xml_node caption = AddElement(figure, "figcaption");
  if (!title.empty()) AddElement(caption, "code", "", title);
  AddElement(caption, "span", "", picture.caption);
}

}  // namespace conformance
