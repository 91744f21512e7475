// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Topics: what of an operator a sentence or a case is about. A sentence on pads_end is not decided by a case whose
// pads_end is 0, nor by a refusal of its strides.
//
// Topics are not classes of the table of properties (conformance/case/property/property.h). Sentences are about what a
// model spells: "explicit", "none" and an absent auto_pad are three topics, and one class of what must be computed.

#ifndef DECONV_CONFORMANCE_SUITE_TRACEABILITY_TOPIC_H_
#define DECONV_CONFORMANCE_SUITE_TRACEABILITY_TOPIC_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "oracle/resolve.h"

namespace conformance {

/// A set of topics, one bit each. The lowest bit is the topic of everything: the operator as a whole.
using Topics = std::uint64_t;

inline constexpr Topics kAnything = 1;

/// The topic of this name: an attribute ("pads_end"), its absence ("pads_end absent"), its value ("auto_pad=valid"), an
/// element type ("f32", "s32 shape input") or a number of spatial axes ("2 axes"). kAnything if the name is empty.
std::optional<Topics> FindTopic(std::string_view name);

/// The topics that have an effect in a valid operator: an attribute that is not neutral, an absent attribute, a word.
Topics TopicsOf(const oracle::Operator& op, const oracle::Geometry& geometry);

/// The topic that a message of the oracle names first ("pads_end: -1 for spatial axis 0", "strides: absent"), with
/// kAnything.
Topics TopicsOf(std::string_view message);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_TRACEABILITY_TOPIC_H_
