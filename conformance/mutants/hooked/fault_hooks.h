// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes a planted fault, a backend that is wrong on purpose in one way: its name, its class, and its hooks. Planted
// faults test whether the suite finds such defects. A hook is a function or a value that changes one step of the hooked
// implementation, which is a correct plain loop without them.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULT_HOOKS_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULT_HOOKS_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/interface/deconv_backend.h"
#include "conformance/mutants/hooked/attributes.h"
#include "conformance/mutants/hooked/faulty_resolver.h"
#include "conformance/mutants/hooked/special_path.h"

namespace conformance::faults {

/// The data that one backend keeps from call to call. Faults that reuse an old filter, output or geometry find it here.
struct State {
  std::uint64_t calls = 0;
  std::uint64_t questions = 0;        ///< how often the suite called supports()
  std::vector<unsigned char> memory;  ///< bytes of an earlier filter or output
  const void* pointer = nullptr;      ///< address of an earlier filter
  std::vector<FaultyGeometry> geometries;
  std::vector<std::vector<unsigned char>> lost;  ///< memory that no call uses any more
  std::string value;                             ///< the configuration's value, if the mutant takes one (Hooks::takes)
};

/// A plan, which is an operator that is prepared once and run many times, and the geometries of its earlier runs.
struct PlanHistory {
  FaultyGeometry made_for;          ///< the operator for which the plan was prepared
  std::vector<FaultyGeometry> ran;  ///< earlier runs in order
};

/// The file descriptor on which the backend's process answers the suite. Writing to it breaks the protocol.
inline constexpr int kSuiteSocket = 3;

/// One run, after its attributes are resolved. It is the argument of hooks that touch memory, time or the process.
struct Call {
  const FaultyGeometry& geometry;
  FaultyGeometry& values;  ///< the loop reads it; sizes and offsets come from `geometry`
  deconv_run_request& request;
  State& state;
  const PlanHistory* plan = nullptr;  ///< set if the run goes through a plan
};

/// A pair of indices along one axis that contributes to an output: a tap of the filter and an element of the data.
/// Implementations that fill gaps with zeros multiply such a zero instead of the element.
struct Tap {
  std::int64_t tap = 0;
  std::int64_t data = 0;
  bool zero_data = false;    ///< a zero stands in place of the data element
  bool zero_filter = false;  ///< a zero stands in place of the filter element
};

/// One product of a sum.
struct Product {
  const TensorIndex& output;
  TensorIndex data;
  FilterIndex filter;
  int times = 1;  ///< how often it is added
};

/// The number type in which integers are multiplied and added: 64-bit integers (correct), float or double.
enum class Integers { kIntegers, kFloat, kDouble };

/// The ways to accumulate sums (sums.h). Every way is correct.
enum class Sums { kPlain, kReordered, kFused, kKahan, kDouble };

/// Hooks that change numbers. Floating-point numbers are passed as double, which represents f32, f16, bf16 and f64
/// exactly. `type` is the deconv_element_type_id of the operator. Each hook returns the number to use instead.
struct Numbers {
  double (*loads)(std::int32_t type, double operand) = nullptr;  ///< changes each element of data and filter
  double (*multiplies)(double data, double filter) = nullptr;    ///< returns the product
  double (*adds)(std::int32_t type, double sum, double product, std::int64_t nth) = nullptr;  ///< `nth` starts at 1
  double (*stores)(std::int32_t type, double sum, std::int64_t products) = nullptr;  ///< changes the unrounded sum
  std::uint64_t (*loads_integer)(std::int32_t type, std::uint64_t operand) = nullptr;
  std::uint64_t (*adds_integer)(std::int32_t type, std::uint64_t sum, std::uint64_t product) = nullptr;
  std::uint64_t (*stores_integer)(std::int32_t type, std::uint64_t sum) = nullptr;
  Integers integers = Integers::kIntegers;
  Sums sums = Sums::kPlain;
  deconv_accumulator_id accumulator = DECONV_ACCUMULATOR_F32;  ///< declared; if it is f64, sums are in f64
};

/// A message that deconv-server is about to write.
struct ServedMessage {
  std::string_view request;  ///< the request: "describe", "resolve", "supports" or "run"
  bool computed = false;     ///< the message answers a run that computed outputs
  std::string bytes;         ///< the line of JSON, followed by the output
  std::FILE* to = nullptr;   ///< where it is written
};

/// The steps of a run in order. A hook that is not set leaves its step correct.
struct Hooks {
  // Hooks of the step from attributes to geometry.
  void (*attributes)(Attributes& attributes) = nullptr;  ///< misreads attributes
  std::string_view accepts = "";  ///< the rule of faulty_resolver.cc or faulty_axes.cc that is not enforced
  void (*refusing)(const Broken& broken) = nullptr;                  ///< runs before an invalid operator is refused
  const char* (*refuses)(const FaultyGeometry& geometry) = nullptr;  ///< why to refuse a valid operator, or nullptr
  bool unsupported = false;                           ///< operators that `refuses` rejects are answered UNSUPPORTED
  void (*shape)(FaultyGeometry& geometry) = nullptr;  ///< changes sizes and values
  void (*dims)(const FaultyGeometry& geometry,
               List& dims) = nullptr;                  ///< changes only the sizes that are reported
  void (*values)(FaultyGeometry& geometry) = nullptr;  ///< changes what is summed, but no sizes and offsets

  // Hooks of the loop over outputs.
  /// Changes the taps of the output at a position along an axis; called once for each position of the axis.
  void (*taps)(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) = nullptr;
  void (*product)(const FaultyGeometry& geometry,
                  Product& product) = nullptr;  ///< changes which elements are multiplied, and how often
  void (*sum_of)(const FaultyGeometry& geometry, TensorIndex& output) = nullptr;  ///< changes whose sum is computed
  int (*times)(const FaultyGeometry& geometry,
               const TensorIndex& output) = nullptr;  ///< returns how often the sum is added: 0, 1, 2
  void (*output_index)(const FaultyGeometry& geometry, TensorIndex& output) = nullptr;  ///< changes the sum's position
  bool (*leaves)(const FaultyGeometry& geometry, const TensorIndex& output,
                 std::int64_t products) = nullptr;  ///< returns whether the output is not stored
  bool starts_from_output = false;                  ///< adds the sum to the output's old value
  Numbers numbers = {};
  SpecialPaths paths = {};

  // Hooks before and after the run, which touch memory, time or the process.
  void (*before)(Call& call) = nullptr;
  void (*after)(Call& call) = nullptr;
  bool counts_calls = false;  ///< the fault depends on the number of earlier calls

  // Hooks of what the backend declares.
  bool plans = false;   ///< offers plans
  int max_threads = 0;  ///< 0: ignores the number of threads
  void (*declares)(deconv_backend_description& description, const State& state) = nullptr;  ///< changes the declaration

  // Hooks of the interface between suite and backend.
  void (*interface)(deconv_backend& interface) = nullptr;  ///< replaces functions (faulty_backend.h has the right ones)
  void (*writes)(ServedMessage& message) = nullptr;        ///< breaks messages of the process protocol (deconv-server)
  std::string_view takes = "";  ///< the configuration of the mutant is this name, "=", and a value
};

/// One backend of the tables: a planted fault, a mutant for tests, or a correct variant.
struct Fault {
  std::string_view name;
  std::string_view mutant_class;  ///< "P1": letter and number of the class of defect
  std::string_view sentence;      ///< what the backend does wrong
  std::string_view link;          ///< a real bug of this kind, or empty
  Hooks hooks;
};

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULT_HOOKS_H_
