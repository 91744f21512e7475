// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: runs a backend (an implementation of transposed convolution) on one operator in this process, and compares
// its output bit by bit with the oracle's gather loop, which computes each output as the sum of its products. Checks
// planted faults in this way.

#ifndef DECONV_CONFORMANCE_TESTING_BACKEND_TRIAL_H_
#define DECONV_CONFORMANCE_TESTING_BACKEND_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/mutants/faults/fault.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace conformance {

using Bytes = std::vector<std::byte>;

/// The bytes of the values, each rounded to the type.
Bytes ElementsOf(oracle::ElementType type, const std::vector<double>& values);
/// Integers from -2 to 2 without 0 (1 and 2 for unsigned types), which depend on the seed.
Bytes SmallIntegers(oracle::ElementType type, std::int64_t count, std::uint64_t seed);

/// Runs the backend twice. The output buffer is filled with another byte before each run, and known bytes (canaries)
/// lie around it. Returns an empty string if the answer is right, else the first mistake. A right answer has the bits
/// of the gather loop, or is a refusal if the oracle refuses. If the specification leaves the operator open, both runs
/// must compute or both refuse.
std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect, const Bytes& data,
                    const Bytes& filter);
/// The same for data and filter from SmallIntegers().
std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect);

/// Opens a backend. Prints the error and aborts if that is not possible.
std::unique_ptr<Backend> OpenOrAbort(std::string_view name);

// The planted faults are plain loops that are wrong on purpose in one way. The killer of a fault is a small case on
// which the plain loop is right without the fault and wrong with it.

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

#endif  // DECONV_CONFORMANCE_TESTING_BACKEND_TRIAL_H_
