// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// An adapter of TensorFlow Lite: offers the operator TRANSPOSE_CONV in f32 as a backend, that is, a library that the
// suite tests. The operator has no attributes such as auto_pad, so it takes resolved geometry (sizes and pads that the
// suite has computed). "?xnnpack" leaves the library's default delegates on, which give the operator to XNNPACK.
//
// Choices of this adapter:
// - A model of one operator is made in memory. The filter and the output's shape are constants, the data are its input.
// - TRANSPOSE_CONV has channels last and the filter as [O, height, width, I]. Other layouts are copied.
// - One spatial axis is computed as the width of an image of height 1.
// - TRANSPOSE_CONV has the paddings SAME and VALID and derives its pads from the output's size. An operator is
//   supported if one of the two gives its pads_begin, and a forward convolution of the output has the size of the data.
// An operator that the interpreter refuses is not supported. The reason is the interpreter's message.

#include <cstdarg>
#include <limits>
#include <memory>
#include <new>

#include <tensorflow/lite/c/c_api.h>
#include <tensorflow/lite/error_reporter.h>
#include <tensorflow/lite/interpreter.h>
#include <tensorflow/lite/interpreter_builder.h>
#include <tensorflow/lite/kernels/register.h>
#include <tensorflow/lite/model_builder.h>
#include <tensorflow/lite/schema/schema_generated.h>

#include "conformance/adapters/native/resolved.h"

namespace native {
namespace {

/// Keeps the first message, which names the cause.
class Reporter : public tflite::ErrorReporter {
 public:
  int Report(const char* format, va_list arguments) override {
    char text[256] = "";
    const int length = std::vsnprintf(text, sizeof(text), format, arguments);
    if (first_.empty()) first_ = text;
    return length;
  }
  std::string Text() const { return first_.empty() ? "TensorFlow Lite gave no message" : first_; }

