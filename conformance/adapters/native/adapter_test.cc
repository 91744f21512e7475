// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the helpers that the adapters of C++ libraries share (adapter.h, resolved.h). It needs none of these libraries.

#include <cstddef>
#include <new>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/adapters/native/resolved.h"

namespace native {
namespace {

using testing::ElementsAre;

TEST(NativeAdapter, AnOlderSuiteSendsNoResolvedGeometry) {
  deconv_backend suite{};
  suite.size = sizeof(suite);
  EXPECT_TRUE(SendsResolved(suite));
  suite.size = offsetof(deconv_backend, supports) + sizeof(suite.supports);
  EXPECT_TRUE(SendsResolved(suite));
  suite.size = offsetof(deconv_backend, supports);
  EXPECT_FALSE(SendsResolved(suite));
}

TEST(NativeAdapter, NoExceptionLeavesSupports) {
  deconv_supports_request request{};
  EXPECT_EQ(AnswerSupports(request, [] { return std::string(); }), 1);
  EXPECT_EQ(AnswerSupports(request, [] { return std::string("one group"); }), 0);
  EXPECT_STREQ(request.message, "one group");
  EXPECT_EQ(AnswerSupports(request, []() -> std::string { throw Unsupported("no kernel"); }), 0);
  EXPECT_STREQ(request.message, "no kernel");
  EXPECT_EQ(AnswerSupports(request, []() -> std::string { throw std::bad_alloc(); }), 1) << "run() says it";
}

TEST(NativeAdapter, LayoutsHaveTheirSteps) {
  Geometry g{};
  g.spatial_rank = 2;
  g.batch = 2;
  const std::int64_t spatial[] = {4, 5};
  Strided last = ChannelsLast(g, 3, spatial);  // the memory has channels first: 20 elements a channel, 60 an image
  EXPECT_THAT(last.dims, ElementsAre(2, 4, 5, 3));
  EXPECT_THAT(last.steps, ElementsAre(60, 5, 1, 20));
  g.channels_last = 1;
  last = ChannelsLast(g, 3, spatial);
  EXPECT_THAT(last.steps, ElementsAre(60, 15, 3, 1));
  g.spatial_rank = 1;
  EXPECT_THAT(ChannelsLast(g, 3, spatial).dims, ElementsAre(2, 4, 3));
}

}  // namespace
}  // namespace native
