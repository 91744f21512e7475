// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `limits`: empty tensors, very large numbers, and numbers that are too large. Reasons cite the clauses, which
// are the numbered rules of oracle/clauses.md. A case with one large number keeps all others small, so that small
// machines can run it. Cases that need gigabytes are in level full, and a run judges them only if its memory limit
// allows it.

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

std::int64_t PowerOfTwo(int exponent) { return std::int64_t{1} << exponent; }

Case CaseOf(Operator op) {
  Case made;
  made.op = std::move(op);
  return made;
}

/// The neighbour of an operator with empty tensors, which is open: a backend may refuse or compute it (clause S8). The
/// neighbour, which a backend must compute, has 1 in place of each size 0.
std::optional<Operator> NeighbourOf(OperatorDraft draft) {
  const oracle::Dialect dialect = oracle::DialectsOf(draft.kind).front();
  if (oracle::Resolve(Build(draft), dialect).open.empty()) return std::nullopt;
  for (std::int64_t* count : {&draft.batch, &draft.in, &draft.out}) *count = std::max<std::int64_t>(1, *count);
  for (AxisDraft& axis : draft.axes) axis.data = std::max<std::int64_t>(1, axis.data);
  Operator neighbour = Build(draft);
  if (oracle::Resolve(neighbour, dialect).required_answer() != oracle::RequiredAnswer::kComputed) return std::nullopt;
  return neighbour;
}

/// Adds one case: the draft as the kind of operator that it states.
void AddOneKind(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                const OperatorDraft& draft) {
  if (!suite.Includes(least)) return;
  suite.Add(fmt::format("{}.{}", name, ShortName(draft.kind)), reason, CaseOf(Build(draft)), NeighbourOf(draft));
}

/// Adds a case for each kind of operator that has the draft's type.
void AddEachKindOf(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                   const OperatorDraft& draft) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    const OperatorDraft own = As(kind, draft);
    if (own.type != draft.type || own.groups != draft.groups) continue;
    AddOneKind(suite, least, name, reason, own);
  }
}

/// Adds a case for each kind of operator: `change` makes the draft's operator invalid, and `clause` refuses it.
void AddRefused(SuiteBuilder& suite, const std::string& name, std::string_view clause, const std::string& reason,
                const OperatorDraft& draft, const std::function<void(Operator&)>& change) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    const Operator valid = Build(As(kind, draft));
    Operator op = valid;
    change(op);
    // An open operator cannot be a neighbour, because a backend may refuse it.
    const bool required =
        oracle::Resolve(valid, oracle::DialectsOf(kind).front()).required_answer() == oracle::RequiredAnswer::kComputed;
    suite.Add(fmt::format("{}.{}.invalid", name, ShortName(kind)),
              fmt::format("clause {}: must be refused. {}", clause, reason), CaseOf(std::move(op)),
              required ? std::optional(valid) : std::nullopt);
  }
}

// Each axis in this file: data, kernel, stride, dilation, pads_begin, pads_end, output_padding.

void AddEmpty(SuiteBuilder& suite) {
  const std::vector<AxisDraft> axes = {{3, 3, 2, 1, 1, 0, 1}, {4, 2, 3}};
  AddEachKindOf(suite, Level::kSmoke, "empty.batch", "clause S8: no samples, an empty output",
                {.batch = 0, .axes = axes});
  AddEachKindOf(suite, Level::kSmoke, "empty.in", "clause S8: no input channels, every output is 0",
                {.in = 0, .axes = axes});
  AddEachKindOf(suite, Level::kSmoke, "empty.out", "clause S8: no output channels, an empty output",
                {.out = 0, .axes = axes});
  AddEachKindOf(suite, Level::kSmoke, "empty.batch-and-channels", "clause S8: nothing at all",
                {.batch = 0, .in = 0, .out = 0, .axes = axes});
  AddEachKindOf(suite, Level::kGate, "empty.groups", "clause S8: groups without input channels",
                {.groups = 3, .in = 0, .out = 2, .axes = axes});
  // Natural sizes of empty data: stride * (0 - 1) + kernel.
  AddEachKindOf(suite, Level::kSmoke, "empty.data-k3s1", "clause S8: empty data, two outputs without taps",
                {.axes = {{0, 3}}});
  AddEachKindOf(suite, Level::kSmoke, "empty.data-k3s2", "clause S8: empty data, one output without taps",
                {.axes = {{0, 3, 2}}});
  AddEachKindOf(suite, Level::kSmoke, "empty.data-k1-output-padding", "clause S8: the outputs are output_padding alone",
                {.axes = {{0, 1, 4, 1, 0, 0, 9}}});
  AddEachKindOf(suite, Level::kSmoke, "empty.height", "clause S8: empty along the first axis",
                {.axes = {{0, 3}, {4, 2, 2}}});
  AddEachKindOf(suite, Level::kSmoke, "empty.width", "clause S8: empty along the last axis",
                {.axes = {{4, 2, 2}, {0, 3}}});
  AddEachKindOf(suite, Level::kGate, "empty.depth", "clause S8: empty along one axis of three",
                {.axes = {{3, 2}, {0, 4, 2, 1, 0, 1}, {2, 2}}});
  AddEachKindOf(suite, Level::kSmoke, "empty.data-output-shape", "clause S8: empty data beside an output shape",
                {.axes = {{.data = 0, .kernel = 3, .output = 1}}});
  AddEachKindOf(suite, Level::kGate, "empty.width-output-shape",
                "clause S8: empty along the last axis, beside an output shape",
                {.axes = {{.data = 4, .kernel = 2, .stride = 2, .output = 8}, {.data = 0, .kernel = 3, .output = 1}}});
  AddOneKind(suite, Level::kGate, "empty.data-i8", "clause S8: empty data of bytes",
             {.axes = {{0, 5, 2}}, .type = ElementType::kI8});
}

