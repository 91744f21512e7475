// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps the oracle backend and spoils its answers according to the mock's conduct.

#include "conformance/backends/mock_backend.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

namespace conformance {
namespace {

struct MockSelf {
  deconv_backend oracle{};
  MockConduct conduct = MockConduct::kSound;
};

void WriteNan(const deconv_run_request& request) {
  // A quiet NaN of each floating type.
  static constexpr std::array<unsigned char, 8> kNan = {0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f, 0xff, 0x7f};
  const std::size_t element = request.operation->data.element_type == DECONV_ID_F64   ? 8
                              : request.operation->data.element_type == DECONV_ID_F32 ? 4
                                                                                      : 2;
  if (request.output_bytes < element) return;
  std::memcpy(static_cast<char*>(request.output) + request.output_bytes - element, kNan.data(), element);
}

deconv_answer Run(void* self, deconv_run_request* request) {
  const auto& mock = *static_cast<MockSelf*>(self);
  deconv_answer answer = mock.oracle.run(mock.oracle.self, request);
  if (answer != DECONV_ANSWER_COMPUTED) return answer;
  switch (mock.conduct) {
    case MockConduct::kSound:
      break;
    case MockConduct::kEcho:
      for (std::size_t i = 0; i < request->output_bytes && request->data_bytes != 0; ++i) {
        static_cast<char*>(request->output)[i] = static_cast<const char*>(request->data)[i % request->data_bytes];
      }
      break;
    case MockConduct::kWrongShape:
      ++request->output_dims[request->output_rank - 1];
      answer = DECONV_ANSWER_OTHER_SHAPE;
      break;
    case MockConduct::kNan:
      WriteNan(*request);
      break;
    case MockConduct::kGarbage:
      answer = static_cast<deconv_answer>(DECONV_ANSWER_ERROR + 1);
      break;
    case MockConduct::kCrash:
      std::abort();
    case MockConduct::kHang:
      for (;;) pause();
  }
  return answer;
}

}  // namespace

OpenedDoor OpenMock(std::string_view name) {
  const auto* const found = std::ranges::find(kMocks, name, &Mock::name);
  if (found == kMocks.end()) {
    return BackendError{.usage = true, .message = fmt::format("unknown backend '{}{}'", kMockPrefix, name)};
  }
  const OpenedDoor oracle = OpenOracle("");
  if (const auto* error = std::get_if<BackendError>(&oracle)) return *error;
  auto self = std::make_unique<MockSelf>();
  self->oracle = std::get<deconv_backend>(oracle);
  self->conduct = found->conduct;
  deconv_backend door{};
  door.size = sizeof door;
  door.abi = DECONV_BACKEND_ABI;
  door.describe = [](void* mock) {
    const deconv_backend& wrapped = static_cast<MockSelf*>(mock)->oracle;
    return wrapped.describe(wrapped.self);
  };
  door.run = Run;
  door.close = [](void* mock) { delete static_cast<MockSelf*>(mock); };
  door.self = self.release();
  return door;
}

}  // namespace conformance
