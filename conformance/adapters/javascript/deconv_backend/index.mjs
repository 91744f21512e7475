// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns one JavaScript function on typed arrays into a backend of deconv-cts, that is, a library that the suite tests.
// The page is ../README.md.
//
//   import { serve } from './deconv_backend/index.mjs';   // before the library: it keeps the library's prints apart
//   function deconv(data, filter, geometry) { ... }       // returns the output, a typed array
//   await serve({ deconv, name: 'mine', version: '1.0', types: ['f32'] });
export { protect } from './protocol.mjs';
export { Refused, Unsupported, serve } from './serving.mjs';
export { option } from './options.mjs';
export { load } from './modules.mjs';
export { permuted } from './tensors.mjs';
export { convTransposeModel } from './onnx_model.mjs';
