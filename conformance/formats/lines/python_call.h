// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a call in Python's notation: the function's name, positional and named arguments. It evaluates nothing but
// integers, texts and lists.

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

struct PythonValue {
  std::string_view source;              ///< as the line has it
  std::optional<oracle::Dims> numbers;  ///< of an integer, or of a list, whose inner lists are joined
  bool is_list = false;
  std::optional<std::string_view> text;  ///< of a quoted text
};

struct PythonArgument {
  std::string_view name;  ///< empty: positional
  PythonValue value;
};

/// The arguments of a call, by the names that its function gives them. Throws LineError.
class PythonCall {
 public:
  /// The first call in `line` of a function whose name, without the modules before it, is one of `names`.
  PythonCall(std::string_view line, std::span<const std::string_view> names);

  std::string_view name() const { return name_; }
  /// Names the positional arguments. An argument that is not in the list is an error.
  void NameArguments(std::span<const std::string_view> parameters);

  /// Nothing if the argument is absent or None.
  const PythonValue* Find(std::string_view parameter) const;
  std::int64_t Integer(std::string_view parameter, std::optional<std::int64_t> otherwise) const;
  /// A number for each of `count` axes; one number stands for all.
  oracle::Dims PerAxis(std::string_view parameter, std::size_t count, std::optional<std::int64_t> otherwise) const;
  std::string Text(std::string_view parameter, std::string_view otherwise) const;
  /// False for False and 0.
  bool Flag(std::string_view parameter, bool otherwise) const;
  /// The dims of a tensor: given for its name or for the whole call, or those of a call that makes a tensor, such as
  /// torch.randn(1, 4, 8, 8).
  oracle::Dims DimsOf(std::string_view parameter, const ImportOptions& options) const;

 private:
  std::string_view name_;
  std::vector<PythonArgument> arguments_;
};

/// The dims that the user gave under this name; an empty name is that of the data.
const oracle::Dims* GivenDims(const ImportOptions& options, std::string_view name);

/// The dims. Throws LineError if there are not `count` of them; `role` names them in its message.
oracle::Dims WithCount(oracle::Dims dims, std::size_t count, std::string_view role);

/// The type that the argument dtype names; f32 if it is absent.
oracle::ElementType FloatTypeOf(const PythonCall& call);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_LINES_PYTHON_CALL_H_
