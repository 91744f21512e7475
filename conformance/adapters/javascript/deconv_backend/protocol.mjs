// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the process protocol (conformance/interface/process_protocol.md) for backends in JavaScript. It reads complete
// requests from standard input, and writes complete answers to standard output. Each is a line of JSON, with the bytes
// of tensors behind it.
//
// Libraries may print to standard output. Prints of JavaScript are sent to standard error instead. Node.js cannot
// redirect the prints of a native module, which writes to descriptor 1. For such a module let the shell move the
// streams:
//   DECONV_DESCRIPTORS=3,4 exec node adapter.mjs 3<&0 4>&1 </dev/null >&2
import { readSync, writeSync } from 'node:fs';

const [INPUT, OUTPUT] = (process.env.DECONV_DESCRIPTORS ?? '0,1').split(',').map(Number);

/** Keeps prints away from the answers. It is called when this module is loaded. */
export function protect() {
  // Reading process.stdout would make a pipe non-blocking, so the property is replaced unread.
  Object.defineProperty(process, 'stdout', { get: () => process.stderr, configurable: true });
  for (const name of ['log', 'info', 'debug']) console[name] = console.error;
}

protect();

// A library may have made a stream non-blocking. Then a full or an empty pipe is tried again.
function patiently(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

let buffer = Buffer.alloc(0);  // what was read and not taken yet

// Reads until `countIn(buffer)` returns the number of bytes to take; it returns -1 if more must be read. Returns these
// bytes, or null at the end of input.
function take(countIn) {
  for (;;) {
    const count = countIn(buffer);
    if (count >= 0) {
      const taken = buffer.subarray(0, count);
      buffer = buffer.subarray(count);
      return taken;
    }
    const part = Buffer.alloc(1 << 16);
    const size = patiently(() => readSync(INPUT, part, 0, part.length, null));
    if (size === 0) return null;
    buffer = Buffer.concat([buffer, part.subarray(0, size)]);
  }
}

// Reads `count` bytes into new memory, which is aligned for every element type.
function takeBytes(count) {
  const bytes = new Uint8Array(count);
  const held = take((buffered) => Math.min(buffered.length, count));
  bytes.set(held);
  for (let at = held.length; at < count;) {
    const size = patiently(() => readSync(INPUT, bytes, at, count - at, null));
    if (size === 0) throw new Error(`standard input ended ${count - at} bytes early`);
    at += size;
  }
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length;) at += patiently(() => writeSync(OUTPUT, bytes, at));
}

/**
 * Answers requests until the end of input. `answer(request, data, filter)` returns the keys of the answer. If there is a
 * key `output`, a Uint8Array, its bytes are sent after the line of the answer.
 */
export async function answerRequests(answer) {
  for (;;) {
    const line = take((held) => held.indexOf(10) + 1 || -1);  // 10 is the end of a line
    if (line === null) return;
    const request = JSON.parse(line.toString('utf8'));
    const data = takeBytes(request.data_bytes ?? 0);
    const filter = takeBytes(request.filter_bytes ?? 0);
    const { output, ...keys } = await answer(request, data, filter);
    if (output !== undefined) keys.output_bytes = output.length;
    write(Buffer.from(`${JSON.stringify({ id: request.id, ...keys })}\n`));
    if (output !== undefined) write(output);
  }
}
