// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads transposed convolutions from the <net> of an OpenVINO model (IR version 10 or 11). It follows the edges from
// their input ports to the layers that produce filter and output_shape, and reads constants from the .bin file. Other
// layers are ignored.

#include <array>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/xml/parts.h"

namespace conformance::layer_xml {
namespace {

using oracle::Dims;
using oracle::ElementType;

// A limit against hostile files, far above the layers of real models. The number is a guess.
constexpr std::size_t kMostLayers = 100'000;
// The most layers between a constant and a filter. Writers make Const -> Convert -> Reshape; a longer chain, or a
// cycle, is a broken or hostile file.
constexpr int kLongestChain = 8;
// The most nested bodies of loops and branches. Each level is one recursive call of the reader.
constexpr int kDeepestBody = 16;

using PortKey = std::pair<std::int64_t, std::int64_t>;  // layer id, port id

std::string NameOf(pugi::xml_node layer) { return Shown(layer.attribute("name").value()); }
std::string_view TypeOf(pugi::xml_node layer) { return layer.attribute("type").value(); }

// A tensor that enters a layer, and the layer that produces it.
struct Producer {
  pugi::xml_node layer;
  oracle::TensorType tensor;
};

// Reads one <net>, or one body of a loop or branch, which has layers and edges too.
class NetReader {
 public:
  NetReader(const Source& source, pugi::xml_node net, const GivenShapes& shapes)
      : source_(source), shapes_(shapes), bin_(source.file()) {
    bin_.replace_extension(".bin");
    IndexLayers(net);
    IndexEdges(net);
  }

  /// Reads each layer, and collects the layers that cannot be read. A layer in a body gets the name "OUTER/INNER",
  /// where `prefix` is "OUTER/". `depth` counts the bodies around this net. Without `reads_filters`, data sets fill the
  /// filters.
  void ReadEachLayer(const std::string& prefix, int depth, bool reads_filters, ModelLayers& model) {
    reads_filters_ = reads_filters;
    std::error_code ignored;
    bin_is_missing_ = !std::filesystem::exists(bin_, ignored);
    for (const pugi::xml_node layer : ordered_) {
      const std::string name = prefix + layer.attribute("name").value();
      try {
        for (const char* body : {"body", "then_body", "else_body"}) {
          const pugi::xml_node inner = layer.child(body);
          if (!inner) continue;
          if (depth == kDeepestBody) source_.FailAt(inner, fmt::format("found bodies nested more than {} deep", depth));
          NetReader(source_, inner, shapes_).ReadEachLayer(name + "/", depth + 1, reads_filters, model);
        }
        const auto kind = KindOf(layer);
        if (!kind && IsTransposedConvolution(TypeOf(layer))) {
          source_.FailAt(layer, fmt::format("is of type {}, as in IR before version 10 and in graphs of what was "
                                            "executed: import the model of version 10 or 11",
                                            Shown(TypeOf(layer))));
        }
        if (!kind) continue;
        LayerCase read = ReadLayer(layer, *kind);
        read.name = name;
        model.layers.push_back(std::move(read));
      } catch (const Fault& fault) {
        model.unread.push_back({name, fault.message});
      }
    }
  }

  /// Reads all layers. Throws a Fault at the first layer that cannot be read.
  std::vector<LayerCase> ReadAllLayers() const {
    std::vector<LayerCase> cases;
    for (const pugi::xml_node layer : ordered_) {
      if (const auto kind = KindOf(layer)) cases.push_back(ReadLayer(layer, *kind));
    }
    return cases;
  }

 private:
  void IndexLayers(pugi::xml_node net) {
    for (const pugi::xml_node layer : net.child("layers").children("layer")) {
      if (ordered_.size() == kMostLayers) {
        source_.FailAt(layer, fmt::format("found more than {0} layers, expected at most {0}", kMostLayers));
      }
      const std::int64_t id = Id(layer, "id");
      if (!layers_.emplace(id, layer).second) source_.FailAt(layer, fmt::format("layer id {} is used twice", id));
      ordered_.push_back(layer);
    }
  }

