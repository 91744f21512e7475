// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Simple values that fields of a case may have on all axes, such as "no pads". Random changes rarely make several axes
// simple at once. So new cases are made with a field simple, and with the field not simple.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_SIMPLE_FIELDS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_SIMPLE_FIELDS_H_

#include <span>

#include "conformance/case/random.h"
#include "conformance/case/sketch.h"

namespace conformance {

struct SimpleField {
  const char* simple;  ///< the words for a case that has the simple value: "stride == 1 on every axis"
  const char* other;   ///< the words for all other cases: "stride >= 2 on an axis"
  bool (*has)(const Sketch&);
  /// Gives the field its simple value, or another one.
  void (*change)(Sketch&, bool to_simple, Random&);
};

std::span<const SimpleField> SimpleFields();

/// Those that leave the number of axes as it is.
std::span<const SimpleField> FieldsBesideAxes();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_SIMPLE_FIELDS_H_
