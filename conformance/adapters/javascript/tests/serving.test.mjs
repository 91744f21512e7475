// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests of serve(): answers, messages, layouts, and that nothing that JavaScript prints reaches standard output. Each test
// writes an adapter, runs it with some requests, and reads its answers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { permuted } from '../deconv_backend/tensors.mjs';

const folder = mkdtempSync(join(tmpdir(), 'deconv-backend-'));
after(() => rmSync(folder, { recursive: true }));
const home = new URL('../deconv_backend/index.mjs', import.meta.url).href;
const DESCRIBE = { do: 'describe', protocol: 1 };

/** The text of an adapter with a function deconv of this body, and more keys of serve()'s argument. */
function serving(body, more = '') {
  return `function deconv(data, filter, geometry) { ${body} }
    await serve({ deconv, name: 'test', version: '1', types: ['f32', 'bf16'], ${more} });`;
}

/** Runs an adapter. Each request is [keys, tensors...]. Returns the answers, and how the process ended. */
function talk(text, requests, arguments_ = []) {
  const file = join(folder, 'adapter.mjs');
  writeFileSync(file, `import { Refused, Unsupported, option, serve } from ${JSON.stringify(home)};\n${text}`);
  const parts = requests.flatMap(([keys, ...tensors], id) => {
    const bytes = tensors.map((array) => Buffer.from(array.buffer));
    const sizes = { data_bytes: bytes[0]?.length ?? 0, filter_bytes: bytes[1]?.length ?? 0 };
    return [Buffer.from(`${JSON.stringify({ ...keys, ...sizes, id })}\n`), ...bytes];
  });
  const done = spawnSync(process.execPath, [file, ...arguments_], { input: Buffer.concat(parts), maxBuffer: 1 << 24 });
  const answers = [];
  for (let at = 0; at < done.stdout.length;) {
    const end = done.stdout.indexOf(10, at);
    const { id, ...keys } = JSON.parse(done.stdout.subarray(at, end).toString());
    assert.equal(id, answers.length);
    at = end + 1 + (keys.output_bytes ?? 0);
    if (keys.output_bytes !== undefined) keys.output = new Uint8Array(done.stdout.subarray(end + 1, at)).buffer;
    answers.push(keys);
  }
  return { answers, status: done.status, signal: done.signal, errors: done.stderr.toString() };
}

/** A run request with resolved geometry, along one axis. `what` is run or supports. */
function resolved({ type = 'f32', last = false, layout = 'giox', inputs = 1, outputs = 1, what = 'run' } = {}) {
  const data = last ? [1, 2, inputs] : [1, inputs, 2];
  const filter = layout === 'xio' ? [2, outputs, inputs] : [inputs, outputs, 2];
  return {
    do: what, output_bytes: 3 * outputs * (type === 'bf16' ? 2 : 4),
    operator: { kind: 'ConvolutionBackwardData', dialect: 'onednn-spec', data: { element_type: type, dims: data },
      filter: { element_type: type, dims: filter } },
    resolved: { element_type: type, channels_last: last, filter_layout: layout, batch: 1, groups: 1, in_channels: inputs,
      out_channels: outputs, data: [2], kernel: [2], strides: [1], dilations: [1], pads_begin: [0], pads_end: [0],
      output_padding: [0], output: [3] },
  };
}

/** Runs an adapter with one request. Returns its answer. */
const one = (text, request = resolved(), tensors = [new Float32Array([1, 2]), new Float32Array(2)]) =>
  talk(text, [[request, ...tensors]]).answers[0];

test('a resolved adapter declares every operator, and that geometry has plain numbers', () => {
  const { answers, status } = talk(serving('', "unsupported: ['groups'], supports: () => null"), [[DESCRIBE]]);
  assert.equal(status, 0);
  assert.equal(answers[0].operators.length, 4);
  assert.deepEqual(answers[0].unsupported, ['groups']);
  assert.ok(answers[0].takes_resolved && answers[0].supports && answers[0].max_attribute === 2 ** 53 - 1);
});

