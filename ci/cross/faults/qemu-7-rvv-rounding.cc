// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes QEMU 7.2 stop: a vector instruction of RISC-V that names its own rounding, the conversion of floats to integers
// toward zero. QEMU's decode_save_opc() is called twice for it, and an assertion forbids that. QEMU 11 runs it. For
// that reason ci/cross/targets.toml runs programs of RISC-V by the QEMU of sid.

int main() {
  asm volatile(
      "vsetivli zero, 4, e32, m1, ta, ma\n"
      "vfcvt.rtz.x.f.v v8, v8");
}
