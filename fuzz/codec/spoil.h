// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a valid operator invalid in one place. Only the codec uses it.

#ifndef DECONV_FUZZ_CODEC_SPOIL_H_
#define DECONV_FUZZ_CODEC_SPOIL_H_

#include <cstdint>

#include "oracle/operator.h"

namespace conformance::codec {

/// `what` picks the kind of defect, `place` the axis or argument, `value` the wrong value. Now and then the result is
/// valid: a huge padding that an auto_pad ignores, a spelling that this operator takes.
void Spoil(oracle::Operator& op, std::uint8_t what, std::uint8_t place, std::uint8_t value);

}  // namespace conformance::codec

#endif  // DECONV_FUZZ_CODEC_SPOIL_H_
