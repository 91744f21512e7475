// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes sizes and pads of ONNX's transposed convolution, ConvTranspose, from its attributes. The bias is left out. A
// dialect is one reading of the attributes. The dialects onnx-1, onnx-11 and onnx-22 follow three versions of the text,
// and onnxruntime follows the library ONNX Runtime. The dialect tensorflow follows TensorFlow; its own rules are in
// resolve_tensorflow.cc. Ids such as A11 are clauses, the numbered rules of oracle/clauses.md. "Open" means that a
// library may refuse the operator or compute it.
//
// natural_size(j) is the output size of axis j without pads but with output_padding. The total is the sum of both pads:
// natural_size(j) - output size. resolver_axes.cc has an example. Functions whose names end in ByOnnxRuntime follow the
// code of ONNX Runtime. Those in BySpecification follow the texts of ONNX.

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
bool ResolveAutoPad(Resolver& resolver, AutoPad& mode) {
  const Operator& op = resolver.op();
  if (!resolver.ResolveAutoPad(kAutoPad, mode)) return false;
  if (mode != AutoPad::kExplicit && (op.pads_begin.has_value() || op.pads_end.has_value())) {
    return resolver.Refuse("A14", "pads: found pads and auto_pad " + *op.auto_pad + ", expected only one of the two");
  }
  return true;
}

/// Reads the element type. Version 22 adds bf16. Earlier texts do not mention bf16, and in ONNX Runtime its support
/// depends on the execution provider, so bf16 is open in these dialects. TensorFlow has i32 on some devices and for
/// some ranks only.
bool ResolveType(Resolver& resolver, Dialect dialect) {
  using enum ElementType;
  if (dialect == Dialect::kOnnx22) return resolver.CheckTypes("T5", {kBf16, kF16, kF32, kF64});
  if (dialect == Dialect::kTensorflow) {
    if (resolver.op().data.type != kI32) return resolver.CheckTypes("T8", {kBf16, kF16, kF32, kF64});
    if (!resolver.ResolveType()) return false;
    resolver.AddOpenPoint("i32 data of TensorFlow", "data: type i32");
    return true;
  }
  if (resolver.op().data.type != kBf16) return resolver.CheckTypes("T5", {kF16, kF32, kF64});
  if (!resolver.ResolveType()) return false;
  resolver.AddOpenPoint("bf16 data of ConvTranspose", "data: type bf16");
  return true;
}

/// The attribute kernel_shape must repeat the filter's sizes (A1, S13).
bool CheckKernelShape(Resolver& resolver) {
  const std::optional<Dims>& shape = resolver.op().kernel_shape;
  if (!shape.has_value()) return true;
  if (shape->size() != resolver.spatial_rank()) {
    return resolver.Refuse("A1", "kernel_shape: " + Text(*shape) + ", expected " +
                                     std::to_string(resolver.spatial_rank()) + " values, one for each spatial axis");
  }
  for (std::size_t j = 0; j < shape->size(); ++j) {
    if ((*shape)[j] != resolver.axis(j).kernel) {
      return resolver.Refuse("S13", "kernel_shape: " + Text((*shape)[j]) + " for " + SpatialAxis(j) + ", expected " +
                                        Text(resolver.axis(j).kernel) + ", the filter's");
    }
  }
  return true;
}

/// output_shape has one value for each spatial axis. In ONNX Runtime it may also be the whole shape; the first two
/// values are then not read (S20).
bool CheckOutputShape(Resolver& resolver, bool is_onnxruntime) {
  const Dims& shape = *resolver.op().output_shape_attribute;
  if (is_onnxruntime && shape.size() == resolver.spatial_rank() + 2) {
    resolver.AddOpenPoint("an output_shape of ONNX Runtime with batch and channels", "output_shape: " + Text(shape));
    resolver.RecordStep("S20", [&] { return "output_shape " + Text(shape) + ": the first two values are not read"; });
    return true;
  }
  if (shape.size() == resolver.spatial_rank()) return true;
  return resolver.Refuse("S10", "output_shape: " + Text(shape) + ", expected " +
                                    std::to_string(resolver.spatial_rank()) + " values, one for each spatial axis");
}

/// Sets pads_begin to one half of `total`, and pads_end to the rest. `clause` is the rule that is cited, and tells the
/// dialect: P22 for onnx-1, P24 for onnxruntime (`total` is then already clamped to 0), P13 for all others. Example: a
/// total of 3 gives pads_begin 1 for SAME_UPPER and 2 for all other modes. In onnx-1 it gives 2 for SAME_UPPER and 1
/// for all other modes.
bool SplitTotal(Resolver& resolver, std::size_t j, AutoPad mode, CitedClause clause, std::int64_t total) {
  const std::int64_t half = FloorHalf(total);
  const std::string name = clause.id() == "P24" ? "t" : "total";
  const bool floor_first = (mode == AutoPad::kSameUpper) != (clause.id() == "P22");
  if (floor_first) {
    return resolver.SetPads(
        j, clause, [&] { return "pads_begin = " + name + "/2 = " + Text(total) + "/2 = " + Text(half); }, half);
  }
  return resolver.SetPads(
      j, clause,
      [&] {
        return "pads_begin = " + name + " - " + name + "/2 = " + Text(total) + " - " + OperandText(half) + " = " +
               Text(total - half);
      },
      total - half);
}

