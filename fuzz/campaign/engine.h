// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzzing engine as a separate process. The engine is the program deconv-fuzz-engine: libFuzzer, which makes
// inputs at random, linked with any_backend_fuzzer.cc, which judges a backend's answer to each. libFuzzer keeps inputs
// with new features, which are properties of the operator such as "stride 2", and changes them further. The engine ends
// when the process that started it ends.

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

/// How an engine is started. Most fields become flags of libFuzzer or variables of the environment.
struct EngineOptions {
  std::string program;  ///< path of deconv-fuzz-engine
  std::string backend;  ///< the backend under test, as --backend names it
  Mutation mutation = Mutation::kCases;
  std::vector<std::string> corpora;  ///< folders of inputs; new inputs are written to the first one
  /// Control file of a merge; empty: no merge. In a merge, the engine copies inputs with new features from the other
  /// folders to the first one. It records its progress in this file, and ends.
  std::string merge;
  bool merges_by_counters = false;  ///< a merge runs the backend, whose coverage counters count as features
  std::string findings;             ///< file to which findings are added; empty: the first finding ends the process
  std::string state;      ///< file of the state that is shared with this process (shared_state.h); empty: none
  std::string expect;     ///< file of known failures; empty: none is known
  std::string log;        ///< file that receives the output of the engine
  bool isolated = false;  ///< run the backend in a process of its own
  std::optional<std::vector<std::string>> sandbox;  ///< as in the settings
  double timeout = 10;                              ///< seconds for a case
  double seconds = 0;                               ///< 0: without end
  std::uint64_t executions = 0;                     ///< the most inputs that are run; 0: without end
  std::uint32_t seed = 1;
};

/// The end of an engine's process.
struct EngineEnd : conformance::ProcessEnd {
  bool clean() const { return signal == 0 && status == 0; }  ///< its time or its executions were used up
  bool interrupted() const;                                  ///< the engine was asked to end
  bool hung() const;           ///< libFuzzer ended the engine because a case took too long
  bool out_of_memory() const;  ///< libFuzzer ended the engine because it used too much memory
  std::string Text() const;    ///< how the process ended, for messages
};

/// libFuzzer's exit code for an engine that it ends because a case took too long.
inline constexpr int kTimeoutExit = 70;
/// Stands for the end of an engine that hangs and is killed.
inline constexpr EngineEnd kHung = {{.status = kTimeoutExit}};

/// An engine's process.
class Engine {
 public:
  /// Returns an empty string, or why the engine could not be started.
  std::string Start(const EngineOptions& options);
  bool runs() const { return process_.runs(); }
  /// Returns the engine's end, once; nothing while it runs.
  std::optional<EngineEnd> Poll();
  /// Asks the engine to end. Kill() ends it at once.
  void Interrupt() const { process_.Interrupt(); }
  void Kill() { process_.Kill(); }

 private:
  conformance::ChildProcess process_;
};

/// The engine's program beside this one, or empty if there is none.
std::string EngineBesideThisProgram();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_ENGINE_H_
