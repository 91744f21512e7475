// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the checks and steps that the resolvers of all dialects share: types, ranks, channels, list attributes,
// auto_pad, shape inputs, and the sizes and pads along an axis. A resolver computes sizes and pads from attributes; a
// dialect is one reading of the attributes. The end of the file declares the resolvers themselves, one for each family
// of dialects. Each step and each refusal cites a clause, such as S1, which is a numbered rule of oracle/clauses.md. A
// number beyond 64 bits leads to a refusal.

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

#include "oracle/cited_clause.h"
#include "oracle/open_point.h"
#include "oracle/resolve.h"
#include "oracle/wide_integer.h"

namespace oracle {

/// What auto_pad says about the pads. In some dialects an output shape overrules kExplicit and kValid.
enum class AutoPad {
  kExplicit,   ///< they are those of pads_begin and pads_end
  kSameUpper,  ///< their sum is calculated from the sizes, and split into two halves
  kSameLower,  ///< the same, but an odd sum is split the other way round; dialects differ in which way that is
  kValid,      ///< they are 0
};

/// One word that a model may write as auto_pad, and its meaning.
struct AutoPadWord {
  std::string_view word;
  AutoPad mode;
};

/// How a dialect spells auto_pad.
struct AutoPadSpelling {
  RefusingClause clause;      ///< the rule that lists the dialect's words; a step cites it, and so does a refusal
  std::string_view absent;    ///< the word that an absent auto_pad stands for
  std::string_view expected;  ///< the words, as a refusal names them
  std::span<const AutoPadWord> words;
  /// Whether upper and mixed case are valid, too. `words` are then in lower case.
  bool accepts_any_case = false;
  /// Without accepts_any_case: the open point of a word in upper or mixed case. Without it, such a word is refused.
  std::optional<CitedOpenPoint> other_case_point = std::nullopt;
  /// The open point of the word "none", which is read as `absent`. Without it, "none" is refused unless it is in
  /// `words`.
  std::optional<CitedOpenPoint> none_point = std::nullopt;
};

/// The rules of a dialect for all attributes with one value for each axis. An open point is set if the dialect leaves
/// it open whether that list may be absent. ResolveLists turns these rules into a ListRule for each attribute.
struct DialectListRules {
  std::optional<CitedOpenPoint> absent_strides = std::nullopt;
  std::optional<CitedOpenPoint> absent_dilations = std::nullopt;
  std::optional<CitedOpenPoint> absent_pads = std::nullopt;
  bool pads_are_ignored = false;  ///< auto_pad or an output shape decides instead; negative pads are then open (A15)
  bool output_padding_is_unread = false;  ///< output_padding counts as 0, whatever its values (A18)
  bool empty_is_absent = false;           ///< a list without values counts as an absent one (A20)
  bool ends_are_unbounded = false;        ///< output_padding and pads_end may be negative (A21)
};

/// Rules of a library for extreme sizes and pads.
struct SizeRules {
  bool empty_data_count_as_one = false;  ///< an axis with 0 data elements has the natural size of 1 element (P27)
  /// If pads_begin makes a coordinate exceed 63 bits, any answer of the backend is accepted. Otherwise such an operator
  /// is refused (O2).
  bool far_pads_are_undefined = false;
};

/// "[2, 3]".
std::string Text(std::span<const std::int64_t> values);
std::string Text(std::int64_t value);
/// "axis 0: ", the beginning of a text about spatial axis j.
std::string AxisText(std::size_t j);
/// "spatial axis 0", inside a message.
std::string SpatialAxis(std::size_t j);
/// The number as an operand of a formula, "5" or "(-5)".
std::string OperandText(std::int64_t value);
/// floor(value / 2).
std::int64_t FloorHalf(std::int64_t value);

/// Integers wide enough for a formula with a few 64-bit operands. FitsInt64() checks the result.
using Wide = I128;
/// Whether `value` fits a signed 64-bit integer.
bool FitsInt64(Wide value);

/// Resolves one operator step by step. A function checks or reads one part of the operator. It stores the result in the
/// geometry, in a member or in an output parameter, as its comment says. It returns false after a refusal; the caller
/// then returns TakeRefusal(). `j` is the number of a spatial axis. The "source" is the document or the library that a
/// dialect follows. "Open" means that the source lets a library under test refuse the operator or compute it
/// (oracle/open_point.h).
class Resolver {
 public:
  Resolver(const Operator& op, StepTexts texts) : op_(op), texts_(texts) { resolution_.steps.reserve(kUsualSteps); }

