// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What the resolvers of all dialect families share: the record of steps, checks of types, ranks, channels and lists,
// sizes along an axis, and arithmetic that refuses what does not fit. Each check returns false once it has refused.

#ifndef DECONV_ORACLE_RESOLVER_H_
#define DECONV_ORACLE_RESOLVER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "oracle/resolve.h"

namespace oracle {

enum class AutoPad { kExplicit, kSameUpper, kSameLower, kValid };

/// A spelling of a mode.
struct AutoPadWord {
  std::string_view word;
  AutoPad mode;
};

/// "[2, 3]".
std::string Text(std::span<const std::int64_t> values);
std::string Text(std::int64_t value);
/// "axis 0: ", before what is said of spatial axis j.
std::string AxisText(std::size_t j);
/// A negative number in parentheses, as an operand in a formula.
std::string Operand(std::int64_t value);
/// floor(value / 2).
std::int64_t FloorHalf(std::int64_t value);

/// Integers over the whole range that formulas with a few 64-bit operands reach; whether one fits is asked once, at
/// the end of a formula.
__extension__ using Wide = __int128;
bool Fits(Wide value);

class Resolver {
 public:
  Resolver(const Operator& op, StepTexts texts) : op_(op), texts_(texts) { resolution_.steps.reserve(kUsualSteps); }

  const Operator& op() const { return op_; }
  std::size_t spatial_rank() const { return geometry_.axes.size(); }
  Geometry& geometry() { return geometry_; }
  Axis& axis(std::size_t j) { return geometry_.axes[j]; }

  /// `text` is the step's, or gives it: it is asked only where texts are written.
  template <class Words>
  void Note(std::string_view clause, const Words& text) {
    resolution_.steps.push_back({.clause = clause, .text = {}});
    if (texts_ == StepTexts::kWritten) resolution_.steps.back().text = Say(text);
  }
  bool Refuse(std::string_view clause, std::string message);
  /// Where the source says nothing instead of forbidding.
  bool RefuseUndefined(std::string_view clause, std::string message);

  // Types (T1 to T6). `allowed` empty: all numeric types.
  bool CheckTypes(std::string_view allowed_clause, std::initializer_list<ElementType> allowed);

  /// Ranks and signs of dimensions (S1 to S3); makes the axes. `extra` is what the filter's rank has over the data's.
  bool CheckRanks(std::size_t extra);
  /// Channels, groups and kernel (S4 to S8). `groups` is the attribute, or absent when the filter has the dimension.
  bool TakeChannels(std::optional<std::int64_t> groups);

  /// A list attribute (A1): absent gives `absent` by `absent_clause`; a value below `least` is refused by `clause`.
  bool TakeList(std::string_view name, const std::optional<Dims>& list, std::int64_t absent,
                std::string_view absent_clause, std::string_view clause, std::int64_t least, Dims& values);
  /// strides, dilations, pads_begin, pads_end, output_padding (A1 to A8) into the members below and the axes.
  bool TakeLists();
  /// The values of a shape tensor (T6, S9, S10); `expected` of them.
  bool CheckShapeInput(std::string_view name, const ShapeInput& input, std::size_t expected);
  /// One size asked for along axis j (S11, P18).
  bool TakeOutput(std::string_view name, std::size_t j, std::int64_t size);

  /// auto_pad, which is given, as one of these words; `expected` names them in the refusal.
  bool TakeAutoPad(std::string_view clause, std::initializer_list<AutoPadWord> words, std::string_view expected,
                   AutoPad& mode);

  /// natural + output_padding along axis j (P1, O2).
  bool TakeNatural(std::size_t j);
  /// total of axis j from its output size (P1, O2).
  bool TakeTotal(std::size_t j, std::int64_t& total);
  /// Size from explicit pads or from none (P2, P3).
  bool SizeFromPads(std::size_t j, std::string_view clause, std::int64_t begin, std::int64_t end);
  /// pads_begin of an axis whose output size is set (P17, O2).
  template <class Words>
  bool SetBegin(std::size_t j, std::string_view clause, const Words& text, std::int64_t begin) {
    if (!PlaceBegin(j, begin)) return false;
    Note(clause, [&] { return AxisText(j) + Say(text); });
    NoteEnd(j);
    return true;
  }

  /// Byte counts (O1); ends the resolution.
  Resolution Finish();
  Resolution Stop() { return std::move(resolution_); }

  Dims pads_begin, pads_end, output_padding;

 private:
  static constexpr std::size_t kUsualSteps = 32;

  template <class Words>
  static std::string Say(const Words& text) {
    if constexpr (std::is_invocable_v<Words>) {
      return text();
    } else {
      return text;
    }
  }
  bool PlaceBegin(std::size_t j, std::int64_t begin);
  void NoteEnd(std::size_t j);
  /// `dims` as they are; the geometry's groups, `inner`, `outer` and the sizes of the axes as they are multiplied.
  bool CheckByteCount(std::string_view name, const Dims& dims, std::int64_t inner, std::int64_t outer,
                      std::int64_t Axis::* size);

  const Operator& op_;
  StepTexts texts_;
  Geometry geometry_;
  Dims natural_;  ///< with output_padding
  Resolution resolution_;
};

// One function per dialect family, each in its own file.
Resolution ResolveOpenvino(const Operator& op, Dialect dialect, StepTexts texts);
Resolution ResolveOnednn(const Operator& op, Dialect dialect, StepTexts texts);
Resolution ResolveOnnx(const Operator& op, Dialect dialect, StepTexts texts);

}  // namespace oracle

#endif  // DECONV_ORACLE_RESOLVER_H_