  void IndexEdges(pugi::xml_node net) {
    for (const pugi::xml_node edge : net.child("edges").children("edge")) {
      const PortKey from{Id(edge, "from-layer"), Id(edge, "from-port")};
      const PortKey to{Id(edge, "to-layer"), Id(edge, "to-port")};
      for (const std::int64_t layer : {from.first, to.first}) {
        if (!layers_.contains(layer)) source_.FailAt(edge, fmt::format("edge: there is no layer with id {}", layer));
      }
      if (!edges_.emplace(to, from).second) {
        source_.FailAt(edge, fmt::format("port {} of layer {} has a second incoming edge", to.second, to.first));
      }
    }
  }

  std::int64_t Id(pugi::xml_node node, const char* name) const {
    return ParseInteger(source_, node, name, Required(source_, node, name));
  }

  LayerCase ReadLayer(pugi::xml_node layer, oracle::OperatorKind kind) const {
    LayerCase read;
    read.name = layer.attribute("name").value();
    oracle::Operator& op = read.test_case.op;
    op.kind = kind;
    ReadAttributes(source_, layer, op);
    if (const auto output = OutputPort(source_, layer)) read.declared_output = ParseOpenDims(source_, *output);
    if (IsOpen(read.declared_output)) read.declared_output.clear();

    const std::vector<pugi::xml_node> ports = InputPorts(source_, layer);
    op.data = ProducerOf(layer, ports[0]).tensor;
    const Producer filter = ProducerOf(layer, ports[1]);
    op.filter = filter.tensor;
    if (reads_filters_) ReadFilter(filter, read);
    if (ports.size() == 3) op.output_shape = ReadShape(layer, ports[2], read.declared_output);
    return read;
  }

  // Follows the edge that leads into an input port. Fails if declared dims or types along it contradict each other.
  Producer ProducerOf(pugi::xml_node layer, pugi::xml_node input) const {
    const std::int64_t port_id = Id(input, "id");
    const auto edge = edges_.find({Id(layer, "id"), port_id});
    if (edge == edges_.end()) {
      source_.FailAt(input, fmt::format("no edge leads into port {} of layer '{}'", port_id, NameOf(layer)));
    }
    Producer producer{.layer = layers_.at(edge->second.first), .tensor = {}};
    const pugi::xml_node output = producer.layer.child("output").find_child_by_attribute(
        "port", "id", std::to_string(edge->second.second).c_str());
    if (!output) {
      source_.FailAt(producer.layer,
                     fmt::format("layer '{}' has no output port {}, which an edge into layer '{}' names",
                                 NameOf(producer.layer), edge->second.second, NameOf(layer)));
    }
    producer.tensor.type = ParsePrecision(source_, output, Required(source_, output, "precision"));
    producer.tensor.dims = OutputDims(source_, producer.layer, output, shapes_);
    CheckDeclaration(producer, IsOpen(ParseOpenDims(source_, output)));
    const Dims declared = ParseOpenDims(source_, input);
    if (input.child("dim") && !Fits(declared, producer.tensor.dims)) {
      source_.FailAt(input,
                     fmt::format("port {} of layer '{}': found dims [{}], expected [{}] of layer '{}' that feeds it",
                                 port_id, NameOf(layer), fmt::join(declared, ","), fmt::join(producer.tensor.dims, ","),
                                 NameOf(producer.layer)));
    }
    return producer;
  }

  // Parameter and Const layers state their shape and type also in <data>. Fails if <data> differs from the output port.
  // A shape with open dims ("?,3,?": sizes that the model does not state) is not compared.
  void CheckDeclaration(const Producer& producer, bool is_open) const {
    const std::string_view type = TypeOf(producer.layer);
    if (type != "Parameter" && type != "Const") return;
    const pugi::xml_node data = producer.layer.child("data");
    if (!data) source_.FailAt(producer.layer, fmt::format("layer '{}' has no <data>", NameOf(producer.layer)));
    const ElementType element = ParseType(source_, data, "element_type", Required(source_, data, "element_type"));
    if (element != producer.tensor.type) {
      source_.FailAt(data, fmt::format("element_type: found {}, expected {}, the precision of the output port",
                                       ElementTypeName(element), ElementTypeName(producer.tensor.type)));
    }
    if (is_open) return;
    const Dims shape = ParseList(source_, data, "shape", Required(source_, data, "shape"));
    if (shape != producer.tensor.dims) {
      source_.FailAt(data, fmt::format("shape: found [{}], expected [{}], the dims of the output port",
                                       fmt::join(shape, ","), fmt::join(producer.tensor.dims, ",")));
    }
  }

