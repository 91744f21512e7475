// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case as a model of OpenVINO (IR version 11). The filter and the output_shape are constants of the model.
// The data and the expected output are .npy files beside it.

#include <utility>

#include <fmt/format.h>

#include "conformance/case/xml/model.h"
#include "conformance/formats/computed_case.h"
#include "conformance/formats/export_case.h"
#include "conformance/formats/npy.h"

namespace conformance::formats {

Export ExportIr(const std::string& name, const Case& test_case) {
  const oracle::OperatorKind kind = test_case.op.kind;
  if (kind != oracle::OperatorKind::kConvolutionBackpropData &&
      kind != oracle::OperatorKind::kGroupConvolutionBackpropData) {
    return fmt::format("an IR has only ConvolutionBackpropData and GroupConvolutionBackpropData, no {}",
                       oracle::OperatorKindName(kind));
  }
  auto computed_or_reason = ComputeCase(test_case, kFolderLimits);
  if (auto* sentence = std::get_if<std::string>(&computed_or_reason)) return std::move(*sentence);
  const auto& computed = std::get<ComputedCase>(computed_or_reason);
  const oracle::Dims output = computed.geometry.OutputDims();
  const std::string_view filter(reinterpret_cast<const char*>(computed.filter.data()), computed.filter.size());
  IrModel model = ToIrModel(name, test_case, output, filter);
  const oracle::ElementType type = computed.geometry.type;
  std::vector<ExportedFile> files;
  files.push_back({name + "/model.xml", std::move(model.xml)});
  files.push_back({name + "/model.bin", std::move(model.bin)});
  files.push_back({name + "/input_0.npy", Npy(type, computed.op().data.dims, computed.data)});
  files.push_back({name + "/expected_output_0.npy", Npy(type, output, computed.output)});
  AddCaseFiles(name, computed, files);
  return files;
}

}  // namespace conformance::formats
