// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A case: an operator, its dialect, the source of its values, and what judges it. Its text form is the case line, which
// every command accepts and every failure prints. Grammar: conformance/case/case_line.md.

#ifndef DECONV_CONFORMANCE_CASE_CASE_H_
#define DECONV_CONFORMANCE_CASE_CASE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/data_set.h"
#include "conformance/case/law.h"
#include "conformance/case/repetition.h"
#include "conformance/case/sweep.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// Filter values that lie in a file (an IR's .bin) instead of coming from a data set.
struct FileValues {
  std::string path;
  std::uint64_t offset = 0;                      ///< bytes
  std::optional<oracle::ElementType> stored_as;  ///< if not the filter's type (an IR's Convert)

  bool operator==(const FileValues&) const = default;
};

/// Values that the case line holds itself.
struct InlineValues {
  std::vector<std::uint64_t> bits;  ///< bits of each element, in the low bytes

  bool operator==(const InlineValues&) const = default;
};

/// Values in a .npy file, which must not have changed.
struct NpyValues {
  std::string path;
  std::uint64_t hash = 0;  ///< FNV-1a of all its bytes

  bool operator==(const NpyValues&) const = default;
};

using GivenValues = std::variant<InlineValues, NpyValues>;

struct Case {
  oracle::Operator op;
  /// The dialect that a backend with several dialects is asked for; absent: the first one of DialectsOf(op.kind).
  std::optional<oracle::Dialect> dialect;
  DataSet values = DataSet::kIntegers;
  std::uint64_t seed = 0;
  /// Flat indices, ascending: only these data elements keep the values of the data set, all others are 0. What a
  /// minimized case needs, to show which elements matter.
  std::optional<std::vector<std::int64_t>> data_only;
  std::optional<FileValues> filter_values;
  std::optional<GivenValues> given_data;    ///< instead of the data set's
  std::optional<GivenValues> given_filter;  ///< instead of the data set's; not beside filter_values
  std::optional<GivenValues> recorded;      ///< outputs that some library gave, for `judge-recorded`
  std::optional<Law> law;                   ///< judged by this law instead of by the oracle's values
  std::optional<Repetition> repeats;        ///< the step that is repeated after the outputs of both runs were right
  /// Set if this stands for all the cases of a sweep; `op` is then the first valid one among them, and the line says
  /// the sweep alone.
  std::optional<Sweep> sweep;

  oracle::Dialect EffectiveDialect() const;

  bool operator==(const Case&) const = default;
};

/// One line, no spaces, nothing that a shell would touch: "ConvolutionBackpropData:data=1,20,224,224:filter=...".
/// Attributes stand in it exactly if the operator has them; type f32, data set `integers`, seed 0 and the default
/// dialect are left out.
std::string ToLine(const Case& test_case);

/// Fills the data tensor from the data set: DataCount() elements, of which those that `data_only` leaves out are 0.
void FillData(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> bytes);
/// Sets the data elements that `data_only` leaves out to 0.
void KeepDataOnly(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> bytes);

/// The field, the text found there, and the text that was expected.
struct ParseError {
  std::string message;
};

/// Never crashes, whatever the text; limits: 64 KiB a line, 64 numbers a list.
std::variant<Case, ParseError> ParseCaseLine(std::string_view line);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_CASE_H_
