// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
//! Makes Burn a backend (a library under test) of deconv-cts: conv_transpose1d, 2d and 3d on Burn's CPU backend Flex.
//!
//! Choices of this adapter: each axis has one pad for both ends. So its output has the size
//! s * (data - 1) + d * (kernel - 1) + 1 + padding_out - 2 * padding, with stride s and dilation d.
use burn_backend::ops::{ConvTransposeOptions, ModuleOps};
use burn_backend::{Bytes, DType, Shape, TensorData};
use burn_flex::{Flex, FlexTensor};
use deconv_adapters::{Geometry, Library, serve};
use serde_json::{Value, json};

struct Burn;

/// The attributes as Burn takes them, for N spatial axes.
fn options<const N: usize>(geometry: &Geometry) -> ConvTransposeOptions<N> {
    let numbers = |list: &[usize]| -> [usize; N] { list.try_into().expect("a number for each axis") };
    ConvTransposeOptions::new(
        numbers(&geometry.strides),
        numbers(&geometry.pads()),
        numbers(&geometry.extra()),
        numbers(&geometry.dilations),
        geometry.groups,
    )
}

fn tensor(bytes: &[u8], dims: Vec<usize>, dtype: DType) -> FlexTensor {
    FlexTensor::from_data(TensorData::from_bytes(Bytes::from_bytes_vec(bytes.to_vec()), Shape::from(dims), dtype))
}

impl Library for Burn {
    fn describe(&self) -> Value {
        json!({
            "name": "burn", "version": "0.22.1", "element_types": ["f32", "f64", "f16", "bf16"], "min_rank": 3, "max_rank": 5,
            "unsupported": ["asymmetric-pads", "negative-pads"],
            // f16 is added in f16; bf16 is computed in f32.
            "arithmetic": [{"element_type": "f16", "accumulator": "storage"}],
        })
    }

    fn unsupported(&self, _: &Geometry) -> Option<&'static str> {
        None
    }

    fn deconv(&self, geometry: &Geometry, data: &[u8], filter: &[u8]) -> Result<(Vec<usize>, Vec<u8>), String> {
        let dtype = match geometry.element_type.as_str() {
            "f32" => DType::F32,
            "f64" => DType::F64,
            "f16" => DType::F16,
            "bf16" => DType::BF16,
            other => return Err(format!("element type {other}")),
        };
        let x = tensor(data, geometry.data_dims(), dtype);
        let w = tensor(filter, geometry.filter_dims(), dtype);
        let output = match geometry.data.len() {
            1 => <Flex as ModuleOps<Flex>>::conv_transpose1d(x, w, None, options(geometry)),
            2 => <Flex as ModuleOps<Flex>>::conv_transpose2d(x, w, None, options(geometry)),
            _ => <Flex as ModuleOps<Flex>>::conv_transpose3d(x, w, None, options(geometry)),
        };
        let (bytes, shape, _) = output.into_data().into_parts();
        Ok((shape.to_vec(), bytes.to_vec()))
    }
}

fn main() -> std::io::Result<()> {
    serve(&Burn)
}
