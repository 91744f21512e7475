// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the declaration of arithmetic that a backend lacks. It keeps the outputs of the tried cases, and judges them
// again by each looser declaration. A word is proposed only if these verdicts support it.

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

class ArithmeticCheck {
 public:
  explicit ArithmeticCheck(Capabilities declared) : declared_(std::move(declared)) {}

  /// `outputs`: of each run of the case, complete. `is_right`: the judge's verdict by the backend's own declaration.
  void Add(const ArithmeticCase& tried, bool is_right, std::vector<Bytes> outputs);

  /// The declaration by which the most topics are right, with the fewest changes. It is the backend's own declaration
  /// if no change explains a topic.
  Capabilities Proposal();

  struct Tested {
    /// Names of cases that are wrong by the backend's own declaration, and right by the tested one.
    std::set<std::string> excused;
    bool spoils = false;  ///< a case that is right by the backend's own declaration becomes wrong

    bool Supports() const { return !excused.empty() && !spoils; }
  };
  /// Judges all cases by this declaration.
  Tested Test(const Capabilities& tested);

 private:
  struct Tried {
    ArithmeticTopic topic = ArithmeticTopic::kBase;
    SuiteCase suite_case;
    bool is_right = false;
    std::vector<Bytes> outputs;

    oracle::ElementType type() const { return suite_case.test_case.op.data.type; }
  };
  enum class Values { kExplained, kMayBeAny };
  /// Whether the case is right by each of the declarations. `kExplained`: an output of which a declaration allows any
  /// value is wrong.
  std::vector<bool> RightBy(const Tried& tried, std::span<const Capabilities* const> declarations,
                            Values values = Values::kExplained);
  Capabilities ProposalFor(oracle::ElementType type);
  Capabilities Joined(const Capabilities& proposal) const;

  Capabilities declared_;
  std::vector<Tried> tried_;
  TrialSetup setup_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_ARITHMETIC_CHECK_H_