// An empty tensor has no bytes, even if its other sizes are huge. Their product must fit 63 bits (clause O1).
void AddHugeEmpty(SuiteBuilder& suite) {
  AddEachKindOf(suite, Level::kSmoke, "empty.huge-data", "no samples of 2^40 elements: sizes beyond 32 bits, no memory",
                {.batch = 0, .axes = {{PowerOfTwo(40), 3, 2}}});
  AddEachKindOf(
      suite, Level::kSmoke, "empty.huge-filter",
      "no samples and no input channels: an empty filter of 2^40 taps. Loops over samples do not reach the taps.",
      {.batch = 0, .in = 0, .out = 1, .axes = {{1, PowerOfTwo(40), 1, 1, PowerOfTwo(40) - 3, 1}}});
  // Each size fits 32 bits, but a product of sizes does not: a filter's area, its volume, and the columns of a col2im.
  AddEachKindOf(
      suite, Level::kGate, "empty.area-2p32", "a kernel of 2^32 taps on two axes",
      {.batch = 0,
       .in = 0,
       .out = 1,
       .axes = {{1, PowerOfTwo(16), 1, 1, PowerOfTwo(16) - 2}, {1, PowerOfTwo(16), 1, 1, 1, PowerOfTwo(16) - 3}}});
  AddEachKindOf(
      suite, Level::kGate, "empty.area-2p31", "a kernel of more than 2^31 taps on two axes",
      {.batch = 0,
       .in = 0,
       .out = 1,
       .axes = {{1, PowerOfTwo(15) + 1, 1, 1, PowerOfTwo(15)}, {1, PowerOfTwo(16), 1, 1, PowerOfTwo(16) - 2}}});
  AddEachKindOf(suite, Level::kGate, "empty.volume-2p33", "a kernel of 2^33 taps on three axes",
                {.batch = 0,
                 .in = 0,
                 .out = 1,
                 .axes = {{1, PowerOfTwo(11), 1, 1, PowerOfTwo(11) - 1},
                          {1, PowerOfTwo(11), 1, 1, 1, PowerOfTwo(11) - 3},
                          {1, PowerOfTwo(11), 1, 1, PowerOfTwo(11) - 2}}});
  AddEachKindOf(
      suite, Level::kGate, "empty.columns-2p32", "2^30 taps of 5 output channels: more than 2^32 columns",
      {.batch = 0,
       .in = 0,
       .out = 5,
       .axes = {{1, PowerOfTwo(15), 1, 1, PowerOfTwo(15) - 2}, {1, PowerOfTwo(15), 1, 1, PowerOfTwo(15) - 1}}});
  // A correct backend may loop over all taps although there are no channels. So the number of taps must allow a loop
  // within the time limit: 2^24 iterations take 20 ms, 2^40 would take 20 minutes.
  AddEachKindOf(suite, Level::kSmoke, "empty.long-filter", "no input channels: an empty filter of 2^24 + 3 taps",
                {.in = 0, .out = 1, .axes = {{1, PowerOfTwo(24) + 3, 1, 1, PowerOfTwo(24), 1}}});
  AddRefused(suite, "empty.extent", "O2", "The extent alone is 2^63; empty data takes a stride of it away again.",
             {.in = 1, .out = 1, .axes = {{0, 2}}}, [](Operator& op) {
               op.dilations->front() = std::numeric_limits<std::int64_t>::max();
               op.pads_begin = oracle::Dims{std::numeric_limits<std::int64_t>::max() - 2};
             });
}