/// Sets the pads of axis j from its output size, as the specification says (P13, P15, P22).
bool SplitBySpecification(Resolver& resolver, std::size_t j, AutoPad mode, Dialect dialect) {
  std::int64_t total = 0;
  if (!resolver.ComputeTotalPads(j, total)) return false;
  const bool is_onnx1 = dialect == Dialect::kOnnx1;
  if (total < 0) {
    // total/2 rounds down, so pads_begin may be negative. The data then begin at a higher coordinate.
    resolver.RecordStep(is_onnx1 ? CitedClause("P22") : CitedClause("P15"),
                        [&] { return AxisText(j) + "the negative total shifts the data, /2 rounds down"; });
  }
  return SplitTotal(resolver, j, mode, is_onnx1 ? CitedClause("P22") : CitedClause("P13"), total);
}

/// Sets the pads of axis j from an output shape, as ONNX Runtime does (P24). Refuses an output size whose forward
/// convolution does not give the size of the data (P26).
bool SplitByOnnxRuntime(Resolver& resolver, std::size_t j, AutoPad mode) {
  const Axis& axis = resolver.axis(j);
  const std::string axis_text = AxisText(j);
  if (axis.data == 0) {
    return resolver.Refuse(
        "S18", "output_shape: given for " + SpatialAxis(j) + " of data size 0, expected data of at least 1 element");
  }
  std::int64_t total = 0;
  if (!resolver.ComputeTotalPads(j, total)) return false;
  const std::int64_t clamped = std::max<std::int64_t>(total, 0);
  resolver.RecordStep("P24", [&] { return axis_text + "t = max(total, 0) = " + Text(clamped); });
  // ComputeNaturalSize has checked that the natural size, and so the extent, fits 64 bits. The sums here fit 128 bits.
  const Wide extent = (Wide{axis.kernel} - 1) * axis.dilation + 1;
  const Wide numerator = Wide{axis.output} + clamped - extent;
  // Division that rounds down, for a negative numerator too.
  const Wide quotient = numerator >= 0 ? numerator / axis.stride : -((-numerator + axis.stride - 1) / axis.stride);
  const auto forward = static_cast<std::int64_t>(quotient + 1);
  const auto formula = [&] {
    return "floor((" + Text(axis.output) + " + " + Text(clamped) + " - " + Text(static_cast<std::int64_t>(extent)) +
           ") / " + Text(axis.stride) + ") + 1 = " + Text(forward);
  };
  if (forward != axis.data) {
    return resolver.Refuse(
        "P26", "output_shape: " + axis_text + formula() + ", expected " + Text(axis.data) + ", the size of data");
  }
  resolver.RecordStep("P26", [&] { return axis_text + formula(); });
  return SplitTotal(resolver, j, mode, "P24", clamped);
}

/// Sets output size and pads for SAME_UPPER and SAME_LOWER without an output shape, as ONNX Runtime does (P25). The
/// size is data * stride. If the natural size is smaller, the output keeps the natural size, because pads only remove
/// outputs.
bool SameByOnnxRuntime(Resolver& resolver, std::size_t j, AutoPad mode) {
  Axis& axis = resolver.axis(j);
  const Wide wide_natural =  // natural_size(j), as a sum in 128 bits
      (Wide{axis.kernel} - 1) * axis.dilation + 1 + Wide{axis.stride} * (axis.data - 1) + resolver.output_padding[j];
  const Wide pads = std::max<Wide>(wide_natural - Wide{axis.data} * axis.stride, 0);
  if (!FitsInt64(pads)) {
    return resolver.Refuse("O2", AxisText(j) + "the pads of SAME are too large, expected a number below 2^63");
  }
  const auto natural = static_cast<std::int64_t>(wide_natural);  // ComputeNaturalSize has made sure that it fits
  const auto total = static_cast<std::int64_t>(pads);
  const auto formula = [&] { return Text(natural) + " - " + Text(total); };
  if (!resolver.SetComputedOutput(j, natural - total, formula())) return false;
  resolver.RecordStep("P25", [&] {
    return AxisText(j) + "t = " + Text(total) + ", output = " + formula() + " = " + Text(axis.output);
  });
  return SplitTotal(resolver, j, mode, "P24", total);
}

