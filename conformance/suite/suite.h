// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suites are named lists of cases (operators with values). Each suite has a sentence that states what its cases prove
// about a backend, the library under test. A level selects how many cases of each suite run.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/xml/layer.h"

namespace conformance {

/// Smoke takes less than 10 s, gate less than a minute, full runs all cases. Each level contains the cases of the level
/// before it.
enum class Level { kSmoke, kGate, kFull };

std::string_view LevelName(Level level);
std::optional<Level> ParseLevel(std::string_view name);

/// A case with its place in a suite or file.
struct SuiteCase {
  std::string suite;
  std::string name;  ///< unique within the suite, [a-z0-9_.-]+; --filter and JUnit use "suite/name"
  Case test_case;
  std::string reason;            ///< why the case exists: its origin, a real bug, or a clause (numbered rule)
  oracle::Dims declared_output;  ///< the output shape that a file states, to compare with the oracle's; else empty
  /// For an invalid operator: a valid operator that differs in the fault alone. For an open operator, which a backend
  /// may refuse or compute: the nearest operator that must be computed. A refusal counts only if the backend computes
  /// the neighbour.
  std::optional<oracle::Operator> neighbour = std::nullopt;
  std::string file = {};  ///< the file from which the case was read, or empty
  int file_line = 0;      ///< line in this file, from 1; 0 if unknown
};

struct Suite {
  std::string_view name;
  std::string_view proves;  ///< one sentence
};

/// All suites, in the order in which they run.
std::span<const Suite> Suites();

/// The path of corpus/: $DECONV_CORPUS, else the installed folder, else the folder in the source tree of this build.
std::filesystem::path CorpusRoot();

/// The cases of a suite at a level, in a stable order. `seed` is added to the seed of each case (0: the listed cases).
std::variant<std::vector<SuiteCase>, ReadError> SuiteCases(std::string_view suite, Level level, std::uint64_t seed);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_H_
