// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the operator that a plan runs first: other sizes and other values than the judged operator. A plan that wrongly
// keeps something of its first run then shows it.

#ifndef DECONV_CONFORMANCE_DOOR_PLAN_REUSE_H_
#define DECONV_CONFORMANCE_DOOR_PLAN_REUSE_H_

#include <cstddef>
#include <vector>

#include "conformance/door/backend.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// `op` with another batch and other spatial sizes of data, as many of the two as keep it valid and declared; `op`
/// itself if neither does. `op` is valid.
oracle::Operator SiblingOf(const oracle::Operator& op, oracle::Dialect dialect, const Capabilities& declared);

/// Memory for a run whose output nobody judges.
class ScratchBuffers {
 public:
  /// `op` is valid.
  ScratchBuffers(const oracle::Operator& op, oracle::Dialect dialect);

  /// Whether it is small enough to be run for nothing.
  bool fits() const { return !data_.empty(); }
  RunBuffers get();

 private:
  // Each one byte more than is used, so that empty tensors have an address too.
  std::vector<std::byte> data_;
  std::vector<std::byte> filter_;
  std::vector<std::byte> output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DOOR_PLAN_REUSE_H_
