// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
//! Reproduces a defect of Candle: conv_transpose1d gives wrong values for each batch but the first. The program
//! computes two batches of two channels, and the second batch alone. ../README.md describes the defect.
use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let x = Tensor::new(&[[[1f32, 2.], [10., 20.]], [[3., 4.], [30., 40.]]], &Device::Cpu)?;
    let filter = Tensor::ones((2, 1, 1), DType::F32, &Device::Cpu)?;
    let second = x.narrow(0, 1, 1)?;
    for (name, data) in [("both batches", &x), ("the second alone", &second)] {
        let output = data.conv_transpose1d(&filter, 0, 0, 1, 1, 1)?;
        println!("{name} {:?}", output.flatten_all()?.to_vec1::<f32>()?);
    }
    Ok(())
}
