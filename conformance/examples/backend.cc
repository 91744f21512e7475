// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// An example of a vendor's backend in C++: ConvTranspose of ONNX on f32 and f64, with any number of spatial axes, in
// plain loops over a plan. It implements run, resolve, and plans that later run with other sizes. Judge it with:
//   deconv-cts run --backend ./libdeconv_example_backend_cc.so

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/interface/deconv_backend.h"

namespace {

using Dims = std::vector<std::int64_t>;
__extension__ using Wide = __int128;  // sums and products of attributes may exceed 64 bits

// Refused: the operator is invalid. Unsupported: this backend does not declare the operator.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Refuses the operator with this message unless the condition holds.
void Expect(bool condition, const char* message) {
  if (!condition) throw Refused(message);
}

// The value in 64 bits. Refuses the operator if it does not fit.
std::int64_t Narrow(Wide value) {
  Expect(value <= INT64_MAX && value >= INT64_MIN, "a size or coordinate does not fit 64 bits");
  return static_cast<std::int64_t>(value);
}

// Returns one value for each axis. If the attribute is absent, each value is `absent`.
Dims ListOf(const deconv_id_list& list, std::size_t axes, std::int64_t absent, std::int64_t least) {
  if (list.values == nullptr) return Dims(axes, absent);
  Dims values(list.values, list.values + list.count);
  Expect(values.size() == axes, "an attribute has not one value for each spatial axis");
  Expect(std::ranges::all_of(values, [&](std::int64_t value) { return value >= least; }),
         "a stride or dilation is below 1, or a pad below 0");
  return values;
}

// The attributes, checked. They do not depend on the sizes, so a plan keeps them.
struct Attributes {
  enum class AutoPad { kNotSet, kSameUpper, kSameLower, kValid };
  AutoPad auto_pad = AutoPad::kNotSet;
  Dims kernel, strides, dilations, pads_begin, pads_end, output_padding;
  std::int64_t groups = 1, in_channels = 0, out_channels = 0;  // of a group

