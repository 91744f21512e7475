// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Serves the process protocol (process_protocol.md), by which a command is a backend, an implementation that the suite
// judges: reads requests, runs the backend, and writes answers. This file shares no code with process_messages.cc, so
// that each of the two files finds mistakes of the other.

#include "conformance/backends/serve_process.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/byte_order.h"
#include "conformance/backends/crash_report.h"
#include "conformance/backends/open_backend.h"
#include "conformance/case/text/json_text.h"
#include "conformance/case/text/shell_command.h"
#include "conformance/interface/backend.h"
#include "conformance/interface/describe_operator.h"
#include "oracle/element_type.h"

namespace conformance {
namespace {

using nlohmann::json;
using oracle::Dims;

/// The integer of a JSON number, or of a string, which the protocol uses beyond 2^53.
std::int64_t Integer(const json& value) {
  if (!value.is_string()) return value.get<std::int64_t>();
  std::int64_t number = 0;
  const auto& text = value.get_ref<const std::string&>();
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc()) return number;
  std::uint64_t bits = 0;  // a value of a u64 shape, of 2^63 or more
  std::from_chars(text.data(), text.data() + text.size(), bits);
  return static_cast<std::int64_t>(bits);
}

Dims Integers(const json& list) {
  Dims values;
  for (const json& value : list) values.push_back(Integer(value));
  return values;
}

oracle::TensorType Tensor(const json& tensor) {
  const auto type = oracle::ParseElementType(tensor.at("element_type").get<std::string>());
  return {type.value_or(oracle::ElementType::kString), Integers(tensor.at("dims"))};
}

oracle::Operator OperatorOf(const json& from) {
  oracle::Operator op;
  op.kind = oracle::ParseOperatorKind(from.at("kind").get<std::string>()).value();
  op.data = Tensor(from.at("data"));
  op.filter = Tensor(from.at("filter"));
  if (from.contains("output_shape")) {
    oracle::TensorType tensor = Tensor(from["output_shape"]);
    op.output_shape = {tensor.type, std::move(tensor.dims), Integers(from["output_shape"].at("values"))};
  }
  const auto list = [&](const char* key) {
    return from.contains(key) ? std::optional(Integers(from[key])) : std::nullopt;
  };
  const auto text = [&](const char* key) {
    return from.contains(key) ? std::optional(from[key].get<std::string>()) : std::nullopt;
  };
  op.strides = list("strides");
  op.dilations = list("dilations");
  op.pads_begin = list("pads_begin");
  op.pads_end = list("pads_end");
  op.output_padding = list("output_padding");
  op.auto_pad = text("auto_pad");
  op.data_format = text("data_format");
  op.weights_format = text("weights_format");
  op.dst_shape = list("dst_shape");
  if (from.contains("groups")) op.groups = Integer(from["groups"]);
  op.kernel_shape = list("kernel_shape");
  op.output_shape_attribute = list("output_shape_attribute");
  return op;
}

json DescriptionOf(const Capabilities& declared) {
  static constexpr std::array kAccumulators = {"f32", "f64", "storage", "f64-through-f32"};
  static constexpr std::array kSubnormals = {"kept", "flushed", "flushed-in-bf16"};
  static constexpr std::array kRoundings = {"nearest", "faithful", "faithful-sums", "fused-sums"};
  json operators = json::array();
  json types = json::array();
  json dialects = json::array();
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    if ((declared.operators >> OperatorId(kind) & 1) != 0) operators.push_back(OperatorKindName(kind));
  }
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    if ((declared.element_types >> ElementTypeId(type) & 1) != 0) types.push_back(ElementTypeName(type));
  }
  for (const oracle::Dialect dialect : declared.dialects) dialects.push_back(DialectName(dialect));
  json arithmetic = json::array();
  for (const TypeArithmetic& row : declared.arithmetic) {
    arithmetic.push_back({{"element_type", ElementTypeName(row.type)},
                          {"accumulator", kAccumulators.at(row.arithmetic.accumulator)},
                          {"rounding", kRoundings.at(row.arithmetic.rounding)},
                          {"subnormals", kSubnormals.at(row.arithmetic.subnormals)}});
  }
  json deviations = json::array();
  if ((declared.known_deviations & DECONV_DEVIATION_STRUCTURAL_NAN) != 0) deviations.push_back("structural-nan");
  if ((declared.known_deviations & DECONV_DEVIATION_CLAMPED_INFINITY) != 0) deviations.push_back("clamped-infinity");
  const bool any_threads = (declared.deterministic & DECONV_SAME_BITS_ANY_THREADS) != 0;
  json description = {{"protocol", 1},
                      {"name", declared.name},
                      {"version", declared.version},
                      {"dialects", dialects},
                      {"operators", operators},
                      {"element_types", types},
                      {"min_rank", declared.min_rank},
                      {"max_rank", declared.max_rank},
                      {"max_bytes", declared.max_bytes},
                      {"accumulator", kAccumulators.at(declared.accumulator)},
                      {"rounding", declared.faithful_rounding ? "faithful" : "nearest"},
                      {"subnormals", kSubnormals.at(declared.subnormals)},
                      {"overflow", declared.overflow == DECONV_OVERFLOW_WRAPS ? "wraps" : "saturates"},
                      {"deterministic", any_threads                   ? "any-threads"
                                        : declared.deterministic != 0 ? "every-run"
                                                                      : "no"},
                      {"max_threads", declared.max_threads},
                      {"algorithm", declared.fast_algorithm ? "fast" : "direct"},
                      {"resolve", declared.resolves}};
  // Keys are written only if they have content, because older suites do not know them.
  if (!arithmetic.empty()) description["arithmetic"] = arithmetic;
  if (!deviations.empty()) description["known_deviations"] = deviations;
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    if ((declared.saturating_types >> ElementTypeId(type) & 1) != 0) {
      description["saturating_types"].push_back(ElementTypeName(type));
    }
    if (declared.ComputesInF32(type)) description["types_in_f32"].push_back(ElementTypeName(type));
  }
  if (declared.answers_supports) description["supports"] = true;
  if (declared.takes_resolved) description["takes_resolved"] = true;
  if (declared.max_attribute != 0) description["max_attribute"] = declared.max_attribute;
  static constexpr std::array kUnsupported = {"dilations",
                                              "groups",
                                              "asymmetric-pads",
                                              "negative-pads",
                                              "output-padding",
                                              "empty-tensors",
                                              "shape-attribute",
                                              "shape-input",
                                              "auto-pad",
                                              "strides",
                                              "ncx",
                                              "nxc",
                                              "oix",
                                              "xio"};
  for (std::size_t bit = 0; bit < kUnsupported.size(); ++bit) {
    if ((declared.unsupported >> bit & 1) != 0) description["unsupported"].push_back(kUnsupported.at(bit));
  }
  return description;
}

