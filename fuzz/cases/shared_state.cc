// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps the state file into memory, and writes an engine's state to it. Only the engine's process writes while it runs,
// without a lock. The campaign reads meanwhile, so its numbers may be slightly older.

#include "fuzz/cases/shared_state.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/cases/settings.h"

namespace fuzz {
namespace {

/// The state of this process; null if the settings name no file.
SharedState* OwnState() {
  static const MappedState state =
      EnvironmentSettings().state.empty() ? nullptr : MapState(EnvironmentSettings().state);
  return state.get();
}

}  // namespace

NotKept& NotKept::operator+=(const NotKept& other) {
  duplicates += other.duplicates;
  explained += other.explained;
  untried += other.untried;
  expected += other.expected;
  return *this;
}

void Unmap::operator()(SharedState* state) const { munmap(state, sizeof(SharedState)); }

MappedState MapState(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (ftruncate(file, sizeof(SharedState)) == 0) {
    memory = mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  return MappedState(memory == MAP_FAILED ? nullptr : static_cast<SharedState*>(memory));
}

void NoteInput(std::span<const std::uint8_t> input) {
  SharedState* const state = OwnState();
  if (state == nullptr) return;
  const std::size_t size = std::min(input.size(), state->input.size());
  std::copy_n(input.begin(), size, state->input.begin());
  state->input_size = std::max<std::size_t>(size, 1);  // 0 says that no input was begun
  if (size == 0) state->input[0] = '\n';               // a line break is the same case as the empty input
  ++state->executions;
}

void NoteJudged(std::string_view line) {
  SharedState* const state = OwnState();
  if (state == nullptr) return;
  ++state->judged;
  const auto append = [&](char c) { state->history[state->history_bytes++ % kHistoryBytes] = c; };
  std::ranges::for_each(line, append);
  append('\n');
}

std::vector<std::string> HistoryOf(const SharedState& state) {
  std::vector<std::string> lines;
  const std::uint64_t end = state.history_bytes;
  std::uint64_t at = end > kHistoryBytes ? end - kHistoryBytes : 0;
  bool is_whole = at == 0;  // in a full ring buffer, the beginning of the oldest line was overwritten
  for (std::string line; at < end; ++at) {
    const char c = state.history[at % kHistoryBytes];
    if (c != '\n') {
      line += c;
      continue;
    }
    if (is_whole && !line.empty()) lines.push_back(line);
    is_whole = true;
    line.clear();
  }
  return lines;
}

std::vector<std::string> OwnHistory() {
  const SharedState* const state = OwnState();
  return state == nullptr ? std::vector<std::string>() : HistoryOf(*state);
}

void NoteGuarded() {
  if (SharedState* const state = OwnState()) ++state->guarded;
}

void NoteDiscarded(const NotKept& more) {
  if (SharedState* const state = OwnState()) state->not_kept += more;
}

void NoteFeature(std::size_t feature) {
  SharedState* const state = OwnState();
  if (state != nullptr) state->seen[feature / 8] |= static_cast<std::uint8_t>(1U << (feature % 8));
}

}  // namespace fuzz
