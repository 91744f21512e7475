// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts bytes to cases and back: every sequence of bytes is a case, and most are valid by construction. Fuzzers
// mutate the bytes, generators draw them.
//
// The layout; bytes beyond the end count as 0, so that the empty sequence is the plainest case (one element, kernel 1):
//
// clang-format off
//   0       operator and dialect
//   1       element type
//   2       rank
//   3       batch
//   4       groups
//   5, 6    channels per group, in, out
//   7       auto_pad and its spelling
//   8       how an output shape is given
//   9       type of the shape input
//   10      which list attributes are absent, from 160; from 224 the case may be larger than others, too
//   11      attributes that one operator alone has: layouts, groups, kernel_shape
//   12      attributes of other operators, to be ignored (clause D2)
//   13      data set
//   14, 15  seed
//   16      what is wrong with the case; below 184: nothing
//   17, 18  where it is wrong, and by what value
//   19      240 + number of overrides; below 240: none
//   20 + 8j axis j of 8: data, kernel, stride, dilation, pads_begin, pads_end, output_padding, and how far the output
//           shape lies from the natural size
//   84      overrides: field, count (255: absent), values of 8 bytes, little end first; of 1 byte for texts
// clang-format on
//
// One byte decides one thing: a byte below 240 picks a small number, one from 240 a rare one (fuzz/codec/recipe.cc has
// the tables). What a byte asks for is cut back where the case would leave its limits or lose its validity: sizes are
// halved, pads cropped, attributes that the dialect forbids left out. Overrides replace a whole field after all that,
// so that any case can be written in bytes; they, and what is wrong, are dropped if they make a valid case too large.

#ifndef DECONV_FUZZ_CODEC_CODEC_H_
#define DECONV_FUZZ_CODEC_CODEC_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance {

/// Of valid cases. The defaults let the oracle and a backend with sanitizers finish within milliseconds.
struct CodecLimits {
  std::int64_t outputs = 2048;
  std::int64_t products = 20000;  ///< also of the elements of data and of filter

  /// Of the few cases that are larger than the others: by default more outputs than 16 bits count, most of them gaps.
  CodecLimits Large() const { return {.outputs = 40 * outputs, .products = 4 * products}; }
};

/// A bound of what evaluating it takes: every data element meets every tap of its group.
bool Exceeds(const oracle::Geometry& geometry, const CodecLimits& limits);

/// Never fails.
Case DecodeCase(std::span<const std::uint8_t> bytes, const CodecLimits& limits = {});

/// Bytes without trailing zeros that DecodeCase makes `test_case` of; nothing if there are none: values from a file, a
/// valid case beyond the limits, a list of more than 64 numbers, more than 15 fields that no other bytes reach. Every
/// case that DecodeCase has made can be encoded.
std::optional<std::vector<std::uint8_t>> EncodeCase(const Case& test_case, const CodecLimits& limits = {});

}  // namespace conformance

#endif  // DECONV_FUZZ_CODEC_CODEC_H_
