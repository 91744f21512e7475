// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves ConvTranspose without its bias: by the texts of versions 1, 11 and 22 (onnx-1, onnx-11, onnx-22), as ONNX
// Runtime does (onnxruntime), and as TensorFlow does (tensorflow; resolve_tensorflow.cc has the rules of its own).

#include <algorithm>
#include <array>
#include <string>

#include "oracle/resolver.h"

namespace oracle {
namespace {

constexpr std::array kAutoPadWords = {
    AutoPadWord{"NOTSET", AutoPad::kExplicit}, AutoPadWord{"SAME_UPPER", AutoPad::kSameUpper},
    AutoPadWord{"SAME_LOWER", AutoPad::kSameLower}, AutoPadWord{"VALID", AutoPad::kValid}};
constexpr AutoPadSpelling kAutoPad = {
    .clause = "A11", .absent = "NOTSET", .expected = "NOTSET, SAME_UPPER, SAME_LOWER or VALID", .words = kAutoPadWords};

/// Reads auto_pad, which excludes pads (A14).
bool TakeAutoPad(Resolver& r, AutoPad& mode) {
  const Operator& op = r.op();
  if (!r.TakeAutoPad(kAutoPad, mode)) return false;
  if (mode != AutoPad::kExplicit && (op.pads_begin.has_value() || op.pads_end.has_value())) {
    return r.Refuse("A14", "pads: found pads and auto_pad " + *op.auto_pad + ", expected only one of the two");
  }
  return true;
}

/// Operator set 22 adds bf16. The texts of the versions before it say nothing of the type, and it depends on the
/// execution provider whether ONNX Runtime has it. TensorFlow has i32 on some devices and for some ranks.
bool TakeType(Resolver& r, Dialect dialect) {
  using enum ElementType;
  if (dialect == Dialect::kOnnx22) return r.CheckTypes("T5", {kBf16, kF16, kF32, kF64});
  if (dialect == Dialect::kTensorflow) {
    if (r.op().data.type != kI32) return r.CheckTypes("T8", {kBf16, kF16, kF32, kF64});
    if (!r.TakeType()) return false;
    r.LeaveOpen("i32 data of TensorFlow", "data: type i32");
    return true;
  }
  if (r.op().data.type != kBf16) return r.CheckTypes("T5", {kF16, kF32, kF64});
  if (!r.TakeType()) return false;
  r.LeaveOpen("bf16 data of ConvTranspose", "data: type bf16");
  return true;
}

bool CheckKernelShape(Resolver& r) {
  const std::optional<Dims>& shape = r.op().kernel_shape;
  if (!shape.has_value()) return true;
  if (shape->size() != r.spatial_rank()) {
    return r.Refuse("A1", "kernel_shape: " + Text(*shape) + ", expected " + std::to_string(r.spatial_rank()) +
                              " values, one for each spatial axis");
  }
  for (std::size_t j = 0; j < shape->size(); ++j) {
    if ((*shape)[j] != r.axis(j).kernel) {
      return r.Refuse("S13", "kernel_shape: " + Text((*shape)[j]) + " for spatial axis " + std::to_string(j) +
                                 ", expected " + Text(r.axis(j).kernel) + ", the filter's");
    }
  }
  return true;
}

/// One value for each spatial axis. ONNX Runtime may also take the whole shape, and does not read its first two values.
bool CheckOutputShape(Resolver& r, bool runtime) {
  const Dims& shape = *r.op().output_shape_attribute;
  if (runtime && shape.size() == r.spatial_rank() + 2) {
    r.LeaveOpen("an output_shape of ONNX Runtime with batch and channels", "output_shape: " + Text(shape));
    r.Note("S20", [&] { return "output_shape " + Text(shape) + ": the first two values are not read"; });
    return true;
  }
  if (shape.size() == r.spatial_rank()) return true;
  return r.Refuse("S10", "output_shape: " + Text(shape) + ", expected " + std::to_string(r.spatial_rank()) +
                             " values, one for each spatial axis");
}

/// Splits `total`, which is P1's or the clamped one of P24. SAME_UPPER and all other modes mirror each other, and
/// onnx-1 (P22) mirrors all of them.
bool Split(Resolver& r, std::size_t j, AutoPad mode, CitedClause clause, std::int64_t total) {
  const std::int64_t half = FloorHalf(total);
  const std::string name = clause.id() == "P24" ? "t" : "total";
  const bool floor_first = (mode == AutoPad::kSameUpper) != (clause.id() == "P22");
  if (floor_first) {
    return r.SetBegin(
        j, clause, [&] { return "pads_begin = " + name + "/2 = " + Text(total) + "/2 = " + Text(half); }, half);
  }
  return r.SetBegin(
      j, clause,
      [&] {
        return "pads_begin = " + name + " - " + name + "/2 = " + Text(total) + " - " + Operand(half) + " = " +
               Text(total - half);
      },
      total - half);
}

bool SplitText(Resolver& r, std::size_t j, AutoPad mode, Dialect dialect) {
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  const bool first = dialect == Dialect::kOnnx1;
  if (total < 0) {
    r.Note(first ? CitedClause("P22") : CitedClause("P15"),
           [&] { return AxisText(j) + "the negative total shifts the data, /2 rounds down"; });
  }
  return Split(r, j, mode, first ? CitedClause("P22") : CitedClause("P13"), total);
}

/// Pads from an output shape, as ONNX Runtime computes them.
bool SplitRuntime(Resolver& r, std::size_t j, AutoPad mode) {
  const Axis& a = r.axis(j);
  const std::string place = AxisText(j);
  if (a.data == 0) {
    return r.Refuse("S18", "output_shape: given for spatial axis " + std::to_string(j) +
                               " of data size 0, expected data of at least 1 element");
  }
  std::int64_t total = 0;
  if (!r.TakeTotal(j, total)) return false;
  const std::int64_t clamped = std::max<std::int64_t>(total, 0);
  r.Note("P24", [&] { return place + "t = max(total, 0) = " + Text(clamped); });
  // Neither sum leaves 128 bits, and natural sizes fit 64.
  const Wide extent = (Wide{a.kernel} - 1) * a.dilation + 1;
  const Wide numerator = Wide{a.output} + clamped - extent;
  const Wide quotient = numerator >= 0 ? numerator / a.stride : -((-numerator + a.stride - 1) / a.stride);
  const auto forward = static_cast<std::int64_t>(quotient + 1);
  const auto formula = [&] {
    return "floor((" + Text(a.output) + " + " + Text(clamped) + " - " + Text(static_cast<std::int64_t>(extent)) +
           ") / " + Text(a.stride) + ") + 1 = " + Text(forward);
  };
  if (forward != a.data) {
    return r.Refuse("P26", "output_shape: " + place + formula() + ", expected " + Text(a.data) + ", the size of data");
  }
  r.Note("P26", [&] { return place + formula(); });
  return Split(r, j, mode, "P24", clamped);
}

/// SAME_UPPER and SAME_LOWER without an output shape, in ONNX Runtime: data size times stride, if pads can make it.
bool SameRuntime(Resolver& r, std::size_t j, AutoPad mode) {
  Axis& a = r.axis(j);
  const Wide whole = (Wide{a.kernel} - 1) * a.dilation + 1 + Wide{a.stride} * (a.data - 1) + r.output_padding[j];
  const Wide pads = std::max<Wide>(whole - Wide{a.data} * a.stride, 0);
  if (!Fits(pads)) {
    return r.Refuse("O2", AxisText(j) + "the pads of SAME are too large, expected a number below 2^63");
  }
  const auto natural = static_cast<std::int64_t>(whole);  // TakeNatural has made sure that it fits
  const auto total = static_cast<std::int64_t>(pads);
  const auto formula = [&] { return Text(natural) + " - " + Text(total); };
  if (!r.PlaceOutput(j, natural - total, formula())) return false;
  r.Note("P25",
         [&] { return AxisText(j) + "t = " + Text(total) + ", output = " + formula() + " = " + Text(a.output); });
  return Split(r, j, mode, "P24", total);
}

bool SameText(Resolver& r, std::size_t j, AutoPad mode) {
  Axis& axis = r.axis(j);
  const Wide size = Wide{axis.data} * axis.stride;
  const auto formula = [&] { return Text(axis.data) + " * " + Text(axis.stride); };
  if (!Fits(size)) {
    return r.Refuse("O2", AxisText(j) + "output = " + formula() + ", expected a number below 2^63");
  }
  if (!r.PlaceOutput(j, static_cast<std::int64_t>(size), formula())) return false;
  r.Note("P14", [&] { return AxisText(j) + "output = " + formula() + " = " + Text(axis.output); });
  return SplitText(r, j, mode, Dialect::kOnnx11);
}

bool SizeAxis(Resolver& r, std::size_t j, AutoPad mode, Dialect dialect) {
  const bool runtime = dialect == Dialect::kOnnxruntime;
  if (runtime && r.output_padding[j] >= r.axis(j).stride) {
    return r.Refuse("A19", "output_padding: " + Text(r.output_padding[j]) + " for spatial axis " + std::to_string(j) +
                               ", expected less than the stride " + Text(r.axis(j).stride));
  }
  const bool tensorflow = dialect == Dialect::kTensorflow;
  if (!runtime && r.output_padding[j] >= r.axis(j).stride) {
    r.LeaveOpen("an output_padding of at least the stride",
                "output_padding: " + Text(r.output_padding[j]) + " for " + SpatialAxis(j));
  }
  if (!r.TakeNatural(j)) return false;
  if (r.op().output_shape_attribute.has_value()) {
    const Dims& shape = *r.op().output_shape_attribute;
    if (!r.TakeOutput("output_shape", j, shape[shape.size() - r.spatial_rank() + j])) return false;
    if (tensorflow) return AlignTensorflow(r, j, mode);
    return runtime ? SplitRuntime(r, j, mode) : SplitText(r, j, mode, dialect);
  }
  if (mode == AutoPad::kExplicit) return r.SizeFromPads(j, "P2", r.pads_begin[j], r.pads_end[j]);
  if (mode == AutoPad::kValid) return r.SizeFromPads(j, "P3", 0, 0);
  if (dialect == Dialect::kOnnx1) {
    return r.RefuseUndefined("P23", "same_upper and same_lower of ConvTranspose-1 without an output shape",
                             "auto_pad: " + *r.op().auto_pad + " without output_shape, expected output_shape");
  }
  return runtime ? SameRuntime(r, j, mode) : SameText(r, j, mode);
}

}  // namespace

Resolution ResolveOnnx(const Operator& op, Dialect dialect, StepTexts texts) {
  Resolver r(op, texts);
  AutoPad mode = AutoPad::kExplicit;
  if (op.output_shape.has_value()) {
    r.Refuse("D3", "inputs: found 3, expected 2: data and filter");
    return r.Stop();
  }
  const bool runtime = dialect == Dialect::kOnnxruntime;
  const bool tensorflow = dialect == Dialect::kTensorflow;
  if (!TakeType(r, dialect) || !r.CheckRanks(0, !runtime && !tensorflow)) return r.Stop();
  r.geometry().layout = DataLayout::kNcx;
  r.geometry().filter_layout = FilterLayout::kIox;
  // Pads beside an output shape are ignored, but not in TensorFlow. Pads beside auto_pad are refused (A14).
  const ListRules rules{.pads_are_ignored = op.output_shape_attribute.has_value() && !tensorflow};
  if (!r.TakeChannels(op.groups.value_or(1), tensorflow) || (!tensorflow && !CheckKernelShape(r)) ||
      !r.TakeLists(rules) || !TakeAutoPad(r, mode) || (tensorflow && !CheckTensorflow(r, mode))) {
    return r.Stop();
  }
  if (op.output_shape_attribute.has_value() && !CheckOutputShape(r, runtime)) return r.Stop();
  for (std::size_t j = 0; j < r.spatial_rank(); ++j) {
    if (!SizeAxis(r, j, mode, dialect)) return r.Stop();
  }
  return r.Finish();
}

}  // namespace oracle
