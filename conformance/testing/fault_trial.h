// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of the planted faults: finds the smallest cases on which the implementation without the fault is right
// and the implementation with the fault is wrong.

#ifndef DECONV_CONFORMANCE_TESTING_FAULT_TRIAL_H_
#define DECONV_CONFORMANCE_TESTING_FAULT_TRIAL_H_

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/faults/fault.h"
#include "conformance/testing/backend_trial.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

using oracle::Dialect;
using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;

struct Killer {
  Operator op;
  Dialect dialect = Dialect::kOpenvinoSpec;
  /// The values of data and filter; an empty list stands for 1, 2, 3, ...
  std::vector<double> data = {}, filter = {};
};

/// The killers by the fault's name.
using Killers = std::map<std::string_view, Killer>;
using OperatorChange = std::function<void(Operator&)>;

/// ConvolutionBackpropData in f32, or GroupConvolutionBackpropData where the filter has a dimension more; with strides
/// and dilations of 1 and pads of 0.
Operator Plain(Dims data, Dims filter, const OperatorChange& change = nullptr);
/// ConvolutionBackwardData, NXC and XIO.
Operator Onednn(Dims data, Dims filter, Dims dst_shape, const OperatorChange& change = nullptr);
Operator Onnx(Dims data, Dims filter, const OperatorChange& change = nullptr);
Operator Typed(ElementType type, Dims data, Dims filter);
/// One output: the sum of data[i] * filter[i] over as many channels.
Killer Sum(ElementType type, std::vector<double> data, std::vector<double> filter);
/// A change that gives the output's sizes.
oracle::ShapeInput Shape(Dims values);

Bytes Fill(ElementType type, std::int64_t count, std::vector<double> values);
/// Mistake() of a backend on a killer.
std::string MistakeOn(const std::string& backend, const Killer& killer);

/// Expects each fault of the table to be killed by its killer; those of `own_tests` are left to them.
void ExpectKilled(std::span<const faults::Fault> table, const Killers& killers,
                  const std::set<std::string_view>& own_tests = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_FAULT_TRIAL_H_
