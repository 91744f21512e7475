// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves an operator: turns its attributes, such as auto_pad, into a Geometry (plain sizes, strides and pads), by the
// rules of its specification or library. Or refuses the operator with a message that names the argument, its value, the
// expected value, and the rule.
#ifndef DECONV_KERNEL_RESOLVE_RESOLVE_H_
#define DECONV_KERNEL_RESOLVE_RESOLVE_H_

#include "kernel/base/geometry.h"
#include "kernel/base/status.h"
#include "kernel/include/deconv/deconv.h"

namespace deconv {

// Resolves `op` into `geometry`. `layout` is the memory layout of data and output, for operators whose specification
// leaves it open (all but oneDNN's). If the operator is not valid, returns the refusal, and `geometry` is not complete.
Status Resolve(const deconv_operator& op, deconv_layout layout, Geometry& geometry);

}  // namespace deconv

#endif  // DECONV_KERNEL_RESOLVE_RESOLVE_H_
