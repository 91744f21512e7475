// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// An adapter of oneDNN Graph: offers its operator ConvolutionBackwardData as a backend, that is, a library that the
// suite tests. It gets the attributes as the case has them. The library resolves auto_pad and infers the output's
// shape. "?op=ConvTranspose" tests the library's other transposed convolution. "?dialect=onednn-spec" judges by the
// document instead of the library's own rules.
//
// Choices of this adapter:
// - A graph consists of one operator. Tensors are dense and plain ("strided"), in the layout of data_format.
// - The library infers the output's shape. None of its operators has the output's shape as an input.
// - An operator that add_op or compile does not accept is refused, with the library's status as the message.
// - An operator that no partition supports, or that compile calls unimplemented, is not supported. A partition is a
//   part of a graph that the library compiles as one.
// - The cache of compiled partitions is off, so that no answer depends on earlier cases. "?cache=on" leaves it on.
// - The API has no names for f64, i16, i64, u16, u32, u64 and string: operators of these types are refused here.
// - ConvTranspose: auto_pad NOTSET is None, and weights_format is IOX. It has no attribute output_shape.

#include <memory>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <optional>

#include "conformance/adapters/native/adapter.h"

namespace native {
namespace {

namespace graph = dnnl::graph;
using Tensor = graph::logical_tensor;
using Attribute = graph::op::attr;

constexpr std::string_view kCache = "cache=on";
// The ids of the graph's three tensors.
constexpr std::size_t kData = 0;
constexpr std::size_t kFilter = 1;
constexpr std::size_t kOutput = 2;

/// The state of the backend.
struct OnednnGraph {
  bool is_conv_transpose = false;  ///< the operator is ConvTranspose instead of ConvolutionBackwardData
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::string name;
  std::string version;
  std::vector<const char*> dialects;
  deconv_backend_description description{};
};

Tensor::data_type TypeOf(std::int32_t type) {
  switch (type) {
    case DECONV_ID_F32:
      return Tensor::data_type::f32;
    case DECONV_ID_F16:
      return Tensor::data_type::f16;
    case DECONV_ID_BF16:
      return Tensor::data_type::bf16;
    case DECONV_ID_I8:
      return Tensor::data_type::s8;
    case DECONV_ID_U8:
      return Tensor::data_type::u8;
    case DECONV_ID_I32:
      return Tensor::data_type::s32;
    case DECONV_ID_BOOLEAN:
      return Tensor::data_type::boolean;
    default:
      throw Refused("oneDNN Graph has no such data type");
  }
}

/// A tensor of the graph: sizes and type, without values.
Tensor TensorOf(std::size_t id, const deconv_tensor_description& tensor) {
  return {id, TypeOf(tensor.element_type), ToDims(tensor.dims), Tensor::layout_type::strided};
}

void SetList(graph::op& op, Attribute name, const deconv_id_list& list) {
  if (list.values != nullptr) op.set_attr<Dims>(name, ToDims(list));
}

void SetText(graph::op& op, Attribute name, const char* text) {
  if (text != nullptr) op.set_attr<std::string>(name, text);
}

/// The operator with the attributes of the case.
graph::op OperatorOf(const OnednnGraph& self, const deconv_operator_description& from) {
  graph::op op(0, self.is_conv_transpose ? graph::op::kind::ConvTranspose : graph::op::kind::ConvolutionBackwardData,
               self.is_conv_transpose ? "ConvTranspose" : "ConvolutionBackwardData");
  SetList(op, Attribute::strides, from.strides);
  SetList(op, Attribute::dilations, from.dilations);
  SetList(op, Attribute::pads_begin, from.pads_begin);
  SetList(op, Attribute::pads_end, from.pads_end);
  if (from.output_padding.values != nullptr && from.output_padding.count == 0) {
    throw Unsupported("set_attr takes no empty list");
  }
  SetList(op, Attribute::output_padding, from.output_padding);
  if (from.groups.values != nullptr) op.set_attr<std::int64_t>(Attribute::groups, from.groups.values[0]);
  if (!self.is_conv_transpose) {  // ConvolutionBackwardData has all its attributes in the description
    SetText(op, Attribute::auto_pad, from.auto_pad);
    SetText(op, Attribute::data_format, from.data_format);
    SetText(op, Attribute::weights_format, from.weights_format);
    SetList(op, Attribute::dst_shape, from.dst_shape);
    return op;
  }
  if (from.output_shape_attribute.values != nullptr) throw Unsupported("ConvTranspose has no attribute output_shape");
  const std::size_t axes = from.filter.dims.count < 2 ? 0 : static_cast<std::size_t>(from.filter.dims.count) - 2;
  // ONNX has defaults where this operator requires the attribute.
  if (from.strides.values == nullptr) op.set_attr<Dims>(Attribute::strides, Dims(axes, 1));
  if (from.dilations.values == nullptr) op.set_attr<Dims>(Attribute::dilations, Dims(axes, 1));
  if (from.pads_begin.values == nullptr) op.set_attr<Dims>(Attribute::pads_begin, Dims(axes, 0));
  if (from.pads_end.values == nullptr) op.set_attr<Dims>(Attribute::pads_end, Dims(axes, 0));
  if (from.auto_pad != nullptr && std::string_view(from.auto_pad) != "NOTSET") {
    op.set_attr<std::string>(Attribute::auto_pad, from.auto_pad);
  }
  op.set_attr<std::string>(Attribute::data_format, "NCX");
  op.set_attr<std::string>(Attribute::weights_format, "IOX");
  return op;
}

/// One operator, compiled by the library.
struct Compiled {
  std::vector<Tensor> inputs;
  Tensor output;
  graph::compiled_partition partition;
};

/// Compiles a graph of one operator. The library infers the output's shape.
Compiled Compile(const OnednnGraph& self, const deconv_operator_description& from) {
  Compiled compiled;
  compiled.inputs = {TensorOf(kData, from.data), TensorOf(kFilter, from.filter)};
  if (from.output_shape_values.values != nullptr) throw Unsupported("no input has the output's shape");
  compiled.output = Tensor(kOutput, TypeOf(from.data.element_type), static_cast<std::int32_t>(from.data.dims.count),
                           Tensor::layout_type::strided);
  graph::op op = OperatorOf(self, from);
  op.add_inputs(compiled.inputs);
  op.add_outputs({compiled.output});
  graph::graph whole(dnnl::engine::kind::cpu);
  whole.add_op(op);
  whole.finalize();
  const std::vector<graph::partition> partitions = whole.get_partitions();
  if (partitions.size() != 1 || !partitions[0].is_supported()) throw Unsupported("no partition supports the operator");
  compiled.partition = partitions[0].compile(compiled.inputs, {compiled.output}, self.engine);
  compiled.output = compiled.partition.query_logical_tensor(kOutput);
  return compiled;
}

/// Throws the exception of adapter.h that fits the status of the library.
[[noreturn]] void Rethrow(const dnnl::error& error) {
  const std::string text = std::string("oneDNN Graph: ") + error.message + ", status " + std::to_string(error.status);
  switch (error.status) {
    case dnnl_unimplemented:
    case dnnl_invalid_graph:  // also what get_partitions says of an operator without a pattern
      throw Unsupported(text);
    case dnnl_out_of_memory:
    case dnnl_runtime_error:
    case dnnl_last_impl_reached:
      throw std::runtime_error(text);
    default:
      throw Refused(text);
  }
}

deconv_answer RunOperator(OnednnGraph& self, deconv_run_request& request) {
  const deconv_operator_description& from = *request.operation;
  try {
    const Compiled compiled = Compile(self, from);
    const Dims dims = compiled.output.get_dims();
    WriteDims(request, dims);
    std::size_t bytes = ElementBytes(from.data.element_type);
    for (const std::int64_t dim : dims) bytes *= static_cast<std::size_t>(dim);
    if (bytes != request.output_bytes) return DECONV_ANSWER_OTHER_SHAPE;
    const std::vector<graph::tensor> inputs = {
        {compiled.inputs[0], self.engine, const_cast<void*>(request.data)},  // the suite compares it afterwards
        {compiled.inputs[1], self.engine, const_cast<void*>(request.filter)}};
    compiled.partition.execute(self.stream, inputs, {{compiled.output, self.engine, request.output}});
    self.stream.wait();
    return DECONV_ANSWER_COMPUTED;
  } catch (const dnnl::error& error) {
    Rethrow(error);
  }
}

deconv_answer Run(void* self, deconv_run_request* request) {
  return AnswerRun(*request, [&] { return RunOperator(*static_cast<OnednnGraph*>(self), *request); });
}

/// The element types that this CPU can compute: a type counts if the smallest operator of that type compiles.
std::uint32_t SupportedTypes(const OnednnGraph& self) {
  const std::int64_t ones[] = {1, 1, 1};
  const std::int64_t zero = 0;
  deconv_operator_description smallest{};
  smallest.size = sizeof(smallest);
  smallest.data.dims = smallest.filter.dims = {ones, 3};
  if (!self.is_conv_transpose) smallest.dst_shape = {ones, 3};
  smallest.strides = smallest.dilations = {ones, 1};
  smallest.pads_begin = smallest.pads_end = {&zero, 1};
  std::uint32_t types = 0;
  for (const std::int32_t type : {DECONV_ID_F32, DECONV_ID_BF16, DECONV_ID_F16}) {
    smallest.data.element_type = smallest.filter.element_type = type;
    try {
      (void)Compile(self, smallest);
      types |= 1U << type;
    } catch (const std::exception&) {
      continue;  // not on this CPU
    }
  }
  return types;
}

/// An operator is not supported if the library cannot compile it, although the operator is valid.
std::int32_t Supports(void* self, deconv_supports_request* request) {
  return AnswerSupports(*request, [&] {
    try {
      (void)Compile(*static_cast<OnednnGraph*>(self), *request->operation);
    } catch (const dnnl::error& error) {
      Rethrow(error);
    }
    return std::string();
  });
}

const deconv_backend_description* Describe(void* self) { return &static_cast<OnednnGraph*>(self)->description; }

void Close(void* self) { delete static_cast<OnednnGraph*>(self); }

/// Reads the text after "?". Returns null if it is none of the texts that the file's opening names.
std::unique_ptr<OnednnGraph> MakeOnednnGraph(std::string_view config) {
  auto self = std::make_unique<OnednnGraph>();
  self->dialects = {"onednn-runtime", nullptr};
  if (config.starts_with(kCache)) {
    config.remove_prefix(kCache.size());
    if (config.starts_with('&')) config.remove_prefix(1);
  } else {
    graph::set_compiled_partition_cache_capacity(0);
  }
  self->name = "onednn-graph";
  if (config == "dialect=onednn-spec") {
    self->dialects[0] = "onednn-spec";
  } else if (config == "op=ConvTranspose") {
    self->is_conv_transpose = true;
    self->dialects[0] = "onnx-11";
    self->name = "onednn-graph-convtranspose";
  } else if (!config.empty()) {
    return nullptr;
  }
  const dnnl_version_t* version = dnnl_version();
  self->version =
      std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
  deconv_backend_description& d = self->description;
  d.size = sizeof(d);
  d.name = self->name.c_str();
  d.version = self->version.c_str();
  d.dialects = self->dialects.data();
  d.operators = 1U << (self->is_conv_transpose ? DECONV_ID_CONV_TRANSPOSE : DECONV_ID_CONVOLUTION_BACKWARD_DATA);
  d.element_types = SupportedTypes(*self);
  d.unsupported = DECONV_UNSUPPORTED_SHAPE_INPUT;  // no pattern of the library has this input
  if (self->is_conv_transpose) d.unsupported = DECONV_UNSUPPORTED_SHAPE_ATTRIBUTE;
  d.min_rank = 3;
  d.max_rank = 5;
  d.accumulator = DECONV_ACCUMULATOR_F32;
  d.subnormals = DECONV_SUBNORMALS_FLUSHED;  // bf16 dot products flush where the CPU has them
  return self;
}

}  // namespace
}  // namespace native

// NOLINTNEXTLINE(readability-identifier-naming): the interface prescribes this name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  try {
    std::unique_ptr<native::OnednnGraph> self = native::MakeOnednnGraph(config);
    if (self == nullptr) return 1;  // an unknown configuration
    deconv_backend own{};
    own.self = self.release();
    own.describe = native::Describe;
    own.run = native::Run;
    own.supports = native::Supports;
    own.close = native::Close;
    return native::Offer(own, backend);
  } catch (const std::exception&) {
    return 2;  // no engine for this CPU
  }
}
