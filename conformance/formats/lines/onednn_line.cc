// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a problem of benchdnn --deconv (oneDNN's test program), or a deconvolution in a log of ONEDNN_VERBOSE. Both
// describe sizes by letters and numbers. Example: "mb1_ic3oc4_ih5oh11kh3sh2dh0ph0" has batch 1, 3 input and 4 output
// channels, data 5, output 11, kernel 3, stride 2, dilation 1 (written as 0) and pads_begin 0 along the height.

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "conformance/formats/lines/line_layer.h"
#include "conformance/formats/load_file.h"

namespace conformance::formats {
namespace {

/// The sizes of a problem by their names: {"mb", 1}, {"ic", 3}, ...
using NamedSizes = std::map<std::string, std::int64_t, std::less<>>;

// The names of sizes. The last letter of the others after "oc" is the axis: depth, height or width.
constexpr std::array<std::string_view, 22> kSizeNames = {"g",  "mb", "ic", "oc", "id", "ih", "iw", "od",
                                                         "oh", "ow", "kd", "kh", "kw", "sd", "sh", "sw",
                                                         "dd", "dh", "dw", "pd", "ph", "pw"};

/// Parses sizes such as "mb1_ic3oc4...". nullopt for any other text. The letter 'n' starts a name, which is ignored.
std::optional<NamedSizes> ParsedSizes(std::string_view text) {
  NamedSizes sizes;
  while (!text.empty()) {
    if (text.front() == '_') {
      text.remove_prefix(1);
      continue;
    }
    const auto letters = static_cast<std::size_t>(
        std::ranges::find_if_not(text, [](unsigned char c) { return std::islower(c) != 0; }) - text.begin());
    const std::string_view name = text.substr(0, letters);
    if (name == "n") break;
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data() + letters, text.data() + text.size(), size);
    if (error != std::errc() || size < 0 || size > kLargestSize ||
        std::ranges::find(kSizeNames, name) == kSizeNames.end())
      return std::nullopt;
    if (!sizes.emplace(name, size).second) throw LineError{fmt::format("size {} is given twice", name)};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return sizes.contains("ic") && sizes.contains("oc") ? std::optional(std::move(sizes)) : std::nullopt;
}

oracle::ElementType TypeOf(std::string_view name) {
  const auto type = oracle::ParseElementType(name);
  if (!type || (name != "f32" && name != "f64" && name != "f16" && name != "bf16")) {
    throw LineError{
        fmt::format("type {}: expected f64, f32, f16 or bf16; oneDNN's integers are quantised", OneLine(name))};
  }
  return *type;
}

/// Splits a line at characters of `separators`.
std::vector<std::string_view> WordsOf(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

/// The sizes and the type of a line, and notes on the parts that a case lacks.
struct Problem {
  std::optional<NamedSizes> sizes;
  std::string_view type = "f32";
  std::vector<std::string> notes;
};

/// Reads a tensor such as "src:f32::blocked:acdb::f0"; older versions write "src_f32::blocked:acdb:f0". All tensors
/// must have the same type. `known_type`: the type of the tensors before, or empty.
void ReadTensor(std::string_view tensor, Problem& problem, std::string_view& known_type) {
  const std::vector<std::string_view> fields = WordsOf(tensor, ":_");
  if (fields.size() < 2) return;
  if (fields[0] == "bia" || fields[0] == "bias") {
    if (fields[1] != "undef") problem.notes.emplace_back("its bias is left out");
    return;
  }
  if (fields[0] != "src" && fields[0] != "wei" && fields[0] != "dst") return;
  if (!known_type.empty() && known_type != fields[1]) {
    throw LineError{
        fmt::format("types {} and {} are mixed, which a case cannot have", OneLine(known_type), OneLine(fields[1]))};
  }
  known_type = problem.type = fields[1];
}

/// Reads a line of the log that the environment variable ONEDNN_VERBOSE turns on.
Problem ReadVerbose(std::string_view line) {
  if (line.find(",deconvolution,") == std::string_view::npos) {
    throw LineError{"expected a line of the primitive deconvolution"};
  }
  if (line.find("backward") != std::string_view::npos) {
    throw LineError{"expected a forward pass: the others are no transposed convolution"};
  }
  Problem problem;
  std::string_view known_type;
  for (const std::string_view word : WordsOf(line, ", \t\r\n")) {
    if (word.starts_with("src") || word.starts_with("wei") || word.starts_with("bia") || word.starts_with("dst")) {
      ReadTensor(word, problem, known_type);
    } else if (word.starts_with("attr-") && !word.starts_with("attr-scratchpad")) {
      problem.notes.push_back(fmt::format("its attribute {} is left out", OneLine(word)));
    } else if (auto sizes = ParsedSizes(word)) {
      problem.sizes = std::move(sizes);
    }
  }
  return problem;
}

/// Reads the arguments of benchdnn.
Problem ReadBenchdnn(std::string_view line) {
  Problem problem;
  for (const std::string_view word : WordsOf(line, " \t\r\n")) {
    const std::string_view value = word.substr(std::min(word.find('='), word.size() - 1) + 1);
    if (word == "--conv") throw LineError{"is a problem of --conv, a convolution; expected --deconv"};
    if (word.starts_with("--dt=") || word.starts_with("--cfg=")) {
      const std::vector<std::string_view> types = WordsOf(value, ":");
      if (types.empty() || std::ranges::any_of(types, [&](auto type) { return type != types[0]; })) {
        throw LineError{fmt::format("types {} are mixed, which a case cannot have", OneLine(value))};
      }
      problem.type = types[0];
    } else if (word.starts_with("--dir=")) {
      if (value != "FWD_D" && value != "FWD_I" && value != "FWD_B") {
        throw LineError{fmt::format("--dir={}: expected FWD_D, FWD_I or FWD_B", OneLine(value))};
      }
      if (value == "FWD_B") problem.notes.emplace_back("its bias is left out");
    } else if (word.starts_with("--attr")) {
      problem.notes.push_back(fmt::format("its attribute {} is left out", OneLine(word)));
    } else if (!word.starts_with("--")) {
      if (auto sizes = ParsedSizes(word)) problem.sizes = std::move(sizes);
    }
  }
  return problem;
}

/// Returns a size of an axis (0 depth, 1 height, 2 width). `kind` is its first letter, such as 'k' for the kernel. As
/// in benchdnn, an axis without a size has the size of the axis before it: "ih5" alone means ih5iw5.
std::optional<std::int64_t> SizeOf(const NamedSizes& sizes, char kind, std::size_t axis) {
  constexpr std::string_view kAxes = "dhw";
  for (std::size_t at = axis + 1; at-- > 0;) {
    const auto found = sizes.find(std::string{kind, kAxes[at]});
    if (found != sizes.end()) return found->second;
  }
  return std::nullopt;
}

/// The numbers of an axis (0 depth, 1 height, 2 width). Throws LineError if data or kernel have no size.
LineAxis AxisOf(const NamedSizes& sizes, std::size_t axis) {
  const auto needed = [&](char kind, std::string_view what) {
    const auto size = SizeOf(sizes, kind, axis);
    if (!size) throw LineError{fmt::format("the size of the {} is missing: {}{}", what, kind, "dhw"[axis])};
    return *size;
  };
  LineAxis line{.data = needed('i', "data"),
                .kernel = needed('k', "kernel"),
                .stride = SizeOf(sizes, 's', axis).value_or(1),
                .dilation = SizeOf(sizes, 'd', axis).value_or(0) + 1};
  const auto output = SizeOf(sizes, 'o', axis);
  const auto pads = SizeOf(sizes, 'p', axis);
  const std::int64_t reach = line.SizeWithoutPads();
  if (!output) {  // both pads are the same
    line.pads_begin = line.pads_end = pads.value_or(0);
    return line;
  }
  line.output = *output;
  line.pads_begin = pads.value_or(std::max<std::int64_t>(reach - *output, 0) / 2);
  line.SetEndFromOutput();
  return line;
}

}  // namespace

ImportedLayer ReadOnednnLine(std::string_view line) {
  const Problem problem =
      line.find("_verbose,") != std::string_view::npos || line.find(",deconvolution,") != std::string_view::npos
          ? ReadVerbose(line)
          : ReadBenchdnn(line);
  if (!problem.sizes) throw LineError{"expected the sizes of a problem, such as mb1_ic3oc4_ih5oh11kh3sh2dh0ph0"};
  const NamedSizes& described = *problem.sizes;
  const auto size = [&](std::string_view name, std::int64_t otherwise) {
    const auto found = described.find(name);
    return found == described.end() ? otherwise : found->second;
  };
  LineSizes sizes{.batch = size("mb", 2),  // benchdnn's default
                  .in_channels = size("ic", 0),
                  .out_channels = size("oc", 0),
                  .groups = size("g", 1),
                  .type = TypeOf(problem.type),
                  .axes = {}};
  // A problem with a depth has three axes, one with a height has two.
  const std::size_t first_axis = described.contains("id") ? 0 : described.contains("ih") ? 1 : 2;
  for (std::size_t axis = first_axis; axis < 3; ++axis) sizes.axes.push_back(AxisOf(described, axis));
  ImportedLayer layer = LayerOf(sizes);
  layer.notes = problem.notes;
  return layer;
}

}  // namespace conformance::formats
