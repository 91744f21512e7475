// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the messages of onnx.proto with protozero, a library that reads protobuf without generated classes. There is
// one function for each message, with a case for each field that import needs. A case has the field's number in
// onnx.proto. A field whose wire type (encoding) differs from onnx.proto is skipped, like an unknown field.

#include "conformance/formats/onnx_model.h"

#include <algorithm>
#include <protozero/pbf_reader.hpp>
#include <utility>

#include <fmt/format.h>

namespace conformance::formats {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

// The most levels of graphs inside of nodes. Real models have two or three.
constexpr int kDeepestGraph = 20;

// The objects of a graph may take this memory (in bytes) plus four times the size of the file. All real graphs fit:
// weights, which are most of a file, are not copied.
constexpr std::uint64_t kFreeBytes = std::uint64_t{256} << 20;
// A vector that grows briefly has its old memory and twice as much new memory, so each element counts three times.
constexpr std::uint64_t kGrowth = 3;

// AttributeProto.AttributeType of onnx.proto has the numbers from 0 to 14.
constexpr std::int32_t kAttributeTypeCount = 15;

constexpr const char* kMalformed = "is not an ONNX model, or is cut short";

/// Thrown if a model exceeds a limit.
struct Refused {
  std::string message;
};

// Keys of a switch over fields: the number of the field together with its encoding. Number() is for a field that holds
// a number, Bytes() for a field that holds bytes, a text or a message.
constexpr std::uint32_t Number(std::uint32_t field) { return protozero::tag_and_type(field, pbf_wire_type::varint); }
constexpr std::uint32_t Bytes(std::uint32_t field) {
  return protozero::tag_and_type(field, pbf_wire_type::length_delimited);
}

std::string_view Text(pbf_reader& message) {
  const auto view = message.get_view();
  return {view.data(), view.size()};
}

/// Reads messages, and counts the memory of the objects that it makes.
class Reader {
 public:
  explicit Reader(std::size_t file_bytes) : most_bytes_(kFreeBytes + 4 * std::uint64_t{file_bytes}) {}

  void Read(pbf_reader in, OnnxModel& model) {
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(7):
          Read(in.get_message(), model.graph ? *model.graph : model.graph.emplace());
          break;
        case Bytes(8):
          ReadNext(in, model.opsets);
          break;
        case Bytes(25):
          ReadNext(in, model.functions);
          break;
        default:
          in.skip();
      }
    }
  }

  void Read(pbf_reader in, OnnxTensor& tensor) {
    tensor.message = {in.data().data(), in.data().size()};
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Number(1):
        case Bytes(1):
          ReadNumbers(in, tensor.dims);
          break;
        case Number(2):
          tensor.type = in.get_int32();
          break;
        case Bytes(8):
          tensor.name = Text(in);
          break;
        case Bytes(9):
          tensor.raw = Text(in);
          break;
        case Bytes(13):
          ReadNext(in, tensor.external_data);
          break;
        case Number(14):
          tensor.external = in.get_enum() == 1;
          break;
        default:
          in.skip();
      }
    }
  }

 private:
  void Read(pbf_reader in, std::pair<std::string_view, std::int64_t>& opset) {
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(1):
          opset.first = Text(in);
          break;
        case Number(2):
          opset.second = in.get_int64();
          break;
        default:
          in.skip();
      }
    }
  }

  void Read(pbf_reader in, OnnxFunction& function) {
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(1):
          function.name = Text(in);
          break;
        case Bytes(7):
          ReadNext(in, function.nodes);
          break;
        default:
          in.skip();
      }
    }
  }

  void Read(pbf_reader in, OnnxGraph& graph) {
    if (++depth_ > kDeepestGraph) throw Refused{fmt::format("found graphs nested more than {} deep", kDeepestGraph)};
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(1):
          ReadNext(in, graph.nodes);
          break;
        case Bytes(5):
          ReadNext(in, graph.initializers);
          break;
        case Bytes(11):
          ReadNext(in, graph.inputs);
          break;
        case Bytes(12):
          ReadNext(in, graph.outputs);
          break;
        case Bytes(13):
          ReadNext(in, graph.values);
          break;
        default:
          in.skip();
      }
    }
    --depth_;
  }

  void Read(pbf_reader in, OnnxNode& node) {
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(1):
          Add(node.inputs, Text(in));
          break;
        case Bytes(2):
          Add(node.outputs, Text(in));
          break;
        case Bytes(3):
          node.name = Text(in);
          break;
        case Bytes(4):
          node.op_type = Text(in);
          break;
        case Bytes(5):
          ReadNext(in, node.attributes);
          break;
        case Bytes(7):
          node.domain = Text(in);
          break;
        default:
          in.skip();
      }
    }
  }

  void Read(pbf_reader in, OnnxAttribute& attribute) {
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(1):
          attribute.name = Text(in);
          break;
        case Number(3):
          attribute.i = in.get_int64();
          break;
        case Bytes(4):
          attribute.s = Text(in);
          break;
        case Bytes(5):
          Read(in.get_message(), attribute.t.emplace());
          break;
        case Bytes(6):
        case Bytes(11):
          ReadNext(in, attribute.graphs);
          break;
        case Number(8):
        case Bytes(8):
          ReadNumbers(in, attribute.ints);
          break;
        case Number(20):
          attribute.type = in.get_enum();
          if (attribute.type < 0 || attribute.type >= kAttributeTypeCount) attribute.type = 0;  // as protobuf reads it
          break;
        case Bytes(21):
          attribute.of_function = true;
          in.skip();
          break;
        default:
          in.skip();
      }
    }
  }

  void Read(pbf_reader in, OnnxValueInfo& value) {
    value.message = {in.data().data(), in.data().size()};
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(1):
          value.name = Text(in);
          break;
        case Bytes(2):
          ReadType(in.get_message(), value);
          break;
        default:
          in.skip();
      }
    }
  }

  void ReadType(pbf_reader in, OnnxValueInfo& value) {
    while (in.next(1, pbf_wire_type::length_delimited)) {
      value.is_tensor = true;
      pbf_reader tensor = in.get_message();
      while (tensor.next()) {
        switch (tensor.tag_and_type()) {
          case Number(1):
            value.type = tensor.get_int32();
            break;
          case Bytes(2):
            ReadShape(tensor.get_message(), value.shape.emplace());
            break;
          default:
            tensor.skip();
        }
      }
    }
  }

  void ReadShape(pbf_reader in, std::vector<OnnxDim>& shape) {
    while (in.next(1, pbf_wire_type::length_delimited)) ReadNext(in, shape);
  }

  static void Read(pbf_reader in, OnnxDim& dim) {
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Number(1):
          dim.value = in.get_int64();
          break;
        case Bytes(2):
          dim.param = Text(in);
          break;
        default:
          in.skip();
      }
    }
  }

  static void Read(pbf_reader in, std::pair<std::string_view, std::string_view>& entry) {
    while (in.next()) {
      switch (in.tag_and_type()) {
        case Bytes(1):
          entry.first = Text(in);
          break;
        case Bytes(2):
          entry.second = Text(in);
          break;
        default:
          in.skip();
      }
    }
  }

  /// Reads a list of numbers, which is packed in one field or has one field for each number.
  void ReadNumbers(pbf_reader& in, std::vector<std::int64_t>& numbers) {
    if (in.wire_type() == pbf_wire_type::varint) {
      Add(numbers, in.get_int64());
      return;
    }
    for (const std::int64_t number : in.get_packed_int64()) Add(numbers, number);
  }

  /// Reads a message as a new element of the list.
  template <class Message>
  void ReadNext(pbf_reader& in, std::vector<Message>& list) {
    Add(list, Message{});
    Read(in.get_message(), list.back());
  }

  /// Adds an element if the memory that the list may need for it is within the limit.
  template <class Element>
  void Add(std::vector<Element>& list, Element element) {
    counted_bytes_ += kGrowth * sizeof(Element);
    if (counted_bytes_ > most_bytes_) throw Refused{fmt::format("needs more than {} MiB of memory", most_bytes_ >> 20)};
    list.push_back(std::move(element));
  }

  std::uint64_t most_bytes_;
  std::uint64_t counted_bytes_ = 0;
  int depth_ = 0;
};

