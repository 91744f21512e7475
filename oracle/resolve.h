// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves an operator: computes its geometry (sizes, strides, pads) from its attributes, or refuses it if it is
// invalid. The rules are those of a dialect, which is one reading of the attributes (oracle/dialect.h). Each step and
// each refusal cites a clause, that is a numbered rule of oracle/clauses.md.

#ifndef DECONV_ORACLE_RESOLVE_H_
#define DECONV_ORACLE_RESOLVE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace oracle {

/// Order of the dimensions of data and output: [N, C, spatial] or [N, spatial, C].
enum class DataLayout { kNcx, kNxc };

/// Order of the filter's dimensions. I is the channels of the operator's data, O the channels of its output.
enum class FilterLayout {
  kIox,   ///< [C_IN (all groups), C_OUT / groups, spatial]: ConvolutionBackpropData, ConvTranspose, and "OIX" of oneDNN
  kGiox,  ///< [GROUPS, C_IN / groups, C_OUT / groups, spatial]: the same memory
  kXoi,   ///< [spatial, C_OUT / groups, C_IN (all groups)]: "XIO" of oneDNN
};

/// One spatial axis: out[stride * i + dilation * k - pads_begin] += data[i] * filter[k].
struct Axis {
  std::int64_t data = 0;
  std::int64_t kernel = 0;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pads_begin = 0;  ///< negative: the data are shifted towards higher coordinates
  std::int64_t pads_end = 0;    ///< follows from the other sizes; no output value depends on it
  std::int64_t output = 0;

  bool operator==(const Axis&) const = default;
};

/// A resolved operator: everything that the output values depend on, besides the elements of data and filter. All sizes
/// and the byte counts of the three tensors are below 2^63.
struct Geometry {
  ElementType type = ElementType::kF32;
  DataLayout layout = DataLayout::kNcx;  ///< the layout of data and output
  FilterLayout filter_layout = FilterLayout::kIox;
  std::int64_t batch = 0;
  std::int64_t groups = 1;
  std::int64_t in_channels = 0;   ///< per group
  std::int64_t out_channels = 0;  ///< per group
  std::vector<Axis> axes;         ///< outermost first

  Dims OutputDims() const;  ///< the output's shape in the operator's layout
  // The number of elements of each tensor.
  std::int64_t DataCount() const;
  std::int64_t FilterCount() const;
  std::int64_t OutputCount() const;

  bool operator==(const Geometry&) const = default;
};

/// One step of a resolution: the clause that the resolver applied, and the numbers in its formula.
struct Step {
  std::string_view clause;  ///< id, "P1"
  std::string text;         ///< "axis 0: total = 226 + 0 - 450 = -224"; empty if the caller left texts out
};

/// Why a dialect refuses an operator.
struct Refusal {
  std::string_view clause;  ///< id of the clause that the operator violates
  std::string message;      ///< names the argument, what was found, what was expected
  bool undefined = false;   ///< the dialect's document or library gives the operator no meaning: every answer is right
};

/// Whether a user of the dialect's library could not even write the operator. Example: TensorFlow requires an output
/// shape (S22). Such a refusal does not show that the library reads the attributes differently from others.
inline bool CannotBeExpressed(const Refusal& refusal) { return refusal.clause == "S22"; }

/// An open point of the operator: a backend may refuse it or compute it (oracle/open_point.h).
struct OpenPoint {
  std::string_view clause;  ///< id of the clause that leaves it open
  std::string_view point;   ///< "a batch of 0"
  std::string message;      ///< names the argument and what was found
};

/// The answer that a dialect expects of a backend, the library under test.
enum class RequiredAnswer {
  kComputed,   ///< the backend must compute the operator
  kRefused,    ///< the backend must refuse the operator
  kOpen,       ///< the backend may refuse the operator, or compute what the geometry says
  kUndefined,  ///< the dialect gives the operator no meaning: every answer is right
};

/// The result of a resolution. Exactly one of `geometry` and `refusal` is set.
struct Resolution {
  std::optional<Geometry> geometry;
  std::optional<Refusal> refusal;
  std::vector<Step> steps;      ///< up to the refusal, if there is one
  std::vector<OpenPoint> open;  ///< empty if the operator must be computed or must be refused

  bool ok() const { return geometry.has_value(); }
  RequiredAnswer required_answer() const {
    if (geometry) return open.empty() ? RequiredAnswer::kComputed : RequiredAnswer::kOpen;
    return refusal->undefined ? RequiredAnswer::kUndefined : RequiredAnswer::kRefused;
  }
};

/// Whether steps have texts. kLeftOut saves the time to format them, for callers that resolve thousands of operators a
/// second. The clauses of steps, and refusals with their messages, do not change.
enum class StepTexts { kWritten, kLeftOut };

/// Resolves `op` by the rules of `dialect`. Refuses with clause D1 if the dialect does not define the operator.
Resolution Resolve(const Operator& op, Dialect dialect, StepTexts texts = StepTexts::kWritten);

}  // namespace oracle

#endif  // DECONV_ORACLE_RESOLVE_H_
