// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The benchmark's own parts: the list of layers with its complaints, and the pool.
#include "kernel/bench/layers.h"

#include <atomic>
#include <sstream>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernel/bench/pool.h"

namespace deconv::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

std::string ErrorOf(const std::string& text) {
  std::istringstream input(text);
  std::vector<Layer> layers;
  std::string error;
  return ReadLayers(input, layers, error) ? "" : error;
}

TEST(Layers, ReadsFieldsAndSkipsComments) {
  std::istringstream input("# head\n\nspec 1 4 5 2 224,23 3,4 2,1 1,0 1,2 1,3 0,1  # tail\n");
  std::vector<Layer> layers;
  std::string error;
  ASSERT_TRUE(ReadLayers(input, layers, error)) << error;
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers[0].line, 3);
  EXPECT_EQ(layers[0].groups, 4);
  EXPECT_THAT(layers[0].data, ElementsAre(224, 23));
  EXPECT_THAT(layers[0].output_padding, ElementsAre(0, 1));
  EXPECT_EQ(layers[0].MultiplyAdds(), 1.0 * 4 * 5 * 2 * 224 * 23 * 12);
}

TEST(Layers, ComplaintsNameLineAndField) {
  EXPECT_EQ(ErrorOf("a 1 1 1 1 4 3 1 0 0 1 0\n"), "");
  EXPECT_THAT(ErrorOf("\na 1 1 1 1 4 3 1 0 0 1\n"), StartsWith("line 2: has 11 fields, expected 12"));
  EXPECT_THAT(ErrorOf("a 1 0 1 1 4 3 1 0 0 1 0\n"), StartsWith("line 1: G is \"0\", expected a positive integer"));
  EXPECT_THAT(ErrorOf("a 1 1 1 1 4,x 3 1 0 0 1 0\n"), StartsWith("line 1: in is \"4,x\""));
  EXPECT_THAT(ErrorOf("a 1 1 1 1 4 3,3 1 0 0 1 0\n"), StartsWith("line 1: kernel is \"3,3\", expected 1 values"));
  EXPECT_THAT(ErrorOf("a 1 1 1 1 4 3 1 0 0 1 0\na 1 1 1 1 4 3 1 0 0 1 0\n"), StartsWith("line 2: name is \"a\""));
  EXPECT_THAT(ErrorOf("a 1 1099511627776 1099511627776 1 4 3 1 0 0 1 0\n"),
              StartsWith("line 1: Cin/G is \"1099511627776\", expected a number whose product with G"));
  EXPECT_EQ(ErrorOf("# nothing\n"), "has no layers, expected at least one line");
}

TEST(Pool, RunsEveryIndexOnceJobAfterJob) {
  Pool pool(3);
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{1000}}) {
    std::vector<std::atomic<int>> hits(count);
    const auto task = [](void* argument, size_t index, size_t worker) {
      EXPECT_LT(worker, 3u);
      ++(*static_cast<std::vector<std::atomic<int>>*>(argument))[index];
    };
    for (int i = 0; i < 50; ++i) Pool::ParallelFor(&pool, count, task, &hits);
    for (const auto& hit : hits) EXPECT_EQ(hit.load(), 50);
  }
}

}  // namespace
}  // namespace deconv::bench
