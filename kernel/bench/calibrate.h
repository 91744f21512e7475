// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The mode --calibrate of deconv-bench: measures the costs of this CPU and prints them.
#ifndef DECONV_KERNEL_BENCH_CALIBRATE_H_
#define DECONV_KERNEL_BENCH_CALIBRATE_H_

#include <string>
#include <vector>

#include "kernel/bench/layer_plan.h"
#include "kernel/bench/layers.h"

namespace deconv::bench {

// Prints the costs of products and loads of the class and target of `choice` beside what this machine takes. With
// layers, it also fits all costs to the times of all algorithms on them. It then says how good the choices are that the
// committed and the fitted costs make, and ends with the fitted costs as C++. `json` prints one object a cost, and one
// for each kind of choices, instead of the table and the C++. Progress goes to standard error. False with a message in
// `error` if nothing can be measured.
bool Calibrate(const Choice& choice, const std::vector<Layer>& layers, bool json, std::string& error);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_CALIBRATE_H_
