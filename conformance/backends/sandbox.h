// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Contains a backend that nobody trusts. A worker enters the sandbox before it loads the backend. Everything that the
// backend starts is in the sandbox too. README.md says what the sandbox protects and what it does not.

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
  kOwnProcesses = 1U << 3,  ///< no other processes are seen, and all of its own end with it
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
  std::string InForce() const;
  std::string Missing() const;
  /// Both, as a report has them.
  std::string Text() const;
  /// Empty, or why no backend may run.
  std::string Refusal() const;
};

/// The policy as one argument of a command line, and back.
std::string EncodeSandbox(const SandboxPolicy& policy);
SandboxPolicy DecodeSandbox(std::string_view text);

/// The readable paths that a backend's name asks for: the folder of a library, the folders of a command's words, this
/// working folder, and the folders that the passed variables list. Of none of them a folder that holds the user's home.
std::vector<std::string> ReadableFor(std::string_view backend);

/// The variables of this process that a backend may see, with HOME and TMPDIR for the scratch folder: "NAME=value".
std::vector<std::string> SandboxEnvironment(const std::string& scratch);

/// Contains the calling process, which has one thread. It forks: the parents relay how their child ended, and only the
/// last process returns. An exit by the parents is an end of the worker. The first of them removes the scratch folder,
/// also if the process that started it is killed.
SandboxReport EnterSandbox(const SandboxPolicy& policy);

/// Bytes of all files that one sandbox can hold, and of each.
inline constexpr std::uint64_t kScratchBytes = std::uint64_t{256} << 20;

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SANDBOX_H_
