// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The function serve(): answers the requests of the suite by calling an adapter's function, and checks its outputs.
import { checkOptions } from './options.mjs';
import { geometryOf, operatorOf } from './operators.mjs';
import { answerRequests } from './protocol.mjs';
import { ARRAYS, arrayOf, count, ownDims, ownOutput, plainData, plainFilter } from './tensors.mjs';

/** The operator is invalid. */
export class Refused extends Error {}
/** The operator may be valid, but the library cannot compute it. */
export class Unsupported extends Error {}

// The beginning of a dialect's name (a dialect is one reading of the attributes), and the operators that it defines.
const OPERATORS = [
  ['openvino-', ['ConvolutionBackpropData', 'GroupConvolutionBackpropData']],
  ['onednn-', ['ConvolutionBackwardData']],
  ['onnx', ['ConvTranspose']],
  ['tensorflow', ['ConvTranspose']],
];
// A backend that takes resolved geometry does not read attributes. So it can do every operator, in any dialect.
const ALL_DIALECTS = ['openvino-spec', 'onednn-spec', 'onnx-11'];
// Keys of the answer to `describe` that serve() takes under the same names.
const OPTIONAL_KEYS = ['max_bytes', 'accumulator', 'rounding', 'subnormals', 'overflow', 'saturating_types',
  'types_in_f32', 'deterministic', 'max_threads', 'algorithm', 'arithmetic', 'known_deviations', 'unsupported',
  'max_attribute'];

/** One line that the protocol allows as a message. */
function oneLine(text, most = 500) {
  const bytes = Buffer.from(String(text).split(/\s+/).filter((word) => word !== '').join(' ')).subarray(0, most);
  return bytes.toString('utf8').replace(/\uFFFD+$/, '') || 'no message';
}

function bytesOf(array) {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

// An adapter's functions, which are arguments of serve(), and its answer to `describe`.
class Adapter {
  constructor({ deconv, run, supports, refuses, nativeLayouts }, description) {
    Object.assign(this, { deconv, run, supports, refuses, nativeLayouts, description });
  }

  // Returns the keys of the answer to a request. `data` and `filter` are bytes.
  async answer(request, data, filter) {
    if (request.do === 'describe') return this.description;
    if (request.do === 'supports') return this.answerSupports(request);
    if (request.do !== 'run') return { answer: 'error', message: `this adapter cannot do '${request.do}'` };
    const geometry = this.deconv ? geometryOf(request) : undefined;
    const operator = geometry?.operator ?? operatorOf(request);
    const arrays = [arrayOf(data, operator.data.element_type, operator.data.dims),
      arrayOf(filter, operator.filter.element_type, operator.filter.dims)];
    let result;
    try {
      result = await (geometry ? this.callResolved(arrays, geometry) : this.run(operator, ...arrays));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        // A trap leaves the module's memory in an unknown state: no later answer could be trusted.
        console.error(`WebAssembly trap: ${error.message}`);
        process.abort();
      }
      const message = oneLine(error?.message ?? error);
      if (error instanceof Unsupported) return { answer: 'unsupported', message };
      if (error instanceof Refused || this.refuses(error)) return { answer: 'refused', message };
      return { answer: 'error', message };
    }
    const answer = this.answerOutput(request, operator, geometry, result);
    const name = result?.implementation;
    return typeof name === 'string' && name.trim() !== '' ? { ...answer, implementation: oneLine(name, 63) } : answer;
  }

  // Answers the question whether the adapter computes an operator.
  async answerSupports(request) {
    let reason;
    try {
      reason = await this.supports(this.deconv ? geometryOf(request) : operatorOf(request));
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      reason = error.message;
    }
    if (reason === null || reason === undefined || reason === true) return { supported: true };
    if (typeof reason !== 'string' || reason === '') {
      throw new TypeError(`supports() returned ${reason}; expected null (supported) or the reason as a text`);
    }
    return { supported: false, message: oneLine(reason) };
  }

  // Calls deconv() on data and filter in the layouts that the adapter takes.
  callResolved(arrays, geometry) {
    if (this.nativeLayouts) return this.deconv(...arrays, geometry);
    return this.deconv(plainData(arrays[0], geometry), plainFilter(arrays[1], geometry), geometry);
  }

  // Checks the type and the size of a result. `geometry` is undefined for run(), whose result has its own dims.
  answerOutput(request, operator, geometry, result) {
    const name = geometry ? 'deconv()' : 'run()';
    const wrong = (message) => ({ answer: 'error', message: `${name} returned ${message}` });
    if (!geometry && !Array.isArray(result?.dims)) return wrong('no dims; expected { dims, output }');
    const output = geometry ? result?.output ?? result : result.output;
    const dims = geometry ? ownDims(geometry) : result.dims;
    const array = ARRAYS[operator.data.element_type];
    if (array === undefined) return wrong(`an output for data of type ${operator.data.element_type}`);
    if (!(output instanceof array)) {
      return wrong(`${output?.constructor?.name ?? output}; expected ${array.name}, the type of data`);
    }
    if (count(dims) !== BigInt(output.length)) {
      return wrong(`${output.length} elements; expected ${count(dims)}: [${dims.join(', ')}]`);
    }
    if (output.byteLength !== request.output_bytes) return { answer: 'other-shape', dims };
    return {
      answer: 'computed', dims, output: bytesOf(geometry && !this.nativeLayouts ? ownOutput(output, geometry) : output),
    };
  }
}

