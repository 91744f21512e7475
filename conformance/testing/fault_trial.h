// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For the tests of the planted faults, which are plain loops that are wrong on purpose in one way. The killer of a
// fault is a small case on which the plain loop is right without the fault and wrong with it.

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

/// A case that kills a mutant: the fault gives another answer to it than a correct backend.
struct Killer {
  Operator op;
  Dialect dialect = Dialect::kOpenvinoSpec;
  /// The values of data and filter; an empty list stands for 1, 2, 3, ...
  std::vector<double> data = {}, filter = {};
};

/// The killers by the names of their faults.
using Killers = std::map<std::string_view, Killer>;
using OperatorChange = std::function<void(Operator&)>;

/// A ConvolutionBackpropData in f32, or a GroupConvolutionBackpropData if the filter has one dimension more than the
/// data. Strides and dilations are 1, pads are 0. `change` then changes it.
Operator Plain(Dims data, Dims filter, const OperatorChange& change = nullptr);
/// A ConvolutionBackwardData in its default layouts: data in NXC, filter in XIO.
Operator Onednn(Dims data, Dims filter, Dims dst_shape, const OperatorChange& change = nullptr);
/// A ConvTranspose without pads, so that `change` may add auto_pad.
Operator Onnx(Dims data, Dims filter, const OperatorChange& change = nullptr);
/// The operator of Plain() with this element type.
Operator Typed(ElementType type, Dims data, Dims filter);
/// A case with one output: the sum of data[i] * filter[i], one product for each input channel.
Killer Sum(ElementType type, std::vector<double> data, std::vector<double> filter);
/// An output_shape input with these sizes.
oracle::ShapeInput Shape(Dims values);

/// The bytes of the values; an empty list stands for 1, 2, 3, ... up to `count`.
Bytes Fill(ElementType type, std::int64_t count, std::vector<double> values);
/// The result of Mistake() for a backend and a killer.
std::string MistakeOn(const std::string& backend, const Killer& killer);

/// Expects that each fault of the table is wrong on its killer, and that all correct variants are right on it. Faults
/// in `own_tests` have separate tests instead.
void ExpectKilled(std::span<const faults::Fault> table, const Killers& killers,
                  const std::set<std::string_view>& own_tests = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_FAULT_TRIAL_H_
