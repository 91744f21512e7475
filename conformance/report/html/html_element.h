// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of the HTML report as nodes of a document, so that the XML library escapes all text.

#ifndef DECONV_CONFORMANCE_REPORT_HTML_HTML_ELEMENT_H_
#define DECONV_CONFORMANCE_REPORT_HTML_HTML_ELEMENT_H_

#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "conformance/report/picture_path.h"

namespace conformance {

void AddText(pugi::xml_node parent, std::string_view text);
/// Web addresses in it become links.
void AddLinkedText(pugi::xml_node parent, std::string_view text);

/// `style` is the attribute class; left out if empty.
pugi::xml_node AddElement(pugi::xml_node parent, const char* name, const char* style = "", std::string_view text = {});
void SetAttribute(pugi::xml_node node, const char* name, std::string_view value);

/// A row of cells: the first one is the row's heading.
pugi::xml_node AddRow(pugi::xml_node table, std::initializer_list<std::string_view> cells);
/// A table that scrolls on a narrow screen, with its row of headings.
pugi::xml_node AddTable(pugi::xml_node parent, const char* style, std::initializer_list<std::string_view> headings);

/// A command to be copied.
void AddCommand(pugi::xml_node parent, std::string_view command);

/// A drawing whose units are the cells of a grid.
pugi::xml_node AddDrawing(pugi::xml_node parent, const char* style, std::int64_t columns, std::int64_t rows,
                          std::string_view title);
void AddPath(pugi::xml_node drawing, const char* style, const std::string& path);
void AddPicture(pugi::xml_node parent, const WrongPicture& picture, std::string_view title);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_HTML_HTML_ELEMENT_H_
