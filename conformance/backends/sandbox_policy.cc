// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the folders and the environment variables that a backend in a sandbox may read. The folders are those of its
// own program or library, of the suite's program, the current one, and those that some variables name, such as
// PYTHONPATH. Folders with the user's home are left out.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "conformance/backends/process_interface.h"
#include "conformance/backends/sandbox.h"
#include "conformance/case/text/files.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;

// Variables that say how a runtime finds its parts and how many threads it takes. The list has no tokens and no names
// of machines.
constexpr std::array kPassed = {"PATH",
                                "LANG",
                                "TZ",
                                "TERM",
                                "LD_LIBRARY_PATH",
                                "LD_PRELOAD",
                                "PYTHONPATH",
                                "PYTHONHOME",
                                "VIRTUAL_ENV",
                                "CONDA_PREFIX",
                                "NODE_PATH",
                                "JAVA_HOME",
                                "CUDA_PATH",
                                "CUDA_VISIBLE_DEVICES",
                                "ROCM_PATH",
                                "ASAN_OPTIONS",
                                "UBSAN_OPTIONS",
                                "LSAN_OPTIONS",
                                "MSAN_OPTIONS",
                                "TSAN_OPTIONS",
                                "LLVM_PROFILE_FILE",
                                "ONNXRUNTIME_MODULES"};
constexpr std::array<std::string_view, 8> kPassedPrefixes = {"LC_",   "OMP_",    "KMP_",      "MKL_",
                                                             "DNNL_", "ONEDNN_", "OPENBLAS_", "GOMP_"};
// Variables whose values are lists of folders, with colons between them. A backend may read these folders.
constexpr std::array kNamesFolders = {"LD_LIBRARY_PATH", "PYTHONPATH",         "PYTHONHOME", "VIRTUAL_ENV",
                                      "CONDA_PREFIX",    "NODE_PATH",          "JAVA_HOME",  "CUDA_PATH",
                                      "ROCM_PATH",       "ONNXRUNTIME_MODULES"};

bool IsPassed(std::string_view name) {
  return std::ranges::find(kPassed, name) != kPassed.end() ||
         std::ranges::any_of(kPassedPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Collects the paths that a backend may read. A folder that contains a home folder is left out.
class ReadablePaths {
 public:
  void AddFolder(const fs::path& path) {
    std::error_code error;
    const fs::path folder = fs::canonical(path, error);
    if (!error && !ContainsHome(folder)) found_.insert(folder.string());
  }
  /// The file's folder, or the file alone if the folder holds a home folder.
  void AddFile(const fs::path& path) {
    std::error_code error;
    const fs::path file = fs::canonical(path, error);
    if (error) return;
    for (const fs::path& one : {fs::absolute(path), file}) {
      const fs::path folder = fs::canonical(one.parent_path(), error);
      found_.insert((error || ContainsHome(folder) ? one : folder).string());
      // PREFIX/bin/python3 reads PREFIX/lib, and PREFIX/shims/python3 reads all of PREFIX.
      if (!error && (folder.filename() == "bin" || folder.filename() == "shims")) AddFolder(folder.parent_path());
    }
  }
  std::vector<std::string> all() const { return {found_.begin(), found_.end()}; }

 private:
  /// Whether the folder is the root, or is or contains a home folder. "/home/user" stands for every home below /home.
  static bool ContainsHome(const fs::path& folder) {
    const char* const home = std::getenv("HOME");
    std::error_code error;
    for (const fs::path& one : {fs::path(home == nullptr ? "/" : home), fs::path("/root"), fs::path("/home/user")}) {
      const fs::path there = fs::weakly_canonical(one, error);
      const auto [end, rest] = std::ranges::mismatch(folder, there);
      if (end == folder.end() && there != "/") return true;
    }
    return folder == "/";
  }

  std::set<std::string> found_;
};

/// The words of a shell command, without quotes. No full shell parser is needed to find file names among them.
std::vector<std::string> WordsOf(std::string_view command) {
  std::vector<std::string> words(1);
  for (const char c : command) {
    if (std::string_view(" \t\n'\";|&=()<>").find(c) == std::string_view::npos) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Adds the folder or file that a word of a command names, or the program of this name in PATH.
void AddWord(const std::string& word, ReadablePaths& readable) {
  std::error_code error;
  if (fs::is_directory(word, error)) return readable.AddFolder(word);
  if (fs::exists(word, error)) return readable.AddFile(word);
  if (word.find('/') != std::string::npos) return;
  std::string_view path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const fs::path program = fs::path(path.substr(0, end)) / word;
    if (access(program.c_str(), X_OK) == 0) return readable.AddFile(program);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
}

}  // namespace

std::vector<std::string> ReadablePathsOf(std::string_view backend) {
  ReadablePaths readable;
  readable.AddFolder(ProgramFolder());
  readable.AddFolder(ProgramFolder().parent_path() / "lib");
  readable.AddFolder(".");
  if (backend.starts_with(kProcessPrefix)) {
    for (const std::string& word : WordsOf(backend.substr(kProcessPrefix.size()))) AddWord(word, readable);
  } else if (const fs::path file(backend.substr(0, backend.find('?'))); fs::exists(file)) {
    readable.AddFile(file);
  }
  for (const char* name : kNamesFolders) {
    const char* const value = std::getenv(name);
    for (std::string_view rest = value == nullptr ? "" : value; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) readable.AddFolder(fs::path(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return readable.all();
}

std::vector<std::string> SandboxEnvironment(const std::string& scratch) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (IsPassed(variable.substr(0, variable.find('=')))) variables.emplace_back(variable);
  }
  for (const char* name : {"HOME", "TMPDIR", "XDG_CACHE_HOME"})
    variables.push_back(fmt::format("{}={}", name, scratch));
  return variables;
}

std::string EncodeSandbox(const SandboxPolicy& policy) {
  return fmt::format("{}\n{}", policy.scratch, fmt::join(policy.readable, "\n"));
}

SandboxPolicy DecodeSandbox(std::string_view text) {
  SandboxPolicy policy;
  for (bool first = true; !text.empty(); first = false) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end));
    if (first) {
      policy.scratch = line;
    } else {
      policy.readable.push_back(line);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return policy;
}

}  // namespace conformance