/// Returns the message, or the rest of a sentence that says what is wrong with the bytes.
template <class Message>
std::variant<Message, std::string> ReadMessage(std::string_view bytes) {
  Message message;
  try {
    Reader(bytes.size()).Read(pbf_reader(bytes.data(), bytes.size()), message);
  } catch (const protozero::exception&) {
    return kMalformed;
  } catch (const Refused& refused) {
    return refused.message;
  }
  return message;
}

}  // namespace

std::variant<OnnxModel, std::string> ReadOnnx(std::string_view bytes) {
  auto read = ReadMessage<OnnxModel>(bytes);
  const auto* model = std::get_if<OnnxModel>(&read);
  if (model != nullptr && !model->graph) return "is not an ONNX model: it has no graph";
  return read;
}

std::variant<OnnxTensor, std::string> ReadOnnxTensor(std::string_view bytes) { return ReadMessage<OnnxTensor>(bytes); }

std::optional<std::string> TypedValues(const OnnxTensor& tensor, std::uint32_t field, std::size_t width,
                                       std::uint64_t most) {
  most = std::min<std::uint64_t>(most, kFreeBytes + 4 * tensor.message.size());
  std::string values;
  const auto add = [&](std::uint64_t number) {
    values.append(reinterpret_cast<const char*>(&number), width);  // little-endian: the low bytes
  };
  try {
    pbf_reader in(tensor.message.data(), tensor.message.size());
    while (in.next(field) && values.size() <= most) {
      switch (in.wire_type()) {
        case pbf_wire_type::varint:
          add(in.get_uint64());
          break;
        case pbf_wire_type::fixed32:
          add(in.get_fixed32());
          break;
        case pbf_wire_type::fixed64:
          add(in.get_fixed64());
          break;
        default:
          if (field == kFloatData || field == kDoubleData) {
            values += Text(in);
            break;
          }
          for (const std::uint64_t number : in.get_packed_uint64()) {
            if (values.size() > most) break;
            add(number);
          }
      }
    }
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  return values;
}

std::optional<std::string_view> PackedValues(const OnnxTensor& tensor, std::uint32_t field) {
  std::optional<std::string_view> packed;
  try {
    pbf_reader in(tensor.message.data(), tensor.message.size());
    while (in.next(field)) {
      if (packed || in.wire_type() != pbf_wire_type::length_delimited) return std::nullopt;
      packed = Text(in);
    }
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  return packed;
}

}  // namespace conformance::formats
