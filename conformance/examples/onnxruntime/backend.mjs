// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs ONNX Runtime as a backend: its ConvTranspose on the CPU. Each operator becomes a model. After `npm ci`:
//   deconv-cts run --backend cmd:"node conformance/examples/onnxruntime/backend.mjs"
// The script loads ONNX Runtime's package from the folder in the variable ONNXRUNTIME_MODULES, or else from its own.
import { serve } from '../../adapters/javascript/deconv_backend/index.mjs';
import { describeRun } from '../../adapters/javascript/onnxruntime.mjs';
import { createRequire } from 'node:module';

const modules = process.env.ONNXRUNTIME_MODULES;
const ort = createRequire(modules === undefined ? import.meta.url : `${modules}/`)('onnxruntime-node');

await serve({
  ...describeRun(ort, { intraOpNumThreads: 1 }), name: 'onnxruntime-node', version: ort.env.versions.node,
  deterministic: 'every-run', supports: undefined,
});