 private:
  std::string first_;
};

/// The state of the backend.
struct Tflite {
  bool has_delegates = false;  ///< the library's default delegates are on
  deconv_backend_description description{};
};

/// Finds the padding that gives this geometry. Returns an empty string, or why there is none. Both rules are those of
/// the forward convolution from output to data. Data have (output - kernel) / stride + 1 elements with VALID. With SAME
/// they have output / stride elements, rounded up, and half of all pads is at the beginning.
std::string PaddingOf(const Geometry& g, tflite::Padding& padding) {
  bool valid = true;
  bool same = true;
  for (std::int32_t j = 0; j < g.spatial_rank; ++j) {
    const std::int64_t stride = g.strides[j];
    valid = valid && g.pads_begin[j] == 0 && (g.output[j] - g.kernel[j] + stride) / stride == g.data[j];
    const std::int64_t total = std::max<std::int64_t>((g.data[j] - 1) * stride + g.kernel[j] - g.output[j], 0);
    same = same && g.pads_begin[j] == total / 2 && (g.output[j] + stride - 1) / stride == g.data[j];
  }
  padding = valid ? tflite::Padding_VALID : tflite::Padding_SAME;
  return valid || same ? "" : "neither padding SAME nor VALID has these pads and sizes";
}

/// Returns [batch, height, width, channels]. The height is 1 if there is one spatial axis.
std::vector<std::int32_t> ShapeOf(const Geometry& g, std::int64_t channels, const std::int64_t* spatial) {
  std::vector<std::int32_t> shape = {static_cast<std::int32_t>(g.batch)};
  if (g.spatial_rank == 1) shape.push_back(1);
  for (std::int32_t j = 0; j < g.spatial_rank; ++j) shape.push_back(static_cast<std::int32_t>(spatial[j]));
  shape.push_back(static_cast<std::int32_t>(channels));
  return shape;
}

/// Returns the filter with the order of axes [O, spatial, I].
Strided FilterInOrder(const Geometry& g) { return WithoutAxis0(WithAxis1Last(FilterOf(g))); }

/// Adds a tensor to the model, with values if `bytes` is not 0. Returns its index.
std::uint32_t AddTensor(tflite::ModelT& model, const char* name, tflite::TensorType type,
                        const std::vector<std::int32_t>& shape, const void* values, std::size_t bytes) {
  auto tensor = std::make_unique<tflite::TensorT>();
  tensor->name = name;
  tensor->type = type;
  tensor->shape = shape;
  if (bytes != 0) {
    tensor->buffer = static_cast<std::uint32_t>(model.buffers.size());
    auto buffer = std::make_unique<tflite::BufferT>();
    const auto* const first = static_cast<const std::uint8_t*>(values);
    buffer->data.assign(first, first + bytes);
    model.buffers.push_back(std::move(buffer));
  }
  model.subgraphs[0]->tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(model.subgraphs[0]->tensors.size() - 1);
}

/// Returns the bytes of a model with one TRANSPOSE_CONV. `filter` has the order [O, spatial, I].
flatbuffers::FlatBufferBuilder ModelOf(const Geometry& g, tflite::Padding padding, const std::vector<float>& filter) {
  tflite::ModelT model;
  // The version of TensorFlow Lite's schema of models.
  model.version = 3;
  model.buffers.push_back(std::make_unique<tflite::BufferT>());  // the empty one of tensors without values
  auto code = std::make_unique<tflite::OperatorCodeT>();
  code->builtin_code = tflite::BuiltinOperator_TRANSPOSE_CONV;
  code->deprecated_builtin_code = static_cast<std::int8_t>(tflite::BuiltinOperator_TRANSPOSE_CONV);
  model.operator_codes.push_back(std::move(code));
  model.subgraphs.push_back(std::make_unique<tflite::SubGraphT>());
  const std::vector<std::int32_t> output = ShapeOf(g, g.out_channels, g.output);
  const std::vector<std::int32_t> kernel = [&] {
    std::vector<std::int32_t> shape = ShapeOf(g, g.in_channels, g.kernel);
    shape[0] = static_cast<std::int32_t>(g.out_channels);
    return shape;
  }();
  AddTensor(model, "output_shape", tflite::TensorType_INT32, {4}, output.data(), 4 * sizeof(std::int32_t));
  AddTensor(model, "filter", tflite::TensorType_FLOAT32, kernel, filter.data(), filter.size() * sizeof(float));
  AddTensor(model, "data", tflite::TensorType_FLOAT32, ShapeOf(g, g.in_channels, g.data), nullptr, 0);
  AddTensor(model, "output", tflite::TensorType_FLOAT32, output, nullptr, 0);
  auto op = std::make_unique<tflite::OperatorT>();
  // Indices of the four tensors, in the order in which they were added.
  op->inputs = {0, 1, 2};
  op->outputs = {3};
  tflite::TransposeConvOptionsT options;
  options.padding = padding;
  options.stride_h = static_cast<std::int32_t>(g.spatial_rank == 2 ? g.strides[0] : 1);
  options.stride_w = static_cast<std::int32_t>(g.strides[g.spatial_rank - 1]);
  op->builtin_options.Set(options);
  model.subgraphs[0]->operators.push_back(std::move(op));
  model.subgraphs[0]->inputs = {2};
  model.subgraphs[0]->outputs = {3};
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
  return builder;
}

/// An interpreter that has allocated its tensors, and the objects that it refers to.
struct Prepared {
  Reporter reporter;
  flatbuffers::FlatBufferBuilder builder;
  std::unique_ptr<tflite::FlatBufferModel> model;
  std::unique_ptr<tflite::Interpreter> interpreter;
  std::string refusal;  ///< empty: ready to be invoked
};

/// Makes the model and its interpreter. `filter` is null if only support is asked: its values are then 0.
std::unique_ptr<Prepared> Prepare(const Tflite& self, const Geometry& g, const void* filter) {
  auto prepared = std::make_unique<Prepared>();
  tflite::Padding padding = tflite::Padding_VALID;
  prepared->refusal = PaddingOf(g, padding);
  if (!prepared->refusal.empty()) return prepared;
  const Strided order = FilterInOrder(g);
  std::vector<float> values(static_cast<std::size_t>(Count(order.dims)));
  if (filter != nullptr) ToDense(order, filter, values.data(), sizeof(float));
  prepared->builder = ModelOf(g, padding, values);
  prepared->model =
      tflite::FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(prepared->builder.GetBufferPointer()),
                                               prepared->builder.GetSize(), &prepared->reporter);
  const auto build = [&](const tflite::OpResolver& resolver) {
    if (prepared->model == nullptr) return kTfLiteError;
    tflite::InterpreterBuilder make(*prepared->model, resolver);
    make.SetNumThreads(1);
    return make(&prepared->interpreter);
  };
  const TfLiteStatus built = self.has_delegates
                                 ? build(tflite::ops::builtin::BuiltinOpResolver())
                                 : build(tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates());
  if (built != kTfLiteOk || prepared->interpreter == nullptr || prepared->interpreter->AllocateTensors() != kTfLiteOk) {
    prepared->refusal = prepared->reporter.Text();
  }
  return prepared;
}

/// Returns an empty string, or the reason why the model's format cannot express the operator.
std::string Inexpressible(const Geometry& g) {
  return LargestNumber(g) > std::numeric_limits<std::int32_t>::max() ? "sizes have 32 bits" : "";
}

std::int32_t Supports(void* self, deconv_supports_request* request) {
  return AnswerSupports(*request, [&] {
    const Geometry& g = *request->resolved;
    std::string inexpressible = Inexpressible(g);
    return inexpressible.empty() ? Prepare(*static_cast<Tflite*>(self), g, nullptr)->refusal : inexpressible;
  });
}

deconv_answer Run(void* self, deconv_run_request* request) {
  return AnswerRun(*request, [&] {
    const Geometry& g = *request->resolved;
    const std::string inexpressible = Inexpressible(g);
    if (!inexpressible.empty()) throw Unsupported(inexpressible);
    const std::unique_ptr<Prepared> prepared = Prepare(*static_cast<Tflite*>(self), g, request->filter);
    if (!prepared->refusal.empty()) throw Unsupported(prepared->refusal);
    tflite::Interpreter& interpreter = *prepared->interpreter;
    ToDense(ChannelsLast(g, g.in_channels, g.data), request->data, interpreter.input_tensor(0)->data.raw,
            sizeof(float));
    if (interpreter.Invoke() != kTfLiteOk) throw std::runtime_error("Invoke: " + prepared->reporter.Text());
    const TfLiteTensor& output = *interpreter.output_tensor(0);
    if (output.bytes != request->output_bytes) {
      WriteDims(*request, Dims(output.dims->data, output.dims->data + output.dims->size));
      return DECONV_ANSWER_OTHER_SHAPE;
    }
    FromDense(ChannelsLast(g, g.out_channels, g.output), output.data.raw, request->output, sizeof(float));
    return DECONV_ANSWER_COMPUTED;
  });
}

const deconv_backend_description* Describe(void* self) { return &static_cast<Tflite*>(self)->description; }

void Close(void* self) { delete static_cast<Tflite*>(self); }

}  // namespace
}  // namespace native

// NOLINTNEXTLINE(readability-identifier-naming): the interface prescribes this name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (!native::SendsResolved(*backend)) return 3;  // an older suite
  const std::string_view wanted = config;
  if (!wanted.empty() && wanted != "xnnpack") return 1;  // an unknown configuration
  static const char* const dialects[] = {"onednn-runtime", "openvino-spec", nullptr};
  auto* const self = new (std::nothrow) native::Tflite;
  if (self == nullptr) return 2;  // out of memory
  self->has_delegates = wanted == "xnnpack";
  deconv_backend_description& d = self->description;
  d = native::CommonDescription(self->has_delegates ? "tflite-xnnpack" : "tflite", TfLiteVersion(), dialects);
  d.operators = 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA | 1U << DECONV_ID_CONVOLUTION_BACKWARD_DATA;
  d.unsupported = DECONV_UNSUPPORTED_DILATIONS | DECONV_UNSUPPORTED_GROUPS;
  d.subnormals = DECONV_SUBNORMALS_FLUSHED;  // the interpreter flushes them while it runs
  deconv_backend own{};
  own.self = self;
  own.describe = native::Describe;
  own.run = native::Run;
  own.close = native::Close;
  own.supports = native::Supports;
  return native::Offer(own, backend);
}
