// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A fuzzing engine as a process of its own: the program deconv-fuzz-engine, which is any_backend_fuzzer.cc with
// libFuzzer inside. It ends when the process that started it ends.

#ifndef DECONV_FUZZ_CAMPAIGN_ENGINE_H_
#define DECONV_FUZZ_CAMPAIGN_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/child_process.h"
#include "fuzz/cases/settings.h"

namespace fuzz {

struct EngineOptions {
  std::string program;
  std::string backend;
  Mutation mutation = Mutation::kCases;
  std::vector<std::string> corpora;  ///< folders: the first one is written to
  std::string merge;                ///< file; not empty: the engine merges into the first folder what the others add to
                                    ///< its features, notes in the file how far it is, and ends
  bool merges_by_counters = false;  ///< a merge runs the backend, whose counters are features
  std::string findings;             ///< file; empty: the first finding ends the process
  std::string state;                ///< file; empty: none
  std::string expect;               ///< file of known failures; empty: none is known
  std::string log;                  ///< file that gets what it prints
  bool isolated = false;
  std::optional<std::vector<std::string>> sandbox;  ///< as in the settings
  double timeout = 10;                              ///< seconds for a case
  double seconds = 0;                               ///< 0: without end
  std::uint64_t executions = 0;                     ///< 0: without end
  std::uint32_t seed = 1;
};

/// The end of an engine's process.
struct EngineEnd : conformance::ProcessEnd {
  bool clean() const { return signal == 0 && status == 0; }
  bool interrupted() const;  ///< the engine was asked to end, and did
  bool hung() const;         ///< libFuzzer's word for a case that took too long
  bool swelled() const;      ///< libFuzzer's word for too much memory
  std::string Text() const;
};

class Engine {
 public:
  /// Returns an empty string, or why the engine could not be started.
  std::string Start(const EngineOptions& options);
  bool runs() const { return process_.runs(); }
  /// Returns the engine's end, once; nothing while it runs.
  std::optional<EngineEnd> Poll();
  /// Asks the engine to end; Kill() does not ask.
  void Interrupt() const { process_.Interrupt(); }
  void Kill() { process_.Kill(); }

 private:
  conformance::ChildProcess process_;
};

/// The engine's program beside this one, or empty if there is none.
std::string EngineBesideThisProgram();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_ENGINE_H_