/// The two streams of the protocol, on separate descriptors. A backend's library may print to standard output. This
/// text goes to standard error instead, and the backend's standard input is empty.
struct Streams {
  std::FILE* requests = nullptr;
  std::FILE* answers = nullptr;

  bool ok() const { return requests != nullptr && answers != nullptr; }
};

/// Moves standard input and output to new descriptors, so that only the protocol uses them.
Streams OpenStreams() {
  constexpr int kFirst = 64;  // descriptors from 64 on: a library may write to a small number by mistake
  const int from = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirst);
  const int to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirst);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (from < 0 || to < 0 || nothing < 0) return {};
  if (dup2(nothing, STDIN_FILENO) < 0) return {};
  // Standard error may be closed.
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0 && dup2(nothing, STDOUT_FILENO) < 0) return {};
  if (nothing > STDERR_FILENO) close(nothing);
  return {fdopen(from, "r"), fdopen(to, "w")};
}

/// Answers requests until the input ends.
class Server {
 public:
  /// `mutant` describes a backend that is wrong on purpose and may break the protocol; null for other backends.
  Server(Backend& backend, const faults::Fault* mutant, Streams streams)
      : backend_(backend), break_message_(mutant == nullptr ? nullptr : mutant->hooks.writes), streams_(streams) {}

  int Serve() {
    char* line = nullptr;
    std::size_t room = 0;
    int status = 0;
    while (getline(&line, &room, streams_.requests) > 0) {
      const json request = ParseJsonIfValid(line);
      if (!request.is_object()) {
        std::fputs("serve: a request that is no JSON object\n", stderr);
        status = 1;
        break;
      }
      Answer(request);
      std::fflush(streams_.answers);
    }
    std::free(line);
    return status;
  }

 private:
  void Answer(const json& request) {
    id_ = request.at("id").get<std::int64_t>();
    request_ = request.at("do").get<std::string>();
    if (request_ == "describe") {
      Describe();
    } else if (request_ == "resolve") {
      Resolve(request);
    } else if (request_ == "supports") {
      Supports(request);
    } else {
      Run(request);
    }
  }

  void Write(json message, const std::vector<std::byte>& output = {}) {
    message["id"] = id_;
    const std::string line = JsonText(message) + '\n';
    if (break_message_ != nullptr) {
      WriteBroken(message, line, output);
    } else {
      std::fwrite(line.data(), 1, line.size(), streams_.answers);
      std::fwrite(output.data(), 1, output.size(), streams_.answers);
    }
  }

  /// Writes the message after the mutant has changed it in its way.
  void WriteBroken(const json& message, const std::string& line, const std::vector<std::byte>& output) {
    faults::ServedMessage served = {
        .request = request_,
        .computed = request_ == "run" && message.at("answer") == "computed",
        .bytes = line + std::string(reinterpret_cast<const char*>(output.data()), output.size()),
        .to = streams_.answers};
    break_message_(served);
    std::fwrite(served.bytes.data(), 1, served.bytes.size(), streams_.answers);
  }

