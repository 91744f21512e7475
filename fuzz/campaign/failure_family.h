// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts failures that no planted fault explains by what is known of them without another run of the backend. Failures
// of different sorts are never one cause, except that the element type may differ.

#ifndef DECONV_FUZZ_CAMPAIGN_FAILURE_SORT_H_
#define DECONV_FUZZ_CAMPAIGN_FAILURE_SORT_H_

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/diagnosis/failure_signature.h"
#include "conformance/verdict/result.h"
#include "oracle/operator.h"

namespace fuzz {

/// The sort of a failure. The order of sorts is that of their severity: wrong outputs stand before refusals, and
/// failures that every backend should mend before those that a declaration excuses or that the documents leave open.
struct FailureSort {
  conformance::CauseKind kind = conformance::CauseKind::kWrongOutput;
  bool vanished = false;  ///< the failure did not happen again
  std::string excuse;     ///< the meaning of the declaration that would excuse the failure; empty: none would
  bool open = false;      ///< the documents leave the operator open: the backend may refuse it
  conformance::FailureSignature signature;
  std::string implementation;  ///< the code that ran, if the backend names it
  /// The type of wrong outputs, because an implementation often belongs to a type. Refusals of all types are one sort.
  oracle::ElementType type = oracle::ElementType::kF32;

  auto operator<=>(const FailureSort&) const = default;
  /// Whether failures of both sorts may have one cause.
  bool MayBeCauseOf(FailureSort other) const {
    other.type = type;
    return *this == other;
  }
};

/// The sort of a failed case.
FailureSort SortOf(const conformance::CaseResult& result);

/// Failures of one sort that have no cause yet.
class SortedFailures {
 public:
  /// Adds a failure. Within a sort, cases of plain values (small integers) come first, then short cases.
  void Add(std::size_t case_index, const conformance::CaseResult& result, bool vanished);
  /// The number of sorts that have failures without a cause.
  std::size_t sorts() const;

  /// A failure whose cause is to be found next, and the number of causes that its sort has already. Each sort gets its
  /// first turn before a sort gets its second one.
  struct Next {
    std::size_t case_index = 0;
    FailureSort sort;
    std::size_t causes = 0;
  };
  /// Removes the next failure. There must be one.
  Next TakeNext();
  /// Counts a new cause of `sort`, and removes its failures: those for which `is_alike` is true, of all sorts with
  /// which `sort` may have a common cause. Not to be called for a failure that a known cause explains.
  template <class IsAlike>
  std::vector<std::size_t> TakeAlike(const FailureSort& sort, const IsAlike& is_alike) {
    std::vector<std::size_t> taken;
    for (OfSort& of : sorts_) {
      if (of.sort == sort) ++of.causes;
      if (!sort.MayBeCauseOf(of.sort)) continue;
      std::erase_if(of.failures, [&](const Failure& failure) {
        const bool alike = is_alike(failure.case_index);
        if (alike) taken.push_back(failure.case_index);
        return alike;
      });
    }
    return taken;
  }

 private:
  struct Failure {
    bool plain = false;
    std::size_t length = 0;  ///< of the case line
    std::size_t case_index = 0;
  };
  struct OfSort {
    FailureSort sort;
    std::vector<Failure> failures;
    std::size_t turns = 0;   ///< failures that were taken by TakeNext()
    std::size_t causes = 0;  ///< new causes that were made of them
  };
  std::vector<OfSort> sorts_;  ///< in their order
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_FAILURE_SORT_H_
