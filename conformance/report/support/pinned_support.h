// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A support map that is pinned in a file. The map counts the supported cases of each class of operators. A gate
// compares each run with the file, so that a backend cannot lose support without a failure, and cannot gain it without
// an update of the file.

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

/// Compares a run's map with the file. An operator that the backend no longer declares is lost, whichever cases the run
/// has. The run may have another number of cases of a class than the file. Then the class is lost if more cases are
/// unsupported than the new cases explain, and gained if no case was supported before. Classes that only the file has
/// are ignored. Classes that only the run has are ignored if the total numbers of cases differ, because then other
/// cases were selected.
/// Example: the file has 8 of 10 cases supported. A run with 7 of 11 has lost support: 4 unsupported cases are more
/// than the old 2 and 1 new one.
SupportChanges CompareSupport(const PinnedSupport& pinned, const SupportMap& now);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUPPORT_PINNED_SUPPORT_H_
