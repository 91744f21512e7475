// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Topics: the parts of an operator, such as `pads_end`, that a sentence of the specification or a case is about. A case
// whose pads_end is 0 does not decide a sentence on pads_end, and neither does a case that is refused for its strides.
//
// Topics differ from the classes in conformance/case/property/property.h, because sentences are about spelling:
// "explicit", "none" and an absent auto_pad are three topics, although all of them compute the same.

#ifndef DECONV_CONFORMANCE_SUITE_TRACEABILITY_TOPIC_H_
#define DECONV_CONFORMANCE_SUITE_TRACEABILITY_TOPIC_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "oracle/resolve.h"

namespace conformance {

/// A set of topics, one bit each. The lowest bit, kAnything, is the topic of the operator as a whole; each case has it.
using Topics = std::uint64_t;

inline constexpr Topics kAnything = 1;

/// The topic of this name: an attribute ("pads_end"), its absence ("pads_end absent"), its value ("auto_pad=valid"), an
/// element type ("f32", "s32 shape input") or a number of spatial axes ("2 axes"). kAnything if the name is empty.
std::optional<Topics> FindTopic(std::string_view name);

/// The topics that have an effect in a valid operator: attributes with another value than the neutral one (such as a
/// pad above 0), absent attributes, and words.
Topics TopicsOf(const oracle::Operator& op, const oracle::Geometry& geometry);

/// kAnything, and the topic with which a message of the oracle begins, as in "pads_end: -1 for spatial axis 0".
Topics TopicsOf(std::string_view message);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_TRACEABILITY_TOPIC_H_
