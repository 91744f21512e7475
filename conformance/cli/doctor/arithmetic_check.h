// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the declaration of arithmetic that a backend lacks. A declaration says how the backend computes, such as "sums
// in f16", and a looser one allows larger errors. The class stores the outputs of the tried cases and judges them again
// with looser declarations. A declaration is proposed only if it makes wrong cases right.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_ARITHMETIC_CHECK_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_ARITHMETIC_CHECK_H_

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cli/doctor/arithmetic_cases.h"
#include "conformance/interface/backend.h"
#include "conformance/verdict/judge/trial_setup.h"

namespace conformance {

using Bytes = std::vector<std::byte>;

/// The tried cases of a backend and their outputs.
class ArithmeticCheck {
 public:
  explicit ArithmeticCheck(Capabilities declared) : declared_(std::move(declared)) {}

  /// Adds a tried case. `outputs`: the complete outputs of each run. `is_right`: the verdict with the backend's own
  /// declaration.
  void Add(const ArithmeticCase& tried, bool is_right, std::vector<Bytes> outputs);

  /// Returns the declaration that makes the most topics right with the fewest changes. A topic is a group of cases,
  /// such as all sums along channels. Returns the backend's own declaration if no change makes a topic right.
  Capabilities Proposal();

  /// The verdicts that a tested declaration changes, among the tried cases.
  struct Tested {
    /// Names of cases that are wrong with the backend's own declaration, and right with the tested one.
    std::set<std::string> excused;
    bool spoils = false;  ///< a case that is right by the backend's own declaration becomes wrong

    /// Whether the tried cases speak for the declaration.
    bool Supports() const { return !excused.empty() && !spoils; }
  };
  /// Judges all cases with this declaration.
  Tested Test(const Capabilities& tested);

 private:
  struct JudgedOutputs {
    ArithmeticTopic topic = ArithmeticTopic::kBase;
    SuiteCase suite_case;
    bool is_right = false;
    std::vector<Bytes> outputs;

    oracle::ElementType type() const { return suite_case.test_case.op.data.type; }
  };
  /// Whether a right output must be explained by the declaration, or may be allowed because any value would be.
  enum class Values { kExplained, kMayBeAny };
  /// Returns for each declaration whether the case is right by it. With kExplained, a case is wrong if the declaration
  /// would allow any value of a differing output.
  std::vector<bool> IsRightByEach(const JudgedOutputs& tried, std::span<const Capabilities* const> declarations,
                                  Values values = Values::kExplained);
  Capabilities ProposalFor(oracle::ElementType type);
  Capabilities Joined(const Capabilities& proposal) const;

  Capabilities declared_;
  std::vector<JudgedOutputs> tried_;
  TrialSetup setup_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_ARITHMETIC_CHECK_H_