// Adds long axes, around the lengths at which an index kept in a narrow type is wrong.
void AddLongRows(SuiteBuilder& suite) {
  // 2 * (x - 1) + 3 - 1 outputs: odd and even lengths around the first integer that the type cannot represent.
  for (const auto& [type, exact] : {std::pair{ElementType::kBf16, 8}, std::pair{ElementType::kF16, 11}}) {
    for (int bits = exact; bits <= exact + 1; ++bits) {
      for (const std::int64_t more : {-1, 0, 1}) {
        const std::int64_t length = PowerOfTwo(bits) + more;
        const std::int64_t output_padding = length % 2;
        const AxisDraft axis{(length - output_padding) / 2, 3, 2, 1, 1, 0, output_padding};
        const std::string reason = fmt::format("{} outputs: an index kept in {} is no longer exact", length,
                                               std::string(ElementTypeName(type)));
        AddEachKindOf(suite, more == 1 ? Level::kSmoke : Level::kGate, fmt::format("long.row-{}", length), reason,
                      {.in = 1, .out = 1, .axes = {axis}, .type = type});
        AddEachKindOf(suite, Level::kGate, fmt::format("long.column-{}", length), reason,
                      {.in = 1, .out = 1, .axes = {axis, {1, 2}}, .type = type});
      }
    }
  }
  for (const std::int64_t length : {PowerOfTwo(15) + 1, PowerOfTwo(16) - 1, PowerOfTwo(16) + 1}) {
    AddEachKindOf(suite, length == PowerOfTwo(16) + 1 ? Level::kSmoke : Level::kGate,
                  fmt::format("long.row-{}", length), "a row around 2^15 or 2^16: a 16-bit index",
                  {.in = 1, .out = 2, .axes = {{length, 2, 1, 1, 1}}});
  }
  AddEachKindOf(suite, Level::kGate, "long.channels-65537", "more than 2^16 channels",
                {.in = 65537, .out = 1, .axes = {{2, 2}}});
  AddEachKindOf(suite, Level::kGate, "long.batch-65537", "more than 2^16 samples",
                {.batch = 65537, .in = 1, .out = 1, .axes = {{1, 2}}});
  AddEachKindOf(
      suite, Level::kGate, "long.groups-65537", "more than 2^16 groups",
      {.kind = OperatorKind::kGroupConvolutionBackpropData, .groups = 65537, .in = 1, .out = 1, .axes = {{1, 2}}});
  AddOneKind(suite, Level::kGate, "long.row-16777219",
             "more than 2^24 outputs: an index kept in f32 is no longer exact",
             {.in = 1, .out = 1, .axes = {{PowerOfTwo(24) / 257 + 2, 2, 257}}, .type = ElementType::kU8});
  // Rows and planes: the first axis is long, and the axes behind it have one element.
  const AxisDraft first{PowerOfTwo(24) / 257 + 2, 2, 257};
  AddOneKind(suite, Level::kGate, "long.rows-16777219", "more than 2^24 rows of one output",
             {.in = 1, .out = 1, .axes = {first, {1, 1}}, .type = ElementType::kU8});
  AddOneKind(suite, Level::kGate, "long.planes-16777219", "more than 2^24 planes of one output",
             {.in = 1, .out = 1, .axes = {first, {1, 1}, {1, 1}}, .type = ElementType::kU8});
  AddOneKind(suite, Level::kFull, "long.data-16777219", "more than 2^24 data elements",
             {.in = 1, .out = 1, .axes = {{PowerOfTwo(24) + 3, 2, 1, 1, 1}}, .type = ElementType::kI8});
}

