// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of an adapter that is the same for both JavaScript packages of ONNX Runtime, onnxruntime-node and
// onnxruntime-web. An adapter makes a library a backend of deconv-cts, that is, a library under test. Each operator
// becomes a model with one ConvTranspose. ONNX Runtime resolves the attributes itself. An attribute that the operator does
// not have is left out of the model, and the model leaves the output's shape open.
import { Refused, Unsupported, convTransposeModel } from './deconv_backend/index.mjs';

// The suite sends no values with an invalid operator whose tensors are large. Such an operator is tried on zeros if each
// tensor has at most this number of elements.
const MOST_TRIED = 1n << 22n;

// Returns the values of an input, or zeros if the suite sent none. Throws if zeros cannot be tried. `role` names the
// input.
function filled(array, { element_type: type, dims }, role) {
  if (array !== null) return array;
  if (dims.some((dim) => dim < 0n)) throw new Refused(`${role}: a tensor cannot have a negative dimension`);
  const count = dims.reduce((product, dim) => product * dim, 1n);
  if (count > MOST_TRIED) throw new Unsupported(`${role}: too large to be tried`);
  return type === 'f32' ? new Float32Array(Number(count)) : new Uint8Array(0);
}

/** Returns the common keys of serve()'s argument. `ort` is the package, and `options` are those of its session. */
export function describeRun(ort, options = {}) {
  const supports = (operator) =>
    (operator.output_shape === undefined ? null : 'a third input is a bias, which is not driven');
  async function run(operator, data, filter) {
    const reason = supports(operator);
    if (reason !== null) throw new Unsupported(reason);
    const weights = filled(filter, operator.filter, 'filter');
    const model = convTransposeModel(operator, new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength));
    let session;
    try {
      session = await ort.InferenceSession.create(model, {
        executionProviders: ['cpu'], graphOptimizationLevel: 'disabled', logSeverityLevel: 4, ...options,
      });
      const values = filled(data, operator.data, 'data');
      const { Y } = await session.run({ X: new ort.Tensor('float32', values, operator.data.dims.map(Number)) });
      return { dims: [...Y.dims], output: Y.data };
    } finally {
      await session?.release();
    }
  }
  return {
    run, supports, types: ['f32'], dialects: ['onnxruntime'], refuses: () => true,
  };
}
