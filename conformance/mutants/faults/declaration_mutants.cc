// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of mutants, backends that misbehave on purpose, that change what a backend says of itself: its
// declarations (types, ranks, arithmetic), its interface, or its messages in the process protocol. Those whose names
// begin with "declares" compute correctly; tests combine them with a fault
// ("second_call_reordered+declares_no_determinism"). Those whose names begin with "bad" cannot be opened.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include <unistd.h>

#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/faulty_backend.h"

namespace conformance::faults {
namespace {

using Description = deconv_backend_description;
using Rows = std::array<deconv_type_arithmetic, 2>;

constexpr std::array<const char*, 2> kOneDialect = {"openvino-spec", nullptr};
constexpr std::array<const char*, 3> kTwoDialects = {"openvino-spec", "onnxruntime", nullptr};
constexpr std::array<const char*, 2> kUnknownDialect = {"openvino-spek", nullptr};
constexpr std::array<const char*, 1> kNoDialect = {nullptr};
constexpr std::array<const char*, 2> kRuntimeDialect = {"openvino-runtime", nullptr};

/// Declares only ConvolutionBackpropData on f32, with these dialects and this rank.
void DeclareLittle(Description& description, const char* const* dialects, std::int32_t rank) {
  description.dialects = dialects;
  description.operators = 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA;
  description.element_types = 1U << DECONV_ID_F32;
  description.min_rank = description.max_rank = rank;
}

/// Sets one member of the description to a value.
template <auto kMember, auto kValue>
void Declare(Description& description, const State& /*state*/) {
  description.*kMember = kValue;
}

/// Sets one member of the description to the number in the configuration.
template <auto kMember>
void DeclareGiven(Description& description, const State& state) {
  using Number = std::remove_reference_t<decltype(description.*kMember)>;
  description.*kMember = static_cast<Number>(std::atoll(state.value.c_str()));
}

/// Declares two correct rows of arithmetic, after kChange has changed them.
template <auto kChange>
void DeclareRows(Description& description, const State& /*state*/) {
  static Rows rows;
  rows.fill({.size = sizeof(deconv_type_arithmetic),
             .element_type = DECONV_ID_BF16,
             .accumulator = DECONV_ACCUMULATOR_F64,
             .rounding = DECONV_ROUNDING_FAITHFUL,
             .subnormals = DECONV_SUBNORMALS_FLUSHED});
  rows[1].element_type = DECONV_ID_F16;
  description.arithmetic = rows.data();
  description.arithmetic_count = rows.size();
  kChange(rows, description);
}

/// Makes one member of a row of arithmetic invalid.
template <std::size_t kRow, auto kMember, auto kValue>
void SpoilRow(Rows& rows, Description& /*description*/) {
  rows[kRow].*kMember = kValue;
}

void DeclareEndlessName(Description& description, const State& /*state*/) {
  static std::array<char, 256> name;
  name.fill('x');
  description.name = name.data();
}

void DeclareEndlessDialects(Description& description, const State& /*state*/) {
  static std::array<const char*, 64> dialects;
  dialects.fill(kOneDialect[0]);
  description.dialects = dialects.data();
}

deconv_answer ClaimOtherPads(void* self, deconv_resolve_request* request) {
  const deconv_answer answer = ResolveFaulty(self, request);
  ++request->pads_begin[0];
  return answer;
}

using Row = deconv_type_arithmetic;
constexpr auto kNull = nullptr;

// Columns: name, what the mutant does, and the hooks that do it.
constexpr std::array kDeclarationMutants = {
    Mutant("small", "declares ConvolutionBackpropData on f32 with two spatial axes alone, and does not resolve",
           {.declares = [](Description& description,
                           const State&) { DeclareLittle(description, kRuntimeDialect.data(), 4); },
            .interface = [](deconv_backend& interface) { interface.resolve = nullptr; }}),
    Mutant("runtime_declared_as_spec", "declares openvino-spec and resolves as OpenVINO's code does",
           {.attributes = [](Attributes& attributes) { attributes.dialect = kRuntimeDialect[0]; },
            .declares = [](Description& description,
                           const State&) { DeclareLittle(description, kOneDialect.data(), 3); }}),
    Mutant("declares_fast", "declares an algorithm by transforms",
           {.declares = Declare<&Description::algorithm, DECONV_ALGORITHM_FAST>}),
    Mutant("declares_storage", "declares sums in the element type",
           {.declares = Declare<&Description::accumulator, DECONV_ACCUMULATOR_STORAGE>}),
    Mutant("declares_structural_nan", "declares that inserted zeros are multiplied",
           {.declares = Declare<&Description::known_deviations, DECONV_DEVIATION_STRUCTURAL_NAN>}),
    Mutant("declares_clamped_infinity", "declares that infinities are clamped",
           {.declares = Declare<&Description::known_deviations, DECONV_DEVIATION_CLAMPED_INFINITY>}),
    Mutant("declares_saturating_i8", "declares that i8 saturates",
           {.declares = Declare<&Description::saturating_types, 1U << DECONV_ID_I8>}),
    Mutant("declares_in_f32", "declares that f64 and integers are computed in f32",
           {.declares = Declare<&Description::types_in_f32, 0xff1U>}),  // bits 0 (f64) and 4 to 11 (integers)
    Mutant("declares_no_determinism", "promises no equal bits", {.declares = Declare<&Description::deterministic, 0U>}),
    Mutant("declares_any_threads", "promises equal bits with any number of threads",
           {.declares = Declare<&Description::deterministic, DECONV_SAME_BITS_ANY_THREADS>}),
    Mutant("declares_two_dialects", "declares a dialect that defines none of the declared operators",
           {.declares = [](Description& description,
                           const State&) { DeclareLittle(description, kTwoDialects.data(), 3); }}),
    Mutant("declares_rows", "declares an arithmetic of its own for bf16 and f16",
           {.declares = DeclareRows<[](Rows&, Description&) {}>}),
    Mutant("declares_unsupported", "declares what it does not support (?bits=N: deconv_unsupported_bit)",
           {.declares = DeclareGiven<&Description::unsupported>, .takes = "bits"}),
    Mutant("declares_operators", "declares some operators (?bits=N: bit i is deconv_operator_id i)",
           {.declares = DeclareGiven<&Description::operators>, .takes = "bits"}),
    Mutant("declares_attribute", "declares the largest magnitude of an attribute (?most=N)",
           {.declares = DeclareGiven<&Description::max_attribute>, .takes = "most"}),

    Mutant("interface_old", "was compiled against the header's first version",
           {.interface = [](deconv_backend& interface) { interface.size = offsetof(deconv_backend, resolve); }}),
    Mutant("interface_other_pads", "resolves to a pads_begin of one more than it computes with",
           {.interface = [](deconv_backend& interface) { interface.resolve = ClaimOtherPads; }}),
    Mutant("interface_other_abi", "has another version of the interface",
           {.interface = [](deconv_backend& interface) { ++interface.abi; }}),
    Mutant("interface_short", "ends before its functions",
           {.interface = [](deconv_backend& interface) { interface.size = 8; }}),
    Mutant("interface_without_describe", "has no describe()",
           {.interface = [](deconv_backend& interface) { interface.describe = nullptr; }}),
    Mutant("interface_without_run", "has no run()",
           {.interface = [](deconv_backend& interface) { interface.run = nullptr; }}),
    Mutant("interface_without_description", "describe() returns NULL",
           {.interface =
                [](deconv_backend& interface) {
                  interface.describe = [](void*) -> const Description* { return nullptr; };
                }}),

    Mutant("bad_size", "declares a size of 16", {.declares = Declare<&Description::size, 16U>}),
    Mutant("bad_name", "declares no name", {.declares = Declare<&Description::name, kNull>}),
    Mutant("bad_name_end", "declares a name without end", {.declares = DeclareEndlessName}),
    Mutant("bad_version", "declares a version of two lines",
           {.declares = [](Description& description, const State&) { description.version = "1\n2"; }}),
    Mutant("bad_dialects", "declares no list of dialects", {.declares = Declare<&Description::dialects, kNull>}),
    Mutant("bad_dialect", "declares an unknown dialect",
           {.declares = [](Description& description, const State&) { description.dialects = kUnknownDialect.data(); }}),
    Mutant("bad_dialects_empty", "declares an empty list of dialects",
           {.declares = [](Description& description, const State&) { description.dialects = kNoDialect.data(); }}),
    Mutant("bad_dialects_end", "declares a list of dialects without end", {.declares = DeclareEndlessDialects}),
    Mutant("bad_operators", "declares an unknown operator", {.declares = Declare<&Description::operators, 0x100U>}),
    Mutant("bad_types", "declares no type", {.declares = Declare<&Description::element_types, 0U>}),
    Mutant("bad_ranks", "declares a max_rank below min_rank",
           {.declares = [](Description& description,
                           const State&) { description.min_rank = 5, description.max_rank = 4; }}),
    Mutant("bad_max_rank", "declares a max_rank of 1000", {.declares = Declare<&Description::max_rank, 1000>}),
    Mutant("bad_accumulator", "declares accumulator -1", {.declares = Declare<&Description::accumulator, -1>}),
    Mutant("bad_rounding", "declares faithful_rounding 2", {.declares = Declare<&Description::faithful_rounding, 2>}),
    Mutant("bad_subnormals", "declares subnormals 9", {.declares = Declare<&Description::subnormals, 9>}),
    Mutant("bad_overflow", "declares overflow 9", {.declares = Declare<&Description::overflow, 9>}),
    Mutant("bad_deviations", "declares an unknown deviation",
           {.declares = Declare<&Description::known_deviations, 4U>}),
    Mutant("bad_saturating", "declares that f32 saturates",
           {.declares = Declare<&Description::saturating_types, 1U << DECONV_ID_F32>}),
    Mutant("bad_in_f32", "declares that f32 is computed in f32",
           {.declares = Declare<&Description::types_in_f32, 1U << DECONV_ID_F32>}),
    Mutant("bad_resolved", "declares takes_resolved 2", {.declares = Declare<&Description::takes_resolved, 2>}),
    Mutant("bad_rows", "declares five rows",
           {.declares = DeclareRows<[](Rows&, Description& description) { description.arithmetic_count = 5; }>}),
    Mutant("bad_row_size", "declares a row of 8 bytes", {.declares = DeclareRows<SpoilRow<0, &Row::size, 8U>>}),
    Mutant("bad_row_sizes", "declares a second row of 8 bytes", {.declares = DeclareRows<SpoilRow<1, &Row::size, 8U>>}),
    Mutant("bad_row_type", "declares a row for an integer type",
           {.declares = DeclareRows<SpoilRow<1, &Row::element_type, DECONV_ID_I8>>}),
    Mutant("bad_row_accumulator", "declares a row with accumulator 4",
           {.declares = DeclareRows<SpoilRow<1, &Row::accumulator, 4>>}),
    Mutant("bad_row_rounding", "declares a row with rounding 4",
           {.declares = DeclareRows<SpoilRow<1, &Row::rounding, 4>>}),
    Mutant("bad_row_subnormals", "declares a row with subnormals 2",
           {.declares = DeclareRows<SpoilRow<1, &Row::subnormals, 2>>}),
    Mutant("bad_row_twice", "declares two rows for one type",
           {.declares = DeclareRows<SpoilRow<1, &Row::element_type, DECONV_ID_BF16>>}),
};

}  // namespace

std::span<const Fault> DeclarationMutants() { return kDeclarationMutants; }

// The table of mutants, backends that misbehave on purpose, that break the process protocol
// (interface/process_protocol.md) when deconv-server runs them. They compute correctly, but spoil the message with
// their description, or the answer to each run that computed.

namespace {

/// Applies kBreak to the message with the backend's description.
template <auto kBreak>
void BreakDescription(ServedMessage& message) {
  if (message.request == "describe") kBreak(message);
}

/// Applies kBreak to each answer to a run that computed outputs.
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
           {.writes = BreakDescription<[](Message& message) { message.bytes.insert(0, "loading the model ...\n"); }>}),
    Mutant("protocol_no_description", "exits instead of describing itself",
           {.writes = BreakDescription<[](Message&) { EndWithLastWord("no licence was found", 9); }>}),
    Mutant("protocol_other_version", "speaks another version of the protocol",
           {.writes = BreakDescription<[](Message& message) { InsertBehind(message, "\"protocol\":", "2"); }>}),
    Mutant(
        "protocol_unknown_key", "describes itself with an unknown key",
        {.writes = BreakDescription<[](Message& message) { InsertBehind(message, "{", "\"acumulator\":\"f32\","); }>}),

    Mutant("protocol_text", "prints a line before each answer",
           {.writes = BreakAnswer<[](Message& message) { message.bytes.insert(0, "computing ...\n"); }>}),
    Mutant("protocol_twice", "answers twice",
           {.writes = BreakAnswer<[](Message& message) { message.bytes += message.bytes; }>}),
    Mutant("protocol_other_number", "answers another request",
           {.writes = BreakAnswer<[](Message& message) { InsertBehind(message, "\"id\":", "9"); }>}),
    // The line has more than 1 MiB before its end.
    Mutant("protocol_long_line", "answers with a line without end",
           {.writes = BreakAnswer<[](Message& message) {
              InsertBehind(message, "{", "\"message\":\"" + std::string(std::size_t{1} << 20, 'x') + "\",");
            }>}),
    Mutant("protocol_other_length", "answers with dims and bytes that disagree",
           {.writes = BreakAnswer<[](Message& message) { InsertBehind(message, "\"output_bytes\":", "9"); }>}),
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
