// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints any table as text for a console.

#ifndef DECONV_CONFORMANCE_REPORT_TABLE_TEXT_H_
#define DECONV_CONFORMANCE_REPORT_TABLE_TEXT_H_

#include <string>
#include <string_view>

#include "conformance/report/table.h"

namespace conformance {

/// The table with aligned columns, and the first cases with the commands that replay them on `backend`. Long
/// enumerations are broken into lines, because a terminal would break them within words.
std::string TableText(const Table& table, std::string_view backend = "");

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_TABLE_TEXT_H_
