// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A table holds one fact of a report, that is, what a reader wants to know, such as the failures of each suite. The
// function that finds the fact (facts.h) returns a table. Each report format has one function that prints any table,
// and one that prints the judged cases of a table.

#ifndef DECONV_CONFORMANCE_REPORT_TABLE_H_
#define DECONV_CONFORMANCE_REPORT_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict/result.h"

namespace conformance {

struct Column {
  std::string name;
  bool number = false;  ///< aligned at the right
};

/// A table without columns is a list: the last cell of a row is a text, and the cells before it are its label. Several
/// lines in a cell are the entries of an enumeration. Example: the row {"3", "not run", "rank 6"} is printed as "3 not
/// run: rank 6".
struct Table {
  std::string title = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<std::string>> rows = {};
  std::vector<std::string> notes = {};               ///< sentences after the rows
  std::vector<const CaseResult*> cases = {};         ///< judged cases that the table is about, the best example first
  std::size_t shown = static_cast<std::size_t>(-1);  ///< the most rows, and cases, in formats that must be short

  bool empty() const { return title.empty() && rows.empty() && notes.empty(); }
};

/// The table with aligned columns, and the first cases with the commands that replay them on `backend`. Long
/// enumerations are broken into lines, because a terminal would break them within words.
std::string TableText(const Table& table, std::string_view backend = "");

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_TABLE_H_
