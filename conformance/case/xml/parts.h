// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What the readers of a bare <layer> and of a <net> share: a document that knows the line of each node, and the values
// of attributes, dims and types. Inside the reader the first fault is thrown as an exception; ReadLayerXml turns it
// into a ReadError.

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

/// The fault that ends the reading; `message` is the whole line.
struct Fault {
  std::string message;
};

/// The text of a file, its parsed tree, and lines and columns for both.
class Source {
 public:
  /// Throws Fault if the file cannot be read, is larger than 64 MiB, or is no XML.
  explicit Source(const std::filesystem::path& file);
  /// Reads a file whose text is at hand; throws as above.
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

/// An attribute that must be there. Throws naming it.
std::string Required(const Source& source, pugi::xml_node node, const char* name);

/// "1,1" or "1, 1"; "" is an empty list. Throws for an empty field, no number, out of range, or more than 64 values.
oracle::Dims ParseList(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text);

std::int64_t ParseInteger(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text);

/// The <dim> children of a <port>, where -1 is an open one. Throws for what is neither that nor a size.
oracle::Dims ParseOpenDims(const Source& source, pugi::xml_node port);
/// The same without open ones.
oracle::Dims ParseDims(const Source& source, pugi::xml_node port);

/// "FP32" -> f32, and so on for `precision`; throws for unknown names.
oracle::ElementType ParsePrecision(const Source& source, pugi::xml_node node, std::string_view text);
/// "f32" for `element_type`; throws for unknown names.
oracle::ElementType ParseType(const Source& source, pugi::xml_node node, std::string_view name, std::string_view text);
/// "FP32", "I64", "BOOL", ...
std::string_view PrecisionName(oracle::ElementType type);

/// The kind of a <layer> of interest; nothing if its `type` is another one.
std::optional<oracle::OperatorKind> KindOf(pugi::xml_node layer);

/// Strides to auto_pad of a layer's <data>; absent attributes stay absent.
void ReadAttributes(const Source& source, pugi::xml_node layer, oracle::Operator& op);

/// The input ports of a layer in order, and the dims of its only output port (empty if it has none).
std::vector<pugi::xml_node> InputPorts(const Source& source, pugi::xml_node layer);
std::optional<pugi::xml_node> OutputPort(const Source& source, pugi::xml_node layer);

/// The spatial part of the declared output dims: what stands for the values of a third input that is no Const.
std::vector<std::int64_t> DeclaredSpatial(const Source& source, pugi::xml_node layer, const oracle::Dims& declared);

LayerCase ReadBareLayer(const Source& source, pugi::xml_node layer);
std::vector<LayerCase> ReadNet(const Source& source, pugi::xml_node net);
/// Reads the net as ParseModelXml says.
ModelLayers ReadModelNet(const Source& source, pugi::xml_node net, bool weights, const GivenShapes& shapes);

}  // namespace conformance::layer_xml

#endif  // DECONV_CONFORMANCE_CASE_XML_PARTS_H_
