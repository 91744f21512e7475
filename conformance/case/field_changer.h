// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes new cases from known ones: it changes one field at random. Fuzzers and the search for causes use it.

#ifndef DECONV_CONFORMANCE_CASE_FIELD_CHANGER_H_
#define DECONV_CONFORMANCE_CASE_FIELD_CHANGER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/random.h"
#include "conformance/case/sketch.h"

namespace conformance {

class FieldChanger {
 public:
  /// Operators and element types that a new case may have.
  struct Choices {
    std::vector<oracle::OperatorKind> kinds = {oracle::kOperatorKinds.begin(), oracle::kOperatorKinds.end()};
    std::vector<oracle::ElementType> types = {oracle::kNumericTypes.begin(), oracle::kNumericTypes.end()};
  };

  FieldChanger(Choices choices, std::uint64_t seed) : choices_(std::move(choices)), random_(seed) {}

  /// Numbers that are tried most, with their neighbours.
  void Prefer(std::vector<std::int64_t> numbers) { preferred_ = std::move(numbers); }

  /// Values stay plain: `taps` where its sums are exact, else `integers`. They show every wrong index.
  void KeepPlain() { plain_ = true; }

  /// Changes a size or an attribute of an axis, channels, values, a spelling, the output shape or the operator. Fields
  /// that depend on it follow. `other`: a group of fields may be taken from it instead.
  void ChangeOneField(Sketch& sketch, const Sketch& other);

  /// Takes an axis, the channels, the values, or everything but these from another case.
  void Borrow(Sketch& sketch, const Sketch& other);

  /// A copy with one to three fields changed.
  Sketch Changed(const Sketch& from, const Sketch& other);

  /// A copy of a case whose parts need not fit each other: one number or one list is changed.
  Case WithOneNumberChanged(const Case& from);

  Random& random() { return random_; }

 private:
  std::size_t Below(std::size_t count) { return random_.Below(count); }
  std::int64_t SizeNear(std::int64_t now);
  std::int64_t PadNear(std::int64_t now);
  void ChangeAxis(Sketch& sketch);
  void ChangeAxes(Sketch& sketch);
  void ChangeChannels(Sketch& sketch);
  void ChangeValues(Sketch& sketch);
  void ChangeSpelling(Sketch& sketch);
  void ChangeShape(Sketch& sketch);
  void ChangeOperator(Sketch& sketch);

  Choices choices_;
  Random random_;
  std::vector<std::int64_t> preferred_;
  bool plain_ = false;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FIELD_CHANGER_H_
