// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the bytes of tensors to typed arrays, and arrays between the layouts of data, filter and output. Arrays of
// f16 and bf16 are Uint16Arrays with the bits.
export const ARRAYS = {
  f64: Float64Array, f32: Float32Array, f16: Uint16Array, bf16: Uint16Array, i8: Int8Array, i16: Int16Array,
  i32: Int32Array, i64: BigInt64Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array,
  boolean: Uint8Array,
};

/** The product of dimensions, which may be numbers or BigInts. */
export const count = (dims) => dims.reduce((product, dim) => product * BigInt(dim), 1n);

/** Returns the bytes of a tensor as a typed array, or null if the suite did not send them. */
export function arrayOf(bytes, type, dims) {
  const array = ARRAYS[type];
  if (array === undefined || dims.some((dim) => dim < 0n)) return null;
  if (count(dims) * BigInt(array.BYTES_PER_ELEMENT) !== BigInt(bytes.length)) return null;
  return new array(bytes.buffer, bytes.byteOffset, bytes.length / array.BYTES_PER_ELEMENT);
}

/**
 * Returns a new array whose axis i is axis order[i] of an array with these dimensions. Example: [0, 1, 2, 3, 4, 5] with
 * the dims [2, 3] and the order [1, 0] becomes [0, 3, 1, 4, 2, 5]. `place` counts through the new array like an
 * odometer, and `from` is the same element's index in the old one.
 */
export function permuted(array, dims, order) {
  const result = new array.constructor(array.length);
  if (array.length === 0) return result;
  const steps = dims.map((_, axis) => dims.slice(axis + 1).reduce((product, dim) => product * dim, 1));
  const sizes = order.map((axis) => dims[axis]);
  const strides = order.map((axis) => steps[axis]);
  const place = sizes.map(() => 0);
  for (let to = 0, from = 0; to < array.length; ++to) {
    result[to] = array[from];
    for (let axis = sizes.length - 1; axis >= 0; --axis) {
      from += strides[axis];
      if (++place[axis] < sizes[axis]) break;
      from -= strides[axis] * sizes[axis];
      place[axis] = 0;
    }
  }
  return result;
}

const axesOf = (sizes) => sizes.map((_, axis) => axis);  // 0, 1, ... for each size

/** Returns data as [N, C, spatial...]. */
export function plainData(array, geometry) {
  if (!geometry.channelsLast) return array;
  const axes = geometry.data.length;
  const dims = [geometry.batch, ...geometry.data, geometry.inChannels];
  return permuted(array, dims, [0, axes + 1, ...axesOf(geometry.data).map((axis) => axis + 1)]);
}

/** Returns the filter as [G, C/G, O/G, spatial...]. */
export function plainFilter(array, geometry) {
  if (geometry.filterLayout !== 'xio') return array;  // the elements of the other layouts have this order
  const axes = geometry.kernel.length;
  const inputs = geometry.inChannels / geometry.groups;
  const dims = [...geometry.kernel, geometry.outChannels / geometry.groups, geometry.groups, inputs];
  return permuted(array, dims, [axes + 1, axes + 2, axes, ...axesOf(geometry.kernel)]);
}

/** Returns an output [N, O, spatial...] in the layout of the operator. */
export function ownOutput(array, geometry) {
  if (!geometry.channelsLast) return array;
  const dims = [geometry.batch, geometry.outChannels, ...geometry.output];
  return permuted(array, dims, [0, ...axesOf(geometry.output).map((axis) => axis + 2), 1]);
}

/** The dimensions of the output in the layout of the operator. */
export function ownDims(geometry) {
  const { batch, outChannels, output } = geometry;
  return geometry.channelsLast ? [batch, ...output, outChannels] : [batch, outChannels, ...output];
}
