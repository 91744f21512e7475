// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks up the values (tensors with names) of an ONNX graph: element type, shape, and the elements of constants. The
// import of ONNX models needs them for the data and the filter of a layer.

#ifndef DECONV_CONFORMANCE_FORMATS_ONNX_VALUES_H_
#define DECONV_CONFORMANCE_FORMATS_ONNX_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "conformance/formats/onnx_model.h"
#include "oracle/operator.h"

namespace conformance::formats {

/// One value of a graph.
struct OnnxValue {
  std::optional<std::int32_t> type;      ///< a number of kOnnxTypes
  std::optional<oracle::Dims> dims;      ///< absent if the rank or a dim is unknown
  std::string shown;                     ///< "[N,3,?,8]", "of unknown rank"
  const OnnxTensor* constant = nullptr;  ///< the stored tensor of a constant; not owned
  const OnnxNode* dequantize = nullptr;  ///< the node that computes the value from a quantized constant; not owned
};

/// The values of a graph and of the graphs that contain it. A value of the inner graph hides one with the same name.
class OnnxValues {
 public:
  /// `around`: the values of the graph that contains `graph`, or null. Both must outlive this object.
  OnnxValues(const OnnxGraph& graph, const OnnxValues* around);

  /// The value with this name; nullptr if no graph describes it.
  const OnnxValue* Find(std::string_view name) const;

 private:
  void Add(const OnnxValueInfo& info);
  void Add(std::string_view name, const OnnxTensor& tensor);
  void AddCopy(const OnnxNode& node);
  void AddDequantized(const OnnxNode& node);

  const OnnxValues* around_;
  std::unordered_map<std::string_view, OnnxValue> values_;
};

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_ONNX_VALUES_H_
