// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Declares the tables of planted faults (*_faults.cc), of mutants for tests and of correct variants. Finds a fault by
// its name, and joins several faults in one backend. A planted fault is a backend that is wrong on purpose in one way;
// it tests whether the suite finds such a defect. A row of a table is one fault: it sets one hook of the hooked
// implementation, a correct plain loop, or sometimes two.

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTS_FAULT_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTS_FAULT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/hooked/fault_hooks.h"

namespace conformance::faults {

/// The tables, one for each theme, in the order of the steps of a run: from pads and sizes to sums and the process.
std::span<const Fault> PadFaults();
std::span<const Fault> GeometryFaults();
std::span<const Fault> ShapeFaults();
std::span<const Fault> LayoutFaults();
std::span<const Fault> AxisFaults();
std::span<const Fault> AxesMixingFaults();
std::span<const Fault> PhaseFaults();
std::span<const Fault> IndexFaults();
std::span<const Fault> ChannelFaults();
std::span<const Fault> TailFaults();
std::span<const Fault> SizeFaults();
std::span<const Fault> OpenFaults();
std::span<const Fault> ArithmeticFaults();
std::span<const Fault> RoundingFaults();
std::span<const Fault> SpecialFaults();
std::span<const Fault> IntegerFaults();
std::span<const Fault> RefusalFaults();
std::span<const Fault> AcceptanceFaults();
std::span<const Fault> MemoryFaults();
std::span<const Fault> ConductFaults();
std::span<const Fault> StateFaults();
std::span<const Fault> PathFaults();

/// All faults. The command `deconv-cts power` measures how many of them the suite finds.
std::span<const Fault> Faults();

/// Mutants for tests of the suite itself. `power` does not count them, because they have no defect of an operator. They
/// declare something, break the interface or the process protocol, or misbehave in cases that a test chooses. There is
/// one table for each kind of change.
std::span<const Fault> DeclarationMutants();
std::span<const Fault> SupportsMutants();
std::span<const Fault> RunMutants();
std::span<const Fault> ProtocolMutants();

/// A row of the tables of planted faults. `mutant_class`: a letter and a number for the kind of defect, such as P1 ("an
/// odd total of pads is split wrongly"); diagnosis/class_title.cc has the titles. `sentence`: what the backend does
/// wrong. `link`: a real bug of this kind.
constexpr Fault Planted(std::string_view name, std::string_view mutant_class, std::string_view sentence,
                        const Hooks& hooks, std::string_view link = "") {
  return {.name = name, .mutant_class = mutant_class, .sentence = sentence, .link = link, .hooks = hooks};
}

/// A row of the tables of mutants for tests.
constexpr Fault Mutant(std::string_view name, std::string_view sentence, const Hooks& hooks,
                       std::string_view link = "") {
  return Planted(name, "", sentence, hooks, link);
}

/// All mutants for tests.
std::span<const Fault> Mutants();

/// Correct variants that look like faults; the first is "none". The suite must pass all of them. Variants with the hook
/// `refuses` compute the same values as "none".
std::span<const Fault> CorrectVariants();

/// The fault, correct variant or mutant with this name, or a combination such as "filter_flipped+bf16_truncated".
/// Returns nullptr if there is none.
const Fault* FindFault(std::string_view name);

// Several faults in one backend, which is then wrong in several ways: "filter_flipped+bf16_truncated".

/// The character between the names of faults.
inline constexpr char kAndAlso = '+';

/// One fault with the hooks of several. A fault that sets the same hook as an earlier one cannot be joined.
class CombinedFault {
 public:
  /// A fault that is not joined, and the earlier fault that sets the same hook.
  struct LeftOut {
    const Fault* fault = nullptr;
    const Fault* beside = nullptr;
  };

  /// Joins the faults in their order, as far as possible.
  explicit CombinedFault(std::span<const Fault* const> faults);
  CombinedFault(const CombinedFault&) = delete;
  CombinedFault& operator=(const CombinedFault&) = delete;

  const Fault& fault() const { return fault_; }
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  std::string name_;
  std::string sentence_;
  Fault fault_{};
  std::vector<LeftOut> left_out_;
};

/// The combination with this name, such as a user gives. It is made at the first call and never freed, like the rows of
/// the tables. Returns nullptr if a name is unknown, or if two faults set the same hook.
const Fault* FindCombinedFault(std::string_view names);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTS_FAULT_H_