  const Operator& op() const { return op_; }
  std::size_t spatial_rank() const { return geometry_.axes.size(); }
  Geometry& geometry() { return geometry_; }
  Axis& axis(std::size_t j) { return geometry_.axes[j]; }

  /// Records a step: the clause that was applied, and a text with the numbers. `text` is a string or a function that
  /// returns one. The function is called only if the user of Resolve() asked for texts.
  template <class Words>
  void RecordStep(CitedClause clause, const Words& text) {
    resolution_.steps.push_back({.clause = clause.id(), .text = {}});
    if (texts_ == StepTexts::kWritten) resolution_.steps.back().text = TextOf(text);
  }
  /// Records the refusal and returns false.
  bool Refuse(RefusingClause clause, std::string message);
  /// Records an open point of the operator. The resolution goes on.
  void AddOpenPoint(CitedOpenPoint point, std::string message);
  /// Refuses an operator that the source neither defines nor forbids. Every answer of a library is then right. Returns
  /// false.
  bool RefuseUndefined(RefusingClause clause, CitedOpenPoint point, std::string message);

  /// ResolveType(), and records the step of a dialect that has every numeric type (T1).
  bool CheckTypes();
  /// ResolveType(). Then refuses, by `clause`, a type that is not in `allowed`; otherwise records a step of this
  /// clause.
  bool CheckTypes(RefusingClause clause, std::initializer_list<ElementType> allowed);
  /// Refuses types that are not numeric (T2) or differ (T3), else stores the type in the geometry. It records no step:
  /// the caller checks whether the dialect has this type.
  bool ResolveType();

  /// Checks ranks and signs of dimensions (S1 to S3), and makes the axes. `group_dims`: 1 if the filter has a dimension
  /// for the groups, which the data have not, else 0. `rank_2_is_undefined`: the source neither defines nor forbids
  /// data without spatial axes.
  bool CheckRanks(std::size_t group_dims, bool rank_2_is_undefined = false);
  /// Reads channels, groups and kernel (S4 to S8). `groups` is the attribute; it is absent if the filter has a
  /// dimension for the groups. `kernel_0_is_undefined`: the library neither refuses nor documents a kernel without
  /// elements.
  bool ResolveChannels(std::optional<std::int64_t> groups, bool kernel_0_is_undefined = false);

  /// How ResolveList reads one attribute.
  struct ListRule {
    std::int64_t absent;  ///< the value that an absent list stands for, by `absent_clause`
    CitedClause absent_clause;
    std::optional<CitedOpenPoint> absent_point;  ///< an absent list is open
    std::int64_t least;                          ///< a smaller value is refused by `range_clause`
    RefusingClause range_clause;
    std::optional<CitedOpenPoint> below_point = std::nullopt;  ///< a smaller value is open
    bool is_unbounded = false;                                 ///< a smaller value is valid (A21)
    bool empty_is_absent = false;                              ///< an empty list counts as absent (A20)
  };
  /// Reads a list attribute into `values` (A1).
  bool ResolveList(std::string_view name, const std::optional<Dims>& list, const ListRule& rule, Dims& values);
  /// Reads strides, dilations, pads_begin, pads_end and output_padding (A1 to A8) into the members below and the axes.
  bool ResolveLists(const DialectListRules& rules);
  /// Checks type, shape and values of a shape tensor (T6, S9, S10). It must have `expected` values.
  bool CheckShapeInput(std::string_view name, const ShapeInput& input, std::size_t expected);
  /// Sets the output size of axis j to `size`, the value of the operator's argument `name` (S11, P18). A size of 0 is
  /// open.
  bool SetGivenOutput(std::string_view name, std::size_t j, std::int64_t size);

  /// Reads the mode that auto_pad names (A9 to A12, A17); explicit if it is absent.
  bool ResolveAutoPad(const AutoPadSpelling& spelling, AutoPad& mode);

