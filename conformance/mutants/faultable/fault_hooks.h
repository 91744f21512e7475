// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A planted fault: its description, and the hooks by which it changes the steps of the faultable implementation.

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULT_HOOKS_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULT_HOOKS_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/door/deconv_backend.h"
#include "conformance/mutants/faultable/attributes.h"
#include "conformance/mutants/faultable/faulty_resolver.h"
#include "conformance/mutants/faultable/special_path.h"

namespace conformance::faults {

/// What one backend remembers from call to call.
struct State {
  std::uint64_t calls = 0;
  std::uint64_t questions = 0;  ///< of supports()
  std::vector<unsigned char> memory;
  const void* pointer = nullptr;
  std::vector<FaultyGeometry> geometries;
  std::vector<std::vector<unsigned char>> lost;  ///< memory that no call uses any more
  std::string value;                             ///< of the configuration, where the mutant takes one (Hooks::takes)
};

/// A plan through which a run goes, and what it has met so far.
struct PlanHistory {
  FaultyGeometry made_for;
  std::vector<FaultyGeometry> ran;  ///< in order
};

/// The file descriptor on which the backend's process answers the suite. A mutant that writes to it breaks the
/// protocol.
inline constexpr int kSuiteSocket = 3;

/// A run that has been resolved: hooks that touch memory, time or the process get it.
struct Call {
  const FaultyGeometry& geometry;
  FaultyGeometry& values;  ///< what the loop follows; sizes and offsets are `geometry`'s
  deconv_run_request& request;
  State& state;
  const PlanHistory* plan = nullptr;  ///< of a run through a plan
};

/// What an output meets along one axis: a tap of the filter and an element of the data. A structural zero stands in for
/// either where an implementation fills gaps with zeros.
struct Tap {
  std::int64_t tap = 0;
  std::int64_t data = 0;
  bool zero_data = false;
  bool zero_filter = false;
};

/// One product of a sum.
struct Product {
  const TensorIndex& output;
  TensorIndex data;
  FilterIndex filter;
  int times = 1;  ///< how often it is added
};

/// How integers are computed.
enum class Integers { kIntegers, kFloat, kDouble };

/// How sums are kept; all are right.
enum class Sums { kPlain, kReordered, kFused, kKahan, kDouble };

/// Numbers; floating types as double, which holds them all. `type` is the operator's.
struct Numbers {
  double (*loads)(std::int32_t type, double operand) = nullptr;  ///< each element of data and filter
  double (*multiplies)(double data, double filter) = nullptr;
  double (*adds)(std::int32_t type, double sum, double product, std::int64_t nth) = nullptr;  ///< nth: from 1
  double (*stores)(std::int32_t type, double sum, std::int64_t products) = nullptr;  ///< before it is rounded to type
  std::uint64_t (*loads_integer)(std::int32_t type, std::uint64_t operand) = nullptr;
  std::uint64_t (*adds_integer)(std::int32_t type, std::uint64_t sum, std::uint64_t product) = nullptr;
  std::uint64_t (*stores_integer)(std::int32_t type, std::uint64_t sum) = nullptr;
  Integers integers = Integers::kIntegers;
  Sums sums = Sums::kPlain;
  deconv_accumulator_id accumulator = DECONV_ACCUMULATOR_F32;  ///< declared; with one of f64, sums are in f64
};

/// A message that deconv-server is about to write.
struct ServedMessage {
  std::string_view request;  ///< what was asked: "describe", "resolve", "supports" or "run"
  bool computed = false;     ///< it is the answer of a run that computed
  std::string bytes;         ///< the line, with the output behind it
  std::FILE* to = nullptr;
};

/// The steps of a run in order. A hook that is not set leaves its step correct.
struct Hooks {
  // Attributes to geometry.
  void (*attributes)(Attributes& attributes) = nullptr;  ///< misread
  std::string_view accepts = "";  ///< the rule of faulty_resolver.cc or faulty_axes.cc that is not enforced
  void (*refusing)(const Broken& broken) = nullptr;                  ///< before an invalid operator is refused
  const char* (*refuses)(const FaultyGeometry& geometry) = nullptr;  ///< a reason against a valid operator, or nullptr
  bool unsupported = false;                                          ///< ... which is then called unsupported
  void (*shape)(FaultyGeometry& geometry) = nullptr;                 ///< changes sizes and values
  void (*dims)(const FaultyGeometry& geometry,
               List& dims) = nullptr;                  ///< changes the sizes that are reported, no others
  void (*values)(FaultyGeometry& geometry) = nullptr;  ///< changes values; sizes and offsets have been settled

  // The loop.
  /// What the output at a position meets along an axis; asked once for each position of the axis.
  void (*taps)(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) = nullptr;
  void (*product)(const FaultyGeometry& geometry,
                  Product& product) = nullptr;  ///< which elements are multiplied, how often
  void (*sum_of)(const FaultyGeometry& geometry, TensorIndex& output) = nullptr;  ///< which output's sum is computed
  int (*times)(const FaultyGeometry& geometry,
               const TensorIndex& output) = nullptr;  ///< how often the sum is added: 0, 1, 2
  void (*output_index)(const FaultyGeometry& geometry, TensorIndex& output) = nullptr;  ///< where a sum is stored
  bool (*leaves)(const FaultyGeometry& geometry, const TensorIndex& output,
                 std::int64_t products) = nullptr;  ///< outputs not stored
  bool starts_from_output = false;                  ///< adds to what the output holds
  Numbers numbers = {};
  SpecialPaths paths = {};

  // The world.
  void (*before)(Call& call) = nullptr;
  void (*after)(Call& call) = nullptr;
  bool counts_calls = false;  ///< what happens depends on how many calls came before

  // The declaration.
  bool plans = false;   ///< offers plans
  int max_threads = 0;  ///< 0: ignores the number of threads
  void (*declares)(deconv_backend_description& description, const State& state) = nullptr;  ///< changes it

  // The interface.
  void (*door)(deconv_backend& door) = nullptr;      ///< replaces functions (faulty_backend.h has the right ones)
  void (*writes)(ServedMessage& message) = nullptr;  ///< breaks the process protocol, where deconv-server serves it
  std::string_view takes = "";                       ///< the configuration is this name, "=", and a value
};

struct Fault {
  std::string_view name;
  std::string_view mutant_class;  ///< "P1": letter and number of the class of defect
  std::string_view sentence;
  std::string_view link;  ///< a real bug of this kind, or empty
  Hooks hooks;
};

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTABLE_FAULT_HOOKS_H_
