// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes new cases from known cases by changing fields at random. Fuzzers and the search for causes use it.

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

  /// Sets numbers that changed sizes and pads get more often, or their neighbours (one less, one more).
  void PreferNumbers(std::vector<std::int64_t> numbers) { preferred_ = std::move(numbers); }

  /// All new cases get data set `taps` where its sums are exact, else `integers`. These sets show every wrong index.
  void UsePlainDataSets() { plain_ = true; }

  /// Changes one field of the sketch: an attribute of an axis, channels, values, a spelling, the output shape or the
  /// operator. Dependent fields change along. Sometimes it copies a group of fields from `other` instead (CopyFields).
  void ChangeOneField(Sketch& sketch, const Sketch& other);

  /// Copies from `other` either one axis, or the channels, or the values, or all fields but axes and batch.
  void CopyFields(Sketch& sketch, const Sketch& other);

  /// A copy with one to three fields changed.
  Sketch Changed(const Sketch& from, const Sketch& other);

  /// A copy of `from` with one number or one list changed. The parts of the new case need not fit each other.
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
