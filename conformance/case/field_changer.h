// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes new cases from known cases by changing fields at random. Fuzzers use it, and so does the diagnosis, which
// searches for the causes of failures. It changes sketches: a sketch is a case as plain fields, such as the stride of
// an axis.

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

  /// Sets preferred numbers. Sizes and pads that change often get one of these, or one less or one more.
  void PreferNumbers(std::vector<std::int64_t> numbers) { preferred_ = std::move(numbers); }

  /// From now on a new case gets data set `taps` if its sums are exact, else `integers`. Both show every wrong index.
  void UsePlainDataSets() { uses_plain_data_sets_ = true; }

  /// Changes one field of the sketch: an attribute of an axis, channels, values, a spelling, the output shape or the
  /// operator. Dependent fields change along. Sometimes it copies a group of fields from `other` instead (CopyFields).
  void ChangeOneField(Sketch& sketch, const Sketch& other);

  /// Copies from `other` either one axis, or the channels, or the values, or all fields but axes and batch.
  void CopyFields(Sketch& sketch, const Sketch& other);

  /// A copy of `from` with one to three fields changed, or copied from `other`. FitSketch makes it valid.
  Sketch Changed(const Sketch& from, const Sketch& other);

  /// The sketch without values and repetitions that fit only the tensors of an older case, and with a data set that is
  /// defined for its type.
  Sketch WithFittingValues(Sketch sketch) const;

  /// A copy of `from` with one number or one list changed. The parts of the new case need not fit each other.
  Case WithOneNumberChanged(const Case& from);

  Random& random() { return random_; }
  const Choices& choices() const { return choices_; }

 private:
  std::size_t Below(std::size_t count) { return random_.Below(count); }
  std::int64_t SizeNear(std::int64_t from);
  std::int64_t PadNear(std::int64_t from);
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
  bool uses_plain_data_sets_ = false;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FIELD_CHANGER_H_
