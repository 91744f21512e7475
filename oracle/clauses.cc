// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of the clauses: ids, titles and sources of oracle/clauses.md. A test compares the table with the page.

#include <array>
#include <span>
#include <string_view>

#include "oracle/clause.h"

namespace oracle {
namespace {

constexpr auto kClauses = std::to_array<Clause>({
    {"D1", "An operator has a meaning in its own dialects only",
     "reading: each document defines its own operators and says nothing of the others'"},
    {"D2", "Attributes that belong to another operator are ignored",
     "reading: the documents list attributes and forbid none beyond; OpenVINO's reader ignores unknown ones"},
    {"D3", "ConvTranspose has two inputs here",
     "reading: the transposed convolution alone is compared, the bias is a separate addition"},
    {"T1", "The numeric types are f64 f32 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64",
     "CBD and GCBD, \"T1: any numeric type\"; reading: types below 8 bits have no agreed memory format and are left "
     "out"},
    {"T2", "Types that are not numeric are refused", "CBD and GCBD, \"T1: any numeric type\""},
    {"T3", "Data and filter have one type",
     "CBD and GCBD, both inputs are of type T1; CBW, rows of the type table; CT11, both inputs are of type T"},
    {"T4", "ConvolutionBackwardData is defined on f32, bf16 and f16", "CBW, \"Supported data types\""},
    {"T5", "ConvTranspose is defined on f16, f32 and f64", "CT11, type constraint T"},
    {"T6", "The shape input is of an integer type", "CBD and GCBD, \"T2: any integer type\"; CBW, type table, \"s32\""},
    {"S1", "Data have rank 3 to 10",
     "CBD (2020), \"rank 3 or greater\"; reading: the later documents name 3, 4, 5 as the kinds they describe; 10 "
     "bounds what a backend must be able to name"},
    {"S2", "The filter has the rank of the data, plus 1 for GroupConvolutionBackpropData",
     "CBD, GCBD, inputs 1 and 2; CBW, shape of weights; CT11, shape of W"},
    {"S3", "Dimensions are known and not negative",
     "reading: shapes are sizes; a dynamic shape has to be resolved before this operator has values"},
    {"S4", "Order of dimensions",
     "CBD, GCBD, CBW, CT11, inputs; reading: CBD (2020) numbers kernel axes K_D..K_1 and GCBD writes X, Y, Z for the "
     "filter; their later versions write one order for both"},
    {"S5", "The filter's input channels are the data's channels",
     "CBD, GCBD, inputs 1 and 2; CBW, \"The shape of weights\"; CT11, input W"},
    {"S6", "Groups are at least 1 and divide the data's channels",
     "GCBD, \"Number of groups is derived from the kernel shape\"; CBW, \"A positive s64 value, 1 by default\"; CT11, "
     "attribute group"},
    {"S7", "The kernel has at least one element along each spatial axis",
     "reading: with K = 0 the formula's (K - 1) * d + 1 is no extent of a kernel"},
    {"S8", "Zero batch, channels and data sizes are open",
     "reading: nothing forbids them, and every formula has a value; no document speaks of empty tensors"},
    {"S9", "The shape input has rank 1", "CBD, \"1D integer tensor\"; GCBD, \"rank 1\""},
    {"S10", "output_shape has one value for each spatial axis",
     "CBD, \"it specifies only spatial dimensions\"; CT11, attribute output_shape; CBW, \"Denotes the shape of the dst "
     "tensor\""},
    {"S11", "Spatial values of output_shape are not negative, and 0 is open",
     "CBW, \"containing positive values\"; reading for CBD, GCBD, CT11: no sentence gives the range; an empty tensor "
     "is a tensor"},
    {"S12", "dst_shape agrees with the operator's batch and output channels",
     "reading: CBW says that it is the shape of the dst tensor, whose batch and channels follow from the inputs"},
    {"S13", "kernel_shape agrees with the filter",
     "CT11, \"If not present, should be inferred from input W\"; reading: it cannot contradict what it is inferred "
     "from"},
    {"S14", "dst_shape is given, as input or as attribute",
     "CBW, \"Either dst_shape input or dst_shape attribute should be provided\""},
    {"S15", "The dst_shape input has precedence over the attribute",
     "CBW, \"dst_shape input will precede over dst_shape attribute\""},
    {"S16", "onednn-runtime: data have rank 3 to 5", "oneDNN's code, the primitives that the operator is lowered to"},
    {"S17", "onednn-runtime: the filter has at least one element", "oneDNN's code, descriptors of the primitive"},
    {"S18", "onnxruntime: with an output shape no spatial axis of the data is empty",
     "ONNX Runtime's code; reading: a size asked for cannot come from no data under P26"},
    {"A1", "Lists have one value for each spatial axis",
     "CBD, output_padding, \"matches the number of spatial dimensions\"; reading for the others: their formulas index "
     "them by axis"},
    {"A2", "Strides are positive",
     "CBD, GCBD, CBW, range of values; CT11, reading: stride 0 leaves no inverse of the forward operator"},
    {"A3", "Dilations are positive",
     "CBD, GCBD, CBW, range of values; CT11, reading: dilation 0 puts all taps on one another"},
    {"A4", "Pads are not negative", "CBD, GCBD, CBW, range of values; CT11, \"any value greater than or equal to 0\""},
    {"A5", "output_padding is not negative",
     "CBD, GCBD, CBW, range of values; CT11, \"less than the corresponding stride/dilation\""},
    {"A6", "Absent strides and dilations are 1",
     "CT11, defaults; CBD and GCBD, \"Required: yes\"; reading for the values: OpenVINO's reader has this default, and "
     "no other value is meant by leaving them out"},
    {"A7", "Absent pads are 0",
     "CT11, default; CBD and GCBD, \"Required: yes\" beside \"May be omitted, in which case pads are calculated "
     "automatically\""},
    {"A8", "Absent output_padding is 0",
     "CBD, GCBD, \"Default value: all zeros\"; CBW, \"all zeros by default\"; CT11, \"a zero vector\""},
    {"A9", "auto_pad of OpenVINO is explicit, same_upper, same_lower or valid",
     "CBD, GCBD, attribute auto_pad; CBD, formulas, \"SAME_UPPER\" and \"auto_pads != None\"; OpenVINO's code"},
    {"A10", "auto_pad of oneDNN is none, same_upper, same_lower or valid",
     "CBW, attribute auto_pad; reading for the case: the library takes None, SAME_UPPER, SAME_LOWER, VALID"},
    {"A11", "auto_pad of ONNX is NOTSET, SAME_UPPER, SAME_LOWER or VALID, in exactly this spelling",
     "CT11, attribute auto_pad"},
    {"A12", "Absent auto_pad is explicit (none, NOTSET)",
     "GCBD, \"Default value: explicit\"; CBD, Example 1 (auto_pad explicit, pads 1: 447 outputs, not 449); CBW, \"none "
     "(default)\"; CT11, \"NOTSET\""},
    {"A13", "ConvolutionBackwardData requires strides, dilations, pads_begin and pads_end",
     "CBW, attributes marked Required; oneDNN's code, schema of the operator"},
    {"A14", "pads and auto_pad exclude each other", "CT11, \"cannot be used simultaneously with auto_pad attribute\""},
    {"A15", "An ignored attribute must still have a valid length",
     "CBD, GCBD, CBW, \"ignored\"; reading: the ranges of values stand without a condition, and only the use of the "
     "value is conditional"},
    {"A16", "data_format is NCX or NXC (default NXC), weights_format is OIX or XIO (default XIO)",
     "CBW, attributes data_format and weights_format"},
    {"A17", "onednn-runtime: auto_pad is None, SAME_UPPER, SAME_LOWER or VALID, in exactly this spelling",
     "oneDNN's code, schema of the operator"},
    {"A18", "onednn-runtime: output_padding must have a valid length and sign, and is not used",
     "oneDNN's code: the schema has the attribute, the shape inference and the lowering do not read it"},
    {"A19", "onnxruntime: output_padding is below the stride",
     "ONNX Runtime's code: a value of at least max(stride, dilation) is refused by name, one between the two where "
     "computed sizes are compared"},
    {"P1", "Natural size", "CBD, CBW, CT11, formulas"},
    {"P2", "Without an output shape, explicit pads give the size",
     "CBD, formula of Y_i; CT11, formula of output_shape"},
    {"P3", "Without an output shape, auto_pad makes the pads 0",
     "CBD, \"if auto_pads != None\"; OpenVINO's code; CT11, reading: VALID is no padding"},
    {"P4", "openvino-spec: an output shape splits the total, whatever auto_pad says",
     "CBD, \"pads_begin and pads_end are ignored\" and the formulas after it; the prose \"valid - do not use padding\" "
     "and \"explicit: use explicit padding values\" yields to them"},
    {"P5", "openvino-spec: same_upper puts the odd element at the beginning",
     "CBD, formulas; the prose \"extra padding is added at the end\" is inherited from Convolution and yields to them"},
    {"P6", "Division of the total rounds towards minus infinity, and a negative total shifts the data",
     "CBD, \"//\"; CBW, \"floor\""},
    {"P7", "openvino-runtime: same_upper and same_lower clamp the total at 0 before splitting it",
     "OpenVINO's code, shape inference of ConvolutionBackpropData"},
    {"P8", "openvino-runtime: explicit with an output shape keeps pads_begin",
     "OpenVINO's code, shape inference and plugins"},
    {"P9", "openvino-runtime: valid with an output shape has pads 0", "OpenVINO's code, shape inference"},
    {"P10", "onednn-spec: auto_pad none takes pads_begin as given",
     "CBW, attribute pads_begin; reading: no formula relates the pads of `none` to dst_shape"},
    {"P11", "onednn-spec: valid has pads 0", "CBW, formula for valid"},
    {"P12", "onednn-spec: same_lower puts floor(total / 2) at the beginning, same_upper puts the rest there",
     "CBW, formulas for same_lower and same_upper"},
    {"P13", "onnx-11: an output shape splits the total; SAME_UPPER puts total/2 at the beginning, all others the rest",
     "CT11, formulas of pads"},
    {"P14", "onnx-11: SAME_UPPER and SAME_LOWER without an output shape have Y = X * s",
     "CT11, \"output_shape[i] = input_shape[i] * strides[i]\"; reading for output_padding: it \"does not contribute "
     "additional size\" where the size is fixed"},
    {"P15", "onnx-11: total/2 rounds towards minus infinity, and a negative total shifts the data",
     "reading: CT11 writes \"/\"; of the literal choices only this one gives the values of ONNX's own test of "
     "output_shape (total -1, NOTSET: data first)"},
    {"P16", "The size of the output is not negative along each spatial axis, and 0 is open",
     "reading: a negative size is no tensor; the formulas exclude neither"},
    {"P17", "pads_end follows from the size", "CBD, formula of Y_i, solved for pads_end"},
    {"P18", "An output shape is the size of the output",
     "CBD, \"shape of the output exactly matches the specified size\"; CT11, output_padding; CBW, dst_shape"},
    {"P19", "onednn-runtime: None takes both pads as given, VALID takes none",
     "oneDNN's code, shape inference of convolution"},
    {"P20",
     "onednn-runtime: SAME_UPPER and SAME_LOWER take the pads that the forward operator derives from the output size",
     "oneDNN's code, shape inference of convolution; it contradicts P12 for odd totals"},
    {"P21", "onednn-runtime: the sizes fit the forward convolution",
     "oneDNN's code, descriptor of the convolution primitive"},
    {"P22",
     "onnx-1: an output shape splits the total; SAME_UPPER puts the larger half at the beginning, others at the end",
     "CT1, formulas of pads; reading: it writes \"/\" without a rounding, taken downwards as in P6 and P15"},
    {"P23", "onnx-1: SAME_UPPER and SAME_LOWER without an output shape are undefined",
     "reading: CT1 has no formula for the size; the one of P14 came with pull request 3188 of onnx/onnx, after "
     "operator set 11"},
    {"P24", "onnxruntime: the total is clamped at 0 before it is split", "ONNX Runtime's code, pads of ConvTranspose"},
    {"P25", "onnxruntime: SAME_UPPER and SAME_LOWER without an output shape crop to X * s and never extend",
     "ONNX Runtime's code, pads of ConvTranspose"},
    {"P26", "onnxruntime: an output shape is consistent with the data",
     "ONNX Runtime's code: \"Explicit output_shape is inconsistent\" says the refusal"},
    {"V1", "The sum",
     "CBD, \"gradients of a Convolution operation with respect to the input\"; CBW, \"compute the diff_src\"; arXiv "
     "1603.07285"},
    {"V2", "Structural zeros do not multiply",
     "reading: the sum of V1 has no such terms; zero insertion is one way to compute it"},
    {"V3", "An output without products is 0", "reading: the empty sum; no document speaks of the sign of a zero"},
    {"V4", "The exact value is the sum over real numbers, rounded once",
     "reading: the documents name no accumulator, so the reference has none; what a backend may deviate is the "
     "verdict's business"},
    {"V5", "NaN and infinity in the products of V1 follow IEEE 754", "reading: IEEE 754; the documents are silent"},
    {"V6", "The sign of a zero sum is free",
     "reading: it depends on the order of summation and on the start value; the documents are silent"},
    {"V7", "Integers are summed exactly and then wrap to the type",
     "reading: the documents are silent; wrapping is the one result that every order of summation gives"},
    {"O1", "Element counts and byte counts of the three tensors fit 63 bits",
     "reading: a tensor that cannot be addressed has no values"},
    {"O2", "Sizes and coordinates along an axis fit 63 bits",
     "reading: formulas are over integers without bounds; what does not fit is refused, never wrapped"},
});

}  // namespace

std::span<const Clause> Clauses() { return kClauses; }

const Clause* FindClause(std::string_view id) {
  for (const Clause& clause : kClauses) {
    if (clause.id == id) return &clause;
  }
  return nullptr;
}

}  // namespace oracle
