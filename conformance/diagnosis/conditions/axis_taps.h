// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the data element that a tap multiplies for an output, along one axis: stride * data + dilation * tap = position
// + pads_begin.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_AXIS_TAPS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_AXIS_TAPS_H_

#include <cstdint>

#include "oracle/resolve.h"

namespace conformance {

/// The index of the data element that a tap multiplies for an output position; -1 if there is none. Example with stride
/// 2, dilation 1, pads_begin 0: position 5 and tap 1 give (5 - 1) / 2 = 2, position 4 and tap 1 give -1.
inline std::int64_t DataElementAt(const oracle::Axis& axis, std::int64_t position, std::int64_t tap) {
  std::int64_t from = 0;
  if (__builtin_sub_overflow(position + axis.pads_begin, tap * axis.dilation, &from)) return -1;
  return from < 0 || from % axis.stride != 0 || from / axis.stride >= axis.data ? -1 : from / axis.stride;
}

/// Whether an index lies past the last full block. A backend may compute a block of elements at once, such as a vector,
/// and the elements past the last full block in other code. False if `count` elements are no more than one block.
inline bool IsPastLastBlock(std::int64_t index, std::int64_t count, std::int64_t block) {
  return count > block && index >= count / block * block;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_AXIS_TAPS_H_
