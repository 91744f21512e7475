// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that the resolvers of all dialects share: checks of lists and shapes, and the formulas for one axis. A
// dialect is one reading of an operator's attributes, such as that of a document or of a library. A Check... function
// returns a refusal with a message if the check fails. `name` and `index` are the name of the attribute and the number
// of the spatial axis in this message.
#ifndef DECONV_KERNEL_RESOLVE_RESOLVE_INTERNAL_H_
#define DECONV_KERNEL_RESOLVE_RESOLVE_INTERNAL_H_

#include "kernel/base/checked.h"
#include "kernel/base/geometry.h"
#include "kernel/base/status.h"
#include "kernel/include/deconv/deconv.h"

namespace deconv {

// Returns the name of the document that a refusal cites.
const char* DocumentName(deconv_kind kind);
const char* TypeName(deconv_type type);

// The values of auto_pad, which the dialects spell in different ways.
enum class AutoPad { kExplicit, kSameUpper, kSameLower, kValid };

// Checks that data and filter are numeric, have the same type, a rank within bounds and no negative dimension. Sets
// type and axis_count. The rank of the filter is that of the data plus `filter_extra_rank`.
Status CheckTensors(const deconv_operator& op, int filter_extra_rank, Geometry& geometry);

// Sets the groups from an attribute, or 1 if it is absent. Checks that they are positive and divide `channels`.
Status CheckGroups(const deconv_operator& op, const char* name, int64_t channels, Geometry& geometry);

// Checks the lengths and ranges of strides, dilations, pads and output_padding. Sets stride, dilation and pads of the
// axes as they are given, and writes one output_padding for each axis. Absent attributes keep the defaults of Axis, and
// leave output_padding as it is. If `required`, refuses absent strides, dilations and pads.
Status CheckAttributes(const deconv_operator& op, bool required, Geometry& geometry, int64_t* output_padding);

// Checks that a list has `count` values, each at least `least`. `range` describes these values in the message, such as
// "positive integers".
Status CheckList(const deconv_operator& op, const deconv_list& list, const char* name, int count, int64_t least,
                 const char* range);

// Checks the optional third input, a list of `count` sizes: its element type, rank and length. The caller checks its
// values.
Status CheckShapeInput(const deconv_operator& op, const char* name, int count);

// Checks that each axis has at least one tap. Without a tap, the formulas of the documents have no meaning.
Status CheckTaps(const deconv_operator& op, const Geometry& geometry);

// Returns the extent of the dilated filter: dilation * (kernel - 1) + 1.
Checked Extent(const Axis& axis);

// Returns the size of the output along an axis if no pad crops it: stride * (data - 1) + extent + output_padding.
// OpenVINO's library counts an empty axis of data as one element.
Checked NaturalSize(const deconv_operator& op, const Axis& axis, int64_t output_padding);

// Sets output = natural size - pads_begin - pads_end. Refuses a size below 1.
Status SizeFromPads(const deconv_operator& op, int index, int64_t output_padding, Axis& axis);

// Sets `total` to the pads of both ends together that give the size `output`: natural size - output. They are negative
// if the output is larger than the natural size.
Status TotalPadding(const deconv_operator& op, int index, int64_t output_padding, int64_t output, const Axis& axis,
                    int64_t& total);

// Split the total padding: pads_begin + pads_end = total. The half that is rounded down goes to the beginning, or to
// the end. Examples of SplitFloorAtBegin: a total of 3 becomes 1 and 2, a total of -3 becomes -2 and -1.
void SplitFloorAtBegin(int64_t total, Axis& axis);
void SplitFloorAtEnd(int64_t total, Axis& axis);

// Sets pads_end = total - pads_begin; pads_begin is set already.
Status SetPadsEndFromTotal(const deconv_operator& op, int index, int64_t total, Axis& axis);

// For ConvTranspose in TensorFlow's dialect: check the attributes of all axes, and set size and pads of one axis.
Status CheckTensorFlow(const deconv_operator& op, AutoPad auto_pad, const Geometry& geometry,
                       const int64_t* output_padding);
Status ResolveTensorFlowAxis(const deconv_operator& op, AutoPad auto_pad, int index, Axis& axis);

// Resolve the operators of a specification, by its document or as its library does. Complete() in resolve.cc derives
// the rest of `geometry`.
Status ResolveOpenVino(const deconv_operator& op, Geometry& geometry);
Status ResolveOneDnn(const deconv_operator& op, Geometry& geometry);
Status ResolveOnnx(const deconv_operator& op, Geometry& geometry);

}  // namespace deconv

#endif  // DECONV_KERNEL_RESOLVE_RESOLVE_INTERNAL_H_
