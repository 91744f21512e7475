// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the verdict: ConvolutionBackpropData with one spatial axis on f32, f16 and i32. It computes rightly
// except for the one deviation that its configuration names. "?plain" has no deviation.

#include <bit>
#include <cfenv>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "conformance/door/deconv_backend.h"

namespace {

struct Deviation {
  std::string name;
  int runs = 0;
};

struct Term {
  double x;
  double w;
};

float FromHalf(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 0x1F) value = fraction == 0 ? INFINITY : NAN;
  return static_cast<float>((bits & 0x8000) != 0 ? -value : value);
}

std::uint16_t ToHalf(double value) {
  if (std::isnan(value)) return 0x7E00;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  if (magnitude >= 65520) return sign | 0x7C00;
  // Subnormals share the unit of the smallest normal numbers; nearbyint rounds to nearest even.
  const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  const double units = std::nearbyint(std::ldexp(magnitude, 10 - exponent));
  const int bits = (exponent + 14) * 1024 + static_cast<int>(units);
  return static_cast<std::uint16_t>(sign | bits);
}

double Truncated(double value) {
  const auto nearest = static_cast<float>(value);
  return std::abs(nearest) > std::abs(value) ? std::nextafter(nearest, 0.0F) : nearest;
}

float Sum(const std::vector<Term>& terms, const std::string& how, bool half) {
  if (how == "kahan") {
    float sum = 0;
    float lost = 0;
    for (const Term& term : terms) {
      const float next = static_cast<float>(term.x * term.w) - lost;
      const float total = sum + next;
      lost = (total - sum) - next;
      sum = total;
    }
    return sum;
  }
  double sum = 0;
  for (const Term& term : terms) {
    const double exact = term.x * term.w;
    if (how == "truncating") {
      sum = Truncated(sum + exact);
    } else if (how.starts_with("storage") && half) {
      sum = FromHalf(ToHalf(sum + FromHalf(ToHalf(exact))));
    } else {
      sum = static_cast<float>(sum + static_cast<double>(static_cast<float>(exact)));
    }
  }
  return static_cast<float>(sum);
}

class Elements {
 public:
  Elements(const void* at, std::int32_t type) : at_(static_cast<const char*>(at)), type_(type) {}

  double operator[](std::int64_t i) const {
    if (type_ == DECONV_ID_F16) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, at_ + i * 2, 2);
      return FromHalf(bits);
    }
    std::int32_t bits = 0;
    std::memcpy(&bits, at_ + i * 4, 4);
    if (type_ == DECONV_ID_I32) return bits;
    return std::bit_cast<float>(bits);
  }

 private:
  const char* at_;
  std::int32_t type_;
};

void Store(void* output, std::int64_t i, std::int32_t type, double value) {
  if (type == DECONV_ID_F16) {
    const std::uint16_t bits = ToHalf(value);
    std::memcpy(static_cast<char*>(output) + i * 2, &bits, 2);
    return;
  }
  const auto number = static_cast<std::int32_t>(type == DECONV_ID_I32 ? static_cast<std::int64_t>(value) : 0);
  const std::int32_t bits = type == DECONV_ID_I32 ? number : std::bit_cast<std::int32_t>(static_cast<float>(value));
  std::memcpy(static_cast<char*>(output) + i * 4, &bits, 4);
}

std::int64_t First(const deconv_id_list& list, std::int64_t absent) {
  return list.values == nullptr || list.count == 0 ? absent : list.values[0];
}

/// The 2-norm of a whole tensor.
double Norm(const Elements& elements, std::int64_t count) {
  double squares = 0;
  for (std::int64_t i = 0; i < count; ++i) squares += elements[i] * elements[i];
  return std::sqrt(squares);
}

/// What transforms leave everywhere: a part of the operands' norms. "far-fast" leaves too much.
double Smear(const Deviation& deviation, double norm) {
  if (deviation.name.starts_with("smeared")) return 0x1p-23 * norm;
  return deviation.name == "far-fast" ? 0x1p-8 * norm : 0;
}

