// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// ConvolutionBackwardData by its document (onednn-spec). The document's diff_dst is this operator's data, its diff_src
// the output; its "dst" in formulas and in dst_shape is the output.

#include <string>
#include <utility>

#include "oracle/resolver.h"

namespace oracle {
namespace {

bool TakeAutoPad(Resolver& r, AutoPad& mode) {
  mode = AutoPad::kExplicit;
  if (!r.op().auto_pad.has_value()) {
    r.Note("A12", "auto_pad absent: none");
    return true;
  }
  const std::string& name = *r.op().auto_pad;
  if (name == "none" || name == "None" || name == "NONE") {
    mode = AutoPad::kExplicit;
  } else if (name == "same_upper" || name == "SAME_UPPER") {
    mode = AutoPad::kSameUpper;
  } else if (name == "same_lower" || name == "SAME_LOWER") {
    mode = AutoPad::kSameLower;
  } else if (name == "valid" || name == "VALID") {
    mode = AutoPad::kValid;
  } else {
    return r.Refuse("A10", "auto_pad: \"" + name + "\", expected none, same_upper, same_lower or valid");
  }
  r.Note("A10", "auto_pad " + name);
  return true;
}

bool TakeFormats(Resolver& r) {
  const std::string data = r.op().data_format.value_or("NXC");
  const std::string filter = r.op().weights_format.value_or("XIO");
  if (data != "NCX" && data != "NXC") return r.Refuse("A16", "data_format: \"" + data + "\", expected NCX or NXC");
  if (filter != "OIX" && filter != "XIO") {
    return r.Refuse("A16", "weights_format: \"" + filter + "\", expected OIX or XIO");
  }
  r.geometry().layout = data == "NCX" ? DataLayout::kNcx : DataLayout::kNxc;
  r.geometry().filter_layout = filter == "OIX" ? FilterLayout::kIox : FilterLayout::kXoi;
  r.Note("A16", "data_format " + data + (r.op().data_format ? "" : " by default") + ", weights_format " + filter +
                    (r.op().weights_format ? "" : " by default"));
  return true;
}

bool CheckRequired(Resolver& r) {
  const Operator& op = r.op();
  for (const auto& [name, list] : {std::pair("strides", &op.strides), std::pair("dilations", &op.dilations),
                                   std::pair("pads_begin", &op.pads_begin), std::pair("pads_end", &op.pads_end)}) {
    if (!list->has_value()) {
      return r.Refuse("A13", std::string(name) + ": absent, expected a value for each spatial axis");
    }
  }
  return true;
}

/// Takes the output size from `shape`, a whole shape in data_format order; N and C are checked if it is the one used.
bool TakeShape(Resolver& r, const Dims& shape, bool used) {
  const bool nxc = r.geometry().layout == DataLayout::kNxc;
  const std::size_t channels_at = nxc ? shape.size() - 1 : 1;
  const std::int64_t channels = r.geometry().groups * r.geometry().out_channels;
  if (used && shape[0] != r.geometry().batch) {
    return r.Refuse(
        "S12", "dst_shape: batch " + Text(shape[0]) + " in " + Text(shape) + ", expected " + Text(r.geometry().batch));
  }
  if (used && shape[channels_at] != channels) {
    return r.Refuse("S12", "dst_shape: " + Text(shape[channels_at]) + " channels in " + Text(shape) + ", expected " +
                               Text(channels));
  }
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    const std::int64_t size = shape[(nxc ? 1 : 2) + j];
    if (used) {
      if (!r.TakeOutput("dst_shape", j, size)) return false;
    } else if (size < 1) {
      return r.Refuse("S11", "dst_shape: " + Text(size) + " for spatial axis " + std::to_string(j) +
                                 " in the attribute, expected at least 1");
    }
  }
  return true;
}

bool TakeDstShape(Resolver& r) {
  const Operator& op = r.op();
  const std::size_t rank = op.data.dims.size();
  if (op.dst_shape.has_value() && op.dst_shape->size() != rank) {
    return r.Refuse("S10", "dst_shape: " + Text(*op.dst_shape) + ", expected " + std::to_string(rank) +
                               " values, the whole shape in data_format order");
  }
  if (op.output_shape.has_value()) {
    if (!r.CheckShapeInput("dst_shape", *op.output_shape, rank)) return false;
    if (op.dst_shape.has_value()) {
      r.Note("S15",
             "dst_shape input " + Text(op.output_shape->values) + " goes before the attribute " + Text(*op.dst_shape));
      if (!TakeShape(r, *op.dst_shape, false)) return false;  // A15
    }
    return TakeShape(r, op.output_shape->values, true);
  }
  if (!op.dst_shape.has_value()) {
    return r.Refuse("S14", "dst_shape: neither input nor attribute, expected one of them");
  }
  return TakeShape(r, *op.dst_shape, true);
}

bool Align(Resolver& r, std::size_t j, AutoPad mode) {
  if (!r.TakeNatural(j)) return false;
  if (mode == AutoPad::kExplicit) {
    return r.SetBegin(j, "P10", "pads_begin = " + Text(r.pads_begin[j]) + " as given", r.pads_begin[j]);
  }
  if (mode == AutoPad::kValid) return r.SetBegin(j, "P11", "pads_begin = 0", 0);
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  const std::int64_t half = FloorHalf(total);
  if (total < 0) r.Note("P6", "axis " + std::to_string(j) + ": the negative total shifts the data, floor rounds down");
  if (mode == AutoPad::kSameLower) {
    return r.SetBegin(j, "P12", "pads_begin = floor(" + Text(total) + " / 2) = " + Text(half), half);
  }
  return r.SetBegin(
      j, "P12",
      "pads_begin = total - floor(total / 2) = " + Text(total) + " - " + Operand(half) + " = " + Text(total - half),
      total - half);
}

}  // namespace

Resolution ResolveOnednn(const Operator& op) {
  Resolver r(op);
  AutoPad mode = AutoPad::kExplicit;
  if (!r.CheckTypes("T4", {ElementType::kF32, ElementType::kBf16, ElementType::kF16}) || !TakeFormats(r) ||
      !r.CheckRanks(0) || !r.TakeChannels(op.groups.value_or(1)) || !CheckRequired(r) || !r.TakeLists() ||
      !TakeAutoPad(r, mode) || !TakeDstShape(r)) {
    return r.Stop();
  }
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    if (!Align(r, j, mode)) return r.Stop();
  }
  return r.Finish();
}

}  // namespace oracle