test('declared arithmetic is sent', () => {
  const words = "saturating_types: ['i8'], types_in_f32: ['f64'], known_deviations: ['clamped-infinity'], subnormals: 'flushed'";
  const { answers } = talk(serving('', words), [[DESCRIBE]]);
  assert.deepEqual(answers[0].saturating_types, ['i8']);
  assert.deepEqual(answers[0].types_in_f32, ['f64']);
  assert.deepEqual(answers[0].known_deviations, ['clamped-infinity']);
  assert.equal(answers[0].subnormals, 'flushed');
});

test('an unknown key is named', () => {
  const { status, errors } = talk(serving('', 'unsuported: []'), [[DESCRIBE]]);
  assert.equal(status, 1);
  assert.match(errors, /serve\(\) got 'unsuported'; expected one of/);
});

test('the implementation is sent', () => {
  const answer = one(serving("return { output: new Float32Array(3), implementation: 'direct\\n' + 'x'.repeat(99) };"));
  assert.deepEqual([answer.answer, answer.implementation], ['computed', `direct ${'x'.repeat(56)}`]);
});

test('an output is sent with its dims', () => {
  const answer = one(serving('return new Float32Array([data[1], 0, geometry.output[0]]);'));
  assert.deepEqual([answer.answer, answer.dims, [...new Float32Array(answer.output)]], ['computed', [1, 1, 3], [2, 0, 3]]);
});

test('what is wrong with an output is named', () => {
  for (const [body, message] of [
    ['return new Float64Array(3);', 'deconv() returned Float64Array; expected Float32Array, the type of data'],
    ['return new Float32Array(4);', 'deconv() returned 4 elements; expected 3: [1, 1, 3]'],
    ['', 'deconv() returned undefined; expected Float32Array, the type of data'],
  ]) {
    assert.deepEqual(one(serving(body)), { answer: 'error', message });
  }
});

test('exceptions become answers', () => {
  for (const [body, more, answer, message] of [
    ["throw new Error('no\\nmemory');", '', 'error', 'no memory'],
    ["throw new Error('no memory');", 'refuses: () => true', 'refused', 'no memory'],
    ["throw new Refused('bad stride');", '', 'refused', 'bad stride'],
    ["throw new Unsupported('too large');", '', 'unsupported', 'too large'],
  ]) {
    assert.deepEqual(one(serving(body, more)), { answer, message });
  }
});

test('a trap of WebAssembly ends the process', () => {
  // A module in bytes whose only function, f, is the instruction unreachable.
  const trap = 'new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0,' +
    ' 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11]))).exports.f();';
  const { answers, signal, errors } = talk(serving(trap), [[resolved(), new Float32Array(2), new Float32Array(2)]]);
  assert.deepEqual([answers, signal], [[], 'SIGABRT']);
  assert.match(errors, /WebAssembly trap: unreachable/);
});

test('supports answers yes, no with a reason, and complains about other values', () => {
  const ask = [resolved({ what: 'supports' })];
  assert.deepEqual(talk(serving('', 'supports: () => null'), [ask]).answers, [{ supported: true }]);
  assert.deepEqual(talk(serving('', "supports: () => 'one axis only'"), [ask]).answers,
    [{ supported: false, message: 'one axis only' }]);
  const { answers, status, errors } = talk(serving('', 'supports: () => false'), [ask]);
  assert.deepEqual([answers, status], [[], 1]);
  assert.match(errors, /supports\(\) returned false; expected null/);
});

test('attributes reach run as BigInt, and tensors that were not sent are null', () => {
  const text = `await serve({ run: (op, data, filter) => {
      throw new Refused([op.strides[0], op.dilations, op.auto_pad, data, filter.length].join()); },
    name: 'test', version: '1', types: ['f32'], dialects: ['onnx-11'] });`;
  const operator = { kind: 'ConvTranspose', dialect: 'onnx-11', data: { element_type: 'f32', dims: [1, 1, 2 ** 40] },
    filter: { element_type: 'f32', dims: [1, 0, 3] }, strides: ['4611686018427387904'], auto_pad: 'VALID' };
  assert.equal(one(text, { do: 'run', output_bytes: 0, operator }, []).message, '4611686018427387904,,VALID,,0');
});

