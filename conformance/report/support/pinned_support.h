// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A support map that is pinned in a file. A gate compares each run with it, so that a backend cannot lose support
// without a failure, and cannot gain it without an update of the file.

#ifndef DECONV_CONFORMANCE_REPORT_SUPPORT_PINNED_SUPPORT_H_
#define DECONV_CONFORMANCE_REPORT_SUPPORT_PINNED_SUPPORT_H_

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/report/support/support_map.h"

namespace conformance {

/// The counts of each class by its text (SupportClassText).
using PinnedSupport = std::map<std::string, SupportCount>;

PinnedSupport PinnedSupportOf(const SupportMap& map);

/// The file's text: JSON with one line for each class. `backend` names it for readers.
std::string PinnedSupportText(const PinnedSupport& pinned, const std::string& backend);
/// The map in the text, or an error message.
std::variant<PinnedSupport, std::string> ReadPinnedSupport(std::string_view text);

/// The changes since the file was written, one line for each class.
struct SupportChanges {
  std::vector<std::string> lost;
  std::vector<std::string> gained;  ///< classes that are supported now, or are not in the file
};

/// An operator that the backend no longer declares is lost, whichever cases the run has. A class of which the run has
/// more or fewer cases than the file is lost if more cases are unsupported than new cases explain; it is gained if no
/// case was supported before. Other classes that the run does not have say nothing, and neither do those that the file
/// does not have, if the numbers of all cases differ: then other cases were selected.
SupportChanges CompareSupport(const PinnedSupport& pinned, const SupportMap& now);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUPPORT_PINNED_SUPPORT_H_
