// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` that write the same meaning differently: absent attributes, spellings of auto_pad, and
// attributes of other operators. Each reason cites the clause (numbered rule of oracle/clauses.md) that gives the
// meaning.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::Dims;
using oracle::Operator;
using oracle::OperatorKind;

// All attributes have their defaults along both axes, so that each one can be left out without a change of meaning.
OperatorDraft WithDefaults(OperatorKind kind) {
  OperatorDraft draft{.axes = {{.data = 4, .kernel = 3}, {.data = 5, .kernel = 2}}};
  if (kind == OperatorKind::kGroupConvolutionBackpropData) draft.groups = 2;
  return As(kind, draft);
}

void AddAbsentAttributes(SuiteBuilder& suite) {
  using Member = std::optional<Dims> Operator::*;
  constexpr std::pair<std::string_view, Member> members[] = {{"strides", &Operator::strides},
                                                             {"dilations", &Operator::dilations},
                                                             {"pads_begin", &Operator::pads_begin},
                                                             {"pads_end", &Operator::pads_end}};
  for (const OperatorKind kind : {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData,
                                  OperatorKind::kConvTranspose}) {
    const Dialect dialect = oracle::DialectsOf(kind).front();
    Operator none = Build(WithDefaults(kind));
    for (const auto& [name, member] : members) {
      Operator op = Build(WithDefaults(kind));
      op.*member = std::nullopt;
      none.*member = std::nullopt;
      AddOperator(suite, Level::kSmoke, fmt::format("spelling.no-{}", name),
                  "clauses A6, A7: the default of an absent attribute", op, dialect);
    }
    AddOperator(suite, Level::kSmoke, "spelling.no-attributes",
                "clauses A6, A7, A8, A12: the defaults of all attributes", none, dialect);
    Operator zeros = Build(WithDefaults(kind));
    zeros.output_padding = Dims{0, 0};
    AddOperator(suite, Level::kSmoke, "spelling.zero-output-padding",
                "clause A8: zeros are what an absent output_padding means", zeros, dialect);
  }
}

// Adds operators that have pads at one end and lack the attribute of the other end. A backend must not use one list for
// both.
void AddPadsOfOneEnd(SuiteBuilder& suite) {
  for (const OperatorKind kind :
       {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData}) {
    Operator begin = Build(WithDefaults(kind));
    begin.pads_begin = Dims{1, 2};
    begin.pads_end = std::nullopt;
    Operator end = Build(WithDefaults(kind));
    end.pads_begin = std::nullopt;
    end.pads_end = Dims{1, 2};
    for (const Dialect dialect : oracle::DialectsOf(kind)) {
      AddOperator(suite, Level::kSmoke, "spelling.pads-begin-alone", "clause A7: absent pads_end are 0", begin,
                  dialect);
      AddOperator(suite, Level::kSmoke, "spelling.pads-end-alone", "clause A7: absent pads_begin are 0", end, dialect);
    }
  }
}

std::string LowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

void AddAutoPadSpellings(SuiteBuilder& suite) {
  // Each axis: data, kernel, stride, dilation, pads_begin, pads_end, output_padding, output.
  const OperatorDraft shaped{.axes = {{3, 3, 2, 1, 0, 0, 0, 6}, {4, 2, 3, 1, 1, 0, 0, 9}}};
  for (const std::string spelling : {"SAME_UPPER", "Same_Lower", "VALID", "EXPLICIT", "sAME_uPPER"}) {
    Operator op = Build(shaped);
    op.auto_pad = spelling;
    for (const Dialect dialect : {Dialect::kOpenvinoSpec, Dialect::kOpenvinoRuntime}) {
      AddOperator(suite, Level::kSmoke,
                  fmt::format("spelling.auto-pad-{}", spelling == "sAME_uPPER" ? "mixed" : LowerCase(spelling)),
                  "clause A9: auto_pad is compared without case", op, dialect);
    }
  }
  for (const std::string spelling : {"None", "NONE", "SAME_UPPER", "SAME_LOWER", "VALID"}) {
    Operator op = Build(As(OperatorKind::kConvolutionBackwardData, shaped));
    op.auto_pad = spelling;
    AddOperator(suite, Level::kSmoke,
                fmt::format("spelling.auto-pad-{}{}", LowerCase(spelling), spelling == "None" ? "-library" : ""),
                "clause A10: the library's own spelling", op, Dialect::kOnednnSpec);
  }
}

