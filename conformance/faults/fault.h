// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults: what is known of each, and where it takes hold of the faultable implementation. Faults are entries of
// tables (*_faults.cc); an entry sets one hook, seldom two.

#ifndef DECONV_CONFORMANCE_FAULTS_FAULT_H_
#define DECONV_CONFORMANCE_FAULTS_FAULT_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/door/deconv_backend.h"
#include "conformance/faults/attributes.h"
#include "conformance/faults/plan.h"

namespace conformance::faults {

/// What one backend remembers from call to call.
struct State {
  std::uint64_t calls = 0;
  std::vector<unsigned char> memory;
};

/// A run that has been resolved: hooks that touch memory, time or the process get it.
struct Call {
  const Plan& plan;
  deconv_run_request& request;
  State& state;
  std::uint64_t hash;   ///< of the case
  std::uint64_t every;  ///< what happens "sometimes" happens where hash % every == 0

  bool chosen() const { return hash % every == 0; }
};

/// The stages of a run in order; what is not set does what is right.
struct Hooks {
  // Attributes to plan.
  void (*attributes)(Attributes& attributes) = nullptr;  ///< misread
  std::string_view accepts = "";                         ///< the rule of plan.cc that is not enforced
  const char* (*refuses)(const Plan& plan) = nullptr;    ///< a reason against a valid operator, or nullptr
  bool unsupported = false;                              ///< ... which is then called unsupported
  void (*shape)(Plan& plan) = nullptr;                   ///< changes sizes and values
  void (*values)(Plan& plan) = nullptr;                  ///< changes values; sizes and offsets have been settled

  // The loop.
  void (*data_place)(const Plan& plan, Place& place) = nullptr;          ///< which data element a product reads
  void (*filter_place)(const Plan& plan, FilterPlace& place) = nullptr;  ///< which filter element
  void (*output_place)(const Plan& plan, Place& place) = nullptr;        ///< where a sum is stored
  bool (*drops)(const Plan& plan, const FilterPlace& place) = nullptr;   ///< products left out
  bool (*zeroes)(const Plan& plan, const Place& place) = nullptr;        ///< outputs stored as 0
  bool (*leaves)(const Plan& plan, const Place& place, std::int64_t taps) = nullptr;  ///< outputs not stored at all
  bool multiplies_gaps = false;     ///< data elements of 0 in the gaps of the stride are multiplied too
  bool starts_from_output = false;  ///< adds to what the output holds

  // Numbers.
  float (*rounds)(std::int32_t type, float sum) = nullptr;  ///< after each addition of a type up to f32
  float (*stores)(std::int32_t type, float sum) = nullptr;  ///< before the sum is rounded to its type
  std::uint64_t (*stores_integer)(std::int32_t type, std::uint64_t sum) = nullptr;
  bool integers_as_floats = false;

  // The world.
  void (*before)(Call& call) = nullptr;
  void (*after)(Call& call) = nullptr;
};

struct Fault {
  std::string_view name;
  std::string_view mutant_class;  ///< "P1": letter and number of the class of defect
  std::string_view sentence;
  std::string_view link;  ///< a real bug of this kind, or empty
  Hooks hooks;
};

/// The tables, one for each stage.
std::span<const Fault> GeometryFaults();
std::span<const Fault> IndexFaults();
std::span<const Fault> ArithmeticFaults();
std::span<const Fault> RefusalFaults();
std::span<const Fault> ConductFaults();

/// "none" first, then all tables.
std::span<const Fault> Faults();
const Fault* FindFault(std::string_view name);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_FAULTS_FAULT_H_
