// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes new cases: copies a known case and changes a few fields that are chosen at random.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_VARY_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_VARY_H_

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "conformance/diagnosis/conditions/condition.h"
#include "conformance/diagnosis/conditions/sketch.h"
#include "conformance/door/backend.h"

namespace conformance {

class Varier {
 public:
  Varier(const Capabilities& declared, std::uint64_t seed) : declared_(declared), random_(seed) {}

  /// Numbers that statements mention; they and their neighbours are tried most.
  void Prefer(std::vector<std::int64_t> numbers) { preferred_ = std::move(numbers); }

  /// Values stay plain: `taps` where its sums are exact, else `integers`. They show every wrong index.
  void KeepPlain() { plain_ = true; }

  /// A copy with one to three fields changed. `other`: from which whole groups of fields may be taken.
  Sketch Vary(const Sketch& from, const Sketch& other);

  std::size_t Below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

 private:
  std::int64_t SizeNear(std::int64_t now);
  std::int64_t PadNear(std::int64_t now);
  void Change(Sketch& sketch, const Sketch& other);
  void ChangeAxis(Sketch& sketch);
  void ChangeAxes(Sketch& sketch);
  void ChangeChannels(Sketch& sketch);
  void ChangeValues(Sketch& sketch);
  void ChangeSpelling(Sketch& sketch);
  void ChangeShape(Sketch& sketch);
  void ChangeOperator(Sketch& sketch);
  void Borrow(Sketch& sketch, const Sketch& other);

  const Capabilities& declared_;
  std::mt19937_64 random_;
  std::vector<std::int64_t> preferred_;
  bool plain_ = false;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_VARY_H_