test('a result of another size is answered with other-shape', () => {
  const text = `await serve({ run: () => ({ dims: [1, 1, 4], output: new Float32Array(4) }),
    name: 'test', version: '1', types: ['f32'], dialects: ['onnx-11'] });`;
  const { resolved: _, ...request } = resolved();
  assert.deepEqual(one(text, request), { answer: 'other-shape', dims: [1, 1, 4] });
});

test('channels last and XIO become plain, and the output goes back', () => {
  const body = `if (filter.join() !== '0,6,2,8,4,10,1,7,3,9,5,11') throw new Error(filter.join());
    return Float32Array.from([...data, 4, 5, 6, 7, 8]);`;
  const request = resolved({ last: true, layout: 'xio', inputs: 2, outputs: 3 });
  const tensors = [new Float32Array([0, 1, 2, 3]), Float32Array.from({ length: 12 }, (_, at) => at)];
  const answer = one(serving(body), request, tensors);
  assert.deepEqual(answer.dims, [1, 3, 3], answer.message);
  // data as [C, x] is 0 2 1 3; the output [O, x] becomes [x, O].
  assert.deepEqual([...new Float32Array(answer.output)], [0, 3, 6, 2, 4, 7, 1, 5, 8]);
});

test('native layouts are left alone', () => {
  const request = resolved({ last: true, layout: 'xio', inputs: 2, outputs: 1 });
  const body = 'return new Float32Array([data[1], filter[1], 0]);';
  const answer = one(serving(body, 'nativeLayouts: true'), request, [new Float32Array([0, 1, 2, 3]), new Float32Array([4, 5, 6, 7])]);
  assert.deepEqual([answer.dims, [...new Float32Array(answer.output)]], [[1, 3, 1], [1, 5, 0]]);
});

test('permuted moves axes', () => {
  assert.deepEqual([...permuted(new Int8Array([0, 1, 2, 3, 4, 5]), [2, 3], [1, 0])], [0, 3, 1, 4, 2, 5]);
  assert.deepEqual([...permuted(new Int8Array(0), [0, 3], [1, 0])], []);
});

test('prints do not reach standard output', () => {
  const { answers, errors } = talk(`console.log('a banner'); process.stdout.write('progress\\n'); ${serving('')}`, [[DESCRIBE]]);
  assert.equal(answers[0].name, 'test');
  assert.match(errors, /a banner\nprogress/);
});

test('an output larger than a pipe is sent by a process whose pipe does not block', () => {
  const request = resolved();
  Object.assign(request.resolved, { data: [1 << 20], output: [1 << 20], kernel: [1] });
  request.operator.data.dims[2] = 1 << 20;
  request.operator.filter.dims[2] = 1;
  request.output_bytes = 4 << 20;
  const text = `import { Socket } from 'node:net'; const unblocked = new Socket({ fd: 1 });
    ${serving('return data;')} unblocked.unref();`;
  const data = Float32Array.from({ length: 1 << 20 }, (_, at) => at);
  const answer = one(text, request, [data, new Float32Array(1)]);
  assert.deepEqual(new Float32Array(answer.output), data);
});

test('options are read, and wrong ones are named', () => {
  const text = `const colour = option('colour', 'red', ['red', 'blue']);
    await serve({ deconv: () => 0, name: colour, version: '1', types: ['f32'] });`;
  assert.equal(talk(text, [[DESCRIBE]], ['--option', 'colour=blue']).answers[0].name, 'blue');
  for (const [given, message] of [
    ['colour=green', 'option colour=green: expected one of red, blue'],
    ['color=blue', "unknown option 'color'; this adapter's options: colour (default red)"],
    ['colour', 'colour: expected --option KEY=VALUE'],
  ]) {
    const { status, errors } = talk(text, [[DESCRIBE]], ['--option', given]);
    assert.deepEqual([status, errors.trim()], [2, message]);
  }
});
