// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes case.json, which describes an exported case for programs, and tolerance_0.npy.

#include "conformance/formats/case_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/formats/npy.h"
#include "oracle/resolve.h"

namespace conformance::formats {

void AddCaseFiles(const std::string& name, const ComputedCase& worked, std::vector<ExportedFile>& files) {
  using Json = nlohmann::ordered_json;
  const oracle::Geometry& geometry = worked.geometry;
  const bool floats = oracle::IsFloat(geometry.type);
  Json tolerance = {
      {"file", "tolerance_0.npy"},
      {"largest", std::isinf(worked.largest_tolerance) ? Json("infinite") : Json(worked.largest_tolerance)},
      {"meaning",
       "a result y is right if it equals the expected one or |y - expected| <= tolerance, output by "
       "output; where NaN is expected any NaN is right; never stricter than the suite's own verdict"}};
  if (floats) {
    tolerance["accumulator"] = geometry.type == oracle::ElementType::kF64 ? "f64" : "f32";
    tolerance["subnormals"] = "kept";
  }
  Json axes = Json::array();
  for (const oracle::Axis& axis : geometry.axes) {
    axes.push_back({{"data", axis.data},
                    {"kernel", axis.kernel},
                    {"stride", axis.stride},
                    {"dilation", axis.dilation},
                    {"pad_begin", axis.pads_begin},  // the key of the format, whatever the member is called
                    {"output", axis.output}});
  }
  Json json = {{"case", ToLine(worked.test_case)},
               {"dialect", std::string(oracle::DialectName(worked.test_case.EffectiveDialect()))},
               {"element_type", std::string(oracle::ElementTypeName(geometry.type))},
               {"npy_type", std::string(NpyType(geometry.type))},
               {"output_dims", geometry.OutputDims()},
               {"axes", axes},
               {"axes_meaning", "output[stride * i + dilation * k - pad_begin] += data[i] * filter[k]"},
               {"tolerance", tolerance}};
  if (!worked.open.empty()) {
    Json points = Json::array();
    for (const oracle::OpenPoint& point : worked.open)
      points.push_back(fmt::format("{}: {}", point.clause, point.point));
    json["open"] = points;
    json["open_meaning"] = "the document leaves this open: an implementation may also refuse the operator";
  }
  if (geometry.type == oracle::ElementType::kBf16) json["note"] = "npy has no bf16: its files hold the bits as u2";
  if (!floats) json["note"] = "integers are sums modulo 2^bits";
  files.push_back({name + "/case.json", JsonText(json, 2) + "\n"});
  files.push_back({name + "/tolerance_0.npy",
                   Npy(oracle::ElementType::kF64, geometry.OutputDims(), std::as_bytes(std::span(worked.tolerance)))});
}

}  // namespace conformance::formats