  explicit Attributes(const deconv_operator_description& op) {
    const Dims weights(op.filter.dims.values, op.filter.dims.values + op.filter.dims.count);
    Expect(weights.size() >= 3 && weights.size() <= 10, "filter: expected rank 3 to 10");
    Expect(*std::ranges::min_element(weights) >= 0, "filter: a negative dimension");
    Expect(op.filter.element_type == op.data.element_type, "filter: expected the type of data");
    Expect(op.output_shape.dims.values == nullptr, "a third input is a bias");
    const std::size_t axes = weights.size() - 2;
    kernel.assign(weights.begin() + 2, weights.end());
    Expect(*std::ranges::min_element(kernel) >= 1, "filter: expected a kernel of at least 1");
    strides = ListOf(op.strides, axes, 1, 1);
    dilations = ListOf(op.dilations, axes, 1, 1);
    pads_begin = ListOf(op.pads_begin, axes, 0, 0);
    pads_end = ListOf(op.pads_end, axes, 0, 0);
    output_padding = ListOf(op.output_padding, axes, 0, 0);
    Expect(op.kernel_shape.values == nullptr || ListOf(op.kernel_shape, axes, 0, 1) == kernel,
           "kernel_shape: expected the filter's");
    const std::string_view name = op.auto_pad == nullptr ? "NOTSET" : op.auto_pad;
    constexpr std::string_view kNames[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
    const auto* const found = std::ranges::find(kNames, name);
    Expect(found != std::end(kNames), "auto_pad: expected NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    auto_pad = static_cast<AutoPad>(found - std::begin(kNames));
    Expect(auto_pad == AutoPad::kNotSet || (op.pads_begin.values == nullptr && op.pads_end.values == nullptr),
           "pads: given beside auto_pad");
    if (op.groups.values != nullptr) groups = op.groups.values[0];
    Expect(groups >= 1 && weights[0] % groups == 0, "group: expected a divisor of the channels");
    in_channels = weights[0] / groups;
    out_channels = weights[1];
  }
};

// The part that depends on the sizes: output dims, and the crop at the beginning of each spatial axis.
struct Sizes {
  Dims data, output, crop;

  Sizes(const Attributes& attributes, const deconv_operator_description& op)
      : data(op.data.dims.values, op.data.dims.values + op.data.dims.count) {
    const std::size_t axes = attributes.kernel.size();
    Expect(data.size() == axes + 2, "data: expected the rank of the filter");
    Expect(*std::ranges::min_element(data) >= 0, "data: a negative dimension");
    Expect(data[1] == attributes.groups * attributes.in_channels, "data: expected the filter's channels");
    output = {data[0], Narrow(Wide{attributes.groups} * attributes.out_channels)};
    const bool has_shape = op.output_shape_attribute.values != nullptr;
    const Dims shape = has_shape ? ListOf(op.output_shape_attribute, axes, 0, 1) : Dims{};
    for (std::size_t j = 0; j < axes; ++j) {
      using AutoPad = Attributes::AutoPad;
      const AutoPad mode = attributes.auto_pad;
      const bool same = mode == AutoPad::kSameUpper || mode == AutoPad::kSameLower;
      // The size without pads: s * (data - 1) + d * (kernel - 1) + 1 + output_padding.
      const std::int64_t extent = Narrow((Wide{attributes.kernel[j]} - 1) * attributes.dilations[j] + 1);
      const std::int64_t natural =
          Narrow(Wide{attributes.strides[j]} * (Wide{data[j + 2]} - 1) + extent + attributes.output_padding[j]);
      const std::int64_t size = has_shape ? shape[j]
                                : same    ? Narrow(Wide{data[j + 2]} * attributes.strides[j])
                                          : Narrow(Wide{natural} - attributes.pads_begin[j] - attributes.pads_end[j]);
      Expect(size >= 1, "output: expected sizes from 1");
      output.push_back(size);
      crop.push_back(attributes.pads_begin[j]);
      if (has_shape || same) {
        const std::int64_t total = Narrow(Wide{natural} - size);
        const std::int64_t half = total >> 1;  // rounds down
        // If the total is odd, SAME_UPPER crops one more element at the end. Other modes crop it at the beginning.
        crop.back() = mode == AutoPad::kSameUpper ? half : total - half;
      }
      Narrow(Wide{size} + crop.back());  // coordinates before the crop must fit, too
    }
    for (const Dims& dims : {data, output}) CheckBytes(dims, op);
    CheckBytes(Dims(op.filter.dims.values, op.filter.dims.values + op.filter.dims.count), op);
  }

 private:
  static void CheckBytes(const Dims& dims, const deconv_operator_description& op) {
    std::int64_t bytes = op.data.element_type == DECONV_ID_F64 ? 8 : 4;
    for (const std::int64_t dim : dims) bytes = Narrow(Wide{bytes} * std::max<std::int64_t>(dim, 1));
  }
};

// One product: offsets of a data element, a tap and their output, each within one channel. Example with one axis,
// stride 2 and crop 1: data element 1 and tap 0 meet in output 2 * 1 + 0 - 1 = 1.
struct Meeting {
  std::int64_t data, filter, output;
};

std::int64_t Product(const Dims& dims, std::size_t from = 0) {
  std::int64_t product = 1;
  for (std::size_t j = from; j < dims.size(); ++j) product *= dims[j];
  return product;
}

// A plan keeps the attributes, and the meetings for the sizes of its last run.
struct Plan {
  Attributes attributes;
  Sizes sizes;
  std::vector<Meeting> meetings;

  explicit Plan(const deconv_operator_description& op) : attributes(op), sizes(attributes, op) { FindMeetings(); }

  // Prepares a run with the sizes of `op`. Lists the meetings again only if the sizes differ from the last run's.
  void UpdateSizes(const deconv_operator_description& op) {
    Sizes now(attributes, op);
    const bool same = now.data == sizes.data && now.output == sizes.output;
    sizes = std::move(now);
    if (!same) FindMeetings();
  }

 private:
  // Lists the meetings, axis after axis: each step extends those of the outer axes by one axis.
  void FindMeetings() {
    meetings.clear();
    if (Product(sizes.data) == 0 || Product(sizes.output) == 0) return;  // the other axes may be very long
    meetings.assign(1, {0, 0, 0});
    for (std::size_t j = 0; j < sizes.crop.size(); ++j) {
      const std::int64_t data = sizes.data[j + 2], kernel = attributes.kernel[j], output = sizes.output[j + 2];
      std::vector<Meeting> longer;
      for (const Meeting& meeting : meetings) {
        for (std::int64_t i = 0; i < data; ++i) {
          for (std::int64_t k = 0; k < kernel; ++k) {
            const std::int64_t o = attributes.strides[j] * i + attributes.dilations[j] * k - sizes.crop[j];
            if (o < 0 || o >= output) continue;
            longer.push_back({meeting.data * data + i, meeting.filter * kernel + k, meeting.output * output + o});
          }
        }
      }
      meetings = std::move(longer);
    }
  }
};

// Runs the plan: each output of each channel is a sum over the input channels of its group and over the meetings.
template <typename T>
void Compute(const Plan& plan, const deconv_run_request& request) {
  const Attributes& a = plan.attributes;
  // Elements of one channel of data, of one filter between two channels, and of one channel of output.
  const std::int64_t points = Product(plan.sizes.data, 2), taps = Product(a.kernel),
                     positions = Product(plan.sizes.output, 2);
  const T* const data = static_cast<const T*>(request.data);
  const T* const filter = static_cast<const T*>(request.filter);
  T* output = static_cast<T*>(request.output);
  for (std::int64_t n = 0; n < plan.sizes.data[0]; ++n) {
    for (std::int64_t channel = 0; channel < a.groups * a.out_channels; ++channel, output += positions) {
      std::fill_n(output, positions, T{0});
      for (std::int64_t c = 0; c < a.in_channels; ++c) {
        const std::int64_t from = channel / a.out_channels * a.in_channels + c;  // index among all input channels
        const T* const x = data + (n * a.groups * a.in_channels + from) * points;
        const T* const w = filter + (from * a.out_channels + channel % a.out_channels) * taps;
        for (const Meeting& meeting : plan.meetings) output[meeting.output] += x[meeting.data] * w[meeting.filter];
      }
    }
  }
}

void CheckDeclared(const deconv_operator_description& op) {
  if (op.kind != DECONV_ID_CONV_TRANSPOSE) throw Unsupported("only ConvTranspose");
  if (op.data.element_type != DECONV_ID_F32 && op.data.element_type != DECONV_ID_F64) {
    throw Unsupported("only f32 and f64");
  }
}

// No exception may leave the backend. An exception of `work` becomes the answer.
template <typename Request, typename Work>
deconv_answer Answered(Request* request, Work work) {
  const auto say = [&](deconv_answer answer, const char* why) {
    (void)std::snprintf(request->message, sizeof(request->message), "%s", why);
    return answer;
  };
  try {
    CheckDeclared(*request->operation);
    return work();
  } catch (const Refused& why) {
    return say(DECONV_ANSWER_REFUSED, why.what());
  } catch (const Unsupported& why) {
    return say(DECONV_ANSWER_UNSUPPORTED, why.what());
  } catch (const std::exception& why) {  // out of memory
    return say(DECONV_ANSWER_ERROR, why.what());
  }
}

template <typename Request>
void WriteDims(Request* request, const Dims& dims) {
  request->output_rank = static_cast<std::int32_t>(dims.size());
  std::ranges::copy(dims, request->output_dims);
}

// The plan of a request, or null. An older suite, which has no plans, sends a shorter request.
void* PlanOf(const deconv_run_request& request) {
  return request.size >= offsetof(deconv_run_request, plan) + sizeof(request.plan) ? request.plan : nullptr;
}

deconv_answer Run(void* /*self*/, deconv_run_request* request) {
  return Answered(request, [&] {
    // Check the sizes first: an invalid operator may be too large for a plan.
    const Attributes attributes(*request->operation);
    WriteDims(request, Sizes(attributes, *request->operation).output);
    const std::int64_t element = request->operation->data.element_type == DECONV_ID_F64 ? 8 : 4;
    const Dims dims(request->output_dims, request->output_dims + request->output_rank);
    if (request->output_bytes != static_cast<std::size_t>(Product(dims) * element)) return DECONV_ANSWER_OTHER_SHAPE;
    std::unique_ptr<Plan> own;
    auto* plan = static_cast<Plan*>(PlanOf(*request));
    if (plan == nullptr) {
      own = std::make_unique<Plan>(*request->operation);
      plan = own.get();
    } else {
      plan->UpdateSizes(*request->operation);
    }
    element == 8 ? Compute<double>(*plan, *request) : Compute<float>(*plan, *request);
    return DECONV_ANSWER_COMPUTED;
  });
}

deconv_answer Resolve(void* /*self*/, deconv_resolve_request* request) {
  return Answered(request, [&] {
    const Sizes sizes(Attributes(*request->operation), *request->operation);
    WriteDims(request, sizes.output);
    request->tells_pads_begin = 1;
    std::ranges::copy(sizes.crop, request->pads_begin);
    return DECONV_ANSWER_COMPUTED;
  });
}

deconv_answer MakePlan(void* /*self*/, deconv_plan_request* request) {
  return Answered(request, [&] {
    request->plan = new Plan(*request->operation);
    return DECONV_ANSWER_COMPUTED;
  });
}

void Release(void* /*self*/, void* plan) { delete static_cast<Plan*>(plan); }

const deconv_backend_description* Describe(void* /*self*/) {
  static const char* const dialects[] = {"onnx-11", nullptr};
  static deconv_backend_description description{};
  description.size = sizeof(description);
  description.name = "example-cc";
  description.version = "1.0";
  description.dialects = dialects;
  description.operators = 1U << DECONV_ID_CONV_TRANSPOSE;
  description.element_types = 1U << DECONV_ID_F32 | 1U << DECONV_ID_F64;
  description.min_rank = 3;
  description.max_rank = 10;
  description.deterministic = DECONV_SAME_BITS_EVERY_RUN;
  return &description;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the interface prescribes this name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  if (config[0] != '\0') return 1;
  // The struct of an older suite is shorter. Functions beyond its size are not offered.
  deconv_backend own = {sizeof(own), DECONV_BACKEND_ABI, nullptr, Describe, Run, nullptr,
                        Resolve,     MakePlan,           Release, nullptr};
  own.size = std::min(own.size, backend->size);
  std::memcpy(backend, &own, own.size);
  return 0;
}
