// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the clauses that the resolvers cite. A clause is a numbered rule of oracle/clauses.md. A resolver computes
// sizes and pads from an operator's attributes, and cites a clause for each step and each refusal. Code that cites an
// id outside of these lists does not compile, so a typing error cannot reach a message. refusal_test shows a refusal by
// each refusing clause. clause_test checks that clauses.md has each clause of the lists.

#ifndef DECONV_ORACLE_CITED_CLAUSE_H_
#define DECONV_ORACLE_CITED_CLAUSE_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace oracle {

/// Clauses that a refusal can cite.
inline constexpr auto kRefusingClauses = std::to_array<std::string_view>(
    {"D1",  "D3",  "T2",  "T3",  "T4",  "T5",  "T6",  "T8",  "S1",  "S2",  "S3",  "S5",  "S6",  "S7",  "S9", "S10",
     "S11", "S12", "S13", "S14", "S16", "S18", "S19", "S21", "S22", "A1",  "A2",  "A3",  "A4",  "A5",  "A9", "A10",
     "A11", "A13", "A14", "A16", "A17", "A19", "A22", "A23", "P16", "P21", "P23", "P26", "P28", "P29", "O1", "O2"});

/// Clauses that only steps cite: no resolver refuses an operator by them.
inline constexpr auto kStepClauses =
    std::to_array<std::string_view>({"T1",  "S4",  "S15", "S20", "A6",  "A7",  "A8",  "A12", "A18", "A20", "A21", "P1",
                                     "P2",  "P3",  "P4",  "P5",  "P6",  "P7",  "P8",  "P9",  "P10", "P11", "P12", "P13",
                                     "P14", "P15", "P17", "P18", "P19", "P20", "P22", "P24", "P25", "P27"});

/// The id of a clause in kRefusingClauses. Another id does not compile, because a consteval function must not throw.
class RefusingClause {
 public:
  consteval RefusingClause(const char* id) : id_(id) {
    if (std::ranges::find(kRefusingClauses, id_) == kRefusingClauses.end()) throw "a clause that is not registered";
  }
  constexpr std::string_view id() const { return id_; }

 private:
  std::string_view id_;
};

/// The id of a clause in either list. Another id does not compile.
class CitedClause {
 public:
  consteval CitedClause(const char* id) : id_(id) {
    if (std::ranges::find(kStepClauses, id_) == kStepClauses.end() &&
        std::ranges::find(kRefusingClauses, id_) == kRefusingClauses.end()) {
      throw "a clause that is not registered";
    }
  }
  constexpr CitedClause(RefusingClause clause) : id_(clause.id()) {}
  constexpr std::string_view id() const { return id_; }

 private:
  std::string_view id_;
};

}  // namespace oracle

#endif  // DECONV_ORACLE_CITED_CLAUSE_H_