// Adds each rank from 3 to 10.
void AddRanks(SuiteBuilder& suite) {
  for (std::size_t axes = 1; axes <= 8; ++axes) {
    OperatorDraft draft{.in = 1, .out = 2};
    OperatorDraft thin{.in = 2, .out = 1};
    for (std::size_t i = 0; i < axes; ++i) {
      const auto n = static_cast<std::int64_t>(i);
      draft.axes.push_back({2, i % 3 == 0 ? 2 : 1, 1 + n % 2, 1, n % 2, 0});
      thin.axes.push_back(i == axes - 1 ? AxisDraft{5, 3, 2, 1, 1, 1} : AxisDraft{1, 1});
    }
    AddEachKindOf(suite, Level::kSmoke, fmt::format("rank.{}", axes + 2), "clause S1: each rank that is valid", draft);
    AddEachKindOf(suite, Level::kGate, fmt::format("rank.{}-thin", axes + 2),
                  "all spatial axes but the last have one element", thin);
  }
}

void AddLongKernels(SuiteBuilder& suite) {
  AddEachKindOf(suite, Level::kSmoke, "kernel.1025", "a kernel of more than 2^10 taps",
                {.axes = {{3, 1025, 2, 1, 7, 9}}});
  AddEachKindOf(suite, Level::kSmoke, "kernel.33x33", "a kernel of more than 2^10 taps on two axes",
                {.axes = {{2, 33, 3, 1, 1, 2}, {3, 33, 2, 1, 4}}});
  AddEachKindOf(suite, Level::kGate, "kernel.4097", "a kernel longer than the data, cropped to its middle",
                {.axes = {{5, 4097, 1, 1, 2000, 2000}}});
  AddOneKind(suite, Level::kFull, "kernel.65537", "a kernel of more than 2^16 taps",
             {.in = 1, .out = 1, .axes = {{2, 65537, 3}}});
  AddEachKindOf(suite, Level::kGate, "kernel.11x11x11", "a kernel of more than 2^10 taps on three axes",
                {.in = 1, .axes = {{2, 11, 2}, {2, 11, 3}, {2, 11, 1, 2, 5, 5}}});
}

// Adds strides, dilations and pads so large that a data element and its outputs are far apart.
void AddFarTaps(SuiteBuilder& suite) {
  for (const int exponent : {16, 20}) {
    const std::int64_t far = PowerOfTwo(exponent);
    const auto add = [&](const char* name, const std::string& reason, const AxisDraft& axis) {
      const OperatorDraft draft{.in = 1, .out = 1, .axes = {axis}};
      if (exponent == 16) return AddEachKindOf(suite, Level::kSmoke, fmt::format("far.{}-2p16", name), reason, draft);
      AddOneKind(suite, Level::kGate, fmt::format("far.{}-2p20", name), reason, draft);
    };
    add("stride", "few data, far apart: the rest is 0", {3, 2, far});
    add("dilation", "few taps, far apart: the rest is 0", {2, 3, 1, far});
    add("output-padding", "an output that is almost all output_padding", {2, 2, 2, 1, 0, 0, far});
  }
  // Coordinates beyond 31, 32 and 53 bits in tiny tensors: the pads leave a window around the middle. With 2^30 each
  // attribute fits a signed integer of 32 bits, and only their sums do not.
  for (const int exponent : {30, 31, 32, 33, 40, 53, 61}) {
    const std::int64_t far = PowerOfTwo(exponent);
    // Libraries that declare 32 bits are judged with 2^30 too, and some compute such an operator for minutes.
    const Level rare = exponent == 30 ? Level::kFull : Level::kGate;
    const Level least = exponent == 31 || exponent == 40 ? Level::kSmoke : rare;
    const std::string reason = fmt::format("coordinates beyond {} bits, a few outputs", exponent);
    AddEachKindOf(suite, least, fmt::format("far.stride-2p{}-window", exponent), reason,
                  {.axes = {{3, 5, far, 1, far - 2, far - 2}}});
    AddEachKindOf(suite, least, fmt::format("far.dilation-2p{}-window", exponent), reason,
                  {.axes = {{5, 3, 1, far, far - 2, far - 2}}});
    AddEachKindOf(suite, least, fmt::format("far.both-2p{}-window", exponent), reason,
                  {.axes = {{2, 2, far - 1, far, far - 4, far - 3}, {3, 2, 2}}});
    AddEachKindOf(suite, rare, fmt::format("far.last-2p{}-window", exponent), reason + ", the last ones",
                  {.axes = {{2, 3, 2}, {3, 2, far, 1, 2 * far - 1}}});
    AddEachKindOf(suite, rare, fmt::format("far.cancelled-2p{}", exponent),
                  "output_padding gives back what pads_end takes, both beyond the data",
                  {.axes = {{3, 3, 2, 1, 1, far, far}}});
  }
}

