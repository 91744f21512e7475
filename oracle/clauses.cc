// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the table of the clauses, the numbered rules of transposed convolution in oracle/clauses.md. Refusals and
// reports cite them by id and title. A row has the id, title, source and kind of a rule, and the ids of the sentences
// of the documents that state it (oracle/clause.h). A test compares the table with the page.
//
// - Id: its letter names a chapter: D dialects and operators, T types, S shapes, A attributes, P padding and size,
//   V values, O limits of numbers.
// - Source: CBD is ConvolutionBackpropData-1 and GCBD is GroupConvolutionBackpropData-1, both of OpenVINO. CBD2020 is
//   the version of CBD of 2020. CBW is ConvolutionBackwardData of oneDNN Graph. CT1, CT11 and CT22 are versions 1, 11
//   and 22 of ONNX's ConvTranspose. The word "reading" begins the reason for a choice of this project.
// - Title: a name before a colon, such as "onnx-1:", limits the rule to one dialect, that is to one reading of the
//   attributes (oracle/dialect.h).
// - Symbols, along one axis: X, K and Y are the sizes of data, kernel and output. s is the stride, d the dilation. The
//   total is the sum of both pads.

#include <array>
#include <span>
#include <string_view>

#include "oracle/clause.h"

namespace oracle {
namespace {

using enum RuleKind;

// Columns: id, title, source, kind, sentences.
constexpr auto kClauses = std::to_array<Clause>({
    {"D1", "An operator has a meaning in its own dialects only",
     "reading: each document defines its own operators and says nothing of the others'", kChosen, ""},
    {"D2", "Attributes that belong to another operator are ignored",
     "reading: the documents list attributes and forbid none beyond; OpenVINO's reader ignores unknown ones", kChosen,
     ""},
    {"D3", "ConvTranspose has two inputs here",
     "reading: the transposed convolution alone is compared, the bias is a separate addition", kChosen, ""},
    {"D4", "In the formulas of ConvolutionBackwardData src is the data and dst is the output",
     "CBW, formula of total_padding and attribute dst_shape; reading: diff_dst, diff_src and the channels of the "
     "weights are named from the forward convolution, and with these names the formula would exchange data and output",
     kChosen, "CBW-1 CBW-14 CBW-15"},
    {"D5", "Data and filter are given", "CBD and GCBD, inputs 1 and 2, \"Required\"; CBW, inputs marked Required",
     kRequired, "CBD-74 GCBD-50 CBW-79"},
    {"T1", "The numeric types are f64 f32 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64",
     "CBD and GCBD, \"T1: any numeric type\"", kRequired, "CBD-91 GCBD-66"},
    {"T2", "Types that are not numeric are refused", "CBD and GCBD, \"T1: any numeric type\"", kRequired,
     "CBD-91 GCBD-66"},
    {"T3", "Data and filter have one type",
     "CBD and GCBD, both inputs are of type T1; CBW, rows of the type table; CT11, both inputs are of type T",
     kRequired, "CBD-75 GCBD-51 CBW-96"},
    {"T4", "ConvolutionBackwardData is defined on f32, bf16 and f16", "CBW, \"Supported data types\"", kRequired,
     "CBW-94"},
    {"T5", "ConvTranspose is defined on f16, f32 and f64", "CT11, type constraint T; CT22, type constraint T", kOpen,
     ""},
    {"T6", "The shape input is of an integer type", "CBD and GCBD, \"T2: any integer type\"; CBW, type table, \"s32\"",
     kOpen, "CBD-80 GCBD-55 CBW-98"},
    {"T7", "Numeric types below 8 bits and floating-point types of 8 bits are left out",
     "CBD and GCBD, \"T1: any numeric type\"; reading: the documents do not say where in a byte such an element lies "
     "or how a sum becomes one",
     kChosen, "CBD-91 GCBD-66"},
    {"T8", "tensorflow: data are f16, bf16, f32 or f64, and i32 is open",
     "TensorFlow 2.21, types of Conv2DBackpropInput and Conv3DBackpropInputV2", kOpen, ""},
    {"S1", "Data have rank 3 to 10",
     "CBD (2020), \"rank 3 or greater\"; reading: the later documents name 3, 4, 5 as the kinds they describe; 10 "
     "bounds what a backend must be able to name",
     kOpen, "CBD2020-72 CBD-72 GCBD-48"},
    {"S2", "The filter has the rank of the data, plus 1 for GroupConvolutionBackpropData",
     "CBD, GCBD, inputs 1 and 2; CBW, shape of weights; CT11, shape of W", kRequired, "CBD-76 GCBD-52 CBW-86"},
    {"S3", "Dimensions are known and not negative",
     "reading: shapes are sizes; a dynamic shape has to be resolved before this operator has values", kChosen, ""},
    {"S4", "Order of dimensions",
     "CBD, GCBD, CBW, CT11, inputs; reading: CBD (2020) numbers kernel axes K_D..K_1 and GCBD writes X, Y, Z for the "
     "filter; their later versions write one order for both",
     kRequired, "CBD-73 CBD-77 GCBD-49 GCBD-53 CBW-63 CBW-87 CBW-88"},
    {"S5", "The filter's input channels are the data's channels",
     "CBD, GCBD, inputs 1 and 2; CBW, \"The shape of weights\"; CT11, input W", kRequired, "CBD-77 GCBD-49 CBW-86"},
    {"S6", "Groups are at least 1 and divide the data's channels",
     "GCBD, \"Number of groups is derived from the kernel shape\"; CBW, \"A positive s64 value, 1 by default\"; CT11, "
     "attribute group",
     kRequired, "GCBD-7 CBW-60 CBW-89"},
    {"S7", "The kernel has at least one element along each spatial axis",
     "reading: with K = 0 the formula's (K - 1) * d + 1 is no extent of a kernel", kOpen, ""},
    {"S8", "Zero batch, channels and data sizes are open",
     "reading: nothing forbids them, and every formula has a value; no document speaks of empty tensors", kOpen, ""},
    {"S9", "The shape input has rank 1", "CBD, \"1D integer tensor\"; GCBD, \"rank 1\"", kRequired, "CBD-80 GCBD-55"},
    {"S10", "output_shape has one value for each spatial axis",
     "CBD, \"it specifies only spatial dimensions\"; CT11, attribute output_shape; CBW, \"Denotes the shape of the dst "
     "tensor\"",
     kRequired, "CBD-14 GCBD-56 CBW-75"},
    {"S11", "Spatial values of output_shape are not negative, and 0 is open",
     "CBW, \"containing positive values\"; reading for CBD, GCBD, CT11: no sentence gives the range; an empty tensor "
     "is a tensor",
     kOpen, "CBW-77"},
    {"S12", "dst_shape agrees with the operator's batch and output channels",
     "reading: CBW says that it is the shape of the dst tensor, whose batch and channels follow from the inputs",
     kChosen, "CBW-75"},
    {"S13", "kernel_shape agrees with the filter",
     "CT11, \"If not present, should be inferred from input W\"; reading: it cannot contradict what it is inferred "
     "from",
     kRequired, ""},
    {"S14", "dst_shape is given, as input or as attribute",
     "CBW, \"Either dst_shape input or dst_shape attribute should be provided\"", kRequired, "CBW-90"},
    {"S15", "The dst_shape input has precedence over the attribute",
     "CBW, \"dst_shape input will precede over dst_shape attribute\"", kRequired, "CBW-91"},
    {"S16", "onednn-runtime: data have rank 3 to 5", "oneDNN's code, the primitives that the operator is lowered to",
     kRequired, ""},
    {"S17", "onednn-runtime: a filter without elements is open",
     "oneDNN's code: the descriptors of the primitives refuse it; oneDNN Graph of 3.12 computes an empty output "
     "without them",
     kOpen, ""},
    {"S18", "onnxruntime: with an output shape no spatial axis of the data is empty",
     "ONNX Runtime's code; reading: a size asked for cannot come from no data under P26", kRequired, ""},
    {"S19", "openvino-runtime: data have rank 3 to 5", "OpenVINO's code, shape inference of ConvolutionBackpropData",
     kRequired, ""},
    {"S20", "onnxruntime: an output_shape with two more values is open",
     "ONNX Runtime's code, pads of ConvTranspose; ONNX Runtime 1.31.1 refuses two more values if the model says the "
     "rank of the data, and computes otherwise",
     kOpen, ""},
    {"S21", "tensorflow: data have rank 3 to 5",
     "TensorFlow 2.21, conv1d_transpose, conv2d_transpose and conv3d_transpose", kRequired, ""},
    {"S22", "tensorflow: output_shape is given",
     "TensorFlow 2.21: output_shape is a required argument, since several sizes have a forward convolution that gives "
     "the size of the data",
     kRequired, ""},
    {"A1", "Lists have one value for each spatial axis",
     "CBD, output_padding, \"matches the number of spatial dimensions\"; reading for the others: their formulas index "
     "them by axis",
     kRequired, "CBD-66 GCBD-42 CBW-29"},
    {"A2", "Strides are positive",
     "CBD, GCBD, CBW, range of values; CT11, reading: stride 0 leaves no inverse of the forward operator", kRequired,
     "CBD-33 GCBD-9 CBW-30"},
    {"A3", "Dilations are positive",
     "CBD, GCBD, CBW, range of values; CT11, reading: dilation 0 puts all taps on one another", kRequired,
     "CBD-49 GCBD-25 CBW-44"},
    {"A4", "Pads are not negative", "CBD, GCBD, CBW, range of values; CT11, \"any value greater than or equal to 0\"",
     kRequired, "CBD-38 GCBD-14 CBW-35"},
    {"A5", "output_padding is not negative",
     "CBD, GCBD, CBW, range of values; CT11, \"less than the corresponding stride/dilation\"", kOpen,
     "CBD-67 GCBD-43 CBW-55"},
    {"A6", "Absent strides and dilations are 1",
     "CT11, defaults; CBD and GCBD, \"Required: yes\"; reading for the values: OpenVINO's reader has this default, and "
     "no other value is meant by leaving them out",
     kOpen, "CBD-35 GCBD-11"},
    {"A7", "Absent pads are 0",
     "CT11, default; CBD and GCBD, \"Required: yes\" beside \"May be omitted, in which case pads are calculated "
     "automatically\"",
     kOpen, "CBD-40 GCBD-16"},
    {"A8", "Absent output_padding is 0",
     "CBD, GCBD, \"Default value: all zeros\"; CBW, \"all zeros by default\"; CT11, \"a zero vector\"", kRequired,
     "CBD-69 GCBD-45 CBW-56"},
    {"A9", "auto_pad of OpenVINO is explicit, same_upper, same_lower or valid",
     "CBD, GCBD, attribute auto_pad; CBD, formulas, \"SAME_UPPER\" and \"auto_pads != None\"; OpenVINO's code", kOpen,
     "CBD-53 GCBD-29"},
    {"A10", "auto_pad of oneDNN is none, same_upper, same_lower or valid",
     "CBW, attribute auto_pad; reading for the case: the library takes None, SAME_UPPER, SAME_LOWER, VALID", kOpen,
     "CBW-50 CBW-51"},
    {"A11", "auto_pad of ONNX is NOTSET, SAME_UPPER, SAME_LOWER or VALID, in exactly this spelling",
     "CT11, attribute auto_pad", kRequired, ""},
    {"A12", "Absent auto_pad is explicit (none, NOTSET)",
     "GCBD, \"Default value: explicit\"; CBD, Example 1 (auto_pad explicit, pads 1: 447 outputs, not 449); CBW, \"none "
     "(default)\"; CT11, \"NOTSET\"",
     kChosen, "CBD-17 GCBD-36 CBW-49"},
    {"A13", "ConvolutionBackwardData requires strides, dilations, pads_begin and pads_end",
     "CBW, attributes marked Required; oneDNN's code, schema of the operator", kOpen, "CBW-31 CBW-36 CBW-41 CBW-46"},
    {"A14", "pads and auto_pad exclude each other", "CT11, \"cannot be used simultaneously with auto_pad attribute\"",
     kRequired, ""},
    {"A15", "An ignored attribute must still have a valid length",
     "CBD, GCBD, CBW, \"ignored\"; reading: the ranges of values stand without a condition, and only the use of the "
     "value is conditional",
     kOpen, "CBD-41 GCBD-17 CBW-33"},
    {"A16", "data_format is NCX or NXC (default NXC), weights_format is OIX or XIO (default XIO)",
     "CBW, attributes data_format and weights_format", kRequired, "CBW-65 CBW-67 CBW-71 CBW-73"},
    {"A17", "onednn-runtime: auto_pad is None, SAME_UPPER, SAME_LOWER or VALID, in exactly this spelling",
     "oneDNN's code, schema of the operator", kRequired, ""},
    {"A18", "onednn-runtime: output_padding is not read",
     "oneDNN's code: the schema has the attribute, with a default of 12 zeros for every rank; no check, no shape "
     "inference and no lowering reads it",
     kRequired, ""},
    {"A19", "onnxruntime: output_padding is below the stride",
     "ONNX Runtime's code: a value of at least max(stride, dilation) is refused by name, one between the two where "
     "computed sizes are compared",
     kRequired, ""},
    {"A20", "openvino-runtime: an empty list counts as an absent one", "OpenVINO 2026.4.1", kRequired, ""},
    {"A21", "openvino-runtime: output_padding and pads_end have no lower bound", "OpenVINO 2026.4.1", kRequired, ""},
    {"A22", "tensorflow: auto_pad is NOTSET, SAME_UPPER or VALID",
     "TensorFlow 2.21: padding is SAME, VALID or EXPLICIT, and SAME puts the smaller half at the beginning (P28)",
     kRequired, ""},
    {"A23", "tensorflow: output_padding is 0", "TensorFlow 2.21, arguments of conv2d_transpose", kRequired, ""},
    {"P1", "Natural size", "CBD, CBW, CT11, formulas", kRequired, "CBD-20 CBD-25 GCBD-6 CBW-16"},
    {"P2", "Without an output shape, explicit pads give the size", "CBD, formula of Y_i; CT11, formula of output_shape",
     kRequired, "CBD-20 GCBD-6"},
    {"P3", "Without an output shape, auto_pad makes the pads 0",
     "CBD, \"if auto_pads != None\"; OpenVINO's code; CT11, reading: VALID is no padding", kRequired, "CBD-18 GCBD-6"},
    {"P4", "openvino-spec: an output shape splits the total, whatever auto_pad says",
     "CBD, \"pads_begin and pads_end are ignored\" and the formulas after it; the prose \"valid - do not use padding\" "
     "and \"explicit: use explicit padding values\" yields to them",
     kChosen, "CBD-22 CBD-27 GCBD-6"},
    {"P5", "openvino-spec: same_upper puts the odd element at the beginning",
     "CBD, formulas; the prose \"extra padding is added at the end\" is inherited from Convolution and yields to them",
     kChosen, "CBD-31 GCBD-6"},
    {"P6", "Division of the total rounds towards minus infinity, and a negative total shifts the data",
     "CBD, \"//\"; CBW, \"floor\"", kRequired, "CBD-27 GCBD-6 CBW-21"},
    {"P7", "openvino-runtime: same_upper and same_lower clamp the total at 0 before splitting it",
     "OpenVINO's code, shape inference of ConvolutionBackpropData", kRequired, ""},
    {"P8", "openvino-runtime: explicit with an output shape keeps pads_begin",
     "OpenVINO's code, shape inference and plugins", kRequired, ""},
    {"P9", "openvino-runtime: valid with an output shape has pads 0", "OpenVINO's code, shape inference", kRequired,
     ""},
    {"P10", "onednn-spec: auto_pad none takes pads_begin as given",
     "CBW, attribute pads_begin; reading: no formula relates the pads of `none` to dst_shape", kOpen, "CBW-32"},
    {"P11", "onednn-spec: valid has pads 0", "CBW, formula for valid", kOpen, "CBW-18"},
    {"P12", "onednn-spec: same_lower puts floor(total / 2) at the beginning, same_upper puts the rest there",
     "CBW, formulas for same_lower and same_upper", kRequired, "CBW-21 CBW-24"},
    {"P13", "onnx-11: an output shape splits the total; SAME_UPPER puts total/2 at the beginning, all others the rest",
     "CT11, formulas of pads", kRequired, ""},
    {"P14", "onnx-11: SAME_UPPER and SAME_LOWER without an output shape have Y = X * s",
     "CT11, \"output_shape[i] = input_shape[i] * strides[i]\"; reading for output_padding: it \"does not contribute "
     "additional size\" where the size is fixed",
     kRequired, ""},
    {"P15", "onnx-11: total/2 rounds towards minus infinity, and a negative total shifts the data",
     "reading: CT11 writes \"/\"; of the literal choices only this one gives the values of ONNX's own test of "
     "output_shape (total -1, NOTSET: data first)",
     kChosen, ""},
    {"P16", "The size of the output is not negative along each spatial axis, and 0 is open",
     "reading: a negative size is no tensor; the formulas exclude neither", kOpen, ""},
    {"P17", "pads_end follows from the size", "CBD, formula of Y_i, solved for pads_end", kRequired, "CBD-28 CBW-22"},
    {"P18", "An output shape is the size of the output",
     "CBD, \"shape of the output exactly matches the specified size\"; CT11, output_padding; CBW, dst_shape", kRequired,
     "CBD-8 GCBD-56 CBW-75"},
    {"P19", "onednn-runtime: None takes both pads as given, VALID takes none",
     "oneDNN's code, shape inference of convolution", kRequired, ""},
    {"P20",
     "onednn-runtime: SAME_UPPER and SAME_LOWER take the pads that the forward operator derives from the output size",
     "oneDNN's code, shape inference of convolution; it contradicts P12 for odd totals", kRequired, ""},
    {"P21", "onednn-runtime: the sizes fit the forward convolution",
     "oneDNN's code, descriptor of the convolution primitive", kRequired, ""},
    {"P22",
     "onnx-1: an output shape splits the total; SAME_UPPER puts the larger half at the beginning, others at the end",
     "CT1, formulas of pads; reading: it writes \"/\" without a rounding, taken downwards as in P6 and P15", kChosen,
     ""},
    {"P23", "onnx-1: SAME_UPPER and SAME_LOWER without an output shape are undefined",
     "reading: CT1 has no formula for the size; the one of P14 came with pull request 3188 of onnx/onnx, after "
     "operator set 11",
     kOpen, ""},
    {"P24", "onnxruntime: the total is clamped at 0 before it is split", "ONNX Runtime's code, pads of ConvTranspose",
     kRequired, ""},
    {"P25", "onnxruntime: SAME_UPPER and SAME_LOWER without an output shape crop to X * s and never extend",
     "ONNX Runtime's code, pads of ConvTranspose", kRequired, ""},
    {"P26", "onnxruntime: an output shape is consistent with the data",
     "ONNX Runtime's code: \"Explicit output_shape is inconsistent\" says the refusal", kRequired, ""},
    {"P27", "openvino-runtime: data of size 0 have the natural size of one element",
     "OpenVINO 2026.4.1, sizes of its outputs", kRequired, ""},
    {"P28", "tensorflow: SAME takes the sizes up to X * s, and the smaller half of the total comes first",
     "TensorFlow 2.21, run", kRequired, ""},
    {"P29", "tensorflow: VALID and explicit pads take less than a stride more than the size of the pads",
     "TensorFlow 2.21, run", kOpen, ""},
    {"V1", "The sum",
     "CBD, \"gradients of a Convolution operation with respect to the input\"; CBW, \"compute the diff_src\"; arXiv "
     "1603.07285",
     kRequired, "CBD2020-3 CBD-10 GCBD-4 CBW-1"},
    {"V2", "Structural zeros do not multiply",
     "reading: the sum of V1 has no such terms; zero insertion is one way to compute it", kChosen, ""},
    {"V3", "An output without products is 0", "reading: the empty sum; no document speaks of the sign of a zero", kOpen,
     ""},
    {"V4", "The exact value is the sum over real numbers, rounded once",
     "reading: the documents name no accumulator, so the reference has none; what a backend may deviate is the "
     "verdict's business",
     kChosen, ""},
    {"V5", "NaN and infinity in the products of V1 follow IEEE 754", "reading: IEEE 754; the documents are silent",
     kChosen, ""},
    {"V6", "The sign of a zero sum is free",
     "reading: it depends on the order of summation and on the start value; the documents are silent", kOpen, ""},
    {"V7", "Integers are summed exactly and then wrap to the type",
     "reading: the documents are silent; wrapping is the one result that every order of summation gives", kChosen, ""},
    {"O1", "Element counts and byte counts of the three tensors fit 63 bits",
     "reading: a tensor that cannot be addressed has no values", kOpen, ""},
    {"O2", "Sizes and coordinates along an axis fit 63 bits",
     "reading: formulas are over integers without bounds; what does not fit is refused, never wrapped", kOpen, ""},
});

}  // namespace

std::string_view RuleKindName(RuleKind kind) {
  switch (kind) {
    case kRequired:
      return "required";
    case kChosen:
      return "chosen";
    case kOpen:
      return "open";
    case kInformative:
      return "informative";
  }
  return "";
}

std::span<const Clause> Clauses() { return kClauses; }

const Clause* FindClause(std::string_view id) {
  for (const Clause& clause : kClauses) {
    if (clause.id == id) return &clause;
  }
  return nullptr;
}

}  // namespace oracle
