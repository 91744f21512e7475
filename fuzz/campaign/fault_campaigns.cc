// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how soon an engine, a process with libFuzzer, finds each planted fault, a defect that a test backend has on
// purpose. For each fault, way of mutation and seed, one engine searches until its first finding. Its time and its
// executions are counted.

#include "fuzz/campaign/fault_campaigns.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "conformance/case/text/elapsed.h"
#include "fuzz/campaign/engine.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

/// A temporary folder. The destructor removes it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "deconv-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(fmt::format("{}: cannot be made", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool Interrupted(const FaultSearchOptions& options) { return options.interrupt != nullptr && *options.interrupt != 0; }

// Searches for a fault. Returns nothing if the search was interrupted.
std::optional<Search> SearchFor(const FaultSearchOptions& options, const conformance::faults::Fault& fault,
                                Mutation mutation, std::uint32_t seed) {
  const TemporaryFolder folder;
  EngineOptions engine;
  engine.program = options.engine;
  engine.backend = fmt::format("fault:{}", fault.name);
  engine.mutation = mutation;
  engine.corpora = {(folder.path() / "corpus").string()};
  fs::create_directory(engine.corpora.front());
  engine.state = (folder.path() / "state").string();
  engine.seconds = options.limit_seconds;
  engine.timeout = 5;  // seconds for a case; a hang is a finding, too
  engine.seed = seed;
  const MappedState state = MapState(engine.state);
  if (state == nullptr) throw std::runtime_error(fmt::format("{}: cannot be mapped", engine.state));
  const auto start = std::chrono::steady_clock::now();
  Engine process;
  if (const std::string error = process.Start(engine); !error.empty()) throw std::runtime_error(error);
  // A backend may hang in a way that libFuzzer's own alarm does not end. The engine is then killed. The alarm
  // gets three times the time of a case to end it first.
  std::optional<EngineEnd> end;
  while (!(end = process.Poll())) {
    // Polls more often at first, so that the time of a short search is measured to 2 ms.
    std::this_thread::sleep_for(std::chrono::milliseconds(conformance::SecondsSince(start) < 1 ? 2 : 20));
    if (Interrupted(options)) break;
    if (conformance::SecondsSince(start) < options.limit_seconds + 3 * engine.timeout) continue;
    process.Kill();
    end = kHung;
    break;
  }
  if (Interrupted(options)) {
    process.Kill();
    return std::nullopt;
  }
  const double seconds = conformance::SecondsSince(start);
  // Without an input, the search shows nothing: the engine cannot run, for example because its backend is missing.
  if (state->executions == 0) throw std::runtime_error(fmt::format("{}: {}", options.engine, end->Text()));
  // An engine ends cleanly when its time is over. If that is more than a second too soon, the backend ended it.
  return Search{.seconds = seconds,
                .executions = state->executions,
                .found = !end->clean() || seconds < options.limit_seconds - 1};
}

}  // namespace

double MedianOf(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

double SearchedFault::MedianSeconds(std::size_t mutation) const {
  std::vector<double> numbers;
  for (const Search& search : searches[mutation]) numbers.push_back(search.seconds);
  return MedianOf(std::move(numbers));
}

double SearchedFault::MedianExecutions(std::size_t mutation) const {
  std::vector<double> numbers;
  for (const Search& search : searches[mutation]) numbers.push_back(static_cast<double>(search.executions));
  return MedianOf(std::move(numbers));
}

bool SearchedFault::MissedInMedian(std::size_t mutation) const {
  const auto missed = std::ranges::count(searches[mutation], false, &Search::found);
  return 2 * static_cast<std::size_t>(missed) >= searches[mutation].size();
}

std::vector<SearchedFault> MeasureFuzzing(const FaultSearchOptions& options,
                                          const std::function<void(std::size_t)>& on_done) {
  std::vector<SearchedFault> measured(options.faults.size());
  for (std::size_t i = 0; i < measured.size(); ++i) {
    measured[i].fault = options.faults[i];
    measured[i].searches.assign(options.mutations.size(), std::vector<Search>(options.seeds));
  }
  const std::size_t searches_of_a_fault = options.mutations.size() * options.seeds;
  std::atomic<std::size_t> next = 0;  // the number of the next search
  std::size_t done = 0;
  std::vector<std::size_t> done_of_fault(measured.size());
  std::mutex mutex;  // guards `done`, `done_of_fault` and `first_error`
  std::exception_ptr first_error;
  const auto search_until_done = [&] {
    // `i` numbers the searches, by fault, then by mutation, then by seed. Example: with 3 mutations and 5 seeds, search
    // 22 is the third one (seed 3) by mutation 1 for fault 1.
    for (std::size_t i = next++; i < measured.size() * searches_of_a_fault; i = next++) {
      SearchedFault& searched = measured[i / searches_of_a_fault];
      const std::size_t mutation = i % searches_of_a_fault / options.seeds;
      const auto seed = static_cast<std::uint32_t>(i % options.seeds);
      try {
        const auto search = SearchFor(options, *searched.fault, options.mutations[mutation], seed + 1);
        if (!search) return;
        searched.searches[mutation][seed] = *search;
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!first_error) first_error = std::current_exception();
        next = measured.size() * searches_of_a_fault;  // no thread begins another search
      }
      const std::scoped_lock lock(mutex);
      ++done_of_fault[i / searches_of_a_fault];
      on_done(++done);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < options.jobs; ++i) threads.emplace_back(search_until_done);
  search_until_done();
  for (std::thread& thread : threads) thread.join();
  if (first_error) std::rethrow_exception(first_error);
  std::vector<SearchedFault> complete;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (done_of_fault[i] == searches_of_a_fault) complete.push_back(std::move(measured[i]));
  }
  return complete;
}

}  // namespace fuzz
