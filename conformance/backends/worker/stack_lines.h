// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Names the functions and the lines of a stack, with the help of the program deconv-frames.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_STACK_LINES_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_STACK_LINES_H_

#include <string>
#include <string_view>

namespace conformance {

/// The stack of a crash report (conformance/backends/crash_report.h) as a reader wants it: "Pack(int) at pack.cc:57 in
/// libvendor.so", a frame a line, the innermost first. Lines of source are known where the file has debug information.
/// Lines that are no such frames stay as they are, and so do all of them where deconv-frames is missing or fails.
/// `backend`: what the worker was started for. Any thread may call this.
std::string WithLines(std::string_view stack, const std::string& backend);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_STACK_LINES_H_
