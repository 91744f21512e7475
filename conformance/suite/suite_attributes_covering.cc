// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The systematic part of suite `attributes`: a covering array for each dialect (conformance/covering/). Level smoke
// covers all pairs of classes, level gate all triples, and level full adds other values in the same classes.

#include <fmt/format.h>

#include "conformance/covering/array.h"
#include "conformance/covering/build.h"
#include "conformance/suite/suite_attributes.h"

namespace conformance {

void AddCoveringArrays(SuiteBuilder& suite) {
  constexpr std::uint64_t full_variants = 4;
  for (const oracle::Dialect dialect : oracle::kDialects) {
    const std::size_t pairs = PairsOf(dialect).size();
    const std::vector<ClassRow>& rows = suite.Includes(Level::kGate) ? TriplesOf(dialect) : PairsOf(dialect);
    for (std::uint64_t variant = 0; variant < (suite.Includes(Level::kFull) ? full_variants : 1); ++variant) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Level least = variant != 0 ? Level::kFull : (i < pairs ? Level::kSmoke : Level::kGate);
        // A row without values would be a hole in the coverage, which covering_test and suite_test look for.
        const auto draft = DraftOf(rows[i], dialect, variant);
        if (!draft) continue;
        AddOperator(suite, least, fmt::format("covering.{:04}-{}", i, variant), "covering array: " + ToText(rows[i]),
                    Build(*draft), dialect, DataSetOf(rows[i], variant));
      }
    }
  }
}

}  // namespace conformance
