// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
//! Serves a Rust function as a backend of deconv-cts, over the process protocol.
//!
//! The suite resolves the attributes. The function gets sizes, pads and the bytes of the tensors, in the layouts
//! [N, C, spatial...] and [G, C/G, O/G, spatial...]. Each program of src/bin calls `serve` once.
use serde_json::{json, Map, Value};
use std::io::{self, BufRead, Read, Write};

/// A resolved operator: output[s*i + d*k - pads_begin] += data[i] * filter[k] along each spatial axis. Channels are those
/// of all groups together.
pub struct Geometry {
    pub element_type: String,
    pub batch: usize,
    pub groups: usize,
    pub in_channels: usize,
    pub out_channels: usize,
    pub data: Vec<i64>,
    pub kernel: Vec<i64>,
    pub strides: Vec<i64>,
    pub dilations: Vec<i64>,
    pub pads_begin: Vec<i64>,
    pub pads_end: Vec<i64>,
    pub output_padding: Vec<i64>,
    pub output: Vec<i64>,
}

/// Reads an integer of the protocol. Beyond 2^53 - 1 it is a text.
fn integer(value: &Value) -> i64 {
    value.as_i64().or_else(|| value.as_str().and_then(|text| text.parse().ok())).unwrap_or(0)
}

impl Geometry {
    fn read(resolved: &Value) -> Geometry {
        let list = |key: &str| resolved[key].as_array().map_or(vec![], |values| values.iter().map(integer).collect());
        let number = |key: &str| integer(&resolved[key]) as usize;
        Geometry {
            element_type: resolved["element_type"].as_str().unwrap_or("").to_string(),
            batch: number("batch"),
            groups: number("groups"),
            in_channels: number("in_channels"),
            out_channels: number("out_channels"),
            data: list("data"),
            kernel: list("kernel"),
            strides: list("strides"),
            dilations: list("dilations"),
            pads_begin: list("pads_begin"),
            pads_end: list("pads_end"),
            output_padding: list("output_padding"),
            output: list("output"),
        }
    }

    /// The dims of the output: [N, O, spatial...].
    pub fn output_dims(&self) -> Vec<i64> {
        [&[self.batch as i64, self.out_channels as i64], self.output.as_slice()].concat()
    }
}

/// The output of a library: its dims and its bytes.
pub struct Output {
    pub dims: Vec<i64>,
    pub bytes: Vec<u8>,
}

/// A library behind the protocol.
pub trait Backend {
    /// The answer to `describe`, without `id` and `protocol`.
    fn describe(&self) -> Value;
    /// Why the library does not compute this operator; None if it does.
    fn reason(&self, geometry: &Geometry) -> Option<String>;
    /// Computes an operator that `reason` accepts. An error of the library is its refusal.
    fn run(&self, geometry: &Geometry, data: &[u8], filter: &[u8]) -> Result<Output, String>;
}

fn answer(backend: &dyn Backend, request: &Value, data: &[u8], filter: &[u8]) -> (Value, Vec<u8>) {
    let geometry = || Geometry::read(&request["resolved"]);
    match request["do"].as_str() {
        Some("describe") => {
            let mut keys = backend.describe();
            keys["protocol"] = json!(1);
            keys["takes_resolved"] = json!(true);
            keys["supports"] = json!(true);
            (keys, vec![])
        }
        Some("supports") => match backend.reason(&geometry()) {
            None => (json!({"supported": true}), vec![]),
            Some(reason) => (json!({"supported": false, "message": reason}), vec![]),
        },
        Some("run") => match backend.run(&geometry(), data, filter) {
            Err(message) => {
                let line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).take(150).collect();
                (json!({"answer": "refused", "message": line}), vec![])
            }
            Ok(output) if output.bytes.len() as i64 != integer(&request["output_bytes"]) => {
                (json!({"answer": "other-shape", "dims": output.dims}), vec![])
            }
            Ok(output) => {
                (json!({"answer": "computed", "dims": output.dims, "output_bytes": output.bytes.len()}), output.bytes)
            }
        },
        _ => (json!({"answer": "error", "message": "this adapter cannot do that"}), vec![]),
    }
}

/// Answers the requests on standard input until it ends.
pub fn serve(backend: &dyn Backend) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let request: Value = serde_json::from_str(&line)?;
        let mut tensor = |key: &str| -> io::Result<Vec<u8>> {
            let mut bytes = vec![0; integer(&request[key]) as usize];
            input.read_exact(&mut bytes)?;
            Ok(bytes)
        };
        let (data, filter) = (tensor("data_bytes")?, tensor("filter_bytes")?);
        let (keys, bytes) = answer(backend, &request, &data, &filter);
        let mut header = Map::from_iter([("id".to_string(), request["id"].clone())]);
        header.extend(keys.as_object().cloned().unwrap_or_default());
        writeln!(output, "{}", Value::Object(header))?;
        output.write_all(&bytes)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}
