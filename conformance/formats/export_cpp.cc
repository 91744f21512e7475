// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports a case as one C++11 file without dependencies, which can be pasted into a bug report. The file has the
// operands, the expected outputs with tolerances, a plain loop that must reproduce the outputs, and a function for the
// call of a backend.

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/formats/computed_case.h"
#include "conformance/formats/export_case.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"
#include "oracle/float_bits.h"

namespace conformance::formats {
namespace {

using oracle::ElementType;

/// The C++ types and expressions that the file uses for an element type.
struct Spelling {
  std::string_view type;
  std::string_view sum;    ///< type of sums, whose rounding errors are far below every tolerance
  std::string_view widen;  ///< body of the function that converts an element to a sum
  std::string_view shown;  ///< expression that prints a sum
  bool bits;               ///< whether literals are bit patterns
};

Spelling SpellingOf(ElementType type) {
  constexpr std::string_view widen_by_cast = "  return static_cast<Sum>(element);\n";
  constexpr std::string_view shown_float = "value";
  constexpr std::string_view shown_signed = "static_cast<long long>(static_cast<Element>(value))";
  constexpr std::string_view shown_unsigned = "static_cast<unsigned long long>(static_cast<Element>(value))";
  switch (type) {
    case ElementType::kF64:
      return {"double", "double", widen_by_cast, shown_float, false};
    case ElementType::kF32:
      return {"float", "double", widen_by_cast, shown_float, false};
    case ElementType::kF16:
      return {"std::uint16_t", "double",
              "  const int exponent = element >> 10 & 31, fraction = element & 1023;\n"
              "  const double sign = element >> 15 ? -1.0 : 1.0;\n"
              "  if (exponent == 31) return fraction ? std::nan(\"\") : sign * HUGE_VAL;\n"
              "  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));\n",
              shown_float, true};
    case ElementType::kBf16:
      return {"std::uint16_t", "double",
              "  const std::uint32_t bits = static_cast<std::uint32_t>(element) << 16;\n"
              "  float value;\n"
              "  std::memcpy(&value, &bits, sizeof value);\n"
              "  return value;\n",
              shown_float, true};
    case ElementType::kI8:
      return {"std::int8_t", "std::uint64_t", widen_by_cast, shown_signed, false};
    case ElementType::kI16:
      return {"std::int16_t", "std::uint64_t", widen_by_cast, shown_signed, false};
    case ElementType::kI32:
      return {"std::int32_t", "std::uint64_t", widen_by_cast, shown_signed, false};
    case ElementType::kI64:
      return {"std::int64_t", "std::uint64_t", widen_by_cast, shown_signed, false};
    case ElementType::kU8:
      return {"std::uint8_t", "std::uint64_t", widen_by_cast, shown_unsigned, false};
    case ElementType::kU16:
      return {"std::uint16_t", "std::uint64_t", widen_by_cast, shown_unsigned, false};
    case ElementType::kU32:
      return {"std::uint32_t", "std::uint64_t", widen_by_cast, shown_unsigned, false};
    default:
      return {"std::uint64_t", "std::uint64_t", widen_by_cast, shown_unsigned, false};
  }
}

/// The C++ literal of a number: of a float if `single`, otherwise of a double.
std::string FloatLiteral(double value, bool single) {
  if (std::isnan(value))
    return single ? "std::numeric_limits<float>::quiet_NaN()" : "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value)) {
    return fmt::format("{}std::numeric_limits<{}>::infinity()", value < 0 ? "-" : "", single ? "float" : "double");
  }
  // The shortest text that reads back as the same number.
  std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

/// The C++ literal of an element, which `bits` holds in its low bits.
std::string Literal(std::uint64_t bits, ElementType type, const Spelling& spelling) {
  if (spelling.bits) return fmt::format("0x{:04x}", bits);
  if (oracle::IsFloat(type)) return FloatLiteral(oracle::FloatValue(bits, type), type == ElementType::kF32);
  if (!oracle::IsSigned(type)) return fmt::format("{}u{}", bits, type == ElementType::kU64 ? "ll" : "");
  const std::size_t shift = 64 - 8 * oracle::ElementBytes(type);
  const auto value = static_cast<std::int64_t>(bits << shift) >> shift;  // with the sign of the narrower type
  // C++ has no literal for the smallest number: -2147483648 is a minus before a number that does not fit.
  if (value == std::numeric_limits<std::int64_t>::min()) return "-9223372036854775807ll - 1";
  if (value == std::numeric_limits<std::int32_t>::min()) return "-2147483647 - 1";
  return fmt::format("{}{}", value, type == ElementType::kI64 ? "ll" : "");
}

/// Returns "const TYPE NAME[] = {...};" with lines of at most 116 characters, which are easy to read. C++ has no arrays
/// of length 0, so an empty array gets one element that nobody reads.
template <class LiteralOf>
std::string Array(std::string_view type, std::string_view name, std::size_t count, LiteralOf literal_of) {
  constexpr std::size_t longest_line = 116;
  std::string text = fmt::format("const {} {}[] = {{", type, name);
  std::size_t column = longest_line;  // so that the first literal begins a line
  for (std::size_t i = 0; i < count; ++i) {
    const std::string literal = literal_of(i) + ",";
    if (column + literal.size() + 1 > longest_line) {
      text += "\n   ";
      column = 3;  // the indent
    }
    text += " " + literal;
    column += literal.size() + 1;
  }
  return text + (count == 0 ? "0};\n" : "\n};\n");
}

std::string Tensor(std::string_view name, const std::vector<std::byte>& bytes, ElementType type,
                   const Spelling& spelling) {
  const std::size_t width = oracle::ElementBytes(type);
  return Array("Element", name, bytes.size() / width, [&](std::size_t i) {
    return Literal(ElementBits(bytes, static_cast<std::int64_t>(i), width), type, spelling);
  });
}

/// Returns "const long NAME[] = {...};" with one member of each axis.
template <class Member>
std::string AxisList(std::string_view name, const oracle::Geometry& geometry, Member member) {
  oracle::Dims values;
  for (const oracle::Axis& axis : geometry.axes) values.push_back(axis.*member);
  return fmt::format("const long {}[] = {{{}}};\n", name, fmt::join(values, ", "));
}

// The C++ expressions for the flat index of an element, by the layout of its tensor. The file's functions
// activation_index (data and output) and filter_index return them; `tap` is the position within the kernel.
std::string_view DataIndex(const oracle::Geometry& geometry) {
  return geometry.layout == oracle::DataLayout::kNxc ? "(n * spatial + position) * channels + channel"
                                                     : "(n * channels + channel) * spatial + position";
}
std::string_view FilterIndex(const oracle::Geometry& geometry) {
  return geometry.filter_layout == oracle::FilterLayout::kXoi
             ? "taps > 0 ? (tap * out_channels + oc) * groups * in_channels + g * in_channels + ic : 0"
             : "((g * in_channels + ic) * out_channels + oc) * taps + tap";
}

constexpr std::string_view kLoop = R"(
// The operator as a plain loop: out[stride * i + dilation * k - pads_begin] += data[i] * filter[k] along each axis,
// the sum over the input channels of a group.
void reference(std::vector<Sum>& sums) {
  long data_size = 1, output_size = 1, taps = 1;
  for (int j = 0; j < axes; ++j) {
    data_size *= data_dim[j];
    output_size *= output_dim[j];
    taps *= kernel[j];
  }
  for (long n = 0; n < batch; ++n)
    for (long g = 0; g < groups; ++g)
      for (long ic = 0; ic < in_channels; ++ic)
        for (long oc = 0; oc < out_channels; ++oc)
          for (long i = 0; i < data_size; ++i)
            for (long tap = 0; tap < taps; ++tap) {
              long rest_i = i, rest_k = tap, position = 0, scale = 1;
              bool inside = true;
              for (int j = axes; j-- > 0;) {
                const long o = stride[j] * (rest_i % data_dim[j]) + dilation[j] * (rest_k % kernel[j]) - pads_begin[j];
                inside = inside && o >= 0 && o < output_dim[j];
                position += o * scale;
                scale *= output_dim[j];
                rest_i /= data_dim[j];
                rest_k /= kernel[j];
              }
              if (!inside) continue;
              const long to = activation_index(n, g * out_channels + oc, groups * out_channels, position, output_size);
              const long from = activation_index(n, g * in_channels + ic, groups * in_channels, i, data_size);
              sums[static_cast<std::size_t>(to)] +=
                  widen(data[from]) * widen(filter[filter_index(g, ic, oc, tap, taps)]);
            }
}

// Put your backend's call here: fill `output` (output_count elements) and return true.
bool backend(const Element* /*data*/, const Element* /*filter*/, Element* /*output*/) { return false; }
)";

constexpr std::string_view kFloatRight = R"(
bool right(Sum found, long i) {
  const Sum wanted = widen(expected[i]);
  if (wanted != wanted) return found != found;
  return found == wanted || std::fabs(found - wanted) <= tolerance[i] || std::isinf(tolerance[i]);
}
)";
constexpr std::string_view kIntegerRight = R"(
bool right(Sum found, long i) { return static_cast<Element>(found) == expected[i]; }
)";

