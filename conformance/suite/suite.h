// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suites: named lists of cases. The sentence of a suite says what its cases prove.

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

enum class Level { kSmoke, kGate, kFull };  ///< < 10 s, < 60 s, everything; each contains the one before

std::string_view LevelName(Level level);
std::optional<Level> ParseLevel(std::string_view name);

struct SuiteCase {
  std::string suite;
  std::string name;  ///< unique within the suite, [a-z0-9_.-]+: what --filter and JUnit see as suite/name
  Case test_case;
  std::string reason;            ///< why it exists: origin, real bug, clause
  oracle::Dims declared_output;  ///< the output shape that a file states; checked against the oracle's; else empty
  /// An invalid operator has a valid neighbour, which differs from it in the fault alone. The neighbour of an open
  /// operator is the nearest operator that must be computed. A refusal counts only if the backend computes the
  /// neighbour.
  std::optional<oracle::Operator> neighbour = std::nullopt;
  std::string file = {};  ///< the file that it was read from, if any
  int file_line = 0;      ///< line of that file, from 1; 0: not known
};

struct Suite {
  std::string_view name;
  std::string_view proves;  ///< one sentence
};

std::span<const Suite> Suites();

/// The path of corpus/, found from $DECONV_CORPUS, then the installation, then the source tree this was built from.
std::filesystem::path CorpusRoot();

/// The cases of a suite at a level, in a stable order; `seed` is added to every case's own (0: as listed).
std::variant<std::vector<SuiteCase>, ReadError> SuiteCases(std::string_view suite, Level level, std::uint64_t seed);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_H_
