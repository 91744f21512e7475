// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of isolation: the oracle, except that a hash of the operator and its data chooses cases that die, hang, or
// write into the suite's socket. Every run prints and leaks 1 MB. "?marked" computes rightly and names the trouble
// instead of making it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <unistd.h>

#include "conformance/door/backend_builtin.h"

namespace {

constexpr int kSuiteSocket = 3;
constexpr std::size_t kLeak = std::size_t{1} << 20;

struct Troubled {
  deconv_backend oracle{};
  bool marked = false;
  std::vector<std::vector<char>> leaked;
};

class Hash {
 public:
  void Add(std::span<const unsigned char> bytes) {
    for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001B3;
  }
  void Add(const deconv_id_list& list) {
    for (std::int64_t i = 0; list.values != nullptr && i < static_cast<std::int64_t>(list.count); ++i) {
      Add({reinterpret_cast<const unsigned char*>(&list.values[i]), sizeof list.values[i]});
    }
    Add({reinterpret_cast<const unsigned char*>(&list.count), sizeof list.count});
  }
  /// FNV's low bits are weak.
  std::uint64_t Value() const { return (hash_ ^ (hash_ >> 29)) * 0xBF58476D1CE4E5B9 >> 20; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325;
};

/// "crash" of 1 % of the operators, "hang" of 0.1 %, "protocol" of 0.5 %, else "".
const char* TroubleOf(const deconv_run_request& request) {
  Hash hash;
  const deconv_operator_description& op = *request.operation;
  for (const deconv_id_list& list : {op.data.dims, op.filter.dims, op.strides, op.dilations, op.pads_begin}) {
    hash.Add(list);
  }
  hash.Add({static_cast<const unsigned char*>(request.data), request.data_bytes});
  hash.Add({static_cast<const unsigned char*>(request.filter), request.filter_bytes});
  const std::uint64_t mille = hash.Value() % 1000;
  if (mille < 10) return "crash";
  if (mille < 11) return "hang";
  return mille < 16 ? "protocol" : "";
}

deconv_answer Run(void* self, deconv_run_request* request) {
  auto& troubled = *static_cast<Troubled*>(self);
  const deconv_answer answer = troubled.oracle.run(troubled.oracle.self, request);
  if (answer != DECONV_ANSWER_COMPUTED) return answer;
  const char* const name = TroubleOf(*request);
  const std::string_view trouble = name;
  if (troubled.marked) {
    if (!trouble.empty()) std::strncpy(request->implementation, name, sizeof request->implementation - 1);
    return answer;
  }
  [[maybe_unused]] ssize_t written = write(STDOUT_FILENO, "computed\n", 9);
  troubled.leaked.emplace_back(kLeak, 'x');
  if (trouble == "crash") std::abort();
  if (trouble == "protocol") written = write(kSuiteSocket, "computed\n", 9);
  while (trouble == "hang") pause();
  return answer;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the door's name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  const auto oracle = conformance::OpenOracle("");
  const auto* const door = std::get_if<deconv_backend>(&oracle);
  if (door == nullptr) return 1;
  *backend = {};
  backend->size = sizeof *backend;
  backend->abi = DECONV_BACKEND_ABI;
  backend->describe = [](void* self) {
    const deconv_backend& wrapped = static_cast<Troubled*>(self)->oracle;
    return wrapped.describe(wrapped.self);
  };
  backend->run = Run;
  backend->close = [](void* self) { delete static_cast<Troubled*>(self); };
  backend->self = new Troubled{*door, std::string_view(config) == "marked", {}};
  return 0;
}
