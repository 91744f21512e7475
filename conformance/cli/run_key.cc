// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Hashes the inputs of a run. A file enters the hash as its path, its size and the time of its last change.

#include "conformance/cli/run_key.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "conformance/backends/process_interface.h"
#include "conformance/cli/version.h"
#include "conformance/suite/case_lists/list_hash.h"

namespace conformance {
namespace {

/// Identifies a program on disk by path, size and time; empty if the path is no file.
std::string FileIdentity(const std::string& path) {
  std::error_code error;
  const auto file = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_regular_file(file, error)) return "";
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), std::filesystem::file_size(file, error), written);
}

/// Identifies a library, or each file that is a word of a command ("cmd:python3 backend.py").
std::string BackendIdentity(const std::string& backend) {
  if (!backend.starts_with(kProcessPrefix)) return FileIdentity(backend.substr(0, backend.find('?')));
  std::istringstream command(backend.substr(kProcessPrefix.size()));
  std::string identity;
  for (std::string word; command >> word;) {
    std::erase_if(word, [](char c) { return c == '\'' || c == '"'; });
    identity += FileIdentity(word) + '\n';
  }
  return identity;
}

}  // namespace

std::string KeyOf(const RunArguments& arguments, const std::vector<SuiteCase>& case_list, const Shard& shard) {
  ListHash hash;
  hash.Add(kSuiteVersion, HashOf(case_list));
  hash.Add(fmt::format("{}/{}", shard.index, shard.count), FileIdentity("/proc/self/exe"));
  hash.Add(fmt::format("{} {} {} {} {} {}", arguments.budget_seconds, arguments.timeout, arguments.memory_gib,
                       arguments.worker_memory_gib, arguments.max_hangs, arguments.work),
           "");
  for (const std::string& backend : arguments.backends) {
    hash.Add(backend, BackendIdentity(backend));
  }
  std::set<std::string> values;
  for (const SuiteCase& suite_case : case_list) {
    const Case& test_case = suite_case.test_case;
    if (const auto& file = test_case.filter_values) values.insert(file->path);
    for (const auto* given : {&test_case.given_data, &test_case.given_filter, &test_case.recorded}) {
      if (!*given) continue;
      if (const auto* npy = std::get_if<NpyValues>(&**given)) values.insert(npy->path);
    }
  }
  for (const std::string& path : values) hash.Add(path, FileIdentity(path));
  return hash.Text();
}

}  // namespace conformance
