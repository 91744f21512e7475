// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the shard: the part of a case list that one of several machines runs. A flag or the environment variables of
// a CI system tell the shard.

#ifndef DECONV_CONFORMANCE_RUN_SHARD_H_
#define DECONV_CONFORMANCE_RUN_SHARD_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace conformance {

struct Shard {
  std::uint64_t index = 0;  ///< from 0, below `count`
  std::uint64_t count = 1;

  bool operator==(const Shard&) const = default;
};

struct ChosenShard {
  Shard shard;
  std::string source;  ///< "--shard 1/4", "GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=4"; empty: nobody asked for one
};

/// The value of an environment variable, or nothing.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// Returns the shard, or a message about a wrong value. `flag` is the value of --shard: "1/4", or "/4" if the variable
/// JOB_COMPLETION_INDEX has the index. If it is empty, the first variables that are set decide: those of GoogleTest,
/// Bazel, GitLab, then Slurm. If none are set, the shard is the whole list.
std::variant<ChosenShard, std::string> ChooseShard(std::string_view flag, const Environment& environment);

/// Reads a variable of this process's environment.
std::optional<std::string> ProcessEnvironment(const char* name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_SHARD_H_
