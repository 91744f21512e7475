// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the support map as JSON: the counts of all cases, of each value of a dimension, and of each class.

#include "conformance/report/support/support_json.h"

#include <nlohmann/json.hpp>

namespace conformance {

nlohmann::ordered_json SupportToJson(const SupportMap& map) {
  using nlohmann::ordered_json;
  ordered_json dimensions = ordered_json::object();
  for (std::size_t i = 0; i < kSupportDimensions.size(); ++i) {
    ordered_json values = ordered_json::object();
    for (const SupportMap::Value& value : map.ValuesOf(i)) {
      values[value.name] = {{"supported", value.count.supported}, {"total", value.count.total}};
    }
    dimensions[std::string(kSupportDimensions.at(i))] = std::move(values);
  }
  ordered_json reasons = ordered_json::array();
  for (const SupportReason& reason : map.reasons) {
    reasons.push_back({{"cases", reason.cases}, {"asked", reason.asked}, {"reason", reason.reason}});
  }
  ordered_json classes = ordered_json::array();
  for (const auto& [of, support] : map.classes) {
    ordered_json row = ordered_json::object();
    for (std::size_t i = 0; i < kSupportDimensions.size(); ++i) row[std::string(kSupportDimensions.at(i))] = of.at(i);
    row["supported"] = support.count.supported;
    row["total"] = support.count.total;
    classes.push_back(std::move(row));
  }
  return {{"supported", map.all.supported},
          {"total", map.all.total},
          {"dimensions", std::move(dimensions)},
          {"reasons", std::move(reasons)},
          {"classes", std::move(classes)}};
}

}  // namespace conformance
