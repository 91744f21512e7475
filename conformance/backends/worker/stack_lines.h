// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the functions and source lines of a crashed backend's stack, with the help of the program deconv-frames.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_STACK_LINES_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_STACK_LINES_H_

#include <string>
#include <string_view>

namespace conformance {

/// Translates the stack of a crash report (conformance/backends/crash_report.h). A frame becomes for example "Pack(int)
/// at pack.cc:57 in libvendor.so" if the file has debug information. The result has one line for each frame, the
/// innermost first. Other lines are not changed. Without deconv-frames, or if it fails, no line is changed. `backend`
/// is the name of the worker's backend. Any thread may call this function.
std::string WithSourceLines(std::string_view stack, const std::string& backend);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_STACK_LINES_H_