/// Output sizes at the end of each integer type of the shape input. If a backend reads an unsigned size as signed, it
/// is negative; if it reads fewer bytes, it is another size.
void AddShapeTypes(SuiteBuilder& suite) {
  constexpr std::array kLargest = {std::pair{ElementType::kI8, 127},    std::pair{ElementType::kU8, 255},
                                   std::pair{ElementType::kI16, 32767}, std::pair{ElementType::kU16, 65535},
                                   std::pair{ElementType::kI32, 65539}, std::pair{ElementType::kU32, 65539},
                                   std::pair{ElementType::kI64, 65539}, std::pair{ElementType::kU64, 65539}};
  constexpr std::array kOpenvino = {OperatorKind::kConvolutionBackpropData,
                                    OperatorKind::kGroupConvolutionBackpropData};
  for (const OperatorKind kind : kOpenvino) {
    for (const auto& [type, size] : kLargest) {
      AddOneKind(suite, Level::kSmoke, fmt::format("shape.{}-{}", ElementTypeName(type), size),
                 "an output size near the end of the shape input's type, or of a narrower one",
                 As(kind, {.in = 1,
                           .out = 1,
                           .axes = {{.data = size / 2, .kernel = 3, .stride = 2, .output = size}},
                           .shape_type = type}));
    }
    // As u64 the sizes are 2^63 + 5 and 2^64 - 1. A backend that reads them as i64 gets negative numbers. If it reads
    // only 32 bits of the first size, it gets the valid size 5.
    for (const auto& [name, size] :
         {std::pair{"2p63", std::numeric_limits<std::int64_t>::min() + 5}, std::pair{"2p64", std::int64_t{-1}}}) {
      if (!suite.Includes(Level::kSmoke)) continue;
      const Operator valid =
          Build(As(kind, {.axes = {{.data = 3, .kernel = 3, .output = 5}}, .shape_type = ElementType::kU64}));
      Operator op = valid;
      op.output_shape->values = {size};
      suite.Add(fmt::format("beyond.shape-u64-{}.{}.invalid", name, ShortName(kind)),
                fmt::format("clause O2: must be refused. An output size of {} that is not read as i64 or by 32 bits.",
                            IntegerText(ElementType::kU64, size)),
                CaseOf(std::move(op)), valid);
    }
  }
}

// Adds operators with sizes beyond 63 bits, which a backend must refuse.
void AddRefusals(SuiteBuilder& suite) {
  const OperatorDraft plain{.axes = {{3, 2, 2}, {4, 3, 1}}};
  const auto dims = [&](const char* name, std::string_view clause, const std::string& reason,
                        const OperatorDraft& draft) {
    AddRefused(suite, fmt::format("beyond.{}", name), clause, reason, draft, [](Operator&) {});
  };
  dims("data-elements", "O1", "2^64 data elements: their number wraps to 0.",
       {.axes = {{PowerOfTwo(32), 1}, {PowerOfTwo(31), 1}}});
  dims("data-bytes", "O1", "2^61 elements of 4 bytes: the bytes wrap.",
       {.in = 1, .axes = {{PowerOfTwo(31), 1}, {PowerOfTwo(30), 1}}});
  dims("filter-bytes", "O1", "The filter alone is beyond 63 bits.",
       {.in = 1, .out = 1, .axes = {{1, PowerOfTwo(31)}, {1, PowerOfTwo(30)}}});
  dims("output-elements", "O1", "Tiny data, 2^64 outputs.",
       {.in = 1, .out = 1, .axes = {{2, 1, PowerOfTwo(32)}, {2, 1, PowerOfTwo(32)}}});
  dims("output-bytes", "O1", "2^62 outputs of 4 bytes.",
       {.in = 1, .out = 1, .axes = {{2, 1, PowerOfTwo(31)}, {2, 1, PowerOfTwo(31)}}});
  dims("channels", "O1", "2^63 bytes of channels.", {.in = PowerOfTwo(31), .out = PowerOfTwo(30), .axes = {{1, 1}}});
  AddRefused(suite, "beyond.stride", "O2", "stride * (data - 1) passes 63 bits.", plain,
             [](Operator& op) { op.strides->front() = PowerOfTwo(62); });
  AddRefused(suite, "beyond.dilation", "O2", "dilation * (kernel - 1) passes 63 bits.", plain,
             [](Operator& op) { op.dilations->back() = PowerOfTwo(62); });
  AddRefused(suite, "beyond.stride-wraps-to-small", "O2", "2^63 * 2 wraps to 0 and leaves a plausible size.",
             {.axes = {{5, 3, 1}}}, [](Operator& op) { op.strides->front() = PowerOfTwo(62); });
}

