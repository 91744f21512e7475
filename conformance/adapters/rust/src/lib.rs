// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
//! Makes a library of Rust a backend of deconv-cts, that is, a library that the suite tests. It answers the process
//! protocol (conformance/interface/process_protocol.md) by calls of the library. The suite resolves the attributes, so
//! the library gets sizes and pads.
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The resolved operator: output[s*i + d*k - pads_begin] += data[i] * filter[k] along each axis, with stride s and
/// dilation d. Each list has one number for each spatial axis. Data are [batch, in_channels, spatial...], and
/// the filter is [in_channels, out_channels / groups, spatial...].
#[derive(Debug, Deserialize)]
pub struct Geometry {
    pub element_type: String,
    pub batch: usize,
    pub groups: usize,
    pub in_channels: usize,
    pub out_channels: usize,
    pub data: Vec<usize>,
    pub kernel: Vec<usize>,
    pub strides: Vec<usize>,
    pub dilations: Vec<usize>,
    pub pads_begin: Vec<i64>,
    pub pads_end: Vec<i64>,
    pub output_padding: Vec<i64>,
    pub output: Vec<usize>,
}

impl Geometry {
    pub fn data_dims(&self) -> Vec<usize> {
        [&[self.batch, self.in_channels], self.data.as_slice()].concat()
    }

    pub fn filter_dims(&self) -> Vec<usize> {
        [&[self.in_channels, self.out_channels / self.groups], self.kernel.as_slice()].concat()
    }

    pub fn output_dims(&self) -> Vec<usize> {
        [&[self.batch, self.out_channels], self.output.as_slice()].concat()
    }

    /// The pads for a library that takes one pad for both ends of an axis. The declaration excludes unequal pads.
    pub fn pads(&self) -> Vec<usize> {
        self.pads_begin.iter().map(|&pad| pad as usize).collect()
    }

    /// The output padding of each axis: outputs that the library adds at the end.
    pub fn extra(&self) -> Vec<usize> {
        self.output_padding.iter().map(|&extra| extra as usize).collect()
    }
}

/// A library under test. Elements are bytes, as they are in memory, in the order of the dims.
pub trait Library {
    /// The keys of the answer to `describe`, besides those of the protocol.
    fn describe(&self) -> Value;
    /// Returns None if the library computes this operator, else the reason why not.
    fn unsupported(&self, geometry: &Geometry) -> Option<&'static str>;
    /// Computes the operator. Returns the dims and bytes of the output, or the library's message.
    fn deconv(&self, geometry: &Geometry, data: &[u8], filter: &[u8]) -> Result<(Vec<usize>, Vec<u8>), String>;
}

/// Returns the text as a message of the protocol: one line of at most 120 characters.
fn one_line(text: &str) -> String {
    let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(120).collect()
}

/// Returns the text that a panic carries.
fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    format!("panic: {}", text.unwrap_or("without a text"))
}

/// The answer to a run, and the output behind it. A library of Rust may panic where another one throws an exception.
fn answer_run(library: &dyn Library, request: &Value, data: &[u8], filter: &[u8]) -> (Value, Vec<u8>) {
    let geometry = match Geometry::deserialize(&request["resolved"]) {
        Ok(geometry) => geometry,
        Err(error) => return (json!({"answer": "error", "message": one_line(&error.to_string())}), vec![]),
    };
    let result = catch_unwind(AssertUnwindSafe(|| library.deconv(&geometry, data, filter)))
        .unwrap_or_else(|panic| Err(message_of(panic.as_ref())));
    match result {
        Err(message) => (json!({"answer": "error", "message": one_line(&message)}), vec![]),
        Ok((dims, output)) if request["output_bytes"] == output.len() => {
            (json!({"answer": "computed", "dims": dims, "output_bytes": output.len()}), output)
        }
        Ok((dims, _)) => (json!({"answer": "other-shape", "dims": dims}), vec![]),
    }
}

/// The keys of the answer to any request, and the output behind it.
fn answer(library: &dyn Library, request: &Value, data: &[u8], filter: &[u8]) -> (Value, Vec<u8>) {
    match request["do"].as_str() {
        Some("describe") => {
            let mut described = library.describe();
            // The suite resolves every operator, so the dialects differ in layouts alone.
            for (key, value) in [
                ("protocol", json!(1)),
                ("dialects", json!(["openvino-spec", "onnx-11"])),
                ("operators", json!(["ConvolutionBackpropData", "GroupConvolutionBackpropData", "ConvTranspose"])),
                ("supports", json!(true)),
                ("takes_resolved", json!(true)),
            ] {
                described[key] = value;
            }
            (described, vec![])
        }
        Some("supports") => match Geometry::deserialize(&request["resolved"]) {
            Err(error) => (json!({"supported": false, "message": one_line(&error.to_string())}), vec![]),
            Ok(geometry) => match library.unsupported(&geometry) {
                None => (json!({"supported": true}), vec![]),
                Some(reason) => (json!({"supported": false, "message": reason}), vec![]),
            },
        },
        Some("run") => answer_run(library, request, data, filter),
        _ => (json!({"answer": "error", "message": "this adapter does not know the request"}), vec![]),
    }
}

/// Reads the bytes of a tensor. The request has their number under the key.
fn bytes_of(input: &mut impl Read, request: &Value, key: &str) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; request[key].as_u64().unwrap_or(0) as usize];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Answers requests until the end of standard input.
pub fn serve(library: &dyn Library) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? != 0 {
        let request: Value = serde_json::from_slice(&line)?;
        let data = bytes_of(&mut input, &request, "data_bytes")?;
        let filter = bytes_of(&mut input, &request, "filter_bytes")?;
        let (mut keys, values) = answer(library, &request, &data, &filter);
        keys["id"] = request["id"].clone();
        writeln!(output, "{keys}")?;
        output.write_all(&values)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}
