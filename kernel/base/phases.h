// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The phases of one axis. Phase t is the outputs o = cell*stride + t for one t in [0, stride); a cell is one output of
// each phase. A phase is a convolution of stride 1. It takes every tap k with dilation*k = t + pads_begin (mod stride),
// at equal steps, and reads the data at cell - shift(k). A phase without taps is all zeros.
//
// Example: 5 taps, stride 2, dilation 1, pads_begin 1, 3 data elements and 7 outputs. The outputs form 4 cells.
//   t = 0 has the outputs 0 2 4 6. It takes taps 1 and 3, with the shifts 0 and 1.
//   t = 1 has the outputs 1 3 5. It takes taps 0, 2 and 4, with the shifts -1, 0 and 1. Cell 3 lacks this phase.
// Output 4 is cell 2 of phase 0, so it is data[2] * filter[1] + data[1] * filter[3].
// Output 5 is cell 2 of phase 1. Tap 0 would read data[3], which does not exist. Taps 2 and 4 remain.
// A dilation can leave phases empty. Take 3 taps, stride 4, dilation 6 and no pads; then g = gcd(4, 6) = 2.
//   t = 0 takes every 4/g-th tap: 0 and 2. Their shifts are 0 and 3, because each step goes back 6/g data elements.
//   t = 2 takes tap 1 with shift 1. The phases 1 and 3 have no taps, so their outputs are 0.
#ifndef DECONV_KERNEL_BASE_PHASES_H_
#define DECONV_KERNEL_BASE_PHASES_H_

#include <cstdint>
#include <vector>

#include "kernel/base/geometry.h"

namespace deconv {

// Tap j of the phase is filter tap first_tap + j*tap_step and reads the data at cell - (first_shift + j*shift_step).
struct Phase {
  int64_t taps = 0;
  int64_t taps_before = 0;  // taps in the phases of smaller t
  int64_t first_tap = 0;
  int64_t tap_step = 1;
  int64_t first_shift = 0;
  int64_t shift_step = 1;
};

struct AxisPhases {
  std::vector<Phase> phases;  // phases[t], only those that have outputs
  int64_t cells = 0;          // ceil(output / stride)
  int64_t least_shift = 0;    // the least shift of all taps of all phases; 0 if there are no taps
  int64_t greatest_shift = 0;
};

// Computes the phases of an axis. Returns false if sizes are too large for the tables; then only "direct" fits.
bool MakePhases(const Axis& axis, AxisPhases& result);

// Returns whether an algorithm can sum in f32. This is so for floating types of at most 32 bits. It is so for integers
// of 8 bits if an output has at most 1024 products, because f32 then holds every sum exactly.
bool FloatSumsAreExact(const Geometry& geometry);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_PHASES_H_
