// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the costs of the table of CPU classes by name, so that code can read, change and print each of them.
#ifndef DECONV_KERNEL_BENCH_COST_FIELDS_H_
#define DECONV_KERNEL_BENCH_COST_FIELDS_H_

#include <span>
#include <string>

#include "kernel/base/cpu_class.h"

namespace deconv::bench {

struct CostField {
  const char* name;  // in Costs
  double& (*of)(Costs& costs);
  double unit;  // cycles; a typical value on the CPUs measured so far
};

// All fields of Costs, in their order.
std::span<const CostField> CostFields();

// The costs as C++, to be pasted into kernel/base/cpu_class.cc as the constant `name`. Costs that have the default
// value are left out.
std::string CostsAsCode(const std::string& name, const Costs& costs);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_COST_FIELDS_H_
