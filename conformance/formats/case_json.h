// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes case.json beside the tensors of an exported case. The file holds the case line, the resolved geometry, and the
// tolerances by which a program can judge a result.

#ifndef DECONV_CONFORMANCE_FORMATS_CASE_JSON_H_
#define DECONV_CONFORMANCE_FORMATS_CASE_JSON_H_

#include <string>

#include "conformance/formats/computed_case.h"
#include "conformance/formats/export_case.h"

namespace conformance::formats {

/// Adds case.json and tolerance_0.npy (the tolerance of each output) in the folder `name` to `files`.
void AddCaseFiles(const std::string& name, const ComputedCase& worked, std::vector<ExportedFile>& files);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_CASE_JSON_H_