  /// Sets the rules of sizes; call it before ComputeNaturalSize.
  void SetSizeRules(const SizeRules& rules) { size_rules_ = rules; }
  /// Computes natural_size(j), the output size of axis j without pads but with output_padding, from data, kernel,
  /// stride and dilation (P1, P27, O2).
  bool ComputeNaturalSize(std::size_t j);
  /// Computes `total`, the sum of both pads of axis j, from its output size: natural_size(j) - output size (P1, O2).
  bool ComputeTotalPads(std::size_t j, std::int64_t& total);
  /// Sets the output size and the pads of axis j from `begin` and `end`. `clause` says where these pads come from: they
  /// are given (P2), or they are 0 (P3). The steps cite it. A size of 0 is open (P16).
  bool SetOutputAndPads(std::size_t j, CitedClause clause, std::int64_t begin, std::int64_t end);
  /// Sets the output size of axis j to `size`, the result of `formula` (P16). A size of 0 is open.
  bool SetComputedOutput(std::size_t j, std::int64_t size, const std::string& formula);
  /// The result of ComputeNaturalSize() for axis j.
  std::int64_t natural_size(std::size_t j) const { return natural_sizes_[j]; }
  /// Sets pads_begin of an axis whose output size is set, and derives pads_end (P17, O2). A step cites `clause` with
  /// `text`, which says where `begin` comes from.
  template <class Words>
  bool SetPads(std::size_t j, CitedClause clause, const Words& text, std::int64_t begin) {
    if (!StorePads(j, begin)) return false;
    RecordStep(clause, [&] { return AxisText(j) + TextOf(text); });
    RecordPadsEnd(j);
    return true;
  }

  /// Ends the resolution of an operator that no check refused. Checks the byte counts of the three tensors (O1), and
  /// moves the geometry to the result.
  Resolution TakeResolution();
  /// Ends the resolution of an operator that a check refused. The result has the refusal, and the steps before it.
  Resolution TakeRefusal() { return std::move(resolution_); }

  // The attributes as ResolveLists has read them, with one value for each axis.
  Dims pads_begin, pads_end, output_padding;

 private:
  static constexpr std::size_t kUsualSteps = 32;  ///< avoids reallocation; a resolution may have more steps

  /// Returns `text` itself, or the result of the function `text`.
  template <class Words>
  static std::string TextOf(const Words& text) {
    if constexpr (std::is_invocable_v<Words>) {
      return text();
    } else {
      return text;
    }
  }
  /// Sets the number of groups and of input channels per group (S5, S6). `groups` is as in ResolveChannels.
  bool ResolveGroups(std::optional<std::int64_t> groups, std::int64_t filter_in_channels);
  /// The part of SetPads that does not depend on the text.
  bool StorePads(std::size_t j, std::int64_t begin);
  void RecordPadsEnd(std::size_t j);
  /// Checks that a tensor has less than 2^63 bytes (O1). It has groups * inner * outer * (the member `size` of each
  /// axis) elements, where inner and outer are its channels or batch. A refusal shows its name and its shape `dims`.
  bool CheckByteCount(std::string_view name, const Dims& dims, std::int64_t inner, std::int64_t outer,
                      std::int64_t Axis::* size);

  const Operator& op_;
  StepTexts texts_;
  SizeRules size_rules_;
  Geometry geometry_;
  Dims natural_sizes_;  ///< natural sizes of the axes, with output_padding
  Resolution resolution_;
};

// The resolver of each family of dialects, in a file of its own (resolve_onnx.cc).
Resolution ResolveOpenvino(const Operator& op, Dialect dialect, StepTexts texts);
Resolution ResolveOnednn(const Operator& op, Dialect dialect, StepTexts texts);
Resolution ResolveOnnx(const Operator& op, Dialect dialect, StepTexts texts);

// The steps that ResolveOnnx takes for the dialect of TensorFlow alone. resolve_tensorflow.cc has them.

/// Checks ranks, modes, output_padding, and that there is an output shape (S21, S22, A22, A23).
bool CheckTensorflowRules(Resolver& resolver, AutoPad mode);
/// Sets the pads that TensorFlow gives axis j, whose output size is already set. Refuses a size that TensorFlow does
/// not accept (P28, P29).
bool SetPadsByTensorflow(Resolver& resolver, std::size_t j, AutoPad mode);

}  // namespace oracle

#endif  // DECONV_ORACLE_RESOLVER_H_