  void Describe() { Write(DescriptionOf(backend_.capabilities())); }

  void Resolve(const json& request) {
    const json& op = request.at("operator");
    const ResolveAnswer answered = backend_.Resolve(OperatorOf(op), DialectOf(op));
    json answer = AnswerJson(answered.answer, answered.output_dims, answered.message);
    if (answered.pads_begin) answer["pads_begin"] = *answered.pads_begin;
    Write(answer);
  }

  void Supports(const json& request) {
    const json& op = request.at("operator");
    const RunAnswer answered = backend_.Supports(OperatorOf(op), DialectOf(op));
    if (answered.answer == kContractBroken) {  // the protocol has no word for it, so nothing is answered
      std::fprintf(stderr, "%s\n", answered.message.c_str());
      std::exit(1);
    }
    json answer = {{"supported", answered.answer == DECONV_ANSWER_COMPUTED}};
    if (!answered.message.empty()) answer["message"] = answered.message;
    Write(answer);
  }

  void Run(const json& request) {
    std::vector<std::byte> data(request.at("data_bytes").get<std::size_t>());
    std::vector<std::byte> filter(request.at("filter_bytes").get<std::size_t>());
    std::vector<std::byte> output(request.at("output_bytes").get<std::size_t>());
    if (std::fread(data.data(), 1, data.size(), streams_.requests) != data.size()) return;
    if (std::fread(filter.data(), 1, filter.size(), streams_.requests) != filter.size()) return;
    const json& from = request.at("operator");
    const oracle::Operator op = OperatorOf(from);
    ConvertByteOrder(data, WidthOf(op.data));
    ConvertByteOrder(filter, WidthOf(op.filter));
    const RunAnswer answered =
        backend_.RunSupported(op, DialectOf(from), {data, filter, output}, request.at("threads").get<int>());
    ConvertByteOrder(output, WidthOf(op.data));
    json answer = AnswerJson(answered.answer, answered.output_dims, answered.message);
    if (!answered.implementation.empty()) answer["implementation"] = answered.implementation;
    if (answered.answer == DECONV_ANSWER_COMPUTED) {
      answer["output_bytes"] = output.size();
    } else {
      output.clear();
    }
    Write(answer, output);
  }

  /// Bytes of an element. Tensors of other types than numbers have no bytes that mean something.
  static std::size_t WidthOf(const oracle::TensorType& tensor) {
    return std::max<std::size_t>(1, oracle::ElementBytes(tensor.type));
  }

  static oracle::Dialect DialectOf(const json& op) {
    return oracle::ParseDialect(op.at("dialect").get<std::string>()).value();
  }

  static json AnswerJson(deconv_answer answer, const Dims& dims, const std::string& message) {
    static constexpr std::array kWords = {"computed", "refused", "unsupported", "other-shape", "error"};
    // The protocol has no word for a backend that breaks its interface's contract. The two answers that this process
    // itself adds after supports() both mean "unsupported".
    const bool unsupported = answer == kNotSupported || answer == kBrokenPromise;
    json words = {{"answer", answer == kContractBroken ? "error" : kWords.at(unsupported ? 2 : answer)}};
    if (answer == DECONV_ANSWER_COMPUTED || answer == DECONV_ANSWER_OTHER_SHAPE) words["dims"] = dims;
    if (!message.empty()) words["message"] = message;
    return words;
  }

  Backend& backend_;
  void (*break_message_)(faults::ServedMessage& message);  ///< how the mutant changes messages; null: not at all
  Streams streams_;
  std::int64_t id_ = 0;  ///< id of the request that is answered
  std::string request_;  ///< kind of that request
};

}  // namespace

int ServeProcess(const std::string& backend) {
  ReportCrashes(nullptr);
  const Streams streams = OpenStreams();  // opened before the backend's library is loaded
  if (!streams.ok()) {
    std::fputs("serve: standard input and output cannot be used; expected two open streams\n", stderr);
    return 1;
  }
  auto opened = OpenBackend(backend);
  if (const auto* error = std::get_if<BackendError>(&opened)) {
    std::fprintf(stderr, "%s\n", error->message.c_str());
    return 3;
  }
  return Server(*std::get<std::unique_ptr<Backend>>(opened), FaultOf(backend), streams).Serve();
}

int ServeIfProcess(std::span<char* const> arguments) {
  if (arguments.size() != 3 || arguments[1] != kServeArgument) return -1;
  return ServeProcess(arguments[2]);
}

std::string ServedBackendName(std::string_view backend) {
  std::error_code none;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", none).string();
  return fmt::format("cmd:exec {} {} {}", ShellWord(self), kServeArgument, ShellWord(backend));
}

}  // namespace conformance