/// Sets output size and pads for SAME_UPPER and SAME_LOWER without an output shape, as the specification says (P14).
/// The size is data * stride.
bool SameBySpecification(Resolver& resolver, std::size_t j, AutoPad mode) {
  Axis& axis = resolver.axis(j);
  const Wide size = Wide{axis.data} * axis.stride;
  const auto formula = [&] { return Text(axis.data) + " * " + Text(axis.stride); };
  if (!FitsInt64(size)) {
    return resolver.Refuse("O2", AxisText(j) + "output = " + formula() + ", expected a number below 2^63");
  }
  if (!resolver.SetComputedOutput(j, static_cast<std::int64_t>(size), formula())) return false;
  resolver.RecordStep("P14", [&] { return AxisText(j) + "output = " + formula() + " = " + Text(axis.output); });
  return SplitBySpecification(resolver, j, mode, Dialect::kOnnx11);
}

/// Sets output size and pads of axis j. An output shape comes first, then explicit pads, VALID, and last SAME_UPPER and
/// SAME_LOWER.
bool SizeAxis(Resolver& resolver, std::size_t j, AutoPad mode, Dialect dialect) {
  const bool is_onnxruntime = dialect == Dialect::kOnnxruntime;
  if (is_onnxruntime && resolver.output_padding[j] >= resolver.axis(j).stride) {
    return resolver.Refuse("A19", "output_padding: " + Text(resolver.output_padding[j]) + " for spatial axis " +
                                      std::to_string(j) + ", expected less than the stride " +
                                      Text(resolver.axis(j).stride));
  }
  const bool is_tensorflow = dialect == Dialect::kTensorflow;
  if (!is_onnxruntime && resolver.output_padding[j] >= resolver.axis(j).stride) {
    resolver.AddOpenPoint("an output_padding of at least the stride",
                          "output_padding: " + Text(resolver.output_padding[j]) + " for " + SpatialAxis(j));
  }
  if (!resolver.ComputeNaturalSize(j)) return false;
  if (resolver.op().output_shape_attribute.has_value()) {
    const Dims& shape = *resolver.op().output_shape_attribute;
    if (!resolver.SetGivenOutput("output_shape", j, shape[shape.size() - resolver.spatial_rank() + j])) return false;
    if (is_tensorflow) return SetPadsByTensorflow(resolver, j, mode);
    return is_onnxruntime ? SplitByOnnxRuntime(resolver, j, mode) : SplitBySpecification(resolver, j, mode, dialect);
  }
  if (mode == AutoPad::kExplicit)
    return resolver.SetOutputAndPads(j, "P2", resolver.pads_begin[j], resolver.pads_end[j]);
  if (mode == AutoPad::kValid) return resolver.SetOutputAndPads(j, "P3", 0, 0);
  if (dialect == Dialect::kOnnx1) {
    return resolver.RefuseUndefined(
        "P23", "same_upper and same_lower of ConvTranspose-1 without an output shape",
        "auto_pad: " + *resolver.op().auto_pad + " without output_shape, expected output_shape");
  }
  return is_onnxruntime ? SameByOnnxRuntime(resolver, j, mode) : SameBySpecification(resolver, j, mode);
}

}  // namespace

Resolution ResolveOnnx(const Operator& op, Dialect dialect, StepTexts texts) {
  Resolver resolver(op, texts);
  AutoPad mode = AutoPad::kExplicit;
  if (op.output_shape.has_value()) {
    resolver.Refuse("D3", "inputs: found 3, expected 2: data and filter");
    return resolver.TakeRefusal();
  }
  const bool is_onnxruntime = dialect == Dialect::kOnnxruntime;
  const bool is_tensorflow = dialect == Dialect::kTensorflow;
  if (!ResolveType(resolver, dialect) ||
      !resolver.CheckRanks(/*group_dims=*/0, /*rank_2_is_undefined=*/!is_onnxruntime && !is_tensorflow)) {
    return resolver.TakeRefusal();
  }
  resolver.geometry().layout = DataLayout::kNcx;
  resolver.geometry().filter_layout = FilterLayout::kIox;
  // An output shape overrules pads, except in TensorFlow. Pads together with auto_pad are refused (A14).
  const DialectListRules rules{.pads_are_ignored = op.output_shape_attribute.has_value() && !is_tensorflow};
  if (!resolver.ResolveChannels(op.groups.value_or(1), /*kernel_0_is_undefined=*/is_tensorflow) ||
      (!is_tensorflow && !CheckKernelShape(resolver)) || !resolver.ResolveLists(rules) ||
      !ResolveAutoPad(resolver, mode) || (is_tensorflow && !CheckTensorflowRules(resolver, mode))) {
    return resolver.TakeRefusal();
  }
  if (op.output_shape_attribute.has_value() && !CheckOutputShape(resolver, is_onnxruntime))
    return resolver.TakeRefusal();
  for (std::size_t j = 0; j < resolver.spatial_rank(); ++j) {
    if (!SizeAxis(resolver, j, mode, dialect)) return resolver.TakeRefusal();
  }
  return resolver.TakeResolution();
}

}  // namespace oracle
