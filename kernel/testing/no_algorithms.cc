// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces the fast algorithms in fuzz targets that make plans (prepared operators) and run none. Each function says
// that its algorithm fits no operator, so that every plan takes the plain loops of "direct". The fuzzing engine walks
// the counters of all linked code after each input, so less code makes it faster.
#include <memory>

#include "kernel/base/algorithm.h"
#include "kernel/base/cpu_class.h"
#include "kernel/channels/channels.h"
#include "kernel/col2im/col2im.h"
#include "kernel/phased/phased.h"
#include "kernel/rows/rows.h"

namespace deconv {

std::unique_ptr<Algorithm> CreateChannels(const Geometry& /*geometry*/, const Machine& /*machine*/) { return nullptr; }
std::unique_ptr<Algorithm> CreateCol2im(const Geometry& /*geometry*/, const Machine& /*machine*/) { return nullptr; }
std::unique_ptr<Algorithm> CreatePhased(const Geometry& /*geometry*/, const Machine& /*machine*/) { return nullptr; }
std::unique_ptr<Algorithm> CreateRows(const Geometry& /*geometry*/, const Machine& /*machine*/) { return nullptr; }

}  // namespace deconv
