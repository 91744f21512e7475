// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the operator that the hooked implementation computes. The hooked implementation is a plain loop in which faults
// are planted, to test whether the suite finds them. The operator is a copy of the description from the C interface; a
// fault can change the copy. Also computes a hash, by which some faults choose their cases.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_ATTRIBUTES_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_ATTRIBUTES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/interface/deconv_backend.h"

namespace conformance::faults {

using List = std::vector<std::int64_t>;

/// The largest attribute that a fault changes, so that products of two such numbers fit 64 bits. Larger ones stay.
inline constexpr std::int64_t kSaneSize = 1 << 20;

/// The attributes of an operator as the suite passes them: not resolved, not checked. An absent attribute has no value.
struct Attributes {
  std::int32_t kind = 0;  ///< deconv_operator_id
  std::string dialect;
  std::int32_t data_type = 0;  ///< deconv_element_type_id; so are the other types
  List data;                   ///< dims of the data
  std::int32_t filter_type = 0;
  List filter;             ///< dims of the filter
  bool has_shape = false;  ///< the operator has a third input, the output shape
  std::int32_t shape_type = 0;
  List shape_dims;  ///< dims of the third input
  List shape;       ///< its values: the sizes that the output must have
  std::optional<List> strides, dilations, pads_begin, pads_end, output_padding;
  std::optional<std::string> auto_pad, data_format, weights_format;
  std::optional<List> dst_shape, groups, kernel_shape, output_shape_attribute;

  bool onednn() const { return kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA; }
  bool onnx() const { return kind == DECONV_ID_CONV_TRANSPOSE; }
  bool tensorflow() const { return dialect == "tensorflow"; }
  bool grouped_filter() const { return kind == DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA; }
};

/// Copies the description, which may be invalid.
Attributes ReadAttributes(const deconv_operator_description& description);

/// A hash that is equal for the same case in every process. Faults that strike only some cases choose them by it.
std::uint64_t CaseHash(const Attributes& attributes);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_ATTRIBUTES_H_
