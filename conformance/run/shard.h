// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of a case list that one of several machines runs, given by a flag or by the environment of a CI system.

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

/// `flag` is the value of --shard ("1/4", or "/4" where JOB_COMPLETION_INDEX has the index), or empty: then the first
/// of GoogleTest's and Bazel's variables, GitLab's and Slurm's that are set says which. Else what is wrong.
std::variant<ChosenShard, std::string> ChooseShard(std::string_view flag, const Environment& environment);

/// Reads a variable of this process's environment.
std::optional<std::string> ProcessEnvironment(const char* name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_SHARD_H_
