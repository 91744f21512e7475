// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the open points. An open point is a property of an operator, such as a batch of 0. The document or library that
// a dialect follows neither requires nor forbids it. A backend (the library under test) may refuse such an operator, or
// compute it as the point's clause says. A clause is a numbered rule of oracle/clauses.md.

#ifndef DECONV_ORACLE_OPEN_POINT_H_
#define DECONV_ORACLE_OPEN_POINT_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace oracle {

/// An open point, without an operator that has it.
struct OpenPointName {
  std::string_view clause;  ///< the clause that leaves the point open and says which values a backend must compute
  std::string_view phrase;  ///< unique name; a noun phrase that fits after "computes" and after "refuses"

  bool operator==(const OpenPointName&) const = default;
};

/// All open points, in the order of the clauses. A report lists the choice of a backend for each of them.
inline constexpr auto kOpenPoints = std::to_array<OpenPointName>({
    {"T5", "bf16 data of ConvTranspose"},
    {"T6", "a dst_shape input of another type than s32"},
    {"T8", "i32 data of TensorFlow"},
    {"S1", "data without spatial axes"},
    {"S7", "a kernel of size 0 in TensorFlow"},
    {"S8", "a batch of 0"},
    {"S8", "0 input channels"},
    {"S8", "0 output channels"},
    {"S8", "0 data elements along an axis"},
    {"S11", "a size of 0 in output_shape"},
    {"S11", "a size of 0 in a dst_shape attribute that the input overrules"},
    {"S17", "a filter without elements in oneDNN's library"},
    {"S20", "an output_shape of ONNX Runtime with batch and channels"},
    {"A5", "an output_padding of at least the stride"},
    {"A6", "absent strides"},
    {"A6", "absent dilations"},
    {"A7", "absent pads that nothing calculates"},
    {"A9", "auto_pad of OpenVINO in upper or mixed case"},
    {"A9", "auto_pad none of OpenVINO"},
    {"A10", "auto_pad of oneDNN in upper or mixed case"},
    {"A13", "absent strides of ConvolutionBackwardData"},
    {"A13", "absent dilations of ConvolutionBackwardData"},
    {"A13", "absent pads of ConvolutionBackwardData"},
    {"A15", "negative pads that are ignored"},
    {"P10", "a dst_shape that contradicts the given pads"},
    {"P11", "a dst_shape that contradicts pads of 0"},
    {"P16", "a calculated output size of 0"},
    {"P23", "same_upper and same_lower of ConvTranspose-1 without an output shape"},
    {"P29", "an output of TensorFlow that ends before a kernel on one data element does"},
    {"O1", "an empty tensor with sizes whose product exceeds 63 bits"},
    {"O2", "pads_begin of OpenVINO's library beyond 63 bits"},
});

/// A point of kOpenPoints, named by its phrase in code that resolves operators. An unknown phrase does not compile.
class CitedOpenPoint {
 public:
  consteval CitedOpenPoint(const char* phrase)
      : name_(*std::ranges::find(kOpenPoints, std::string_view(phrase), &OpenPointName::phrase)) {}
  constexpr const OpenPointName& name() const { return name_; }

 private:
  OpenPointName name_;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_OPEN_POINT_H_
