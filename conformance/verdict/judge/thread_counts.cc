// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses how many threads the runs of a case ask the backend for, by the hash of the case's line. So the cases of a
// suite try many numbers, and a case that is replayed gets the same ones.

#include "conformance/verdict/judge/thread_counts.h"

#include <algorithm>
#include <cstdint>

#include "conformance/case/text/fnv.h"

namespace conformance {
namespace {

/// A number of threads of at most `most`: 2, 3, an odd number, an even number, or `most`. `hash % 5` chooses one of the
/// five. The quotient `hash / 5` then chooses the odd or even number, so that the two choices are independent.
int SeveralThreads(int most, std::uint64_t hash) {
  const std::uint64_t draw = hash / 5;
  const auto half_most = static_cast<std::uint64_t>(std::max(most / 2, 1));
  switch (hash % 5) {
    case 0:
      return std::min(2, most);
    case 1:
      return std::min(3, most);
    case 2:
      return std::min(3 + 2 * static_cast<int>(draw % half_most), most);
    case 3:
      return std::min(2 + 2 * static_cast<int>(draw % half_most), most);
    default:
      return most;
  }
}

}  // namespace

ThreadCounts ThreadsOf(const Capabilities& declared, std::string_view case_line) {
  if (declared.max_threads == 0) return {};
  Fnv1a fnv;
  fnv.Add(case_line);
  const std::uint64_t hash = fnv.value() ^ (fnv.value() >> 32);
  const int several = SeveralThreads(declared.max_threads, hash / 4);
  if (declared.deterministic != DECONV_SAME_BITS_EVERY_RUN) return {1, several};
  const int threads = hash % 4 == 0 ? 1 : several;
  return {threads, threads};
}

}  // namespace conformance
