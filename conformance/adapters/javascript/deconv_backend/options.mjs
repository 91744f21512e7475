// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the options that a user gives to an adapter: `node adapter.mjs --option KEY=VALUE`.
const given = new Map();  // the options of the command line
const read = new Map();  // the options that the adapter has asked for, with their defaults

function fail(message) {
  console.error(message);
  process.exit(2);
}

for (let at = 2; at < process.argv.length; ++at) {
  const pair = process.argv[at] === '--option' ? process.argv[++at] ?? '' : '';
  const equals = pair.indexOf('=');
  if (equals < 1) fail(`${process.argv[at] ?? '--option'}: expected --option KEY=VALUE`);
  given.set(pair.slice(0, equals), pair.slice(equals + 1));
}

/** Returns the value of `--option key=value`, a string, or the default. Adapters call it before serve(). */
export function option(key, fallback, choices) {
  read.set(key, fallback);
  const value = given.get(key) ?? fallback;
  if (choices !== undefined && !choices.includes(value)) {
    fail(`option ${key}=${value}: expected one of ${choices.join(', ')}`);
  }
  return value;
}

/** Ends the process with a message if the user gave an option that the adapter has not read. */
export function checkOptions() {
  for (const key of given.keys()) {
    if (read.has(key)) continue;
    const known = [...read].map(([name, value]) => `${name} (default ${value})`).join(', ') || 'none';
    fail(`unknown option '${key}'; this adapter's options: ${known}`);
  }
}
