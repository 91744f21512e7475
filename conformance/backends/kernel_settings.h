// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the settings of the backend "kernel" (the library of this project), such as "target=AVX2&threads=2".

#ifndef DECONV_CONFORMANCE_BACKENDS_KERNEL_SETTINGS_H_
#define DECONV_CONFORMANCE_BACKENDS_KERNEL_SETTINGS_H_

#include <span>
#include <string>
#include <string_view>

namespace conformance {

/// How plans are made and run.
struct KernelSettings {
  std::string target;  // instruction set; empty: this machine's best
  std::string cpu;     // class of CPUs; empty: that of this machine
  int threads = 0;     // 0: as the suite asks
  bool keep_subnormals = false;
};

// Reads settings with & between them. `targets` and `cpus` are the names that the kernel knows. Returns an empty
// string, or what is wrong with the first wrong setting.
std::string ReadKernelSettings(std::string_view config, std::span<const std::string> targets,
                               std::span<const std::string> cpus, KernelSettings& settings);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_KERNEL_SETTINGS_H_
