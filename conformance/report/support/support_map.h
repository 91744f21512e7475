// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The support map of a run: how many cases of each class of operators the backend supports, and its reasons for the
// others. Cases of operators that the backend does not declare, and invalid operators, are not in the map.

#ifndef DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_MAP_H_
#define DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_MAP_H_

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// The names of the properties by which operators are classified.
inline constexpr std::array<std::string_view, 12> kSupportDimensions = {
    "operator", "type",           "rank",     "groups",       "dilations", "strides",
    "pads",     "output_padding", "auto_pad", "output_shape", "layout",    "tensors"};

/// The values of one operator in the order of kSupportDimensions: "ConvTranspose", "f32", "4", "above 1", ...
using SupportClass = std::array<std::string, kSupportDimensions.size()>;

/// The class of an operator. `geometry` is its resolved form.
SupportClass SupportClassOf(const oracle::Operator& op, const oracle::Geometry& geometry);

/// "ConvTranspose f32 rank 4, groups above 1": operator, type and rank, and the values that differ from the plainest.
std::string SupportClassText(const SupportClass& support_class);

struct SupportCount {
  std::size_t supported = 0;
  std::size_t total = 0;

  bool whole() const { return supported == total; }
  bool operator==(const SupportCount&) const = default;
};

/// The supported share, such as "61 %". It has a decimal if the rounded number would be 0 or 100 by mistake: "99.9 %".
std::string ShareText(const SupportCount& count);

/// All cases of one class.
struct SupportOfClass {
  SupportCount count;
  std::string reason;  ///< reason of the first case that is not supported
  std::string line;    ///< line of that case
};

/// A reason why cases are not supported.
struct SupportReason {
  std::size_t cases = 0;
  bool asked = false;  ///< supports() said so; else it follows from what the backend declares
  std::string reason;
};

/// The counts of a run.
struct SupportMap {
  SupportCount all;
  std::set<std::string> operators;  ///< operators that the backend declares, with a dialect that defines them
  std::map<SupportClass, SupportOfClass> classes;
  std::vector<SupportReason> reasons;  ///< the most cases first

  struct Value {
    std::string name;
    SupportCount count;
  };
  /// The values that a dimension has, with the sums over all other dimensions.
  std::vector<Value> ValuesOf(std::size_t dimension) const;
};

/// Whether a verdict shows that the backend supports the case's operator. Nothing if the verdict does not show it.
std::optional<bool> IsSupported(const CaseResult& result, const Capabilities& declared);

SupportMap SupportMapOf(std::span<const CaseResult> results, const Capabilities& declared);

/// The counts of all cases, of each value of each dimension (such as groups "above 1") and of each class, and the
/// reasons.
nlohmann::ordered_json SupportToJson(const SupportMap& map);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUPPORT_SUPPORT_MAP_H_
