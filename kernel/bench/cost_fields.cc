// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the list of the costs of a class of CPUs: each name, and a function that returns the member of Costs.
#include "kernel/bench/cost_fields.h"

#include <iterator>

namespace deconv::bench {
namespace {

#define DECONV_COST(field) {#field, [](Costs& costs) -> double& { return costs.field; }}

// clang-format off: a list.
constexpr CostField kFields[] = {
    DECONV_COST(channels_product),
    DECONV_COST(channels_pairs),
    DECONV_COST(channels_integer),
    DECONV_COST(channels_permuted),
    DECONV_COST(phased_product),
    DECONV_COST(phased_load),
    DECONV_COST(aligned_product),
    DECONV_COST(phased_integer),
    DECONV_COST(rows.product),
    DECONV_COST(rows.load),
    DECONV_COST(rows.broadcast),
    DECONV_COST(rows.branch),
    DECONV_COST(rows.call),
    DECONV_COST(channels_cell),
    DECONV_COST(channels_tile),
    DECONV_COST(channels_tap),
    DECONV_COST(converted_store),
    DECONV_COST(quad_output),
    DECONV_COST(quad_narrow_output),
    DECONV_COST(quad_unit),
    DECONV_COST(quad_row),
    DECONV_COST(transposed_read),
    DECONV_COST(row),
    DECONV_COST(tile_call),
    DECONV_COST(interleaved_output),
    DECONV_COST(interleaved_half),
    DECONV_COST(paired_output),
    DECONV_COST(interleaved_byte),
    DECONV_COST(narrowed_output),
    DECONV_COST(channels_last_output),
    DECONV_COST(revisited_output),
    DECONV_COST(single_output),
    DECONV_COST(single_position),
    DECONV_COST(scattered_output),
    DECONV_COST(regrouped_product),
    DECONV_COST(regrouped_unit),
    DECONV_COST(regrouped_sums),
    DECONV_COST(source_row),
    DECONV_COST(source_vector),
};
// clang-format on
#undef DECONV_COST

static_assert(sizeof(Costs) == std::size(kFields) * sizeof(double), "the list names each field of Costs once");

}  // namespace

std::span<const CostField> CostFields() { return kFields; }

}  // namespace deconv::bench