/**
 * Serves until the end of standard input. Give one of these functions; both may be asynchronous:
 *   deconv(data, filter, geometry)  data [N, C, spatial...], filter [G, C/G, O/G, spatial...], as typed arrays; returns
 *                                   the output [N, O, spatial...]. The suite resolves the attributes. With
 *                                   nativeLayouts: true all three have the layout of the operator.
 *   run(operator, data, filter)     the library resolves the attributes itself, and refuses what is invalid. It returns
 *                                   { dims, output }. An array is null if the suite sent no bytes.
 * To name the code that computed the output, for reports, deconv returns { output, implementation }, and run
 * { dims, output, implementation }.
 * supports(geometry or operator)    returns null, or the reason why the library does not compute it, as a text.
 * refuses(error)                    whether this error of the library means: the operator is invalid.
 * Further keys go to the answer to `describe` (unsupported, accumulator, ...).
 */
export async function serve({
  deconv, run, supports, refuses = () => false, nativeLayouts = false, name, version, types, dialects, operators,
  minRank = 3, maxRank = 5, ...declared
}) {
  if ((deconv === undefined) === (run === undefined)) {
    throw new TypeError('serve(): give either deconv, for resolved geometry, or run, for attributes');
  }
  for (const key of Object.keys(declared)) {
    if (!OPTIONAL_KEYS.includes(key)) {
      throw new TypeError(`serve() got '${key}'; expected one of ${OPTIONAL_KEYS.join(', ')}`);
    }
  }
  const judgedBy = dialects ?? (deconv === undefined ? ['openvino-spec'] : ALL_DIALECTS);
  const defined = OPERATORS.filter(([prefix]) => judgedBy.some((dialect) => dialect.startsWith(prefix)));
  const description = {
    protocol: 1, name, version, dialects: judgedBy, operators: operators ?? defined.flatMap(([, names]) => names),
    element_types: types, min_rank: minRank, max_rank: maxRank, ...declared,
  };
  if (deconv !== undefined) {
    description.takes_resolved = true;
    description.max_attribute ??= Number.MAX_SAFE_INTEGER;  // geometry has plain numbers
  }
  if (supports !== undefined) description.supports = true;
  checkOptions();
  const adapter = new Adapter({ deconv, run, supports, refuses, nativeLayouts }, description);
  await answerRequests((request, data, filter) => adapter.answer(request, data, filter));
}
