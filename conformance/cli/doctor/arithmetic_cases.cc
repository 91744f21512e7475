// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the cases that show a backend's arithmetic from few small operators and many sets of values. A library that
// compiles each operator then compiles few of them.

#include "conformance/cli/doctor/arithmetic_cases.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/cli/doctor/doctor_cases.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::ElementType;
using oracle::Operator;
using Topic = ArithmeticTopic;

struct ChannelCounts {
  std::int64_t in = 1;
  std::int64_t out = 1;
};

/// The first spatial axis of an operator. The other axes have one element, one tap and no pads.
struct FirstAxis {
  std::int64_t data = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pads_begin = 0;
  std::int64_t pads_end = 0;
};

/// Builds the cases of one operator kind, rank and type.
class CaseMaker {
 public:
  CaseMaker(oracle::OperatorKind kind, std::size_t rank, ElementType type) : kind_(kind), rank_(rank), type_(type) {}

  /// The operator with these channels and this first axis.
  Operator OperatorOf(ChannelCounts channels, FirstAxis axis) const {
    PlainSizes sizes{.in = channels.in,
                     .out = channels.out,
                     .data = Dims(rank_ - 2, 1),
                     .kernel = Dims(rank_ - 2, 1),
                     .stride = axis.stride,
                     .dilation = axis.dilation};
    sizes.data.front() = axis.data;
    sizes.kernel.front() = axis.kernel;
    Operator op = PlainOperator(kind_, type_, sizes);
    op.pads_begin->front() = axis.pads_begin;
    op.pads_end->front() = axis.pads_end;
    return WithDstShape(std::move(op));
  }

  /// Adds a case for each seed. `operator_text` is the part of the cases' names that describes the operator. A backend
  /// that reads an operator wrongly may fit a wide error bound by chance. So each new operator also gets a case with
  /// exact sums.
  void Add(Topic topic, std::string_view operator_text, const Operator& op, DataSet set,
           std::initializer_list<std::uint64_t> seeds = {0}) {
    if (std::ranges::find(known_, op) == known_.end()) {
      known_.push_back(op);
      AddCase(Topic::kBase, operator_text, op, DataSet::kIntegers, 0);
    }
    for (const std::uint64_t seed : seeds) AddCase(topic, operator_text, op, set, seed);
  }

  void AddFloats() {
    const Operator few_products = OperatorOf({.in = 2, .out = 5}, {.data = 20, .kernel = 3, .stride = 2});
    const Operator one_product = OperatorOf({.in = 1, .out = 9}, {.data = 20, .kernel = 1});
    Add(Topic::kBase, "single products", one_product, DataSet::kReals);
    Add(Topic::kSubnormals, "few products", few_products, DataSet::kSubnormals, {0, 1});
    Add(Topic::kSubnormals, "single products", one_product, DataSet::kSubnormals);
    // Sums of swamping: two large terms cancel, and the small third term is lost in a narrow sum. The large terms have
    // six ordered pairs of positions, each with two powers of two: 12 output channels.
    Add(Topic::kChannelSums, "sums over 3 channels", OperatorOf({.in = 3, .out = 12}, {.data = 5, .kernel = 1}),
        DataSet::kSwamping);
    Add(Topic::kChannelSums, "sums over 64 channels", OperatorOf({.in = 64, .out = 4}, {.data = 5, .kernel = 1}),
        DataSet::kReals);
    Add(Topic::kTapSums, "sums over 3 taps", OperatorOf({.in = 1, .out = 12}, {.data = 5, .kernel = 3}),
        DataSet::kSwamping);
    Add(Topic::kTapSums, "sums over 32 taps", OperatorOf({.in = 1, .out = 4}, {.data = 40, .kernel = 32}),
        DataSet::kReals);
    // Some libraries use another algorithm for pads that auto_pad never gives.
    Add(Topic::kTapSums, "sums over 9 taps with pads",
        OperatorOf({.in = 2, .out = 4}, {.data = 9, .kernel = 9, .pads_begin = 5, .pads_end = 1}), DataSet::kReals);
    // The data set has 23 sums of two terms, each in both orders: 46 output channels.
    Add(Topic::kRounding, "sums at the borders of roundings",
        OperatorOf({.in = 2, .out = 46}, {.data = 9, .kernel = 1}), DataSet::kBoundaries);
    const Operator with_gaps = OperatorOf({.in = 2, .out = 2}, {.data = 9, .kernel = 3, .stride = 3});
    const Operator with_borders =
        OperatorOf({.in = 2, .out = 2}, {.data = 5, .kernel = 3, .stride = 1, .pads_begin = 1, .pads_end = 1});
    const Operator with_dilation =
        OperatorOf({.in = 2, .out = 2}, {.data = 9, .kernel = 3, .stride = 1, .dilation = 4});
    for (const DataSet set : {DataSet::kSpecials, DataSet::kZeros}) {
      Add(Topic::kGaps, "between strides", with_gaps, set, {0, 1});
      Add(Topic::kBorders, "beside borders", with_borders, set, {0, 1});
      Add(Topic::kDilations, "between dilated taps", with_dilation, set, {0, 1});
    }
  }

  void AddIntegers() {
    const Operator few_products = OperatorOf({.in = 3, .out = 2}, {.data = 9, .kernel = 3, .stride = 2});
    // The products of one sum are powers of two: 2^0, 2^6, ... 2^24 with 5 channels, 2^0, 2^8, ... 2^48 with 7. f32 has
    // 24 bits, so it cannot hold bit 0 and bit 24 together.
    if (const std::size_t bytes = oracle::ElementBytes(type_); bytes >= 4) {
      const std::int64_t channels = bytes == 4 ? 5 : 7;
      Add(Topic::kBase, "sums beyond 2^24", OperatorOf({.in = channels, .out = 1}, {.data = 1, .kernel = 1}),
          DataSet::kTaps);
    }
    Add(Topic::kOverflow, "few products", few_products, DataSet::kWide);
    Add(Topic::kOverflow, "few products", few_products, DataSet::kExtremes);
    Add(Topic::kOverflow, "single products", OperatorOf({.in = 1, .out = 9}, {.data = 40, .kernel = 1}),
        DataSet::kWide);
  }

  std::vector<ArithmeticCase> Build() { return std::move(cases_); }

 private:
  void AddCase(Topic topic, std::string_view operator_text, const Operator& op, DataSet set, std::uint64_t seed) {
    // Names are unique: a proposal names the cases that it excuses.
    SuiteCase suite_case =
        DoctorCase(fmt::format("{} {} rank {}: {}, {}{}", OperatorKindName(kind_), ElementTypeName(type_), rank_,
                               operator_text, DataSetName(set), seed == 0 ? "" : fmt::format(", seed {}", seed)),
                   op);
    suite_case.test_case.values = set;
    suite_case.test_case.seed = seed;
    cases_.push_back({topic, std::move(suite_case)});
  }

  oracle::OperatorKind kind_;
  std::size_t rank_;
  ElementType type_;
  std::vector<Operator> known_;
  std::vector<ArithmeticCase> cases_;
};

}  // namespace

std::vector<ArithmeticCase> ArithmeticCases(oracle::OperatorKind kind, std::size_t rank, ElementType type) {
  CaseMaker maker(kind, rank, type);
  if (oracle::IsFloat(type)) {
    maker.AddFloats();
  } else {
    maker.AddIntegers();
  }
  return maker.Build();
}

}  // namespace conformance
