// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
//! Makes Candle a backend (a library under test) of deconv-cts: Tensor::conv_transpose1d and conv_transpose2d on the
//! CPU.
//!
//! Choices of this adapter: two axes share one stride, one dilation, one pad and one output padding; two axes have no
//! groups.
use candle_core::{DType, Device, Tensor};
use deconv_adapters::{Geometry, Library, serve};
use serde_json::{Value, json};

struct Candle;

/// Whether all axes have the same number.
fn is_one_number<T: PartialEq>(list: &[T]) -> bool {
    list.iter().all(|number| *number == list[0])
}

fn tensor(bytes: &[u8], dims: &[usize], dtype: DType) -> candle_core::Result<Tensor> {
    Tensor::from_raw_buffer(bytes, dtype, dims, &Device::Cpu)
}

/// The elements of a tensor as bytes, in the order of its dims.
fn bytes_of(output: &Tensor) -> candle_core::Result<Vec<u8>> {
    let flat = output.flatten_all()?;
    Ok(match output.dtype() {
        DType::F64 => flat.to_vec1::<f64>()?.iter().flat_map(|value| value.to_le_bytes()).collect(),
        DType::F32 => flat.to_vec1::<f32>()?.iter().flat_map(|value| value.to_le_bytes()).collect(),
        DType::F16 => flat.to_vec1::<half::f16>()?.iter().flat_map(|value| value.to_le_bytes()).collect(),
        _ => flat.to_vec1::<half::bf16>()?.iter().flat_map(|value| value.to_le_bytes()).collect(),
    })
}

/// Computes the operator. Returns the dims and bytes of the output.
fn run(geometry: &Geometry, dtype: DType, data: &[u8], filter: &[u8]) -> candle_core::Result<(Vec<usize>, Vec<u8>)> {
    let x = tensor(data, &geometry.data_dims(), dtype)?;
    let w = tensor(filter, &geometry.filter_dims(), dtype)?;
    let (pad, extra) = (geometry.pads()[0], geometry.extra()[0]);
    let (stride, dilation) = (geometry.strides[0], geometry.dilations[0]);
    let output = if geometry.data.len() == 1 {
        x.conv_transpose1d(&w, pad, extra, stride, dilation, geometry.groups)?
    } else {
        x.conv_transpose2d(&w, pad, extra, stride, dilation)?
    };
    Ok((output.dims().to_vec(), bytes_of(&output)?))
}

impl Library for Candle {
    fn describe(&self) -> Value {
        json!({
            "name": "candle", "version": "0.11.1", "element_types": ["f32", "f64", "f16", "bf16"], "min_rank": 3,
            "max_rank": 4, "unsupported": ["asymmetric-pads", "negative-pads"],
            // The taps of a position are added in the element type.
            "arithmetic": [{"element_type": "f16", "accumulator": "storage"},
                           {"element_type": "bf16", "accumulator": "storage"}],
        })
    }

    fn unsupported(&self, geometry: &Geometry) -> Option<&'static str> {
        let uniform = is_one_number(&geometry.strides)
            && is_one_number(&geometry.dilations)
            && is_one_number(&geometry.pads_begin)
            && is_one_number(&geometry.output_padding);
        if !uniform {
            return Some("the axes have different strides, dilations, pads or output paddings");
        }
        (geometry.data.len() == 2 && geometry.groups > 1).then_some("groups of two axes")
    }

    fn deconv(&self, geometry: &Geometry, data: &[u8], filter: &[u8]) -> Result<(Vec<usize>, Vec<u8>), String> {
        let dtype = match geometry.element_type.as_str() {
            "f32" => DType::F32,
            "f64" => DType::F64,
            "f16" => DType::F16,
            "bf16" => DType::BF16,
            other => return Err(format!("element type {other}")),
        };
        run(geometry, dtype, data, filter).map_err(|error| error.to_string())
    }
}

fn main() -> std::io::Result<()> {
    serve(&Candle)
}
