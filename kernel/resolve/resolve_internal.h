// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What the resolvers of the dialect families share: checks of lists and shapes, and the formulas for one axis.
#ifndef DECONV_KERNEL_RESOLVE_RESOLVE_INTERNAL_H_
#define DECONV_KERNEL_RESOLVE_RESOLVE_INTERNAL_H_

#include "kernel/base/checked.h"
#include "kernel/base/geometry.h"
#include "kernel/base/status.h"
#include "kernel/include/deconv/deconv.h"

namespace deconv {

// The document that a refusal cites.
const char* DocumentName(deconv_kind kind);
const char* TypeName(deconv_type type);

// The meanings of the dialects' spellings of auto_pad.
enum class AutoPad { kExplicit, kSameUpper, kSameLower, kValid };

// Data and filter: numeric, of one type, rank within bounds, no negative dimension. Sets type and axis_count.
Status CheckTensors(const deconv_operator& op, int filter_extra_rank, Geometry& geometry);

// Groups from an attribute; absent is 1. Positive, and a divisor of `channels`.
Status CheckGroups(const deconv_operator& op, const char* name, int64_t channels, Geometry& geometry);

// strides, dilations, pads, output_padding: lengths and ranges. Absent ones keep the Axis defaults (`required` refuses
// absent strides, dilations and pads). Pads go into the axes as given.
Status CheckAttributes(const deconv_operator& op, bool required, Geometry& geometry, int64_t* output_padding);

// One list of `count` values, each at least `least`; `what` describes the range for the message.
Status CheckList(const deconv_operator& op, const deconv_list& list, const char* name, int count, int64_t least,
                 const char* what);

// The third input: element type, rank and length; what its values may be is for the caller.
Status CheckShapeInput(const deconv_operator& op, const char* name, int count);

// Requires at least one tap along each axis, because the formulas mean nothing without a tap.
Status CheckTaps(const deconv_operator& op, const Geometry& geometry);

// dilation * (K - 1) + 1.
Checked Extent(const Axis& axis);

// stride * (X - 1) + extent + output_padding. OpenVINO's library counts no data as one element.
Checked NaturalSize(const deconv_operator& op, const Axis& axis, int64_t output_padding);

// output = natural size - pads_begin - pads_end, refused below 1.
Status SizeFromPads(const deconv_operator& op, int index, int64_t output_padding, Axis& axis);

// Pads of a given output size: `total` of the documents' formula, before anything is split.
Status TotalPadding(const deconv_operator& op, int index, int64_t output_padding, int64_t output, const Axis& axis,
                    int64_t& total);

// pads_begin + pads_end = total; the floor half goes to the beginning, or to the end.
void SplitFloorAtBegin(int64_t total, Axis& axis);
void SplitFloorAtEnd(int64_t total, Axis& axis);

// pads_end = total - pads_begin, for pads_begin that is fixed already.
Status RestAtEnd(const deconv_operator& op, int index, int64_t total, Axis& axis);

// ConvTranspose in TensorFlow's dialect: the checks of all axes, and the pads of one whose output is set.
Status CheckTensorFlow(const deconv_operator& op, AutoPad auto_pad, const Geometry& geometry,
                       const int64_t* output_padding);
Status ResolveTensorFlowAxis(const deconv_operator& op, AutoPad auto_pad, int index, Axis& axis);

Status ResolveOpenVino(const deconv_operator& op, Geometry& geometry);
Status ResolveOneDnn(const deconv_operator& op, Geometry& geometry);
Status ResolveOnnx(const deconv_operator& op, Geometry& geometry);

}  // namespace deconv

#endif  // DECONV_KERNEL_RESOLVE_RESOLVE_INTERNAL_H_
