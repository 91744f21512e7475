// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the costs of the table of CPU classes by name, so that code can read and change each of them.
#ifndef DECONV_KERNEL_BENCH_COST_FIELDS_H_
#define DECONV_KERNEL_BENCH_COST_FIELDS_H_

#include <span>

#include "kernel/base/cpu_class.h"

namespace deconv::bench {

struct CostField {
  const char* name;  // the member of Costs
  double& (*of)(Costs& costs);
};

// All fields of Costs, in their order.
std::span<const CostField> CostFields();

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_COST_FIELDS_H_
