// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A case is one test of a backend: an operator, its dialect, the source of its values, and how the outputs are judged.
// The dialect is the document or library whose reading of the attributes counts. Expected values judge the outputs, or
// a law (a relation between the outputs of related operators). The text form of a case is the case line. Every command
// accepts case lines, and every failure prints one. Their grammar: conformance/case/case_line.md.

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

/// Filter values from a file (the .bin of an OpenVINO IR) instead of a data set.
struct FileValues {
  std::string path;
  std::uint64_t offset = 0;  ///< bytes
  /// The type in the file, if it differs from the filter's. In an IR an operator Convert states this.
  std::optional<oracle::ElementType> stored_as;

  bool operator==(const FileValues&) const = default;
};

/// Values that stand in the case line itself.
struct InlineValues {
  std::vector<std::uint64_t> bits;  ///< of each element, in the low bytes of its word

  bool operator==(const InlineValues&) const = default;
};

/// Values in a .npy file. The hash proves that the file has not changed.
struct NpyValues {
  std::string path;
  std::uint64_t hash = 0;  ///< FNV-1a of all bytes of the file

  bool operator==(const NpyValues&) const = default;
};

/// Values that the case names itself, instead of those of its data set.
using GivenValues = std::variant<InlineValues, NpyValues>;

struct Case {
  oracle::Operator op;
  /// The dialect that a backend with several dialects is asked for; absent: the first one of DialectsOf(op.kind).
  std::optional<oracle::Dialect> dialect;
  DataSet values = DataSet::kIntegers;  ///< the rule for the values of data and filter
  std::uint64_t seed = 0;               ///< selects one of the tensors that the data set can give
  /// Flat indices, ascending: only these data elements keep their values, all others are 0. A minimized case shows in
  /// this way which elements matter.
  std::optional<std::vector<std::int64_t>> data_only;
  std::optional<FileValues> filter_values;
  std::optional<GivenValues> given_data;    ///< instead of the data set's
  std::optional<GivenValues> given_filter;  ///< instead of the data set's; not beside filter_values
  std::optional<GivenValues> recorded;      ///< outputs that a library computed earlier, for `judge-recorded`
  std::optional<Law> law;                   ///< this law judges the outputs, instead of the oracle's values
  std::optional<Repetition> repeats;        ///< further runs, after the outputs of the two ordinary runs were right
  /// Set if this case stands for all cases of a sweep. `op` is then their first valid operator, and the case line
  /// names only the sweep.
  std::optional<Sweep> sweep;

  /// The dialect of the case, or the default one: the first of DialectsOf(op.kind).
  oracle::Dialect EffectiveDialect() const;

  bool operator==(const Case&) const = default;
};

/// The case line: one line without spaces, newline, or characters that a shell interprets. Example:
/// "ConvolutionBackpropData:data=1,20,224,224:filter=...". It contains exactly the attributes that the operator has. It
/// leaves out the defaults: type f32, data set `integers`, seed 0 and the default dialect.
std::string ToLine(const Case& test_case);

/// Fills the data tensor (DataCount() elements) from the data set. Elements whose index is not in `data_only` are 0.
void FillData(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> bytes);
/// Sets data elements whose index is not in `data_only` to 0. Without `data_only` it changes nothing.
void KeepDataOnly(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> bytes);

/// Why a text is no case line. The message names the field, what was found there, and what was expected.
struct ParseError {
  std::string message;
};

/// Parses a case line or the line of a sweep. Any text is safe. Limits: 64 KiB a line, 64 numbers a list.
std::variant<Case, ParseError> ParseCaseLine(std::string_view line);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_CASE_H_
