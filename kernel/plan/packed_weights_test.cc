// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the weights in packed filters. (Packing rearranges a filter into the order in which an algorithm reads it.)
// Every algorithm with its packed filter must give the outputs of "direct", which reads the plain filter. The header of
// a packed filter must say whether all weights are finite.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "kernel/plan/packed_filter.h"
#include "kernel/testing/session.h"
#include "kernel/testing/test_operator.h"

namespace deconv::testing {
namespace {

// Returns layers whose filters are packed in several blocks of lanes (elements of a vector), taps and input channels,
// whole blocks and parts.
std::vector<TestOperator> LayersOfManyBlocks() {
  std::vector<TestOperator> layers;
  const auto add = [&](int64_t groups, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t pad) {
    TestOperator op = PlainOperator(DECONV_F32, {2, 3}, {kernel, kernel}, {stride, stride});
    op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
    op.groups = groups;
    op.in_channels = in;
    op.out_channels = out;
    op.pads_begin = op.pads_end = {pad, pad};
    layers.push_back(op);
  };
  // Groups, input and output channels of a group, kernel, stride and pad of both axes.
  add(1, 131, 37, 3, 2, 1);
  add(1, 3, 131, 9, 3, 4);
  add(1, 67, 5, 2, 2, 0);
  add(1, 9, 33, 1, 1, 0);
  add(33, 1, 1, 4, 2, 1);
  add(6, 3, 5, 5, 4, 2);
  add(4, 8, 8, 3, 2, 1);
  add(1, 2, 3, 8, 7, 5);  // few outputs: some taps have none
  return layers;
}

// Returns the operator with each memory order of the filter that is defined for the type.
std::vector<TestOperator> OrdersOfFilter(TestOperator op, deconv_type type) {
  op.type = type;
  std::vector<TestOperator> orders = {op};
  if (type == DECONV_F32 || type == DECONV_F16 || type == DECONV_BF16) {
    op.kind = DECONV_CONVOLUTION_BACKWARD_DATA;
    for (const bool filter_xio : {false, true}) {
      op.filter_xio = filter_xio;
      orders.push_back(op);
    }
  }
  return orders;
}

// Packs the filter from an odd address into memory at another odd address that is not cleared, and runs the plan. The
// session is a plan with its buffers. Returns the outputs.
std::vector<std::byte> OutputOf(Session& session) {
  std::vector<std::byte> filter(session.filter.size() + 1);
  std::copy(session.filter.begin(), session.filter.end(), filter.begin() + 1);
  std::vector<std::byte> packed(session.packed.size() + 3, std::byte{0xCB});
  EXPECT_EQ(session.plan->PackFilter(std::span(filter).subspan(1), std::span(packed).subspan(3)), DECONV_OK);
  session.packed.assign(packed.begin() + 3, packed.end());
  EXPECT_EQ(session.Run(), DECONV_OK) << session.status.message;
  return session.output;
}

// Sums of small integers are exact, so that every algorithm has the outputs of "direct", which packs nothing.
TEST(PackedWeights, GiveTheOutputsOfThePlainFilter) {
  int compared = 0;
  for (const TestOperator& layer : LayersOfManyBlocks()) {
    for (const deconv_type type : kAllTypes) {
      for (TestOperator op : OrdersOfFilter(layer, type)) {
        for (const bool channels_last : {false, true}) {
          op.channels_last = channels_last;
          Session direct(op, "direct");
          ASSERT_TRUE(direct.plan) << direct.status.message;
          const std::vector<std::byte> expected = OutputOf(direct);
          for (const std::string& target : Targets()) {
            for (const char* algorithm : {"channels", "phased", "rows", "col2im"}) {
              Session session(op, algorithm, target.c_str());
              if (!session.plan) continue;
              ++compared;
              EXPECT_TRUE(OutputOf(session) == expected) << op.ToString() << " by " << algorithm << " on " << target;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 500);  // a floor: algorithms that do not fit are skipped, but not nearly all of them
}

// Returns what the header says: 1 if all weights are finite, otherwise 0.
uint32_t FiniteOf(const Session& session) {
  PackedHeader header;
  std::memcpy(&header, session.packed.data(), sizeof(header));
  return header.finite;
}

// A weight that is not finite is found in the last element too, and where lanes that hold no weight lie beside it.
TEST(PackedWeights, SayWhetherTheyAreFinite) {
  std::mt19937 random(4);
  for (const TestOperator& layer : LayersOfManyBlocks()) {
    if (layer.strides[0] == 7) continue;  // a weight that no output uses counts for none
    for (const deconv_type type : {DECONV_F64, DECONV_F32, DECONV_F16, DECONV_BF16}) {
      for (const TestOperator& op : OrdersOfFilter(layer, type)) {
        for (const char* algorithm : {"channels", "phased", "rows", "col2im"}) {
          Session session(op, algorithm);
          if (!session.plan) continue;
          EXPECT_EQ(FiniteOf(session), 1u) << op.ToString() << " by " << algorithm;
          const size_t bytes = BytesOf(type);
          const size_t last = session.filter.size() / bytes - 1;
          for (const size_t element : {size_t{0}, last, random() % (last + 1)}) {
            const std::vector<std::byte> finite = session.filter;
            std::memset(session.filter.data() + element * bytes, 0xff, bytes);  // a NaN
            ASSERT_EQ(session.plan->PackFilter(session.filter, session.packed), DECONV_OK);
            EXPECT_EQ(FiniteOf(session), 0u) << op.ToString() << " by " << algorithm << ", element " << element;
            session.filter = finite;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace deconv::testing
