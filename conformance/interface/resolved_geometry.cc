// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies sizes and pads of a resolved operator into the C struct of the interface, and recovers output_padding, which
// the oracle's geometry does not store. It solves output = stride * (data - 1) + dilation * (kernel - 1) + 1 +
// output_padding - pads_begin - pads_end for output_padding. Also resolves the operator of a request with the oracle.
// If that is impossible, returns one of three answers: ERROR for a malformed description, UNSUPPORTED for an unknown
// dialect, REFUSED for an operator that the dialect refuses.

#include "conformance/interface/resolved_geometry.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/interface/answer.h"
#include "conformance/interface/describe_operator.h"

namespace conformance {
namespace {

/// Returns the output_padding of an axis, by the formula above. Its terms may be larger than 64 bits. Unsigned
/// arithmetic modulo 2^64 still gives the exact result, because the result fits into 64 bits.
std::int64_t OutputPaddingOf(const oracle::Axis& axis) {
  const auto unsigned_of = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t natural = unsigned_of(axis.stride) * (unsigned_of(axis.data) - 1) +
                                unsigned_of(axis.dilation) * (unsigned_of(axis.kernel) - 1) + 1;
  return static_cast<std::int64_t>(unsigned_of(axis.pads_begin) + unsigned_of(axis.pads_end) +
                                   unsigned_of(axis.output) - natural);
}

}  // namespace

deconv_resolved_geometry ResolvedGeometry(const oracle::Geometry& geometry) {
  deconv_resolved_geometry to{};
  to.size = sizeof to;
  to.element_type = ElementTypeId(geometry.type);
  to.spatial_rank = static_cast<std::int32_t>(std::min<std::size_t>(geometry.axes.size(), DECONV_BACKEND_MAX_RANK));
  to.channels_last = geometry.layout == oracle::DataLayout::kNxc ? 1 : 0;
  to.filter_layout = geometry.filter_layout == oracle::FilterLayout::kXoi ? DECONV_FILTER_XIO : DECONV_FILTER_GIOX;
  to.batch = geometry.batch;
  to.groups = geometry.groups;
  to.in_channels = geometry.in_channels * geometry.groups;
  to.out_channels = geometry.out_channels * geometry.groups;
  for (std::size_t j = 0; j < static_cast<std::size_t>(to.spatial_rank); ++j) {
    const oracle::Axis& axis = geometry.axes[j];
    to.data[j] = axis.data;
    to.kernel[j] = axis.kernel;
    to.strides[j] = axis.stride;
    to.dilations[j] = axis.dilation;
    to.pads_begin[j] = axis.pads_begin;
    to.pads_end[j] = axis.pads_end;
    to.output_padding[j] = OutputPaddingOf(axis);
    to.output[j] = axis.output;
  }
  return to;
}

oracle::Dims OutputDimsOf(const deconv_resolved_geometry& resolved) {
  oracle::Dims dims = {resolved.batch};
  if (resolved.channels_last == 0) dims.push_back(resolved.out_channels);
  dims.insert(dims.end(), resolved.output, resolved.output + resolved.spatial_rank);
  if (resolved.channels_last != 0) dims.push_back(resolved.out_channels);
  return dims;
}

template <class Request>
std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(Request& request) {
  const std::variant<oracle::Operator, std::string> op = ReadOperator(*request.operation);
  if (const auto* complaint = std::get_if<std::string>(&op)) return Answer(request, DECONV_ANSWER_ERROR, *complaint);
  const std::variant<oracle::Dialect, std::string> dialect = ReadDialect(*request.operation);
  if (const auto* complaint = std::get_if<std::string>(&dialect)) {
    return Answer(request, DECONV_ANSWER_UNSUPPORTED, *complaint);
  }
  oracle::Resolution resolution = Resolve(std::get<0>(op), std::get<0>(dialect));
  if (!resolution.ok()) {
    return Answer(request, DECONV_ANSWER_REFUSED,
                  fmt::format("{}: {}", resolution.refusal->clause, resolution.refusal->message));
  }
  return *std::move(resolution.geometry);
}

template std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(deconv_run_request& request);
template std::variant<oracle::Geometry, deconv_answer> ResolveByOracle(deconv_resolve_request& request);

}  // namespace conformance