constexpr std::string_view kMain = R"(
int check(const char* who, const std::vector<Sum>& found) {
  for (long i = 0; i < output_count; ++i) {
    if (right(found[static_cast<std::size_t>(i)], i)) continue;
    std::cout << who << ": output " << i << " (flat index): expected " << shown(widen(expected[i])) << ", found "
              << shown(found[static_cast<std::size_t>(i)]) << "\n";
    return 1;
  }
  std::cout << who << ": all " << output_count << " outputs are right\n";
  return 0;
}

}  // namespace

int main() {
  std::cout.precision(17);
  std::vector<Sum> sums(static_cast<std::size_t>(output_count));
  reference(sums);
  if (check("reference loop", sums) != 0) return 2;
  std::vector<Element> output(static_cast<std::size_t>(output_count) + 1);
  if (!backend(data, filter, output.data())) {
    std::cout << "backend: none yet; put its call into backend()\n";
    return 0;
  }
  for (long i = 0; i < output_count; ++i) sums[static_cast<std::size_t>(i)] = widen(output[static_cast<std::size_t>(i)]);
  return check("backend", sums);
}
)";

std::string FirstComment(const ComputedCase& computed) {
  return fmt::format(
      "// {}\n// Dialect {}, element type {}; tensors are dense, dims as the operator has them:\n"
      "// data [{}], filter [{}], output [{}].\n"
      "// Build and run: c++ -std=c++11 -Wall -Wextra FILE -o case && ./case\n"
      "// Exit code 0: right, or no backend is called yet; 1: the backend is wrong; 2: this file is.\n",
      ToLine(computed.test_case), oracle::DialectName(computed.test_case.EffectiveDialect()),
      oracle::ElementTypeName(computed.geometry.type), fmt::join(computed.op().data.dims, ", "),
      fmt::join(computed.op().filter.dims, ", "), fmt::join(computed.geometry.OutputDims(), ", "));
}