  // The position of a Const in the .bin, in bytes. BytesOf fails unless the size fits shape and file.
  struct ByteRange {
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  ByteRange BytesOf(const Producer& constant) const {
    const pugi::xml_node data = constant.layer.child("data");
    const std::int64_t offset = Id(data, "offset");
    const std::int64_t bytes = Id(data, "size");
    if (offset < 0 || bytes < 0) {
      source_.FailAt(data, fmt::format("offset and size: found {} and {}, expected no negative number", offset, bytes));
    }
    std::int64_t expected = static_cast<std::int64_t>(oracle::ElementBytes(constant.tensor.type));
    bool fits = true;
    for (const std::int64_t dim : constant.tensor.dims)
      fits = fits && !__builtin_mul_overflow(expected, dim, &expected);
    if (!fits || expected != bytes) {
      source_.FailAt(data, fmt::format("size: found {} bytes, expected {} for shape [{}] of {}", bytes,
                                       fits ? std::to_string(expected) : "more than 2^63",
                                       fmt::join(constant.tensor.dims, ","), ElementTypeName(constant.tensor.type)));
    }
    std::error_code error;
    const std::uintmax_t length = std::filesystem::file_size(bin_, error);
    if (error) source_.FailAt(data, fmt::format("constants lie in {}: {}", bin_.string(), error.message()));
    // Both numbers are below 2^63, so that the sum of 64 bits does not overflow.
    if (static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(bytes) > length) {
      source_.FailAt(data, fmt::format("bytes {} to {} of {}: the file has {}", offset,
                                       static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(bytes),
                                       bin_.string(), length));
    }
    return {static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(bytes)};
  }

  /// Lets the case read its filter from the .bin, if a Const feeds the filter. Between them may be Reshape layers,
  /// which keep the order of elements, and one Convert. Otherwise a data set fills it, and filter_note says why.
  void ReadFilter(const Producer& filter, LayerCase& read) const {
    if (bin_is_missing_) {
      read.filter_note = fmt::format("{} is missing", bin_.string());
      return;
    }
    Producer current = filter;
    int conversions = 0;
    for (int i = 0; i < kLongestChain; ++i) {
      const std::string_view type = TypeOf(current.layer);
      if (type == "Const") {
        if (current.tensor.type != filter.tensor.type &&
            !(oracle::IsFloat(current.tensor.type) && oracle::IsFloat(filter.tensor.type))) {
          read.filter_note = fmt::format("it is stored as {} and converted to {}", ElementTypeName(current.tensor.type),
                                         ElementTypeName(filter.tensor.type));
          return;
        }
        read.test_case.filter_values = ConstValues(filter, current);
        return;
      }
      const pugi::xml_node input = current.layer.child("input").child("port");
      if ((type != "Convert" && type != "Reshape") || !input) {
        read.filter_note = fmt::format("layer '{}' of type {} computes it", NameOf(current.layer), Shown(type));
        return;
      }
      const Producer before = ProducerOf(current.layer, input);
      conversions += before.tensor.type != current.tensor.type ? 1 : 0;
      if (conversions > 1) {  // a case converts only once, so that it cannot repeat the rounding of two conversions
        read.filter_note = "it is converted more than once";
        return;
      }
      current = before;
    }
    source_.FailAt(filter.layer,
                   fmt::format("layer '{}': found more than {} Convert and Reshape layers before a filter",
                               NameOf(filter.layer), kLongestChain));
  }

  // The place of the filter's values in the .bin. Fails if the constant has another number of elements.
  FileValues ConstValues(const Producer& filter, const Producer& constant) const {
    const ByteRange range = BytesOf(constant);
    const std::uint64_t width = oracle::ElementBytes(constant.tensor.type);
    std::uint64_t count = 1;
    bool fits = width != 0;
    for (const std::int64_t dim : filter.tensor.dims) {
      fits = fits && !__builtin_mul_overflow(count, static_cast<std::uint64_t>(dim), &count);
    }
    if (!fits || count != range.bytes / width) {
      source_.FailAt(constant.layer,
                     fmt::format("layer '{}': found shape [{}] of {}, expected the elements of filter [{}]",
                                 NameOf(constant.layer), fmt::join(constant.tensor.dims, ","),
                                 ElementTypeName(constant.tensor.type), fmt::join(filter.tensor.dims, ",")));
    }
    FileValues values{.path = bin_.string(), .offset = range.offset, .stored_as = std::nullopt};
    if (constant.tensor.type != filter.tensor.type) values.stored_as = constant.tensor.type;
    return values;
  }

