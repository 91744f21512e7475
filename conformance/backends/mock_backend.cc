// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps the oracle backend and spoils its answers according to the mock's conduct.

#include "conformance/backends/mock_backend.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/oracle_backend.h"
#include "conformance/door/answer.h"
#include "conformance/door/describe_operator.h"
#include "conformance/door/unsupported.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

struct MockSelf {
  deconv_backend oracle{};
  MockConduct conduct = MockConduct::kSound;
  deconv_backend_description description{};  ///< the oracle's, or with what the conduct declares
  int questions = 0;                         ///< of supports
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

/// The geometry that a request carries, from which the mock computes without looking at the operator.
oracle::Geometry GeometryOf(const deconv_resolved_geometry& from, oracle::ElementType type) {
  oracle::Geometry geometry;
  geometry.type = type;
  geometry.layout = from.channels_last != 0 ? oracle::DataLayout::kNxc : oracle::DataLayout::kNcx;
  geometry.filter_layout =
      from.filter_layout == DECONV_FILTER_XIO ? oracle::FilterLayout::kXoi : oracle::FilterLayout::kGiox;
  geometry.batch = from.batch;
  geometry.groups = from.groups;
  geometry.in_channels = from.in_channels / std::max<std::int64_t>(from.groups, 1);
  geometry.out_channels = from.out_channels / std::max<std::int64_t>(from.groups, 1);
  for (std::int32_t j = 0; j < from.spatial_rank; ++j) {
    geometry.axes.push_back({.data = from.data[j],
                             .kernel = from.kernel[j],
                             .stride = from.strides[j],
                             .dilation = from.dilations[j],
                             .pads_begin = from.pads_begin[j],
                             .pads_end = from.pads_end[j],
                             .output = from.output[j]});
  }
  return geometry;
}

deconv_answer RunResolved(deconv_run_request& request) {
  if (request.resolved == nullptr) return Answer(request, DECONV_ANSWER_ERROR, "no resolved geometry");
  const auto op = ReadOperator(*request.operation);
  if (const auto* complaint = std::get_if<std::string>(&op)) return Answer(request, DECONV_ANSWER_ERROR, *complaint);
  // The output dims are left to the suite.
  return ComputeByOracle(request, GeometryOf(*request.resolved, std::get<oracle::Operator>(op).data.type));
}

/// "" or why the limited mock does not support the operator.
std::string LimitOf(const deconv_operator_description& description) {
  const auto op = ReadOperator(description);
  const auto dialect = ReadDialect(description);
  if (op.index() != 0 || dialect.index() != 0) return "an unreadable operator";
  const oracle::Resolution resolution = Resolve(std::get<0>(op), std::get<0>(dialect), oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return "";
  const std::uint32_t asked = AskedOf(std::get<0>(op), *resolution.geometry);
  if ((asked & DECONV_UNSUPPORTED_GROUPS) != 0) return "only one group";
  if ((asked & DECONV_UNSUPPORTED_DILATIONS) != 0) return "no dilations";
  if ((asked & DECONV_UNSUPPORTED_ASYMMETRIC_PADS) != 0) return "only equal pads at both ends";
  return "";
}

std::int32_t Supports(void* self, deconv_supports_request* request) {
  auto& mock = *static_cast<MockSelf*>(self);
  ++mock.questions;
  if (mock.conduct == MockConduct::kFickle && mock.questions % 2 == 0) {
    WriteMessage(*request, "not today");
    return 0;
  }
  if (mock.conduct != MockConduct::kLimited) return 1;
  const std::string limit = LimitOf(*request->operation);
  WriteMessage(*request, limit);
  return limit.empty() ? 1 : 0;
}

deconv_answer Run(void* self, deconv_run_request* request) {
  const auto& mock = *static_cast<MockSelf*>(self);
  if (mock.conduct == MockConduct::kResolved) return RunResolved(*request);
  if (mock.conduct == MockConduct::kLimited && !LimitOf(*request->operation).empty()) {
    return Answer(*request, DECONV_ANSWER_UNSUPPORTED, LimitOf(*request->operation));
  }
  deconv_answer answer = mock.oracle.run(mock.oracle.self, request);
  if (answer != DECONV_ANSWER_COMPUTED) return answer;
  switch (mock.conduct) {
    case MockConduct::kSound:
    case MockConduct::kLimited:
    case MockConduct::kFickle:
    case MockConduct::kResolved:
      break;
    case MockConduct::kUnfaithful:
      return Answer(*request, DECONV_ANSWER_UNSUPPORTED, "no kernel for this shape");
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
  const std::span<const Mock> mocks = kMocks;
  const auto found = std::ranges::find(mocks, name, &Mock::name);
  if (found == mocks.end()) {
    return BackendError{.usage = true, .message = fmt::format("unknown backend '{}{}'", kMockPrefix, name)};
  }
  const OpenedDoor oracle = OpenOracle("");
  if (const auto* error = std::get_if<BackendError>(&oracle)) return *error;
  auto self = std::make_unique<MockSelf>();
  self->oracle = std::get<deconv_backend>(oracle);
  self->conduct = found->conduct;
  self->description = *self->oracle.describe(self->oracle.self);
  self->description.takes_resolved = found->conduct == MockConduct::kResolved ? 1 : 0;
  deconv_backend door{};
  door.size = sizeof door;
  door.abi = DECONV_BACKEND_ABI;
  door.describe = [](void* mock) -> const deconv_backend_description* {
    return &static_cast<MockSelf*>(mock)->description;
  };
  const bool asked = found->conduct == MockConduct::kLimited || found->conduct == MockConduct::kFickle ||
                     found->conduct == MockConduct::kUnfaithful;
  if (asked) door.supports = Supports;
  door.run = Run;
  door.close = [](void* mock) { delete static_cast<MockSelf*>(mock); };
  door.self = self.release();
  return door;
}

}  // namespace conformance
