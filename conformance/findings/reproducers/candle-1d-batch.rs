// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
//! Two batches of two channels through Candle's conv_transpose1d, and the second batch alone.
use candle_core::{DType, Device, Result, Tensor};

fn main() -> Result<()> {
    let x = Tensor::new(&[[[1f32, 2.], [10., 20.]], [[3., 4.], [30., 40.]]], &Device::Cpu)?;
    let w = Tensor::ones((2, 1, 1), DType::F32, &Device::Cpu)?;
    let second = x.narrow(0, 1, 1)?;
    for (name, data) in [("both batches", &x), ("the second alone", &second)] {
        let y = data.conv_transpose1d(&w, 0, 0, 1, 1, 1)?;
        println!("{name} {:?}", y.flatten_all()?.to_vec1::<f32>()?);
    }
    Ok(())
}
