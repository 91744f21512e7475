// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves an operator for the hooked implementation, the plain loop in which faults are planted: attributes become
// sizes and offsets, or a refusal. The code was written from the documents, independently of the resolvers of the
// oracle and the kernel.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_RESOLVER_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_RESOLVER_H_

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/mutants/hooked/attributes.h"

namespace conformance::faults {

// The first rule that an operator breaks. The two parts of the resolver, for the whole operator and for one axis, check
// rules with RuleChecker.

/// The name of a rule ("pads", "lengths:strides", ...) and a message that says what broke it.
struct Broken {
  std::string_view rule;
  std::string message;
};

/// Base class of resolvers, which stop at the first broken rule.
class RuleChecker {
 protected:
  /// Returns `holds`. If it is false, records the rule as broken.
  bool Require(std::string_view rule, bool holds, std::string message) {
    if (holds) return true;
    broken_ = Broken{.rule = rule, .message = std::move(message)};
    return false;
  }

  std::optional<Broken> broken_;
};

/// One spatial axis: its attributes, and the results pads_begin and output.
struct FaultyAxis {
  std::int64_t data = 0;
  std::int64_t kernel = 0;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t output_padding = 0;
  std::int64_t pads_begin = 0;
  std::int64_t output = 0;
  // The attributes and sums from which pads_begin and output were computed.
  std::int64_t given_begin = 0;  ///< the pads as attributes
  std::int64_t given_end = 0;
  std::int64_t total = 0;  ///< elements that both pads crop: natural size + output_padding - output
  bool split = false;      ///< pads_begin is a share of the total
};

enum class AutoPad { kExplicit, kSameUpper, kSameLower, kValid };

/// The order of the filter's dimensions: [groups, in, out, spatial], or [spatial, out, in], where `in` counts all
/// groups.
enum class FilterOrder { kChannelsFirst, kChannelsLast };

/// The indices of an element of data or output.
struct TensorIndex {
  std::int64_t batch = 0;
  std::int64_t group = 0;
  std::int64_t channel = 0;                ///< within the group
  std::array<std::int64_t, 8> position{};  ///< along each spatial axis; operators have at most 8
};

/// The indices of an element of the filter.
struct FilterIndex {
  std::int64_t group = 0;
  std::int64_t in_channel = 0;
  std::int64_t out_channel = 0;
  std::array<std::int64_t, 8> tap{};
};

/// A resolved operator. Its functions return counts and offsets in elements.
struct FaultyGeometry {
  std::int32_t type = DECONV_ID_F32;
  bool channels_last = false;
  FilterOrder filter_order = FilterOrder::kChannelsFirst;
  std::int64_t batch = 0;
  std::int64_t groups = 1;
  std::int64_t in_channels = 0;   ///< per group
  std::int64_t out_channels = 0;  ///< per group
  std::int32_t kind = 0;          ///< deconv_operator_id
  AutoPad auto_pad = AutoPad::kExplicit;
  bool has_output_shape = false;
  std::int32_t shape_type = 0;    ///< type of the shape input, if there is one
  bool has_pads = false;          ///< pads_begin or pads_end is given
  bool contradicts_pads = false;  ///< dst_shape and pads do not fit together
  bool by_document = false;       ///< the dialect follows a document, not a library
  bool chosen = false;            ///< a fault that strikes "sometimes" strikes this case
  std::uint64_t hash = 0;         ///< hash of the case
  std::uint64_t calls = 0;        ///< number of earlier calls
  std::vector<FaultyAxis> axes;
  /// Points for which a backend may refuse this operator, because its document is silent or contradicts itself. It may
  /// compute the operator too, but only as this geometry says.
  std::vector<const char*> open;

  void Open(const char* point) { open.push_back(point); }

  List OutputDims() const;
  std::int64_t DataCount() const;
  std::int64_t FilterCount() const;
  std::int64_t OutputCount() const;
  std::int64_t DataOffset(const TensorIndex& index) const;
  std::int64_t FilterOffset(const FilterIndex& index) const;
  std::int64_t OutputOffset(const TensorIndex& index) const;
};

/// Resolves the attributes. Returns the geometry, or the first rule that is broken.
std::variant<FaultyGeometry, Broken> MakeFaultyGeometry(const Attributes& attributes);

// One axis: its output size and pads_begin, the number of positions that are cropped at the beginning (faulty_axes.cc).

#ifdef __SIZEOF_INT128__
__extension__ using Wide = __int128;
#else  // 32-bit machines, for which only clang has integers of 128 bits
using Wide = _BitInt(128);
#endif

/// Whether the value fits 64 bits.
constexpr bool Small(Wide value) {
  return value <= std::numeric_limits<std::int64_t>::max() && value >= std::numeric_limits<std::int64_t>::min();
}

/// Computes output size and pads_begin of each axis of `geometry`, whose other members must be set. `pads_begin` and
/// `pads_end` are the attributes. Returns the first broken rule, or nothing.
std::optional<Broken> ResolveAllAxes(const Attributes& attributes, const List& pads_begin, const List& pads_end,
                                     FaultyGeometry& geometry);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_RESOLVER_H_
