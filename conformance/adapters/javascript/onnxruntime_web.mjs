// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes ONNX Runtime Web a backend (a library under test) of deconv-cts: its ConvTranspose in WebAssembly, in Node.js.
//   DECONV_MODULES=FOLDER node onnxruntime_web.mjs [--option threads=1]
// Choices of this adapter, not of ONNX Runtime: see onnxruntime.mjs.
import { load, option, serve } from './deconv_backend/index.mjs';
import { describeRun } from './onnxruntime.mjs';

const threads = Number(option('threads', '1'));
const ort = load('onnxruntime-web', import.meta.url);
ort.env.wasm.numThreads = threads;
ort.env.logLevel = 'fatal';

await serve({
  ...describeRun(ort, { executionProviders: ['wasm'] }), name: 'onnxruntime-web', version: ort.env.versions.web,
});
