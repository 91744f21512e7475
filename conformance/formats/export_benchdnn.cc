// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case as a problem of benchdnn, oneDNN's test program (benchdnn --deconv). The problem is a line with the
// resolved geometry, such as "mb1_ic20ih224_oc10oh447_kh3_sh2_ph1_dh0". It has no values, because benchdnn makes its
// own.

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/formats/computed_case.h"
#include "conformance/formats/export_case.h"

namespace conformance::formats {
namespace {

/// The name of a type in benchdnn; empty if a case of this type cannot be exported.
std::string_view TypeName(oracle::ElementType type) {
  switch (type) {
    case oracle::ElementType::kF64:
    case oracle::ElementType::kF32:
    case oracle::ElementType::kF16:
    case oracle::ElementType::kBf16:
      return oracle::ElementTypeName(type);  // benchdnn's names, too
    default:
      return {};
  }
}

/// Returns an empty string, or a sentence with the number of axis j that oneDNN's primitive (its deconvolution) refuses
/// or that the line cannot express.
std::string ReasonAgainstAxis(const oracle::Axis& axis, std::size_t j) {
  if (axis.data == 0 || axis.kernel == 0 || axis.output == 0) {
    return fmt::format("axis {}: found size 0, which a descriptor takes for a value to be deduced", j);
  }
  if (axis.pads_begin < 0) {
    return fmt::format("axis {}: found pads_begin {}, the primitive takes no negative one", j, axis.pads_begin);
  }
  // The size without pads; pads_begin and pads_end crop it to `output`. A pads_end below 0 adds outputs that no tap
  // (product of a filter element) reaches. Nothing overflows: the oracle refuses larger operators.
  const std::int64_t full_size = axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1;
  const std::int64_t pads_end = full_size - axis.output - axis.pads_begin;
  if (pads_end <= -axis.stride) {
    return fmt::format("axis {}: found {} outputs behind the last tap, the primitive takes fewer than the stride {}", j,
                       -pads_end, axis.stride);
  }
  return {};
}

}  // namespace

Export ExportBenchdnn(const std::string& name, const Case& test_case) {
  const auto resolved = ResolutionOf(test_case);
  if (const auto* sentence = std::get_if<std::string>(&resolved)) return *sentence;
  const auto& geometry = *std::get<oracle::Resolution>(resolved).geometry;
  const std::string_view type = TypeName(geometry.type);
  if (type.empty()) {
    return fmt::format("found type {}: benchdnn's integers are quantised, expected f64, f32, f16 or bf16",
                       oracle::ElementTypeName(geometry.type));
  }
  if (geometry.axes.empty() || geometry.axes.size() > 3) {
    return fmt::format("found {} spatial axes, a descriptor has 1 to 3", geometry.axes.size());
  }
  if (geometry.batch == 0 || geometry.groups == 0 || geometry.in_channels == 0 || geometry.out_channels == 0) {
    return std::string("found a batch or channels of size 0, which a descriptor takes for a value to be deduced");
  }
  std::array<std::string, 6> fields;  // input, output, kernel, stride, pads_begin, dilation - 1
  const std::string_view letters = std::string_view("dhw").substr(3 - geometry.axes.size());
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const oracle::Axis& axis = geometry.axes[j];
    if (std::string sentence = ReasonAgainstAxis(axis, j); !sentence.empty()) return sentence;
    const std::array<std::pair<char, std::int64_t>, 6> values = {{{'i', axis.data},
                                                                  {'o', axis.output},
                                                                  {'k', axis.kernel},
                                                                  {'s', axis.stride},
                                                                  {'p', axis.pads_begin},
                                                                  {'d', axis.dilation - 1}}};
    for (std::size_t i = 0; i < values.size(); ++i) {
      fields[i] += fmt::format("{}{}{}", values[i].first, letters[j], values[i].second);
    }
  }
  const std::string_view tag = geometry.layout == oracle::DataLayout::kNxc ? "axb" : "abx";
  const std::string line =
      fmt::format("--reset --dt={} --dir=FWD_D --stag={} --dtag={} g{}mb{}_ic{}{}_oc{}{}_{}_{}_{}_{}", type, tag, tag,
                  geometry.groups, geometry.batch, geometry.groups * geometry.in_channels, fields[0],
                  geometry.groups * geometry.out_channels, fields[1], fields[2], fields[3], fields[4], fields[5]);
  return std::vector<ExportedFile>{{name + ".batch", fmt::format("# {}\n{}\n", ToLine(test_case), line)}};
}

}  // namespace conformance::formats
