// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns an operator, as its specification describes it, into a Geometry, or refuses it with a message that names the
// argument, what was found, what was expected, and the rule.
#ifndef DECONV_KERNEL_RESOLVE_RESOLVE_H_
#define DECONV_KERNEL_RESOLVE_RESOLVE_H_

#include "kernel/base/geometry.h"
#include "kernel/base/status.h"
#include "kernel/include/deconv/deconv.h"

namespace deconv {

// `layout` is that of data and output in memory for the operators whose specification leaves it open.
Status Resolve(const deconv_operator& op, deconv_layout layout, Geometry& geometry);

}  // namespace deconv

#endif  // DECONV_KERNEL_RESOLVE_RESOLVE_H_
