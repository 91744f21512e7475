// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the list of costs, and prints costs as C++.
#include "kernel/bench/cost_fields.h"

#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

namespace deconv::bench {
namespace {

#define DECONV_COST(field, unit) {#field, [](Costs& costs) -> double& { return costs.field; }, unit}

// clang-format off: a list.
constexpr CostField kFields[] = {
    DECONV_COST(channels_product, 0.6),
    DECONV_COST(channels_pairs, 0.6),
    DECONV_COST(channels_integer, 0.7),
    DECONV_COST(channels_permuted, 1),
    DECONV_COST(phased_product, 0.6),
    DECONV_COST(phased_load, 1.5),
    DECONV_COST(aligned_product, 0.6),
    DECONV_COST(phased_integer, 0.7),
    DECONV_COST(rows.product, 0.6),
    DECONV_COST(rows.load, 1.2),
    DECONV_COST(rows.broadcast, 0.7),
    DECONV_COST(rows.branch, 0.5),
    DECONV_COST(rows.call, 20),
    DECONV_COST(channels_cell, 10),
    DECONV_COST(channels_tile, 50),
    DECONV_COST(channels_tap, 8),
    DECONV_COST(converted_store, 4),
    DECONV_COST(quad_output, 1),
    DECONV_COST(quad_narrow_output, 1),
    DECONV_COST(quad_unit, 1),
    DECONV_COST(quad_row, 5),
    DECONV_COST(transposed_read, 0.4),
    DECONV_COST(row, 25),
    DECONV_COST(tile_call, 40),
    DECONV_COST(interleaved_output, 0.5),
    DECONV_COST(interleaved_half, 0.5),
    DECONV_COST(paired_output, 0.3),
    DECONV_COST(interleaved_byte, 0.1),
    DECONV_COST(narrowed_output, 0.2),
    DECONV_COST(channels_last_output, 1),
    DECONV_COST(revisited_output, 1),
    DECONV_COST(single_output, 1),
    DECONV_COST(single_position, 5),
    DECONV_COST(scattered_output, 2),
    DECONV_COST(regrouped_product, 1.5),
    DECONV_COST(regrouped_unit, 1),
    DECONV_COST(regrouped_sums, 5),
    DECONV_COST(source_row, 20),
    DECONV_COST(source_vector, 1.2),
};
// clang-format on
#undef DECONV_COST

static_assert(sizeof(Costs) == std::size(kFields) * sizeof(double), "the list names each field of Costs once");

// With three significant digits, as the table has them.
std::string Digits(double cost) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", cost);
  return text;
}

}  // namespace

std::span<const CostField> CostFields() { return kFields; }

std::string CostsAsCode(const std::string& name, const Costs& costs) {
  constexpr std::string_view kRows = "rows.";
  Costs own = costs;
  Costs defaults;
  std::string code = "constexpr Costs " + name + " = {\n";
  std::string of_rows;
  for (const CostField& field : kFields) {
    const std::string_view path = field.name;
    const std::string value = Digits(field.of(own));
    if (path.starts_with(kRows)) {
      of_rows += (of_rows.empty() ? "." : ", .") + std::string(path.substr(kRows.size())) + " = " + value;
      continue;
    }
    if (!of_rows.empty()) code += "    .rows = {" + std::exchange(of_rows, "") + "},\n";
    if (value != Digits(field.of(defaults))) code += "    ." + std::string(path) + " = " + value + ",\n";
  }
  return code + "};\n";
}

}  // namespace deconv::bench
