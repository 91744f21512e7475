// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers that the readers of a bare <layer> and of a <net> share: an XML document that knows the line of each node,
// and parsers of attributes, dims and types. They throw a Fault at the first error; ReadLayerXml turns it into a
// ReadError.

#ifndef DECONV_CONFORMANCE_CASE_XML_PARTS_H_
#define DECONV_CONFORMANCE_CASE_XML_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/xml/layer.h"
#include "conformance/case/xml/model.h"

namespace conformance::layer_xml {

/// The error that ends the reading. `message` is the complete line for the user.
struct Fault {
  std::string message;
};

/// The text of a file, its parsed tree, and lines and columns for both.
class Source {
 public:
  /// Throws Fault if the file cannot be read, is larger than 64 MiB, or is no XML.
  explicit Source(const std::filesystem::path& file);
  /// Parses `text`, the content of `file`. Throws as above.
  Source(std::filesystem::path file, std::string text);

  const std::filesystem::path& file() const { return file_; }
  pugi::xml_node root() const { return root_; }

  /// Throws a Fault at the node: "FILE:LINE:COLUMN: message".
  [[noreturn]] void FailAt(pugi::xml_node node, std::string_view message) const;

 private:
  [[noreturn]] void FailAtOffset(std::size_t offset, std::string_view message) const;

  std::filesystem::path file_;
  std::string text_;
  pugi::xml_document document_;
  pugi::xml_node root_;
};

/// A text for a message: at most 48 bytes of it, control characters as '?'.
std::string Shown(std::string_view text);

/// The value of an attribute. Throws Fault with its name if the node does not have it.
std::string Required(const Source& source, pugi::xml_node node, const char* name);

/// Parses integers such as "1,1" or "1, 1"; "" is an empty list. Throws Fault for an empty field, for text that is no
/// 64-bit integer, and for more than 64 values.
oracle::Dims ParseList(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text);

/// Parses one integer. Throws Fault at the node if `text` is none; the message calls it `name`.
std::int64_t ParseInteger(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text);

/// The <dim> children of a <port>: sizes, or -1 for open dims. Throws Fault for any other number.
oracle::Dims ParseOpenDims(const Source& source, pugi::xml_node port);
/// Like ParseOpenDims, but an open dim is a Fault too.
oracle::Dims ParseDims(const Source& source, pugi::xml_node port);

/// The type of a `precision`, such as "FP32" for f32. Throws Fault for an unknown name.
oracle::ElementType ParsePrecision(const Source& source, pugi::xml_node node, std::string_view text);
/// The type of an `element_type`, such as "f32". Throws Fault for an unknown name.
oracle::ElementType ParseType(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text);
/// "FP32", "I64", "BOOL", ...
std::string_view PrecisionName(oracle::ElementType type);

/// The kind of a <layer> that is one of OpenVINO's two transposed convolutions; nullopt for any other layer.
std::optional<oracle::OperatorKind> KindOf(pugi::xml_node layer);

/// Reads the attributes of a layer's <data> into `op`, from strides to auto_pad. Absent attributes stay absent.
void ReadAttributes(const Source& source, pugi::xml_node layer, oracle::Operator& op);

/// The input ports of a layer in order, two or three; and its output port, if there is one. They throw Fault for any
/// other number of ports.
std::vector<pugi::xml_node> InputPorts(const Source& source, pugi::xml_node layer);
std::optional<pugi::xml_node> OutputPort(const Source& source, pugi::xml_node layer);

/// The spatial part of the declared output dims. It replaces the values of a third input that is no Const.
std::vector<std::int64_t> DeclaredSpatial(const Source& source, pugi::xml_node layer, const oracle::Dims& declared);

/// Reads a <layer> that is the root of its document.
LayerCase ReadBareLayer(const Source& source, pugi::xml_node layer);
/// Reads every transposed convolution of the net. Throws Fault at the first that cannot be read, or if there is none.
std::vector<LayerCase> ReadNet(const Source& source, pugi::xml_node net);
/// Reads the net as ParseModelXml says.
ModelLayers ReadModelNet(const Source& source, pugi::xml_node net, bool weights, const GivenShapes& shapes);

// Open dims (open_dims.cc): sizes that an OpenVINO IR model does not state (written as -1). The user can state them.

/// Whether any of the dims is open.
bool IsOpen(const oracle::Dims& dims);

/// Whether two shapes have the same rank, and the same dims where neither dim is open.
bool Fits(const oracle::Dims& one, const oracle::Dims& other);

/// Checks the shapes that the user gave. Returns an empty string, or a message about the first wrong shape: an unknown
/// name, another rank, or another size than a fixed dim. It knows all tensors of `net`, also in bodies of loops.
std::string WrongShape(const Source& source, pugi::xml_node net, const GivenShapes& shapes);

/// The dims of a layer's output port; given shapes replace open dims. Throws Fault, with the name that the user must
/// give, if open dims remain.
oracle::Dims OutputDims(const Source& source, pugi::xml_node layer, pugi::xml_node port, const GivenShapes& shapes);

}  // namespace conformance::layer_xml

#endif  // DECONV_CONFORMANCE_CASE_XML_PARTS_H_
