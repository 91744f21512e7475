// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses a function call in Python: the function's name, positional and named arguments. Only integers, strings and
// lists are evaluated; other expressions are kept as text. The import of lines of PyTorch, Keras and TensorFlow uses
// it.

#ifndef DECONV_CONFORMANCE_FORMATS_LINES_PYTHON_CALL_H_
#define DECONV_CONFORMANCE_FORMATS_LINES_PYTHON_CALL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/formats/import_model.h"
#include "oracle/operator.h"

namespace conformance::formats {

/// The value of an argument.
struct PythonValue {
  std::string_view source;              ///< the text of the argument
  std::optional<oracle::Dims> numbers;  ///< of an integer or a list; inner lists are concatenated
  bool is_list = false;
  std::optional<std::string_view> text;  ///< of a quoted text
};

struct PythonArgument {
  std::string_view name;  ///< empty: positional
  PythonValue value;
};

/// The arguments of a call by the names of the function's parameters. All functions throw LineError.
class PythonCall {
 public:
  /// Parses the first call in `line` whose function has one of `names`. A module before the name is ignored.
  PythonCall(std::string_view line, std::span<const std::string_view> names);

  std::string_view name() const { return name_; }
  /// Gives the positional arguments the names of `parameters`, in order. An argument with another name is an error.
  void NameArguments(std::span<const std::string_view> parameters);

  /// The argument; nullptr if it is absent or None.
  const PythonValue* Find(std::string_view parameter) const;
  // If the argument is absent, these functions return `default_value`, or throw if there is none.
  std::int64_t Integer(std::string_view parameter, std::optional<std::int64_t> default_value) const;
  /// A number for each of `count` axes. A single number is used for all axes.
  oracle::Dims PerAxis(std::string_view parameter, std::size_t count, std::optional<std::int64_t> default_value) const;
  std::string Text(std::string_view parameter, std::string_view default_value) const;
  /// False for False and 0.
  bool Flag(std::string_view parameter, bool default_value) const;
  /// The dims of a tensor argument: those that the user gave in `options`, or those of a call that makes a tensor, such
  /// as torch.randn(1, 4, 8, 8).
  oracle::Dims DimsOf(std::string_view parameter, const ImportOptions& options) const;

 private:
  std::string_view name_;
  std::vector<PythonArgument> arguments_;
};

/// The dims that the user gave under this name (empty: the data); nullptr if there are none.
const oracle::Dims* GivenDims(const ImportOptions& options, std::string_view name);

/// Returns `dims`. Throws LineError if their number is not `count`; the message calls them `role`.
oracle::Dims WithCount(oracle::Dims dims, std::size_t count, std::string_view role);

/// The type that the argument dtype names; f32 if it is absent.
oracle::ElementType FloatTypeOf(const PythonCall& call);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_LINES_PYTHON_CALL_H_
