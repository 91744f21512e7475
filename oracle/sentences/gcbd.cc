// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the sentences of OpenVINO's page GroupConvolutionBackpropData-1. This page specifies a transposed convolution
// with groups. The table shows that no rule of the page is forgotten: each sentence that states one names the clauses
// that take it up. oracle/sentences.md counts the test cases of each sentence. GCBD is the abbreviation of the page,
// and 1 is the version of the operator.

#include <array>
#include <span>

#include "oracle/sentences/sentence.h"

namespace oracle {
namespace {

using enum RuleKind;

// Columns: id, line in a copy of the page, kind of rule, clauses, topic, and the words of the page. sentence.h explains
// the kinds: kRequired, kChosen, kOpen and kInformative. The clauses are the numbered rules of oracle/clauses.md that
// state the sentence. The topic is the part of the operator that the sentence is about.
constexpr auto kGcbdSentences = std::to_array<Sentence>({
    {"GCBD-1", 3, kInformative, "", "", "GroupConvolutionBackpropData-1"},
    {"GCBD-2", 5, kInformative, "", "", "Category : Convolution"},
    {"GCBD-3", 7, kChosen, "S1 V1", "",
     "Computes 1D, 2D or 3D GroupConvolutionBackpropData of input and kernel tensors"},
    {"GCBD-4", 9, kRequired, "S4 V1", "groups",
     "Splits input and filters into multiple groups, computes ConvolutionBackpropData on them and concatenates"},
    {"GCBD-5", 9, kInformative, "", "", "It is equivalent to GroupConvolution and Convolution relationship"},
    {"GCBD-6", 11, kRequired, "P1 P2 P3 P4 P5 P6 P18", "",
     "The operation has the same attributes as a ConvolutionBackpropData"},
    {"GCBD-7", 11, kRequired, "S6", "groups", "Number of groups is derived from the kernel shape"},
    {"GCBD-8", 15, kRequired, "V1 P1", "strides",
     "strides has the same definition as strides for a regular Convolution"},
    {"GCBD-9", 17, kRequired, "A2", "strides", "Range of values : positive integers"},
    {"GCBD-10", 19, kRequired, "A1", "strides", "Type : int[]"},
    {"GCBD-11", 21, kOpen, "A6", "strides absent", "Required : yes"},
    {"GCBD-12", 25, kRequired, "V1 P2", "pads_begin",
     "pads_begin has the same definition as pads_begin for a regular Convolution"},
    {"GCBD-13", 25, kChosen, "P3 P4 A7", "pads_begin absent",
     "May be omitted, in which case pads are calculated automatically"},
    {"GCBD-14", 27, kRequired, "A4", "pads_begin", "Range of values : non-negative integers"},
    {"GCBD-15", 29, kRequired, "A1", "pads_begin", "Type : int[]"},
    {"GCBD-16", 31, kOpen, "A7", "pads_begin absent", "Required : yes"},
    {"GCBD-17", 33, kChosen, "P3 P4 A15", "pads_begin",
     "the attribute is ignored when auto_pad attribute is specified"},
    {"GCBD-18", 37, kRequired, "V1 P2", "pads_end",
     "pads_end has the same definition as pads_end for a regular Convolution"},
    {"GCBD-19", 37, kChosen, "P3 P4 A7", "pads_end absent",
     "May be omitted, in which case pads are calculated automatically"},
    {"GCBD-20", 39, kRequired, "A4", "pads_end", "Range of values : non-negative integers"},
    {"GCBD-21", 41, kRequired, "A1", "pads_end", "Type : int[]"},
    {"GCBD-22", 43, kOpen, "A7", "pads_end absent", "Required : yes"},
    {"GCBD-23", 45, kChosen, "P3 P4 A15", "pads_end", "the attribute is ignored when auto_pad attribute is specified"},
    {"GCBD-24", 49, kRequired, "V1 P1", "dilations",
     "dilations has the same definition as dilations for a regular Convolution"},
    {"GCBD-25", 51, kRequired, "A3", "dilations", "Range of values : positive integers"},
    {"GCBD-26", 53, kRequired, "A1", "dilations", "Type : int[]"},
    {"GCBD-27", 55, kOpen, "A6", "dilations absent", "Required : yes"},
    {"GCBD-28", 59, kChosen, "P3 P4 P5", "auto_pad",
     "auto_pad has the same definition as auto_pad for a regular Convolution"},
    {"GCBD-29", 61, kChosen, "A9 P2 P4", "auto_pad=explicit",
     "explicit - use explicit padding values from pads_begin and pads_end"},
    {"GCBD-30", 63, kChosen, "A9 P3 P5", "auto_pad=same_upper",
     "same_upper - the input is padded to match the output size"},
    {"GCBD-31", 63, kChosen, "P5", "auto_pad=same_upper",
     "In case of odd padding value an extra padding is added at the end"},
    {"GCBD-32", 65, kChosen, "A9 P3 P4", "auto_pad=same_lower",
     "same_lower - the input is padded to match the output size"},
    {"GCBD-33", 65, kChosen, "P4", "auto_pad=same_lower",
     "In case of odd padding value an extra padding is added at the beginning"},
    {"GCBD-34", 67, kChosen, "A9 P3 P4", "auto_pad=valid", "valid - do not use padding"},
    {"GCBD-35", 69, kRequired, "A9", "auto_pad", "Type : string"},
    {"GCBD-36", 71, kRequired, "A12", "auto_pad absent", "Default value : explicit"},
    {"GCBD-37", 73, kRequired, "A12", "auto_pad absent", "Required : no"},
    {"GCBD-38", 75, kChosen, "P3 P4", "auto_pad",
     "pads_begin and pads_end attributes are ignored when auto_pad is specified"},
    {"GCBD-39", 79, kRequired, "P1 P2 P3", "output_padding",
     "adds additional amount of paddings per each spatial axis in the output tensor"},
    {"GCBD-40", 79, kRequired, "P2 P3", "output_padding",
     "It unlocks more elements in the output allowing them to be computed"},
    {"GCBD-41", 79, kRequired, "P2 P3", "output_padding",
     "Elements are added at the higher coordinate indices for the spatial dimensions"},
    {"GCBD-42", 79, kRequired, "A1", "output_padding",
     "Number of elements in output_padding list matches the number of spatial dimensions"},
    {"GCBD-43", 81, kRequired, "A5", "output_padding", "Range of values : non-negative integer values"},
    {"GCBD-44", 83, kRequired, "A1", "output_padding", "Type : int[]"},
    {"GCBD-45", 85, kRequired, "A8", "output_padding absent", "Default value : all zeros"},
    {"GCBD-46", 87, kRequired, "A8", "output_padding absent", "Required : no"},
    {"GCBD-47", 91, kRequired, "T1 T2", "", "Input tensor of type T1"},
    {"GCBD-48", 91, kChosen, "S1", "", "rank 3, 4 or 5"},
    {"GCBD-49", 91, kRequired, "S4 S5", "", "Layout is [N, GROUPS \\* C_IN, Z, Y, X]"},
    {"GCBD-50", 91, kRequired, "D5", "", "Required"},
    {"GCBD-51", 93, kRequired, "T1 T3", "", "Kernel tensor of type T1"},
    {"GCBD-52", 93, kChosen, "S1 S2", "", "rank 4, 5 or 6"},
    {"GCBD-53", 93, kChosen, "S4 S5", "", "Layout is [GROUPS, C_IN, C_OUT, X, Y, Z]"},
    {"GCBD-54", 93, kRequired, "D5", "", "Required"},
    {"GCBD-55", 95, kRequired, "T6 S9", "", "Output shape tensor of type T2 and rank 1"},
    {"GCBD-56", 95, kRequired, "S10 P18", "", "It specifies spatial shape of the output"},
    {"GCBD-57", 95, kRequired, "P2 P3", "output_shape absent", "Optional"},
    {"GCBD-58", 97, kRequired, "S6", "groups",
     "Number of groups is derived from the shape of the kernel and not specified by any attribute"},
    {"GCBD-59", 99, kRequired, "S4", "",
     "Type of the convolution (1D, 2D or 3D) is derived from the rank of the input tensors"},
    {"GCBD-60", 101, kRequired, "S4", "1 axis",
     "1D convolution (input tensors rank 3) means that there is only one spatial axis X"},
    {"GCBD-61", 103, kRequired, "S4", "2 axes",
     "2D convolution (input tensors rank 4) means that there are two spatial axes Y, X"},
    {"GCBD-62", 105, kRequired, "S4", "3 axes",
     "3D convolution (input tensors rank 5) means that there are three spatial axes Z, Y, X"},
    {"GCBD-63", 109, kRequired, "T1", "", "Output tensor of type T1"},
    {"GCBD-64", 109, kChosen, "S1", "", "rank 3, 4 or 5 (the same as input 1)"},
    {"GCBD-65", 109, kRequired, "S4", "", "Layout is [N, GROUPS \\* C_OUT, Z, Y, X]"},
    {"GCBD-66", 113, kRequired, "T1 T2 T7", "", "T1 : any numeric type"},
    {"GCBD-67", 115, kRequired, "T6", "", "T2 : any integer type"},
    {"GCBD-68", 122, kRequired, "A12 P2", "auto_pad absent",
     "<data dilations=\"1\" pads_begin=\"1\" pads_end=\"1\" strides=\"2\"/>"},
    {"GCBD-69", 140, kRequired, "P2", "", "<dim>447</dim>"},
    {"GCBD-70", 148, kRequired, "A12 P2", "auto_pad absent",
     "<data dilations=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\" strides=\"2,2\"/>"},
    {"GCBD-71", 168, kRequired, "P2", "", "<dim>447</dim>"},
    {"GCBD-72", 177, kRequired, "A12 P2", "auto_pad absent",
     "<data dilations=\"1,1,1\" pads_begin=\"1,1,1\" pads_end=\"1,1,1\" strides=\"2,2,2\"/>"},
    {"GCBD-73", 199, kRequired, "P2", "", "<dim>447</dim>"},
});

}  // namespace

std::span<const Sentence> SentencesGcbd() { return kGcbdSentences; }

}  // namespace oracle
