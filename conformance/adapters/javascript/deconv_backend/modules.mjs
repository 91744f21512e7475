// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads a library's package from the folder that the variable DECONV_MODULES names, in its folder node_modules. Without
// the variable, or if the package is not there, the adapter's own folder is searched.
import { createRequire } from 'node:module';

/** Returns the package, or ends the process with a message. `here` is the adapter's import.meta.url. */
export function load(name, here) {
  const folder = process.env.DECONV_MODULES;
  const missing = [];
  for (const from of [...(folder === undefined ? [] : [`${folder}/`]), here]) {
    try {
      return createRequire(from)(name);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
      missing.push(from);
    }
  }
  console.error(`cannot find the package ${name} from ${missing.join(' or ')}; install it there, ` +
    'or name the folder of its node_modules in DECONV_MODULES');
  process.exit(1);
}
