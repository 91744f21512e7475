// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the list of layers (operators) that deconv-bench measures, counts their multiply-adds, and creates the plan of
// a layer. Errors name the line, the field, what was found and what was expected.
#include "kernel/bench/layers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <istream>
#include <limits>
#include <set>
#include <sstream>
#include <vector>

namespace deconv::bench {
namespace {

constexpr std::array<const char*, 12> kFields = {"name",       "N",        "G",        "Cin/G",
                                                 "Cout/G",     "in",       "kernel",   "stride",
                                                 "pads_begin", "pads_end", "dilation", "output_padding"};

bool ParseNumber(std::string_view text, int64_t& value) {
  const char* begin = text.data();
  const auto [stop, code] = std::from_chars(begin, begin + text.size(), value);
  return code == std::errc() && stop == begin + text.size();
}

bool ParseList(std::string_view text, std::vector<int64_t>& values) {
  while (true) {
    const size_t comma = text.find(',');
    int64_t value = 0;
    if (!ParseNumber(text.substr(0, comma), value)) return false;
    values.push_back(value);
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

// Returns the complaint about field number `field`.
std::string ComplaintOfField(size_t field, const std::string& found, const std::string& expected) {
  return std::string(kFields[field]) + " is \"" + found + "\", expected " + expected;
}

// Sets `layer` from the fields of its line. Returns a complaint, or an empty string if all fields are right.
std::string ParseLayer(const std::vector<std::string>& fields, Layer& layer) {
  if (fields.size() != kFields.size()) {
    return "has " + std::to_string(fields.size()) + " fields, expected " + std::to_string(kFields.size()) +
           ": name N G Cin/G Cout/G in kernel stride pads_begin pads_end dilation output_padding";
  }
  layer.name = fields[0];
  // Charts and commands print the name without quotes, so it has plain characters only.
  if (fields[0].find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") !=
      std::string::npos) {
    return ComplaintOfField(0, fields[0], "letters, digits, '_', '.' and '-'");
  }
  constexpr size_t kFirstNumber = 1;
  constexpr size_t kFirstList = 5;
  int64_t* const numbers[] = {&layer.batch, &layer.groups, &layer.in_channels, &layer.out_channels};
  for (size_t i = 0; i < 4; ++i) {
    if (!ParseNumber(fields[kFirstNumber + i], *numbers[i]) || *numbers[i] < 1) {
      return ComplaintOfField(kFirstNumber + i, fields[kFirstNumber + i], "a positive integer");
    }
  }
  for (const size_t i : {2, 3}) {  // groups times channels of a group must fit 64 bits
    if (*numbers[i] > std::numeric_limits<int64_t>::max() / layer.groups) {
      return ComplaintOfField(kFirstNumber + i, fields[kFirstNumber + i], "a number whose product with G fits 64 bits");
    }
  }
  std::vector<int64_t>* const lists[] = {&layer.data,     &layer.kernel,    &layer.strides,       &layer.pads_begin,
                                         &layer.pads_end, &layer.dilations, &layer.output_padding};
  for (size_t i = 0; i < 7; ++i) {
    if (!ParseList(fields[kFirstList + i], *lists[i]))
      return ComplaintOfField(kFirstList + i, fields[kFirstList + i], "integers with commas between");
    if (lists[i]->size() != layer.data.size()) {
      return ComplaintOfField(kFirstList + i, fields[kFirstList + i],
                              std::to_string(layer.data.size()) + " values, one for each size in the field \"in\"");
    }
  }
  return "";
}

using Dims = std::vector<int64_t>;

// Returns the shape [first, second, spatial].
Dims Shape(int64_t first, int64_t second, const Dims& spatial) {
  Dims dims = {first, second};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return dims;
}

}  // namespace

double Layer::MultiplyAdds() const {
  double product = static_cast<double>(batch) * static_cast<double>(groups) * static_cast<double>(in_channels) *
                   static_cast<double>(out_channels);
  for (const int64_t x : data) product *= static_cast<double>(x);
  for (const int64_t k : kernel) product *= static_cast<double>(k);
  return product;
}

double Layer::PerformedMultiplyAdds() const {
  double product = static_cast<double>(batch) * static_cast<double>(groups) * static_cast<double>(in_channels) *
                   static_cast<double>(out_channels);
  for (size_t a = 0; a < data.size(); ++a) {
    const int64_t output = (data[a] - 1) * strides[a] + (kernel[a] - 1) * dilations[a] + 1 + output_padding[a] -
                           pads_begin[a] - pads_end[a];
    int64_t pairs = 0;  // of a data element and a tap whose product reaches an output
    for (int64_t k = 0; k < kernel[a]; ++k) {
      // The data elements x from `first` to `last` have 0 <= x*stride + k*dilation - pads_begin < output.
      const int64_t offset = k * dilations[a] - pads_begin[a];
      const int64_t first = offset >= 0 ? 0 : (-offset + strides[a] - 1) / strides[a];
      const int64_t last = output - 1 - offset < 0 ? -1 : (output - 1 - offset) / strides[a];
      pairs += std::max<int64_t>(0, std::min(last, data[a] - 1) - first + 1);
    }
    product *= static_cast<double>(pairs);
  }
  return product;
}

bool ReadLayers(std::istream& input, std::vector<Layer>& layers, std::string& error) {
  std::set<std::string> names;
  std::string text;
  for (int line = 1; std::getline(input, text); ++line) {
    std::istringstream words(text.substr(0, text.find('#')));
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    if (fields.empty()) continue;
    Layer layer;
    layer.line = line;
    std::string complaint = ParseLayer(fields, layer);
    if (complaint.empty() && !names.insert(layer.name).second) {
      complaint = ComplaintOfField(0, layer.name, "a name that no earlier line has");
    }
    if (!complaint.empty()) {
      error = "line " + std::to_string(line) + ": " + complaint;
      return false;
    }
    layers.push_back(layer);
  }
  if (input.bad()) {
    error = "could not be read to its end";
    return false;
  }
  if (layers.empty()) {
    error = "has no layers, expected at least one line";
    return false;
  }
  return true;
}

std::optional<Plan> MakePlan(const Layer& layer, const PlanSettings& settings, std::string& error) {
  const Dims data = Shape(layer.batch, layer.groups * layer.in_channels, layer.data);
  Dims filter = Shape(layer.in_channels, layer.out_channels, layer.kernel);
  filter.insert(filter.begin(), layer.groups);
  auto op = Tagged<deconv_operator>();
  op.kind = DECONV_GROUP_CONVOLUTION_BACKPROP_DATA;
  op.dialect = DECONV_OPENVINO_SPEC;
  op.data = Tensor(settings.type, data);
  op.filter = Tensor(settings.type, filter);
  op.strides = List(layer.strides);
  op.dilations = List(layer.dilations);
  op.pads_begin = List(layer.pads_begin);
  op.pads_end = List(layer.pads_end);
  op.output_padding = List(layer.output_padding);
  auto options = Tagged<deconv_options>();
  options.layout = settings.layout;
  options.target = settings.target;
  options.algorithm = settings.algorithm;
  options.cpu = settings.cpu;
  options.keep_subnormals = settings.keep_subnormals ? 1 : 0;
  auto status = Tagged<deconv_status>();
  std::optional<Plan> plan = Plan::Create(op, &options, &status);
  if (!plan) error = status.message;
  return plan;
}

}  // namespace deconv::bench
