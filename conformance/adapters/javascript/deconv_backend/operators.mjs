// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the operator of a request of the suite: its attributes as the model has them, with integers as BigInt, and the
// sizes and pads that the suite has computed from them.
const LISTS = ['strides', 'dilations', 'pads_begin', 'pads_end', 'output_padding', 'dst_shape', 'kernel_shape',
  'output_shape_attribute'];

const big = (values) => values.map(BigInt);  // an integer beyond 2^53 - 1 is a string

/** The attributes keep the names of the protocol. Absent ones are undefined. */
export function operatorOf(request) {
  const op = request.operator;
  const operator = { ...op, threads: request.threads ?? 0 };
  for (const name of ['data', 'filter', 'output_shape']) {
    if (op[name] === undefined) continue;
    operator[name] = { ...op[name], dims: big(op[name].dims) };
    if (op[name].values !== undefined) operator[name].values = big(op[name].values);
  }
  for (const name of LISTS) if (op[name] !== undefined) operator[name] = big(op[name]);
  if (op.groups !== undefined) operator.groups = BigInt(op.groups);
  return operator;
}

/** Returns the resolved operator: output[s*i + d*k - padsBegin] += data[i] * filter[k] along each spatial axis. */
export function geometryOf(request) {
  const of = request.resolved;
  const list = (values) => values.map(Number);
  return {
    elementType: of.element_type, channelsLast: of.channels_last, filterLayout: of.filter_layout,
    batch: Number(of.batch), groups: Number(of.groups), inChannels: Number(of.in_channels),
    outChannels: Number(of.out_channels), data: list(of.data), kernel: list(of.kernel), strides: list(of.strides),
    dilations: list(of.dilations), padsBegin: list(of.pads_begin), padsEnd: list(of.pads_end),
    outputPadding: list(of.output_padding), output: list(of.output), threads: request.threads ?? 0,
    operator: operatorOf(request),
  };
}
