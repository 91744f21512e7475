// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs an untrusted backend (a library or command of somebody else) in a sandbox. A worker, the process that runs a
// backend, enters the sandbox before it loads the backend. All processes that the backend starts are in the sandbox
// too. README.md says what the sandbox protects and what it does not.

#ifndef DECONV_CONFORMANCE_BACKENDS_SANDBOX_H_
#define DECONV_CONFORMANCE_BACKENDS_SANDBOX_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

/// The files that one backend may use in addition to the system's own.
struct SandboxPolicy {
  std::string scratch;                ///< EnterSandbox makes this folder; only in it can files be written
  std::vector<std::string> readable;  ///< files and folders that it may read
};

/// The protections. The first three are required: without one of them no backend runs.
enum Protection : std::uint32_t {
  kNoNetwork = 1U << 0,     ///< no socket but pairs of local ones
  kNoWrites = 1U << 1,      ///< no writes, and no changes of modes and owners, outside of the scratch folder
  kNoSecrets = 1U << 2,     ///< few variables, no home folder, and no memory of other processes
  kOwnProcesses = 1U << 3,  ///< other processes are invisible, and its own children end with the worker
  kOwnNetwork = 1U << 4,    ///< a network without interfaces, for system calls that the filter does not know
  kBoundedFiles = 1U << 5,  ///< the scratch folder is in memory, and bounded
};
inline constexpr std::uint32_t kRequiredProtections = kNoNetwork | kNoWrites | kNoSecrets;

/// The protections that are in force, and the reasons why others are missing.
struct SandboxReport {
  std::uint32_t in_force = 0;
  std::vector<std::string> missing;  ///< "no view of other processes: unshare: Operation not permitted"

  bool operator==(const SandboxReport&) const = default;
  /// "no network, no writes outside of its scratch folder, ..."
  std::string ActiveProtections() const;
  /// The reasons in `missing`, with "; " between them.
  std::string Missing() const;
  /// ActiveProtections() and the missing protections, as a report prints them.
  std::string Text() const;
  /// Says which required protection is missing, so that no backend may run. Empty if none is.
  std::string Refusal() const;
};

/// The policy as one argument of a command line, and back.
std::string EncodeSandbox(const SandboxPolicy& policy);
SandboxPolicy DecodeSandbox(std::string_view text);

/// The paths that a backend may read because of its name: the folder of a library, the folders of files in a command,
/// the working folder, and the folders in the variables that it gets. A folder that contains the user's home is left
/// out.
std::vector<std::string> ReadablePathsOf(std::string_view backend);

/// The variables of this process that a backend may see, with HOME and TMPDIR for the scratch folder: "NAME=value".
std::vector<std::string> SandboxEnvironment(const std::string& scratch);

/// Puts the calling process, which must have one thread, into the sandbox. The function forks. Only the last child
/// returns; the parents wait and end in the way in which their child ended. The first parent removes the scratch
/// folder, also if the process that started it is killed.
SandboxReport EnterSandbox(const SandboxPolicy& policy);

/// The most bytes that all files of one sandbox can hold together, and the most of each file.
inline constexpr std::uint64_t kScratchBytes = std::uint64_t{256} << 20;

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_H_
