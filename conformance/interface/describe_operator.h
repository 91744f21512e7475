// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts an operator to the C structs of the interface, and such a description back to an operator. Backends written
// in C++ over the oracle's types use the second direction.

#ifndef DECONV_CONFORMANCE_INTERFACE_DESCRIBE_OPERATOR_H_
#define DECONV_CONFORMANCE_INTERFACE_DESCRIBE_OPERATOR_H_

#include <cstdint>
#include <string>
#include <variant>

#include "conformance/interface/deconv_backend.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

deconv_element_type_id ElementTypeId(oracle::ElementType type);
deconv_operator_id OperatorId(oracle::OperatorKind kind);

/// The description of `op`, attribute by attribute. An absent attribute is NULL; an empty list is not. The description
/// points into `op`, which must outlive it.
class OperatorDescription {
 public:
  OperatorDescription(const oracle::Operator& op, oracle::Dialect dialect);
  OperatorDescription(const OperatorDescription&) = delete;
  OperatorDescription& operator=(const OperatorDescription&) = delete;

  const deconv_operator_description& get() const { return description_; }

 private:
  std::string dialect_;
  deconv_operator_description description_{};
};

/// Returns the operator of a description, or an error that names a malformed field, such as a null list with a count or
/// an unknown enumerator. An operator that is merely invalid is no error.
std::variant<oracle::Operator, std::string> ReadOperator(const deconv_operator_description& description);

/// The bytes of a dense tensor: 0 if a dim is not positive, UINT64_MAX if there are more.
std::uint64_t TensorBytes(const oracle::TensorType& tensor);

/// Returns the dialect of a description, or an error message.
std::variant<oracle::Dialect, std::string> ReadDialect(const deconv_operator_description& description);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_DESCRIBE_OPERATOR_H_