void AddDefaultGroups(SuiteBuilder& suite) {
  Operator backward = Build(WithDefaults(OperatorKind::kConvolutionBackwardData));
  backward.groups = 1;
  AddOperator(suite, Level::kSmoke, "spelling.groups-1", "clause S6: groups is 1 by default", backward,
              Dialect::kOnednnSpec);

  Operator padded =
      Build(As(OperatorKind::kConvolutionBackwardData, {.axes = {{.data = 3, .kernel = 3, .output = 5}}}));
  padded.output_padding = Dims(12, 0);
  AddOperator(suite, Level::kSmoke, "spelling.output-padding-of-12", "clause A18: the default of oneDNN's schema",
              padded, Dialect::kOnednnRuntime);

  Operator onnx = Build(WithDefaults(OperatorKind::kConvTranspose));
  onnx.kernel_shape = Dims{3, 2};
  AddOperator(suite, Level::kSmoke, "spelling.kernel-shape", "clause S13: kernel_shape agrees with the filter", onnx,
              Dialect::kOnnx11);
  onnx.groups = 1;
  onnx.auto_pad = "NOTSET";
  AddOperator(suite, Level::kSmoke, "spelling.notset", "clauses A11, A12: NOTSET and group 1 are the defaults", onnx,
              Dialect::kOnnx11);
}

// Adds operators that OpenVINO's library computes and its document refuses.
void AddOpenvinoRuntime(SuiteBuilder& suite) {
  const auto add = [&](const std::string& name, const char* reason, const Operator& op) {
    AddOperator(suite, Level::kSmoke, "spelling." + name, reason, op, Dialect::kOpenvinoRuntime);
  };
  constexpr std::array kLists = {std::pair{"strides", &Operator::strides}, std::pair{"dilations", &Operator::dilations},
                                 std::pair{"pads-begin", &Operator::pads_begin},
                                 std::pair{"pads-end", &Operator::pads_end},
                                 std::pair{"output-padding", &Operator::output_padding}};
  for (const OperatorKind kind :
       {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData}) {
    for (const auto& [name, list] : kLists) {
      Operator op = Build(WithDefaults(kind));
      op.*list = Dims{};
      add(fmt::format("empty-{}", name), "clause A20: an empty list counts as an absent one", op);
    }
    Operator longer = Build(WithDefaults(kind));
    longer.pads_begin = Dims{0, 1};
    longer.pads_end = Dims{-1, -2};
    add("negative-pads-end", "clause A21: a negative pad at the end adds zeros", longer);
    Operator shorter = Build(WithDefaults(kind));
    shorter.output_padding = Dims{-1, -3};
    add("negative-output-padding", "clause A21: a negative output_padding takes elements away", shorter);
    OperatorDraft shaped = WithDefaults(kind);
    shaped.axes = {{.data = 3, .kernel = 3, .stride = 2, .output = 6}, {.data = 4, .kernel = 2, .output = 4}};
    for (const AutoPad auto_pad : {AutoPad::kExplicit, AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid}) {
      shaped.auto_pad = auto_pad;
      Operator op = Build(shaped);
      op.output_padding = Dims{-1, 0};
      op.pads_end = Dims{0, -1};
      add(fmt::format("negative-ends-{}", AutoPadName(auto_pad)),
          "clauses A21, P7, P8: negative ends beside an output shape", op);
    }
    OperatorDraft empty = WithDefaults(kind);
    empty.axes = {{.data = 0, .kernel = 3, .stride = 2}, {.data = 4, .kernel = 2}};
    add("empty-data", "clause P27: no data have the natural size of one element", Build(empty));
  }
}

// Adds attributes that the operator does not have. If a backend read them, they would change or forbid the result.
void AddForeignAttributes(SuiteBuilder& suite) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    Operator op = Build(WithDefaults(kind));
    if (kind != OperatorKind::kConvolutionBackwardData) {
      op.data_format = "NXC";
      op.weights_format = "XIO";
      op.dst_shape = Dims{1, 2};
    }
    if (kind != OperatorKind::kConvTranspose) {
      op.kernel_shape = Dims{7};
      op.output_shape_attribute = Dims{1, 1};
      if (kind != OperatorKind::kConvolutionBackwardData) op.groups = 7;
    }
    for (const Dialect dialect : oracle::DialectsOf(kind)) {
      AddOperator(suite, Level::kSmoke, "spelling.foreign-attributes",
                  "clause D2: attributes of other operators are not read", op, dialect);
    }
  }
}

}  // namespace

void AddSpellings(SuiteBuilder& suite) {
  AddAbsentAttributes(suite);
  AddPadsOfOneEnd(suite);
  AddAutoPadSpellings(suite);
  AddDefaultGroups(suite);
  AddOpenvinoRuntime(suite);
  AddForeignAttributes(suite);
}

}  // namespace conformance
