// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the operator of a request of the suite: its attributes as the model has them, with integers as BigInt, and the
// sizes and pads that the suite has computed from them.
// Attributes that are lists of integers.
const LISTS = ['strides', 'dilations', 'pads_begin', 'pads_end', 'output_padding', 'dst_shape', 'kernel_shape',
  'output_shape_attribute'];

const bigInts = (values) => values.map(BigInt);  // in a request, an integer beyond 2^53 - 1 is a string

/** Returns the operator. The attributes keep the names of the protocol. Absent ones are undefined. */
export function operatorOf(request) {
  const sent = request.operator;
  const operator = { ...sent, threads: request.threads ?? 0 };
  for (const name of ['data', 'filter', 'output_shape']) {
    if (sent[name] === undefined) continue;
    operator[name] = { ...sent[name], dims: bigInts(sent[name].dims) };
    if (sent[name].values !== undefined) operator[name].values = bigInts(sent[name].values);
  }
  for (const name of LISTS) if (sent[name] !== undefined) operator[name] = bigInts(sent[name]);
  if (sent.groups !== undefined) operator.groups = BigInt(sent.groups);
  return operator;
}

/** Returns the resolved operator: output[s*i + d*k - padsBegin] += data[i] * filter[k] along each spatial axis. */
export function geometryOf(request) {
  const { resolved } = request;
  const list = (values) => values.map(Number);
  return {
    elementType: resolved.element_type, channelsLast: resolved.channels_last, filterLayout: resolved.filter_layout,
    batch: Number(resolved.batch), groups: Number(resolved.groups), inChannels: Number(resolved.in_channels),
    outChannels: Number(resolved.out_channels), data: list(resolved.data), kernel: list(resolved.kernel),
    strides: list(resolved.strides), dilations: list(resolved.dilations), padsBegin: list(resolved.pads_begin),
    padsEnd: list(resolved.pads_end), outputPadding: list(resolved.output_padding), output: list(resolved.output),
    threads: request.threads ?? 0, operator: operatorOf(request),
  };
}