/// The value at every output that has products, or at every output, for the deviations that look at no operand.
double Deviated(const Deviation& deviation, std::int32_t threads, std::int64_t o, double right) {
  if (deviation.name == "zeros") return 0;
  if (deviation.name == "nan-excused" && o == 1) return NAN;
  if (deviation.name.starts_with("one-thread") && threads == 1 && o == 1) return right + 1;
  if (deviation.name.starts_with("ulps-") && o == 1) {
    auto value = static_cast<float>(right);
    for (int ulps = std::stoi(deviation.name.substr(5)); ulps > 0; --ulps) value = std::nextafter(value, INFINITY);
    return value;
  }
  if (deviation.name == "one-ulp" && o == 1) return std::nextafter(static_cast<float>(right), INFINITY);
  return right;
}

/// Ends the process, fills its memory or changes its state, if the data has 4 elements and the deviation says so.
void Misbehave(const Deviation& deviation, const deconv_run_request& request) {
  constexpr int kSuiteSocket = 3;
  const std::string& name = deviation.name;
  if (name == "protocol") {
    [[maybe_unused]] const ssize_t written = write(kSuiteSocket, "no answer", 9);
  }
  if (name == "eats-memory") {
    for (std::vector<std::vector<char>> kept;;) kept.emplace_back(std::size_t{1} << 20, 'x');
  }
  if (name == "exits") _exit(0);
  if (name == "aborts") abort();
  if (name == "null") *static_cast<volatile char*>(nullptr) = 0;  // NOLINT(clang-analyzer-core.NullDereference)
  if (name == "overruns") {
    const auto* data = static_cast<const volatile char*>(request.data);
    for (std::size_t i = 0; i < request.data_bytes + 8192; ++i) [[maybe_unused]]
      const char byte = data[i];
  }
  if (name == "killed") raise(SIGKILL);
  if (name == "rounds-up") std::fesetround(FE_UPWARD);
  if (name.find("-once:") == std::string::npos) return;
  // Of all processes that share the mark, the first one alone.
  const std::string mark = name.substr(name.find(':') + 1);
  if (open(mark.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) return;
  if (name.starts_with("killed")) raise(SIGKILL);
  if (name.starts_with("stalls")) sleep(3600);
}

/// State that plans wrongly keep: the sizes of the operator for which they were made, or their first filter.
struct Plan {
  std::vector<std::int64_t> data_dims;
  std::vector<char> filter;
};

/// Sizes and attributes along the one axis.
struct AxisProblem {
  const std::int64_t* x;  ///< dims of data
  const std::int64_t* w;  ///< dims of filter
  std::int64_t stride;
  std::int64_t dilation;
  std::int64_t pad;
};

/// The terms of one output. Zero insertion multiplies every position of the window; a product is where a tap meets an
/// element.
std::vector<Term> TermsOf(const AxisProblem& p, const Elements& data, const Elements& filter, std::int64_t n,
                          std::int64_t co, std::int64_t o, bool zero_insertion) {
  std::vector<Term> terms;
  for (std::int64_t c = 0; c < p.x[1]; ++c) {
    for (std::int64_t j = 0; j <= (p.w[2] - 1) * p.dilation; ++j) {
      const std::int64_t at = o + p.pad - j;
      const bool tap = j % p.dilation == 0;
      const bool element = at >= 0 && at % p.stride == 0 && at / p.stride < p.x[2];
      if (!(tap && element) && !zero_insertion) continue;
      terms.push_back({element ? data[(n * p.x[1] + c) * p.x[2] + at / p.stride] : 0,
                       tap ? filter[(c * p.w[1] + co) * p.w[2] + j / p.dilation] : 0});
    }
  }
  return terms;
}

/// The answers of the deviations that only check the operator, if this is one of them.
std::optional<deconv_answer> CheckedOnly(const Deviation& deviation, const deconv_run_request& request) {
  const deconv_operator_description& op = *request.operation;
  // Checks no attribute, and takes an operator without data for invalid.
  if (deviation.name == "no-checks" && request.data == nullptr) return DECONV_ANSWER_REFUSED;
  // Libraries that do a part of the operators: none, or those without output shape and output_padding.
  const bool plain = op.output_shape.dims.count == 0 && First(op.output_padding, 0) == 0;
  if (deviation.name == "cannot-any" || (deviation.name == "cannot-shape" && !plain)) return DECONV_ANSWER_UNSUPPORTED;
  if (deviation.name == "refuses-shape" && !plain) return DECONV_ANSWER_REFUSED;
  if (deviation.name != "checks-sizes") return std::nullopt;
  // Refuses invalid operators, and reports an error for a buffer of another size than the dims give.
  const std::int64_t* dims = op.data.dims.values;
  const auto bytes =
      static_cast<std::size_t>(dims[0] * dims[1] * dims[2]) * (op.data.element_type == DECONV_ID_F16 ? 2 : 4);
  if (request.data_bytes != bytes) return DECONV_ANSWER_ERROR;
  return First(op.strides, 1) < 1 ? DECONV_ANSWER_REFUSED : DECONV_ANSWER_UNSUPPORTED;
}

deconv_answer Run(void* self, deconv_run_request* request) {
  auto& deviation = *static_cast<Deviation*>(self);
  const deconv_operator_description& op = *request->operation;
  if (deviation.name == "slow") usleep(20000);
  if (op.data.dims.count == 3 && op.data.dims.values[2] == 4) Misbehave(deviation, *request);
  if (const auto answer = CheckedOnly(deviation, *request)) return *answer;
  auto* const plan = static_cast<Plan*>(request->plan);
  const bool old_sizes = plan != nullptr && deviation.name == "plan-keeps-sizes";
  const std::int64_t* x = old_sizes ? plan->data_dims.data() : op.data.dims.values;
  const std::int64_t* w = op.filter.dims.values;
  const std::int32_t type = op.data.element_type;
  const std::int64_t s = First(op.strides, 1);
  const std::int64_t d = First(op.dilations, 1);
  const std::int64_t pad = First(op.pads_begin, 0);
  const std::int64_t size = s * (x[2] - 1) + d * (w[2] - 1) + 1 - pad - First(op.pads_end, 0);
  request->output_rank = 3;
  request->output_dims[0] = x[0];
  request->output_dims[1] = w[1];
  request->output_dims[2] = size;
  if (plan != nullptr && plan->filter.empty()) {
    const auto* const bytes = static_cast<const char*>(request->filter);
    plan->filter.assign(bytes, bytes + request->filter_bytes);
  }
  const auto element_bytes = static_cast<std::size_t>(type == DECONV_ID_F16 ? 2 : 4);
  if (plan != nullptr && request->output_bytes != static_cast<std::size_t>(x[0] * w[1] * size) * element_bytes) {
    return DECONV_ANSWER_OTHER_SHAPE;
  }
  const bool old_filter = plan != nullptr && deviation.name == "plan-keeps-filter";
  const Elements data(request->data, type);
  const Elements filter(old_filter ? plan->filter.data() : request->filter, type);
  const Elements before(request->output, type);
  const double smear = Smear(deviation, Norm(data, x[0] * x[1] * x[2]) * Norm(filter, w[0] * w[1] * w[2]));
  const bool other_order = (deviation.name.starts_with("flickering") && deviation.runs++ % 2 != 0) ||
                           (deviation.name.starts_with("by-threads") && request->threads != 1);
  for (std::int64_t n = 0; n < x[0]; ++n) {
    for (std::int64_t co = 0; co < w[1]; ++co) {
      for (std::int64_t o = 0; o < size; ++o) {
        std::vector<Term> terms =
            TermsOf({x, w, s, d, pad}, data, filter, n, co, o, deviation.name.starts_with("zero-insertion"));
        if (other_order) terms = {terms.rbegin(), terms.rend()};
        const std::int64_t at = (n * w[1] + co) * size + o;
        double value = Deviated(deviation, request->threads, at, Sum(terms, deviation.name, type == DECONV_ID_F16));
        if (deviation.name == "uncleared") value += before[at];
        // Two defects that look alike; cases of the second one are simpler.
        const bool first = s >= 3;
        const bool second = pad == 0;
        const bool wrong =
            (deviation.name == "two-defects" && (first || second)) || (deviation.name == "first-defect" && first);
        if (wrong && !terms.empty()) value = 2 * std::abs(value) + 1;
        value += smear;
        Store(request->output, at, type, value);
      }
    }
  }
  return DECONV_ANSWER_COMPUTED;
}

/// Of explicit pads. "pads-claimed": says one more than it computes with.
deconv_answer Resolve(void* self, deconv_resolve_request* request) {
  const deconv_operator_description& op = *request->operation;
  const std::int64_t* x = op.data.dims.values;
  const std::int64_t* w = op.filter.dims.values;
  const std::int64_t pad = First(op.pads_begin, 0);
  request->output_rank = 3;
  request->output_dims[0] = x[0];
  request->output_dims[1] = w[1];
  request->output_dims[2] =
      First(op.strides, 1) * (x[2] - 1) + First(op.dilations, 1) * (w[2] - 1) + 1 - pad - First(op.pads_end, 0);
  request->tells_pads_begin = 1;
  request->pads_begin[0] = pad + (static_cast<Deviation*>(self)->name == "pads-claimed" ? 1 : 0);
  return DECONV_ANSWER_COMPUTED;
}

deconv_answer MakePlan(void* self, deconv_plan_request* request) {
  if (static_cast<Deviation*>(self)->name == "plan-refused") return DECONV_ANSWER_UNSUPPORTED;
  if (static_cast<Deviation*>(self)->name == "plan-missing") return DECONV_ANSWER_COMPUTED;
  const deconv_id_list& dims = request->operation->data.dims;
  request->plan = new Plan{{dims.values, dims.values + dims.count}, {}};
  return DECONV_ANSWER_COMPUTED;
}

void Release(void* /*self*/, void* plan) { delete static_cast<Plan*>(plan); }

const deconv_backend_description* Describe(void* self) {
  static const char* const dialects[] = {"openvino-spec", nullptr};
  static deconv_backend_description description;
  const std::string& name = static_cast<Deviation*>(self)->name;
  description = {};
  description.size = sizeof(description);
  description.name = "deviating";
  description.version = "1";
  description.dialects = dialects;
  description.operators = 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA;
  description.element_types = 1U << DECONV_ID_F32 | 1U << DECONV_ID_F16 | 1U << DECONV_ID_I32;
  description.min_rank = description.max_rank = 3;
  if (name == "storage-declared") description.accumulator = DECONV_ACCUMULATOR_STORAGE;
  if (name == "zero-insertion-declared" || name == "nan-excused") {
    description.known_deviations = DECONV_DEVIATION_STRUCTURAL_NAN;
  }
  if (name == "flickering-declared") description.deterministic = DECONV_SAME_BITS_EVERY_RUN;
  if (name == "by-threads-declared") description.deterministic = DECONV_SAME_BITS_ANY_THREADS;
  if (name == "one-thread-declared") description.deterministic = DECONV_SAME_BITS_EVERY_RUN;
  if (name.starts_with("by-threads") || name.starts_with("one-thread")) description.max_threads = 2;
  if (name.ends_with("-fast")) description.algorithm = DECONV_ALGORITHM_FAST;
  return &description;
}

void Close(void* self) { delete static_cast<Deviation*>(self); }

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the door's name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  const std::string name = config;
  const bool resolves = name.starts_with("pads") || name == "old-door";
  const bool plans = name.starts_with("plan-");
  *backend = {sizeof(*backend),
              DECONV_BACKEND_ABI,
              new Deviation{name, 0},
              Describe,
              Run,
              Close,
              resolves ? Resolve : nullptr,
              plans ? MakePlan : nullptr,
              plans ? Release : nullptr,
              nullptr};
  // As compiled against the header's first version, behind whose end anything may stand.
  if (name == "old-door") backend->size = offsetof(deconv_backend, resolve);
  return 0;
}
