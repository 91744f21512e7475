// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which shard, one machine's part of a case list, the flag and the variables of CI systems select.

#include "conformance/run/shard.h"

#include <map>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace conformance {
namespace {

using Variables = std::map<std::string, std::string>;

/// The chosen shard as "1/4 source", or "error: ...".
std::string Chosen(const std::string& flag, const Variables& variables) {
  const auto chosen = ChooseShard(flag, [&](const char* name) -> std::optional<std::string> {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional(at->second);
  });
  if (const auto* error = std::get_if<std::string>(&chosen)) return "error: " + *error;
  const auto& [shard, source] = std::get<ChosenShard>(chosen);
  return std::to_string(shard.index) + "/" + std::to_string(shard.count) + " " + source;
}

TEST(Shard, IsTheWholeRunByDefault) { EXPECT_EQ(Chosen("", {}), "0/1 "); }

TEST(Shard, FlagGoesFirst) {
  EXPECT_EQ(Chosen("1/4", {{"GTEST_SHARD_INDEX", "2"}, {"GTEST_TOTAL_SHARDS", "8"}}), "1/4 --shard 1/4");
  EXPECT_EQ(Chosen("/3", {{"JOB_COMPLETION_INDEX", "2"}}), "2/3 --shard /3 JOB_COMPLETION_INDEX=2");
}

TEST(Shard, SystemsCountFromZeroOrOne) {
  EXPECT_EQ(Chosen("", {{"GTEST_SHARD_INDEX", "2"}, {"GTEST_TOTAL_SHARDS", "8"}}),
            "2/8 GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=8");
  EXPECT_EQ(Chosen("", {{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "2"}}),
            "0/2 TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=2");
  EXPECT_EQ(Chosen("", {{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "2"}}), "0/2 CI_NODE_INDEX=1 CI_NODE_TOTAL=2");
  EXPECT_EQ(Chosen("", {{"SLURM_ARRAY_TASK_ID", "1"}, {"SLURM_ARRAY_TASK_COUNT", "2"}}),
            "1/2 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2");
  EXPECT_EQ(Chosen("", {{"SLURM_ARRAY_TASK_ID", "4"}, {"SLURM_ARRAY_TASK_COUNT", "4"}, {"SLURM_ARRAY_TASK_MIN", "1"}}),
            "3/4 SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=4");
  EXPECT_EQ(Chosen("", {{"CI_NODE_INDEX", "1"}}), "0/1 ");
}

TEST(Shard, ImpossibleShardsAreRefused) {
  for (const char* flag : {"4/4", "-1/4", "1/0", "x/4", "1/x", "1", "1/4/5", "1/99999999999", "/4"}) {
    EXPECT_EQ(Chosen(flag, {}).substr(0, 7), "error: ") << flag;
  }
  EXPECT_EQ(Chosen("", {{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "2"}}).substr(0, 7), "error: ");
  EXPECT_EQ(Chosen("", {{"CI_NODE_INDEX", "3"}, {"CI_NODE_TOTAL", "2"}}).substr(0, 7), "error: ");
}

}  // namespace
}  // namespace conformance
