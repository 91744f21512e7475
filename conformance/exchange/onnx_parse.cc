// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the parsing: it first measures how much memory the bytes would take, and parses only small models.

#include "conformance/exchange/onnx_parse.h"

#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>

namespace conformance::exchange {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::io::CodedInputStream;

// Graphs in attributes of nodes in graphs: three messages a level. Real models nest two or three graphs.
constexpr int kDeepestMessage = 64;

// The largest generated class (AttributeProto) has some 350 bytes; a string its 32, its heap block and a pointer.
constexpr std::uint64_t kMessageBytes = 400;
constexpr std::uint64_t kTextBytes = 96;

class Weigher {
 public:
  explicit Weigher(std::uint64_t most) : most_(most) {}

  /// False if the bytes are no message of this type, nest too deep or weigh too much.
  bool Walk(CodedInputStream& input, const Descriptor& type, int depth) {
    if (depth > kDeepestMessage) return Fail(fmt::format("found messages nested more than {} deep", kDeepestMessage));
    while (const std::uint32_t tag = input.ReadTag()) {
      const FieldDescriptor* field = type.FindFieldByNumber(static_cast<int>(tag >> 3));
      switch (tag & 7) {
        case 0: {
          std::uint64_t ignored = 0;
          if (!input.ReadVarint64(&ignored)) return FailMalformed();
          // A number that is repeated one by one; its vector doubles.
          if (!Add(2 * sizeof(std::uint64_t))) return false;
          break;
        }
        case 1:
        case 5:
          if (!input.Skip((tag & 7) == 1 ? 8 : 4)) return FailMalformed();
          if (!Add(2 * sizeof(std::uint64_t))) return false;
          break;
        case 2:
          if (!WalkDelimited(input, field, depth)) return false;
          break;
        default:
          return FailMalformed();
      }
    }
    return input.ConsumedEntireMessage() || input.BytesUntilLimit() == 0 || FailMalformed();
  }

  const std::string& message() const { return message_; }

 private:
  bool WalkDelimited(CodedInputStream& input, const FieldDescriptor* field, int depth) {
    std::uint32_t length = 0;
    if (!input.ReadVarint32(&length) || length > static_cast<std::uint32_t>(input.BytesUntilLimit())) {
      return FailMalformed();
    }
    if (field != nullptr && field->type() == FieldDescriptor::TYPE_MESSAGE) {
      if (!Add(kMessageBytes)) return false;
      const CodedInputStream::Limit limit = input.PushLimit(static_cast<int>(length));
      if (!Walk(input, *field->message_type(), depth + 1)) return false;
      input.PopLimit(limit);
      return true;
    }
    // Packed numbers of one byte each become eight.
    const bool packed = field != nullptr && field->is_packable();
    if (!Add(packed ? std::uint64_t{2} * sizeof(std::uint64_t) * length : kTextBytes + length)) return false;
    return input.Skip(static_cast<int>(length)) || FailMalformed();
  }

  bool Add(std::uint64_t bytes) {
    weight_ += bytes;
    return weight_ <= most_ || Fail(fmt::format("needs more than {} MiB of memory", most_ >> 20));
  }
  bool FailMalformed() { return Fail("is not an ONNX model, or is cut short"); }
  bool Fail(std::string message) {
    message_ = std::move(message);
    return false;
  }

  std::uint64_t most_;
  std::uint64_t weight_ = 0;
  std::string message_;
};

template <class Message>
std::string ParseMessage(std::string_view bytes, Message& message) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return "has more than 2 GiB";
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  {
    // Weights are most of a model and weigh what they have; graphs of any size that people make fit in the rest.
    Weigher weigher((std::uint64_t{256} << 20) + 4 * std::uint64_t{bytes.size()});
    CodedInputStream input(begin, size);
    const CodedInputStream::Limit limit = input.PushLimit(size);
    if (!weigher.Walk(input, *Message::descriptor(), 0)) return weigher.message();
    input.PopLimit(limit);
  }
  CodedInputStream input(begin, size);
  input.SetRecursionLimit(kDeepestMessage + 2);
  if (!message.ParsePartialFromCodedStream(&input) || !input.ConsumedEntireMessage()) {
    return "is not an ONNX model, or is cut short";
  }
  return {};
}

}  // namespace

std::string ParseOnnx(std::string_view bytes, onnx::ModelProto& model) {
  if (std::string error = ParseMessage(bytes, model); !error.empty()) return error;
  return model.has_graph() ? "" : "is not an ONNX model: it has no graph";
}

std::string ParseOnnxTensor(std::string_view bytes, onnx::TensorProto& tensor) { return ParseMessage(bytes, tensor); }

}  // namespace conformance::exchange
