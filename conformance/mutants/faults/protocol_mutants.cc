// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of mutants, backends that misbehave on purpose, that break the process protocol
// (interface/process_protocol.md) when deconv-server runs them. They compute correctly, but spoil the message with
// their description, or the answer to each run that computed.

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <unistd.h>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

template <auto kBreak>
void BreakDescription(ServedMessage& message) {
  if (message.request == "describe") kBreak(message);
}

template <auto kBreak>
void BreakAnswer(ServedMessage& message) {
  if (message.computed) kBreak(message);
}

/// Inserts `text` behind the first occurrence of `mark`. A digit that is inserted behind a key changes its number:
/// protocol 1 becomes 21.
void InsertBehind(ServedMessage& message, std::string_view mark, std::string_view text) {
  message.bytes.insert(message.bytes.find(mark) + mark.size(), text);
}

void SendAllButOneByte(ServedMessage& message) {
  std::fwrite(message.bytes.data(), 1, message.bytes.size() - 1, message.to);
  std::fflush(message.to);
  std::exit(4);
}

void CloseOutput(ServedMessage& message) {
  close(fileno(message.to));
  for (;;) pause();
}

[[noreturn]] void EndWithLastWord(const char* word, int status) {
  std::fprintf(stderr, "%s\n", word);
  std::exit(status);
}

using Message = ServedMessage;

// Columns: name, what the mutant does, and the hook that does it.
constexpr std::array kProtocolMutants = {
    Mutant("protocol_text_before_description", "prints a line before its description",
           {.writes = BreakDescription<[](Message& m) { m.bytes.insert(0, "loading the model ...\n"); }>}),
    Mutant("protocol_no_description", "exits instead of describing itself",
           {.writes = BreakDescription<[](Message&) { EndWithLastWord("no licence was found", 9); }>}),
    Mutant("protocol_other_version", "speaks another version of the protocol",
           {.writes = BreakDescription<[](Message& m) { InsertBehind(m, "\"protocol\":", "2"); }>}),
    Mutant("protocol_unknown_key", "describes itself with an unknown key",
           {.writes = BreakDescription<[](Message& m) { InsertBehind(m, "{", "\"acumulator\":\"f32\","); }>}),

    Mutant("protocol_text", "prints a line before each answer",
           {.writes = BreakAnswer<[](Message& m) { m.bytes.insert(0, "computing ...\n"); }>}),
    Mutant("protocol_twice", "answers twice", {.writes = BreakAnswer<[](Message& m) { m.bytes += m.bytes; }>}),
    Mutant("protocol_other_number", "answers another request",
           {.writes = BreakAnswer<[](Message& m) { InsertBehind(m, "\"id\":", "9"); }>}),
    // The line has more than 1 MiB before its end.
    Mutant("protocol_long_line", "answers with a line without end",
           {.writes = BreakAnswer<[](Message& m) {
              InsertBehind(m, "{", "\"message\":\"" + std::string(std::size_t{1} << 20, 'x') + "\",");
            }>}),
    Mutant("protocol_other_length", "answers with dims and bytes that disagree",
           {.writes = BreakAnswer<[](Message& m) { InsertBehind(m, "\"output_bytes\":", "9"); }>}),
    Mutant("protocol_too_few_bytes", "sends fewer bytes than it says, and exits",
           {.writes = BreakAnswer<SendAllButOneByte>}),
    Mutant("protocol_closes_output", "closes its standard output and goes on", {.writes = BreakAnswer<CloseOutput>}),
    Mutant("protocol_exits", "exits with status 3 and a last word",
           {.writes = BreakAnswer<[](Message&) { EndWithLastWord("out of tokens", 3); }>}),
    Mutant("protocol_dies", "aborts with a last word", {.writes = BreakAnswer<[](Message&) {
                                                          std::fputs("assertion failed: strides\n", stderr);
                                                          std::abort();
                                                        }>}),
    Mutant("protocol_hangs", "never answers", {.writes = BreakAnswer<[](Message&) {
                                                 for (;;) pause();
                                               }>}),
};

}  // namespace

std::span<const Fault> ProtocolMutants() { return kProtocolMutants; }

}  // namespace conformance::faults