/// Adds the draft at level full as each kind of operator, ConvolutionBackwardData in both layouts. Only types with at
/// least `bytes` bytes for an element are used.
void AddGiga(SuiteBuilder& suite, const std::string& name, const std::string& reason, std::size_t bytes,
             const OperatorDraft& draft) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    OperatorDraft own = draft;
    const bool openvino = oracle::DialectsOf(kind).front() == oracle::Dialect::kOpenvinoSpec;
    own.type = bytes == 4 ? ElementType::kF32 : openvino ? ElementType::kI8 : ElementType::kF16;
    if (kind != OperatorKind::kConvolutionBackwardData) {
      AddOneKind(suite, Level::kFull, name, reason, As(kind, own));
      continue;
    }
    own.data_format = DataFormat::kNcx;
    own.weights_format = WeightsFormat::kOix;
    AddOneKind(suite, Level::kFull, name + ".planar", reason, As(kind, own));
    own.data_format = DataFormat::kAbsent;
    own.weights_format = WeightsFormat::kAbsent;
    AddOneKind(suite, Level::kFull, name + ".last", reason, As(kind, own));
  }
}

// Adds tensors of more than 2^31 bytes or elements.
void AddGigabytes(SuiteBuilder& suite) {
  // Large strides make many outputs of few data: 3 rows with stride 23170 and 182 columns with stride 257.
  AddGiga(suite, "giga.elements-2p31", "a plane of more than 2^31 outputs", 1,
          {.in = 1, .out = 1, .axes = {{3, 3, 23170}, {182, 3, 257}}});
  AddGiga(suite, "giga.bytes-2p31", "a plane of more than 2^31 bytes", 4,
          {.in = 1, .out = 1, .axes = {{3, 3, 11586}, {92, 3, 257}}});
  AddGiga(suite, "giga.bytes-2p32", "a plane of more than 2^32 bytes", 4,
          {.in = 1, .out = 1, .axes = {{3, 3, 16384}, {129, 3, 257}}});
  AddGiga(suite, "giga.channels-2p31",
          "outputs of several channels and samples that have more than 2^31 bytes together", 4,
          {.batch = 2, .in = 1, .out = 3, .axes = {{3, 3, 4732}, {38, 3, 257}}});
  AddGiga(suite, "giga.data-2p31", "data of more than 2^31 bytes, cropped to the last five outputs", 4,
          {.in = 1, .out = 1, .axes = {{PowerOfTwo(29) + 1, 3, 1, 1, PowerOfTwo(29) - 2}}});
  AddGiga(suite, "giga.data-elements-2p31", "data of more than 2^31 elements, cropped to the last five outputs", 1,
          {.in = 1, .out = 1, .axes = {{PowerOfTwo(31) + 1, 3, 1, 1, PowerOfTwo(31) - 2}}});
  AddGiga(suite, "giga.filter-2p31", "a filter of more than 2^31 bytes, cropped to the last five outputs", 4,
          {.in = 1, .out = 1, .axes = {{3, PowerOfTwo(29) + 1, 1, 1, PowerOfTwo(29) - 2}}});
  AddGiga(suite, "giga.filter-elements-2p31", "a filter of more than 2^31 elements, cropped to the last five outputs",
          1, {.in = 1, .out = 1, .axes = {{3, PowerOfTwo(31) + 1, 1, 1, PowerOfTwo(31) - 2}}});
  AddOneKind(suite, Level::kFull, "giga.shape-u32", "an output size beyond 2^31 in a shape input of u32",
             {.in = 1,
              .out = 1,
              .axes = {{.data = PowerOfTwo(31) / 257 + 2, .kernel = 2, .stride = 257, .output = PowerOfTwo(31) + 7}},
              .type = ElementType::kI8,
              .shape_type = ElementType::kU32});
}

}  // namespace

SuiteResult LimitsCases(Level level) {
  SuiteBuilder suite(level);
  AddEmpty(suite);
  AddHugeEmpty(suite);
  AddLongRows(suite);
  AddRanks(suite);
  AddLongKernels(suite);
  AddFarTaps(suite);
  AddShapeTypes(suite);
  AddRefusals(suite);
  AddGigabytes(suite);
  return suite.Build();
}

}  // namespace conformance
