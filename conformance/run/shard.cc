// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the shard, one machine's part of a run, from the flag --shard, or from the environment variables of the first
// CI system that sets them.

#include "conformance/run/shard.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace conformance {
namespace {

/// The environment variables that tell a job its index among the jobs of a CI system, and their number.
struct CiSystem {
  const char* index;                 ///< name of the variable with the job's index
  const char* count;                 ///< name of the variable with the number of jobs
  std::uint64_t first = 0;           ///< index of the first job
  const char* first_name = nullptr;  ///< variable that overrides `first` if it is set; null: none
};

constexpr std::array kSystems = {
    CiSystem{.index = "GTEST_SHARD_INDEX", .count = "GTEST_TOTAL_SHARDS"},
    CiSystem{.index = "TEST_SHARD_INDEX", .count = "TEST_TOTAL_SHARDS"},       // Bazel
    CiSystem{.index = "CI_NODE_INDEX", .count = "CI_NODE_TOTAL", .first = 1},  // GitLab
    CiSystem{.index = "SLURM_ARRAY_TASK_ID", .count = "SLURM_ARRAY_TASK_COUNT", .first_name = "SLURM_ARRAY_TASK_MIN"},
};

constexpr const char* kKubernetesIndex = "JOB_COMPLETION_INDEX";  // Kubernetes tells the index, but not the number

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The shard of a job whose index counts from `first`, or an error.
std::variant<ChosenShard, std::string> CheckedShard(std::optional<std::uint64_t> index,
                                                    std::optional<std::uint64_t> count, std::uint64_t first,
                                                    std::string source) {
  constexpr std::uint64_t kMost = 1'000'000;  // more than any list has cases: a larger number is not meant
  if (!index || !count || *count == 0 || *count > kMost || *index < first || *index - first >= *count) {
    return fmt::format("{}: expected an index of at least {} and a larger number of shards, at most {}", source, first,
                       kMost);
  }
  return ChosenShard{{*index - first, *count}, std::move(source)};
}

/// The shard of --shard. Example: "1/4" is the second of four shards; "/4" takes its index from Kubernetes.
std::variant<ChosenShard, std::string> ShardOfFlag(std::string_view flag, const Environment& environment) {
  const std::string source = fmt::format("--shard {}", flag);
  const std::size_t slash = flag.find('/');
  if (slash == std::string_view::npos) return source + ": expected I/N with I from 0, or /N";
  const auto count = Number(flag.substr(slash + 1));
  if (slash != 0) return CheckedShard(Number(flag.substr(0, slash)), count, 0, source);
  const auto index = environment(kKubernetesIndex);
  if (!index) return fmt::format("{}: {} is not set; set it, or give the index before the /", source, kKubernetesIndex);
  return CheckedShard(Number(*index), count, 0, fmt::format("{} {}={}", source, kKubernetesIndex, *index));
}

}  // namespace

std::variant<ChosenShard, std::string> ChooseShard(std::string_view flag, const Environment& environment) {
  if (!flag.empty()) return ShardOfFlag(flag, environment);
  for (const CiSystem& system : kSystems) {
    const auto index = environment(system.index);
    const auto count = environment(system.count);
    if (!index || !count) continue;
    const auto named = system.first_name == nullptr ? std::nullopt : environment(system.first_name);
    return CheckedShard(Number(*index), Number(*count), named ? Number(*named).value_or(system.first) : system.first,
                        fmt::format("{}={} {}={}", system.index, *index, system.count, *count));
  }
  return ChosenShard{};
}

std::optional<std::string> ProcessEnvironment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace conformance
