// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the sentences of OpenVINO's page ConvolutionBackpropData-1, in the version of 2020. This page specifies a
// transposed convolution. The table shows that no rule of the page is forgotten: each sentence that states one names
// the clauses that take it up. oracle/sentences.md counts the test cases of each sentence. CBD2020 is the abbreviation
// of the page, and 1 is the version of the operator.

#include <array>
#include <span>

#include "oracle/sentences/sentence.h"

namespace oracle {
namespace {

using enum RuleKind;

// Columns: id, line in a copy of the page, kind of rule, clauses, topic, and the words of the page. sentence.h explains
// the kinds: kRequired, kChosen, kOpen and kInformative. The clauses are the numbered rules of oracle/clauses.md that
// state the sentence. The topic is the part of the operator that the sentence is about.
constexpr auto kCbd2020Sentences = std::to_array<Sentence>({
    {"CBD2020-1", 11, kInformative, "", "", "**Versioned name**: *ConvolutionBackpropData-1*"},
    {"CBD2020-2", 12, kInformative, "", "", "**Category**: Convolution"},
    {"CBD2020-3", 13, kRequired, "V1", "",
     "Computes the gradients of a Convolution operation with respect to the input"},
    {"CBD2020-4", 13, kInformative, "", "", "Also known as a Deconvolution or a Transposed Convolution"},
    {"CBD2020-5", 15, kRequired, "V1 P18", "",
     "takes the input tensor, weights tensor and output shape and computes the output tensor of a given shape"},
    {"CBD2020-6", 15, kRequired, "S9 T6 P2 P3", "",
     "can be specified as an input 1D integer tensor explicitly or determined by other attributes implicitly"},
    {"CBD2020-7", 15, kRequired, "P18", "", "shape of the output exactly matches the specified size"},
    {"CBD2020-8", 15, kRequired, "P4 P5", "", "required amount of padding is computed"},
    {"CBD2020-9", 16, kRequired, "V1 P1", "", "accepts the same set of attributes as a regular Convolution operation"},
    {"CBD2020-10", 16, kRequired, "V1 P2", "",
     "they are applied to the output of ConvolutionBackpropData, but not to the input"},
    {"CBD2020-11", 16, kInformative, "", "",
     "Refer to a regular Convolution operation for detailed description of each attribute"},
    {"CBD2020-12", 17, kRequired, "S10 P18", "",
     "Output shape when specified as an input `output_shape`, specifies only spatial dimensions"},
    {"CBD2020-13", 17, kRequired, "S10 P18", "",
     "No batch or channel dimension should be passed along with H, W or other spatial dimensions"},
    {"CBD2020-14", 17, kRequired, "P2 P3", "output_shape absent",
     "`pads_begin`, `pads_end` or `auto_pad` are used to determine output spatial shape"},
    {"CBD2020-15", 19, kChosen, "A12 P3", "", "if auto_pads != None:"},
    {"CBD2020-16", 20, kRequired, "P3", "", "pads_begin[i] = 0"},
    {"CBD2020-17", 21, kRequired, "P3", "", "pads_end[i] = 0"},
    {"CBD2020-18", 22, kRequired, "P1 P2 P17", "",
     "Y_i = stride[i] * (X_i - 1) + ((K_i - 1) * dilations[i] + 1) - pads_begin[i]"},
    {"CBD2020-19", 24, kRequired, "S4 P1", "", "`K_i` filter kernel dimension along spatial axis `i`"},
    {"CBD2020-20", 25, kRequired, "P4", "", "If `output_shape` is specified, `pads_begin` and `pads_end` are ignored"},
    {"CBD2020-21", 25, kRequired, "P4 P5", "", "`auto_pad` defines how to distribute padding amount around the tensor"},
    {"CBD2020-22", 25, kRequired, "P4 P5", "",
     "pads are determined based on the next formulas to correctly align input and output tensors"},
    {"CBD2020-23", 25, kInformative, "", "", "similar to ONNX definition"},
    {"CBD2020-24", 27, kRequired, "P1", "",
     "total_padding[i] = stride[i] * (X_i - 1) + ((K_i - 1) * dilations[i] + 1) - output_shape[i]"},
    {"CBD2020-25", 28, kRequired, "P4", "", "if auto_pads != SAME_UPPER:"},
    {"CBD2020-26", 29, kRequired, "P4 P6", "", "pads_begin[i] = total_padding[i] // 2"},
    {"CBD2020-27", 30, kRequired, "P17", "", "pads_end[i] = total_padding[i] - pads_begin[i]"},
    {"CBD2020-28", 31, kRequired, "P5", "", "else:"},
    {"CBD2020-29", 32, kRequired, "P5 P6", "", "pads_end[i] = total_padding[i] // 2"},
    {"CBD2020-30", 33, kRequired, "P5", "", "pads_begin[i] = total_padding[i] - pads_end[i]"},
    {"CBD2020-31", 37, kRequired, "V1 P1", "strides",
     "*strides* has the same definition as *strides* for a regular Convolution"},
    {"CBD2020-32", 38, kRequired, "A2", "strides", "**Range of values**: positive integers"},
    {"CBD2020-33", 39, kRequired, "A1", "strides", "**Type**: int[]"},
    {"CBD2020-34", 40, kOpen, "A6", "strides absent", "**Default value**: None"},
    {"CBD2020-35", 41, kOpen, "A6", "strides absent", "**Required**: *yes*"},
    {"CBD2020-36", 43, kRequired, "V1 P2", "pads_begin",
     "*pads_begin* has the same definition as *pads_begin* for a regular Convolution"},
    {"CBD2020-37", 43, kChosen, "P3 P4 A7", "pads_begin absent",
     "May be omitted specified, in which case pads are calculated automatically"},
    {"CBD2020-38", 44, kRequired, "A4", "pads_begin", "**Range of values**: non-negative integers"},
    {"CBD2020-39", 45, kRequired, "A1", "pads_begin", "**Type**: int[]"},
    {"CBD2020-40", 46, kOpen, "A7", "pads_begin absent", "**Default value**: None"},
    {"CBD2020-41", 47, kOpen, "A7", "pads_begin absent", "**Required**: *yes*"},
    {"CBD2020-42", 48, kChosen, "P3 P4 A15", "pads_begin",
     "the attribute is ignored when *auto_pad* attribute is specified"},
    {"CBD2020-43", 50, kRequired, "V1 P2", "pads_end",
     "*pads_end* has the same definition as *pads_end* for a regular Convolution"},
    {"CBD2020-44", 50, kChosen, "P3 P4 A7", "pads_end absent",
     "May be omitted, in which case pads are calculated automatically"},
    {"CBD2020-45", 51, kRequired, "A4", "pads_end", "**Range of values**: non-negative integers"},
    {"CBD2020-46", 52, kRequired, "A1", "pads_end", "**Type**: int[]"},
    {"CBD2020-47", 53, kOpen, "A7", "pads_end absent", "**Default value**: None"},
    {"CBD2020-48", 54, kOpen, "A7", "pads_end absent", "**Required**: *yes*"},
    {"CBD2020-49", 55, kChosen, "P3 P4 A15", "pads_end",
     "the attribute is ignored when *auto_pad* attribute is specified"},
    {"CBD2020-50", 57, kRequired, "V1 P1", "dilations",
     "*dilations* has the same definition as *dilations* for a regular Convolution"},
    {"CBD2020-51", 58, kRequired, "A3", "dilations", "**Range of values**: positive integers"},
    {"CBD2020-52", 59, kRequired, "A1", "dilations", "**Type**: int[]"},
    {"CBD2020-53", 60, kOpen, "A6", "dilations absent", "**Default value**: None"},
    {"CBD2020-54", 61, kOpen, "A6", "dilations absent", "**Required**: *yes*"},
    {"CBD2020-55", 63, kChosen, "P3 P4 P5", "auto_pad",
     "*auto_pad* has the same definition as *auto_pad* for a regular Convolution"},
    {"CBD2020-56", 64, kChosen, "A9 P2 P4", "auto_pad=explicit",
     "*explicit*: use explicit padding values from `pads_begin` and `pads_end`"},
    {"CBD2020-57", 66, kChosen, "A9 P3 P4 P5", "auto_pad", "the input is padded to match the output size"},
    {"CBD2020-58", 66, kChosen, "P4 P5", "",
     "In case of odd padding value an extra padding is added at the end (at the beginning)"},
    {"CBD2020-59", 67, kChosen, "A9 P3 P4", "auto_pad=valid", "*valid* - do not use padding"},
    {"CBD2020-60", 68, kRequired, "A9", "auto_pad", "**Type**: string"},
    {"CBD2020-61", 69, kChosen, "A12", "auto_pad absent", "**Default value**: None"},
    {"CBD2020-62", 70, kRequired, "A12", "auto_pad absent", "**Required**: *no*"},
    {"CBD2020-63", 71, kChosen, "P3 P4", "auto_pad",
     "*pads_begin* and *pads_end* attributes are ignored when *auto_pad* is specified"},
    {"CBD2020-64", 73, kRequired, "P1 P2 P3", "output_padding",
     "adds additional amount of paddings per each spatial axis in the `output` tensor"},
    {"CBD2020-65", 73, kRequired, "P2 P3", "output_padding",
     "It unlocks more elements in the output allowing them to be computed"},
    {"CBD2020-66", 73, kRequired, "P2 P3", "output_padding",
     "Elements are added at the higher coordinate indices for the spatial dimensions"},
    {"CBD2020-67", 73, kRequired, "A1", "output_padding",
     "Number of elements in *output_padding* list matches the number of spatial dimensions"},
    {"CBD2020-68", 74, kRequired, "A5", "output_padding", "**Range of values**: non-negative integer values"},
    {"CBD2020-69", 75, kRequired, "A1", "output_padding", "**Type**: int[]"},
    {"CBD2020-70", 76, kRequired, "A8", "output_padding absent", "**Default value**: all zeros"},
    {"CBD2020-71", 77, kRequired, "A8", "output_padding absent", "**Required**: *no*"},
    {"CBD2020-72", 79, kRequired, "S1", "", "input tensor of rank 3 or greater"},
    {"CBD2020-73", 79, kRequired, "S4", "", "Layout is `[N, C_INPUT, X1, ..., XD]`"},
    {"CBD2020-74", 79, kRequired, "D5", "", "*Required*"},
    {"CBD2020-75", 80, kRequired, "V1", "", "convolution kernel tensor"},
    {"CBD2020-76", 80, kChosen, "S2 S4", "", "Weights have shape `[C_INPUT, C_OUTPUT, K_D, ..., K_1]`"},
    {"CBD2020-77", 80, kRequired, "S5", "", "`C_INPUT` is the number of channels in input `data` tensor shape"},
    {"CBD2020-78", 80, kRequired, "S4", "", "`C_OUTPUT` is the number of channels in the `output` tensor"},
    {"CBD2020-79", 80, kRequired, "S4 P1", "",
     "Spatial size of the kernel `[K_D, ..., K_1]` is derived from the shape of this input"},
    {"CBD2020-80", 80, kRequired, "D5", "", "*Required*"},
    {"CBD2020-81", 81, kRequired, "T6 S9 S10 P18", "",
     "`output_shape` is 1D integer tensor that specifies spatial shape of the output"},
    {"CBD2020-82", 81, kRequired, "P2 P3", "output_shape absent", "*Optional*"},
    {"CBD2020-83", 81, kRequired, "P4 P5", "",
     "*padding amount* is deduced from relation of input and output spatial shapes"},
    {"CBD2020-84", 81, kRequired, "P2 P3", "output_shape absent",
     "*output shape* is calculated based on the `pads_begin` and `pads_end`"},
    {"CBD2020-85", 83, kRequired, "S4", "", "output tensor of the same rank as input `data` tensor"},
    {"CBD2020-86", 83, kRequired, "S4", "", "shape `[N, C_OUTPUT, Y1, ..., YD]`"},
    {"CBD2020-87", 87, kRequired, "A12 P2", "auto_pad absent",
     "<data dilations=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\" strides=\"2,2\"/>"},
    {"CBD2020-88", 106, kRequired, "P2", "", "<dim>447</dim>"},
});

}  // namespace

std::span<const Sentence> SentencesCbd2020() { return kCbd2020Sentences; }

}  // namespace oracle
