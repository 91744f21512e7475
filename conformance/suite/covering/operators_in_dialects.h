// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists each kind of operator in each dialect (reading of its attributes) that defines it, as the parameter of a test.
// Such a test runs once for each element of the list.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_OPERATORS_IN_DIALECTS_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_OPERATORS_IN_DIALECTS_H_

#include <ostream>
#include <string>
#include <vector>

#include "oracle/dialect.h"

namespace conformance {

struct OperatorInDialect {
  oracle::OperatorKind kind;
  oracle::Dialect dialect;

  friend std::ostream& operator<<(std::ostream& out, const OperatorInDialect& self) {
    return out << OperatorKindName(self.kind) << " in " << DialectName(self.dialect);
  }
};

inline std::vector<OperatorInDialect> OperatorsInDialects() {
  std::vector<OperatorInDialect> all;
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) all.push_back({kind, dialect});
  }
  return all;
}

/// Makes the name of a parameterized test from its operator and dialect.
struct OperatorTestName {
  template <class ParamInfo>
  std::string operator()(const ParamInfo& info) const {
    std::string name =
        std::string(OperatorKindName(info.param.kind)) + "In" + std::string(DialectName(info.param.dialect));
    std::erase(name, '-');
    return name;
  }
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_OPERATORS_IN_DIALECTS_H_
