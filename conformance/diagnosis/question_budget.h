// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Limits how many questions a diagnosis asks. A question is one case that the backend is asked to run. The limit is a
// number, not a time. So two searches on the same results ask the same questions, however busy the machine is.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_QUESTION_BUDGET_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_QUESTION_BUDGET_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>

#include "conformance/verdict/result.h"

namespace conformance {

/// The number of questions that a backend can answer in about `seconds`, by the median time of the results' cases: a
/// power of 2 between 64 and 4,096, so that a slightly slower run has the same number. Up to 512 questions may take
/// three times as long.
std::size_t QuestionsIn(double seconds, std::span<const CaseResult> results);

/// The seconds that a diagnosis may take if nobody says how many: 40, or a tenth of the time of the run. OpenVINO
/// answers about 500 questions in 40 s, and more defects need more questions.
double DefaultSeconds(double seconds_of_run);

/// The median time of the judged cases in seconds; 0 if no case was judged.
double SecondsOfCase(std::span<const CaseResult> results);

/// Counts the questions that were asked, against the limit.
struct QuestionBudget {
  static constexpr std::size_t kMost = 4096;  // a guess: a fast backend answers so many within its seconds

  std::size_t questions = kMost;
  std::size_t asked = 0;
  /// The time after which no question is asked. Only a backend that has become much slower than in its run reaches it.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// For the last few questions, which tell what is known of groups without a condition. A backend that dies often may
  /// be late by then.
  std::chrono::steady_clock::duration spare_time = std::chrono::seconds(40);
  const std::atomic<int>* interrupt = nullptr;  ///< a value other than 0 ends the diagnosis
  bool cut = false;                             ///< something was left out because the budget was used up

  bool interrupted() const { return interrupt != nullptr && *interrupt != 0; }
  bool late() const { return interrupted() || std::chrono::steady_clock::now() > deadline; }
  std::size_t left() const { return late() || asked >= questions ? 0 : questions - asked; }
  /// Allows a few more questions where all are used up.
  void Spare(std::size_t count) { questions = std::max(questions, asked + count); }
  /// Allows the spare time from now on, even if the deadline is over.
  void AllowSpareTime() {
    cut |= late();
    deadline = std::max(deadline, std::chrono::steady_clock::now() + spare_time);
  }
  /// Whether one more question may be asked; if so, it is counted.
  bool Ask() {
    if (left() == 0) {
      cut = true;
      return false;
    }
    ++asked;
    return true;
  }
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_QUESTION_BUDGET_H_
