// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits the settings of the backend "kernel", such as "target=AVX2&threads=2", and checks each value. A complaint
// names the expected values.

#include "conformance/backends/kernel_settings.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/names.h"

namespace conformance {
namespace {

// Returns an empty string if `text` is one of the names, else a message that lists them.
std::string CheckName(std::string_view what, std::string_view text, std::span<const std::string> names) {
  if (std::ranges::find(names, text) != names.end()) return "";
  return fmt::format("{} '{}'{}; expected one of {}", what, text, DidYouMean(text, names), fmt::join(names, " "));
}

std::string ReadThreads(std::string_view text, int& threads) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error == std::errc() && end == text.data() + text.size() && threads >= 1 && threads <= 64) return "";
  return fmt::format("threads '{}', expected 1 to 64", text);
}

}  // namespace

std::string ReadKernelSettings(std::string_view config, std::span<const std::string> targets,
                               std::span<const std::string> cpus, KernelSettings& settings) {
  while (!config.empty()) {
    const std::string_view setting = config.substr(0, config.find('&'));
    config.remove_prefix(std::min(config.size(), setting.size() + 1));
    const std::size_t equals = setting.find('=');
    const std::string_view name = setting.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : setting.substr(equals + 1);
    std::string complaint;
    if (name == "target") {
      complaint = CheckName(name, value, targets);
      settings.target = value;
    } else if (name == "cpu") {
      complaint = CheckName(name, value, cpus);
      settings.cpu = value;
    } else if (name == "threads") {
      complaint = ReadThreads(value, settings.threads);
    } else if (setting == "subnormals=kept") {
      settings.keep_subnormals = true;
    } else {
      complaint = fmt::format(
          "setting '{}', expected target=NAME, cpu=NAME, threads=NUMBER or subnormals=kept, several with & between "
          "them",
          setting);
    }
    if (!complaint.empty()) return complaint;
  }
  return "";
}

}  // namespace conformance