/// The constants that the loop needs: numbers of elements, strides and pads.
std::string Sizes(const oracle::Geometry& geometry) {
  std::string text = fmt::format(
      "const int axes = {};\nconst long batch = {}, groups = {}, in_channels = {}, out_channels = {};  // per group\n",
      geometry.axes.size(), geometry.batch, geometry.groups, geometry.in_channels, geometry.out_channels);
  text += AxisList("data_dim", geometry, &oracle::Axis::data);
  text += AxisList("kernel", geometry, &oracle::Axis::kernel);
  text += AxisList("stride", geometry, &oracle::Axis::stride);
  text += AxisList("dilation", geometry, &oracle::Axis::dilation);
  text += AxisList("pads_begin", geometry, &oracle::Axis::pads_begin);
  text += AxisList("output_dim", geometry, &oracle::Axis::output);
  text += fmt::format("const long output_count = {};\n\n", geometry.OutputCount());
  return text;
}

/// The operands, the expected outputs and, for floating types, the tolerances.
std::string Tensors(const ComputedCase& computed, const Spelling& spelling) {
  const ElementType type = computed.geometry.type;
  const bool floats = oracle::IsFloat(type);
  std::string text = Tensor("data", computed.data, type, spelling);
  text += Tensor("filter", computed.filter, type, spelling);
  text += floats ? "// The exact sums, rounded once.\n" : "// The exact sums modulo 2^bits.\n";
  text += Tensor("expected", computed.output, type, spelling);
  if (floats) {
    text += fmt::format("// Largest |y - expected| of a right y, for sums in {} in any order, subnormals kept.\n",
                        type == ElementType::kF64 ? "f64" : "f32");
    text += Array("double", "tolerance", computed.tolerance.size(),
                  [&](std::size_t i) { return FloatLiteral(computed.tolerance[i], false); });
  }
  return text;
}

/// The functions that depend on the element type or the layouts; kLoop and kMain call them.
std::string Helpers(const oracle::Geometry& geometry, const Spelling& spelling) {
  std::string text = fmt::format("\nSum widen(Element element) {{\n{}}}\n", spelling.widen);
  text += fmt::format(
      "\nlong activation_index(long n, long channel, long channels, long position, long spatial) {{\n  return "
      "{};\n}}\n",
      DataIndex(geometry));
  text += fmt::format("\nlong filter_index(long g, long ic, long oc, long tap, long taps) {{\n  return {};\n}}\n",
                      FilterIndex(geometry));
  text += fmt::format("\n{} shown(Sum value) {{ return {}; }}\n",
                      oracle::IsFloat(geometry.type)    ? "double"
                      : oracle::IsSigned(geometry.type) ? "long long"
                                                        : "unsigned long long",
                      spelling.shown);
  return text;
}

}  // namespace

Export ExportCpp(const std::string& name, const Case& test_case) {
  auto computed_or_reason = ComputeCase(test_case, kSourceLimits);
  if (auto* sentence = std::get_if<std::string>(&computed_or_reason)) return std::move(*sentence);
  const auto& computed = std::get<ComputedCase>(computed_or_reason);
  const oracle::Geometry& geometry = computed.geometry;
  if (geometry.axes.empty()) return std::string("found no spatial axis, the loop needs one");
  const Spelling spelling = SpellingOf(geometry.type);

  std::string text = FirstComment(computed);
  text +=
      "#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include <cstring>\n#include <iostream>\n"
      "#include <limits>\n#include <vector>\n\nnamespace {\n\n";
  text += fmt::format("typedef {} Element;  // {}\ntypedef {} Sum;\n\n", spelling.type,
                      spelling.bits ? "the bits of the number" : "", spelling.sum);
  text += Sizes(geometry);
  text += Tensors(computed, spelling);
  text += Helpers(geometry, spelling);
  text += kLoop;
  text += oracle::IsFloat(geometry.type) ? kFloatRight : kIntegerRight;
  text += kMain;
  return std::vector<ExportedFile>{{name + ".cc", std::move(text)}};
}

}  // namespace conformance::formats
