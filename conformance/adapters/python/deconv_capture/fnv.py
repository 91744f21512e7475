# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The 64-bit FNV-1a hash of a file, computed by array operations of NumPy. A case line names the hash beside a .npy
file, so that the suite notices a changed file.

The hash h takes a byte b by h = (h ^ b) * P, one byte after the other, with a prime P. A loop in Python needs minutes
for a large tensor. Two facts turn the loop into sums over a whole block:
- The xor changes only the low byte of h: h ^ b = h + change. So the last h is a weighted sum of the changes. Example of
  two bytes: ((h + c1) * P + c2) * P = h * P^2 + c1 * P^2 + c2 * P.
- The low byte does not depend on the higher bytes, and its bit k depends only on bits 0 to k. So each of its eight bits
  is a running xor of bits that are already known.
"""
import numpy

PRIME, START, MASK = 0x100000001B3, 0xCBF29CE484222325, (1 << 64) - 1
BLOCK = 1 << 16  # bytes that are hashed in one step; a guess
_LOW_PRIME = numpy.uint8(PRIME & 255)


def _powers():
    """PRIME to the powers BLOCK, ..., 2, 1: the weights of the changes in a block."""
    return numpy.cumprod(numpy.full(BLOCK, PRIME, numpy.uint64))[::-1].copy()


_WEIGHTS = _powers()


def _running_xor(bits):
    """Returns bits[0], bits[0] ^ bits[1], ... of an array of 0 and 1. The array is one long integer x; x ^= x << 1,
    then x ^= x << 2, x ^= x << 4, ... combine 2, 4, 8, ... neighbours. Example: 1,0,1,1 gives 1,1,0,1."""
    whole = int.from_bytes(numpy.packbits(bits, bitorder="little").tobytes(), "little")
    shift = 1
    while shift < len(bits):
        whole ^= whole << shift
        shift *= 2
    size = (len(bits) + 7) // 8
    packed = (whole & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return numpy.unpackbits(numpy.frombuffer(packed, numpy.uint8), count=len(bits), bitorder="little")


def _low_bytes(block, start):
    """Returns the low byte of h ^ b for each byte b of the block. `start` is the low byte of h before the block."""
    mixed = numpy.zeros_like(block)
    carried = numpy.empty_like(block)  # the low byte of h before each byte, as far as its bits are known
    for bit in range(8):
        carried[0] = start
        carried[1:] = (mixed * _LOW_PRIME)[:-1]
        # P is odd. So this bit of h before a byte is the same bit of the byte before, after its xor, xor what the lower
        # bits carry into it. The first of the two makes it a running xor.
        mixed |= _running_xor((carried ^ block) & numpy.uint8(1 << bit)) << numpy.uint8(bit)
    return mixed


def fnv1a(chunks):
    """Returns the hash of an iterable of bytes. Only the last one may have another size than a multiple of BLOCK."""
    value = START
    for chunk in chunks:
        for begin in range(0, len(chunk), BLOCK):
            block = numpy.frombuffer(chunk, numpy.uint8, min(BLOCK, len(chunk) - begin), begin)
            mixed = _low_bytes(block, value & 255)
            # mixed ^ block is the low byte of h, so a change is (h ^ b) - h.
            changes = mixed.astype(numpy.int64) - (mixed ^ block).astype(numpy.int64)
            weights = _WEIGHTS[BLOCK - len(block):]
            total = int(numpy.add.reduce(changes.view(numpy.uint64) * weights))
            value = (value * pow(PRIME, len(block), 1 << 64) + total) & MASK
    return value
