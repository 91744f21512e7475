// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
//! candle: Tensor::conv_transpose1d and conv_transpose2d, on the CPU.
//!
//! Readings of this adapter, not of candle: candle takes one padding for both ends of all axes, and one stride, dilation
//! and output_padding. The adapter passes padding = pads_begin and the output_padding that gives the output its size. A
//! panic of candle ends the process.
use candle_core::{DType, Device, Tensor};
use deconv_adapters::{serve, Backend, Geometry, Output};
use serde_json::{json, Value};

const VERSION: &str = "0.11.1";

struct Candle;

/// candle's (padding, output_padding) of an axis.
fn padding_of(geometry: &Geometry, axis: usize) -> (i64, i64) {
    let begin = geometry.pads_begin[axis];
    (begin, geometry.output_padding[axis] + begin - geometry.pads_end[axis])
}

fn dtype_of(element_type: &str) -> DType {
    match element_type {
        "f64" => DType::F64,
        "f16" => DType::F16,
        "bf16" => DType::BF16,
        _ => DType::F32,
    }
}

fn computed(geometry: &Geometry, data: &[u8], filter: &[u8]) -> candle_core::Result<Output> {
    let dtype = dtype_of(&geometry.element_type);
    let sizes = |list: &[i64]| list.iter().map(|&size| size as usize).collect::<Vec<_>>();
    let x_dims = [vec![geometry.batch, geometry.in_channels], sizes(&geometry.data)].concat();
    let w_dims = [vec![geometry.in_channels, geometry.out_channels / geometry.groups], sizes(&geometry.kernel)].concat();
    let x = Tensor::from_raw_buffer(data, dtype, &x_dims, &Device::Cpu)?;
    let w = Tensor::from_raw_buffer(filter, dtype, &w_dims, &Device::Cpu)?;
    let (padding, output_padding) = padding_of(geometry, 0);
    let (padding, output_padding) = (padding as usize, output_padding as usize);
    let (stride, dilation) = (geometry.strides[0] as usize, geometry.dilations[0] as usize);
    let y = if geometry.data.len() == 1 {
        x.conv_transpose1d(&w, padding, output_padding, stride, dilation, geometry.groups)?
    } else {
        x.conv_transpose2d(&w, padding, output_padding, stride, dilation)?
    };
    let dims = y.dims().iter().map(|&size| size as i64).collect();
    let mut bytes = Vec::new();
    y.contiguous()?.write_bytes(&mut bytes)?;
    Ok(Output { dims, bytes })
}

impl Backend for Candle {
    fn describe(&self) -> Value {
        json!({"name": "candle-cpu", "version": VERSION, "dialects": ["openvino-spec", "onednn-spec", "onnx-11"],
            "operators": ["ConvolutionBackpropData", "GroupConvolutionBackpropData", "ConvolutionBackwardData", "ConvTranspose"],
            "element_types": ["f32", "f64", "f16", "bf16"], "min_rank": 3, "max_rank": 4,
            "unsupported": ["negative-pads", "nxc", "xio", "empty-tensors"],
            "arithmetic": [{"element_type": "f16", "accumulator": "storage"}, {"element_type": "bf16", "accumulator": "storage"}]})
    }

    fn reason(&self, geometry: &Geometry) -> Option<String> {
        let axes: Vec<_> = (0..geometry.data.len())
            .map(|axis| (padding_of(geometry, axis), geometry.strides[axis], geometry.dilations[axis]))
            .collect();
        if axes.iter().any(|axis| *axis != axes[0]) {
            return Some("candle has one padding, stride, dilation and output_padding for both axes".to_string());
        }
        if axes[0].0 .1 < 0 {
            return Some("candle pads both ends equally: pads_end above pads_begin is not supported".to_string());
        }
        if geometry.data.len() == 2 && geometry.groups > 1 {
            return Some("conv_transpose2d has no groups".to_string());
        }
        None
    }

    fn run(&self, geometry: &Geometry, data: &[u8], filter: &[u8]) -> Result<Output, String> {
        computed(geometry, data, filter).map_err(|error| error.to_string())
    }
}

fn main() -> std::io::Result<()> {
    serve(&Candle)
}
