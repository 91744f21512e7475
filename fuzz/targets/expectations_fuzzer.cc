// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the reader and the writer of expectations, which are TOML files of a backend's known failures. The
// writer changes an existing text and must not break it. The reader must refuse a text, or the writer must be able to
// change it in three ways. If all entries are removed, the text has none any more. If each entry is written twice, or
// with another number of failures, all entries keep their meaning.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/run/update_expectations.h"
#include "fuzz/cases/require.h"

namespace {

/// Requires that each entry can be replaced by two copies of itself, as if it were divided into two entries.
void RequireDivisible(std::string_view toml, const std::vector<conformance::Expectation>& expectations) {
  conformance::ExpectationsUpdate update;
  for (std::size_t i = 0; i < expectations.size(); ++i) update.divided[i] = {expectations[i], expectations[i]};
  const std::string text = conformance::UpdatedExpectations(toml, expectations, update);
  const auto read = conformance::ReadExpectations(text);
  const auto* entries = std::get_if<std::vector<conformance::Expectation>>(&read);
  fuzz::Require(entries != nullptr && entries->size() == 2 * expectations.size(),
                "entries were written twice: " + text);
  for (std::size_t i = 0; i < entries->size(); ++i) {
    conformance::Expectation entry = (*entries)[i];  // entries 2 * i and 2 * i + 1 are the copies of expectation i
    entry.line = expectations[i / 2].line;           // only the line numbers may differ
    entry.failures_line = expectations[i / 2].failures_line;
    fuzz::Require(entry == expectations[i / 2], "an entry was written anew and means something else: " + text);
  }
}

/// Requires that each number of failures can be replaced, and that nothing else changes.
void RequireRecountable(std::string_view toml, const std::vector<conformance::Expectation>& expectations) {
  constexpr std::int64_t kNewCount = 123456789;  // a number that no entry is likely to have
  conformance::ExpectationsUpdate update;
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    if (expectations[i].failures) update.recounted.push_back({i, kNewCount});
  }
  const std::string text = conformance::UpdatedExpectations(toml, expectations, update);
  const auto read = conformance::ReadExpectations(text);
  const auto* entries = std::get_if<std::vector<conformance::Expectation>>(&read);
  fuzz::Require(entries != nullptr && entries->size() == expectations.size(), "numbers were written anew: " + text);
  for (std::size_t i = 0; i < entries->size(); ++i) {
    conformance::Expectation entry = expectations[i];
    if (entry.failures) entry.failures = kNewCount;
    fuzz::Require((*entries)[i] == entry, "a number was written anew, and more has changed: " + text);
  }
}

/// Requires that all entries can be removed.
void RequireRemovable(std::string_view toml, const std::vector<conformance::Expectation>& expectations) {
  conformance::ExpectationsUpdate update;
  update.removed.resize(expectations.size());
  std::iota(update.removed.begin(), update.removed.end(), std::size_t{0});
  const std::string rest = conformance::UpdatedExpectations(toml, expectations, update);
  const auto read = conformance::ReadExpectations(rest);
  const auto* entries = std::get_if<std::vector<conformance::Expectation>>(&read);
  fuzz::Require(entries != nullptr && entries->empty(),
                "entries were taken out of a file, and what is left is: " + rest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view toml(reinterpret_cast<const char*>(bytes), size);
  const auto read = conformance::ReadExpectations(toml);
  if (const auto* expectations = std::get_if<std::vector<conformance::Expectation>>(&read)) {
    RequireRemovable(toml, *expectations);
    RequireDivisible(toml, *expectations);
    RequireRecountable(toml, *expectations);
  }
  return 0;
}