  // The output shape: its values in the .bin, or else the spatial sizes of the declared output.
  oracle::ShapeInput ReadShape(pugi::xml_node layer, pugi::xml_node input, const Dims& declared) const {
    const Producer producer = ProducerOf(layer, input);
    oracle::ShapeInput shape{.type = producer.tensor.type, .dims = producer.tensor.dims, .values = {}};
    if (TypeOf(producer.layer) == "Const" && !bin_is_missing_) {
      shape.values = ReadIntegers(producer);
    } else {
      shape.values = DeclaredSpatial(source_, layer, declared);
    }
    return shape;
  }

  std::vector<std::int64_t> ReadIntegers(const Producer& constant) const {
    const ElementType type = constant.tensor.type;
    if (!oracle::IsInteger(type)) {
      source_.FailAt(constant.layer,
                     fmt::format("layer '{}' feeds output_shape: found type {}, expected an integer type",
                                 NameOf(constant.layer), ElementTypeName(type)));
    }
    const ByteRange range = BytesOf(constant);
    const std::size_t width = oracle::ElementBytes(type);
    constexpr std::size_t most_values = 64;  // far above the 8 spatial axes of the largest tensors
    if (range.bytes / width > most_values) {
      source_.FailAt(constant.layer, fmt::format("layer '{}' feeds output_shape: found {} values, expected at most {}",
                                                 NameOf(constant.layer), range.bytes / width, most_values));
    }
    std::array<unsigned char, most_values * 8> bytes{};
    std::ifstream stream(bin_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(range.offset));
    if (range.bytes != 0 &&
        !stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(range.bytes))) {
      source_.FailAt(constant.layer, fmt::format("{}: cannot be read", bin_.string()));
    }
    std::vector<std::int64_t> values;
    for (std::size_t at = 0; at < range.bytes; at += width) {
      values.push_back(LittleEndian(&bytes[at], width, oracle::IsSigned(type)));
    }
    return values;
  }

  // Reads a little-endian integer. A u64 is returned as the int64_t with the same bits, as ShapeInput stores it.
  static std::int64_t LittleEndian(const unsigned char* bytes, std::size_t width, bool is_signed) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = (value << 8) | bytes[i];
    const std::size_t bits = width * 8;
    const bool top = ((value >> (bits - 1)) & 1) != 0;
    if (is_signed && width < 8 && top) value |= ~std::uint64_t{0} << bits;
    return static_cast<std::int64_t>(value);
  }

  const Source& source_;
  const GivenShapes& shapes_;
  std::filesystem::path bin_;
  bool reads_filters_ = true;
  bool bin_is_missing_ = false;
  std::vector<pugi::xml_node> ordered_;            // the layers in the order of the file
  std::map<std::int64_t, pugi::xml_node> layers_;  // by their ids
  std::map<PortKey, PortKey> edges_;               // from an input port to the output port that feeds it
};

}  // namespace

std::vector<LayerCase> ReadNet(const Source& source, pugi::xml_node net) {
  const GivenShapes no_shapes;
  std::vector<LayerCase> cases = NetReader(source, net, no_shapes).ReadAllLayers();
  if (cases.empty()) {
    source.FailAt(net, "the net has no layer of type ConvolutionBackpropData or GroupConvolutionBackpropData");
  }
  return cases;
}

ModelLayers ReadModelNet(const Source& source, pugi::xml_node net, bool weights, const GivenShapes& shapes) {
  if (const std::string wrong = WrongShape(source, net, shapes); !wrong.empty()) {
    throw Fault{fmt::format("{}: {}", source.file().string(), wrong)};
  }
  ModelLayers model;
  NetReader(source, net, shapes).ReadEachLayer("", 0, weights, model);
  return model;
}

}  // namespace conformance::layer_xml

namespace conformance {

bool IsTransposedConvolution(std::string_view type) {
  const auto has = [type](std::string_view part) { return type.find(part) != std::string_view::npos; };
  return has("econvolution") || (has("Conv") && (has("Transpose") || has("Backprop"))) || has("TransposeConv");
}

}  // namespace conformance
