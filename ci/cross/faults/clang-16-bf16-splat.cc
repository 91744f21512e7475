// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes clang 16 stop on x86 with AVX-512-BF16: it copies a number into all lanes and takes their bits as bf16. The
// pass vector-combine calls itself until the stack is full. clang 19 compiles it. For that reason
// kernel/channels/channels_products-inl.h has no dot product of bf16 by clang 16: its operand is made this way.

using Units = float __attribute__((vector_size(16)));
using Pairs = __bf16 __attribute__((vector_size(16)));

Pairs PairsOf(float unit) { return (Pairs)Units{unit, unit, unit, unit}; }
