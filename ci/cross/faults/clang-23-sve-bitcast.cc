// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes clang 22 and 23.1.4 stop for SVE: it loads a vector and takes its bits as lanes of two other types. The pass
// vector-combine asks how many bits the vector has, which no compiler knows. clang 21 compiles it. For that reason
// ci/cross/targets.toml compiles for 64-bit ARM by clang 21: the kernel narrows sums to bf16 by such bits.
#include <arm_sve.h>

svuint32_t SumOf(const svuint16_t* from) {
  const svuint16_t bits = *from;
  const svuint32_t rounded = svcvt_u32_f32_x(svptrue_b32(), svreinterpret_f32_u16(bits));
  return svadd_u32_x(svptrue_b32(), rounded, svreinterpret_u32_u16(bits));
}
