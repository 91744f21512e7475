// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the outputs of the hooked implementation: a plain loop over outputs and taps (elements of the filter) that
// calls the hooks of a planted fault, which make one step wrong on purpose. A wrong index must not leave the buffers,
// so the loop takes it modulo the tensor's size (Inside).

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "conformance/mutants/hooked/faulty_backend.h"
#include "conformance/mutants/hooked/number.h"
#include "conformance/mutants/hooked/sums.h"

namespace conformance::faults {
namespace {

// The offset modulo the count, never negative.
std::int64_t Inside(std::int64_t offset, std::int64_t count) {
  const std::int64_t rest = offset % count;
  return rest < 0 ? rest + count : rest;
}

/// Lists the taps of each output position along one axis, after the hook `taps` has changed them.
class AxisTaps {
 public:
  AxisTaps(const FaultyAxis& axis, const Hooks& hooks) {
    first_.reserve(static_cast<std::size_t>(axis.output) + 1);
    first_.push_back(0);
    std::vector<Tap> taps;
    for (std::int64_t position = 0; position < axis.output; ++position) {
      taps.clear();
      CollectTaps(axis, position, taps);
      if (hooks.taps != nullptr) {
        hooks.taps(axis, position, taps);
        if (axis.data == 0) taps.clear();
        for (Tap& tap : taps) {
          tap.tap = Inside(tap.tap, axis.kernel);
          tap.data = Inside(tap.data, axis.data);
        }
      }
      taps_.insert(taps_.end(), taps.begin(), taps.end());
      first_.push_back(taps_.size());
    }
  }

  std::span<const Tap> at(std::int64_t position) const {
    const auto index = static_cast<std::size_t>(position);
    return std::span(taps_).subspan(first_[index], first_[index + 1] - first_[index]);
  }

 private:
  // Collects the taps k with output = stride * data element + dilation * k - pads_begin. Example: kernel 3, stride 2,
  // data 3, no pads. Output 2 has tap 0 of data element 1, and tap 2 of data element 0.
  static void CollectTaps(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
    const std::int64_t at = position + axis.pads_begin;
    for (std::int64_t k = 0; k < axis.kernel && at - axis.dilation * k >= 0; ++k) {
      const std::int64_t from = at - axis.dilation * k;
      if (from % axis.stride == 0 && from / axis.stride < axis.data) {
        taps.push_back({.tap = k, .data = from / axis.stride});
      }
    }
  }

  std::vector<std::size_t> first_;  // the taps of position p begin at first_[p] of taps_
  std::vector<Tap> taps_;
};

/// The loop for one way to load, add and store numbers (sums.h).
template <typename Arithmetic>
class Loop {
 public:
  using Real = typename Arithmetic::Real;
  using Sum = typename Arithmetic::Sum;

  Loop(const FaultyGeometry& layout, const FaultyGeometry& values, const Hooks& hooks, const unsigned char* data,
       const unsigned char* filter, unsigned char* output)
      : geometry_(values),
        hooks_(hooks),
        arithmetic_(hooks.numbers, layout.type),
        output_(output),
        bytes_(static_cast<std::int64_t>(BytesOf(layout.type))),
        data_count_(layout.DataCount()),
        filter_count_(layout.FilterCount()),
        output_count_(layout.OutputCount()),
        sum_(arithmetic_.Start()) {
    for (const SpecialPath& path : hooks.paths) {
      if (path_ == PathEffect::kNone && Applies(layout, path)) path_ = path.effect;
    }
    changes_products_ = hooks.product != nullptr || path_ != PathEffect::kNone;
    Decode(data, data_count_, data_);
    Decode(filter, filter_count_, filter_);
    if (data_count_ == 0 || filter_count_ == 0)
      return;  // there are no products, and the kernel may be too large to visit
    data_step_ = geometry_.DataOffset({.channel = 1});
    filter_step_ = geometry_.FilterOffset({.in_channel = 1});
    for (std::size_t j = 0; j < geometry_.axes.size(); ++j) {
      axes_.emplace_back(geometry_.axes[j], hooks);
      TensorIndex data_index;
      FilterIndex filter_index;
      data_index.position[j] = filter_index.tap[j] = 1;
      data_steps_.push_back(geometry_.DataOffset(data_index));
      filter_steps_.push_back(geometry_.FilterOffset(filter_index));
    }
  }

  void Run() {
    TensorIndex output;
    for (output.batch = 0; output.batch < geometry_.batch; ++output.batch) {
      for (output.group = 0; output.group < geometry_.groups; ++output.group) {
        for (output.channel = 0; output.channel < geometry_.out_channels; ++output.channel) VisitOutputs(0, output);
      }
    }
  }

 private:
  // The elements that the taps chosen so far select: offsets in input channel 0, and whether a zero of a gap replaces
  // them.
  struct ChosenElements {
    std::int64_t data;
    std::int64_t filter;
    bool zero_data = false;
    bool zero_filter = false;
  };

  // Converts all elements of a tensor to numbers of the type in which the loop computes.
  void Decode(const unsigned char* from, std::int64_t count, std::vector<Real>& to) {
    to.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      Real& operand = to[static_cast<std::size_t>(i)];
      operand = arithmetic_.Load(from + i * bytes_);
      if constexpr (std::is_floating_point_v<Real>) {
        if (path_ != PathEffect::kNone) operand = static_cast<Real>(ApplyToOperand(path_, operand));
      }
    }
  }

  // Computes the outputs at all positions of axis j and of the axes after it.
  void VisitOutputs(std::size_t j, TensorIndex& output) {
    if (j == geometry_.axes.size()) {
      ComputeOutput(output);
      return;
    }
    for (output.position[j] = 0; output.position[j] < geometry_.axes[j].output; ++output.position[j]) {
      VisitOutputs(j + 1, output);
    }
  }

  // Computes one output and stores it.
  void ComputeOutput(const TensorIndex& output) {
    TensorIndex stored = output;
    if (hooks_.output_index != nullptr) hooks_.output_index(geometry_, stored);
    const std::int64_t offset = Inside(geometry_.OutputOffset(stored), output_count_);
    unsigned char* const at = output_ + offset * bytes_;
    sum_ = arithmetic_.Start();
    if (hooks_.starts_from_output) sum_.value = arithmetic_.Load(at);
    products_ = 0;
    const int times = hooks_.times == nullptr ? 1 : hooks_.times(geometry_, output);
    for (int i = 0; i < times && !axes_.empty(); ++i) AddUp(output);
    if (hooks_.leaves != nullptr && hooks_.leaves(geometry_, output, products_)) return;
    arithmetic_.Store(sum_, at);
  }

  // Adds the products of the output to the sum, or those of the output that the hook `sum_of` names.
  void AddUp(const TensorIndex& output) {
    TensorIndex source = output;
    if (hooks_.sum_of != nullptr) {
      hooks_.sum_of(geometry_, source);
      for (std::size_t j = 0; j < geometry_.axes.size(); ++j)
        source.position[j] = Inside(source.position[j], geometry_.axes[j].output);
    }
    data_index_ = {.batch = source.batch, .group = source.group};
    filter_index_ = {.group = source.group, .out_channel = source.channel};
    VisitTaps(0, source, {.data = geometry_.DataOffset(data_index_), .filter = geometry_.FilterOffset(filter_index_)});
  }

  // Visits the taps along axis j and the axes after it, and adds the products of each combination of taps.
  void VisitTaps(std::size_t j, const TensorIndex& output, const ChosenElements& chosen) {
    const bool last = j + 1 == geometry_.axes.size();
    for (const Tap& tap : axes_[j].at(output.position[j])) {
      const ChosenElements next = {.data = chosen.data + tap.data * data_steps_[j],
                                   .filter = chosen.filter + tap.tap * filter_steps_[j],
                                   .zero_data = chosen.zero_data || tap.zero_data,
                                   .zero_filter = chosen.zero_filter || tap.zero_filter};
      if (changes_products_) {
        data_index_.position[j] = tap.data;
        filter_index_.tap[j] = tap.tap;
      }
      if (!last) {
        VisitTaps(j + 1, output, next);
      } else if (changes_products_) {
        AddChangedProducts(output, next);
      } else {
        AddProducts(next);
      }
    }
  }

  // Adds the products of one combination of taps, one for each input channel.
  void AddProducts(const ChosenElements& chosen) {
    const Real* x = data_.data() + chosen.data;
    const Real* w = filter_.data() + chosen.filter;
    Sum sum = sum_;
    if (chosen.zero_data || chosen.zero_filter) {
      for (std::int64_t c = 0; c < geometry_.in_channels; ++c) {
        sum.Add(chosen.zero_data ? Real{0} : x[c * data_step_], chosen.zero_filter ? Real{0} : w[c * filter_step_]);
      }
    } else {
      for (std::int64_t c = 0; c < geometry_.in_channels; ++c) sum.Add(x[c * data_step_], w[c * filter_step_]);
    }
    sum_ = sum;
    products_ += geometry_.in_channels;
  }

  // Does the same, after the hook `product` and the special path have changed each product.
  void AddChangedProducts(const TensorIndex& output, const ChosenElements& chosen) {
    for (std::int64_t c = 0; c < geometry_.in_channels; ++c) {
      data_index_.channel = filter_index_.in_channel = c;
      Product product{.output = output, .data = data_index_, .filter = filter_index_};
      if (hooks_.product != nullptr) hooks_.product(geometry_, product);
      ApplyToProduct(geometry_, path_, product);
      const auto x = static_cast<std::size_t>(Inside(geometry_.DataOffset(product.data), data_count_));
      const auto w = static_cast<std::size_t>(Inside(geometry_.FilterOffset(product.filter), filter_count_));
      for (int i = 0; i < product.times; ++i) {
        sum_.Add(chosen.zero_data ? Real{0} : data_[x], chosen.zero_filter ? Real{0} : filter_[w]);
        ++products_;
      }
    }
  }

  const FaultyGeometry& geometry_;
  const Hooks& hooks_;
  PathEffect path_ = PathEffect::kNone;  ///< effect of the special path (special_path.h) that the operator takes
  bool changes_products_ = false;        ///< a hook or a special path changes products
  const Arithmetic arithmetic_;
  unsigned char* const output_;
  const std::int64_t bytes_;  // of one element
  const std::int64_t data_count_;
  const std::int64_t filter_count_;
  const std::int64_t output_count_;
  std::int64_t data_step_ = 0;  // distance in elements from one input channel to the next
  std::int64_t filter_step_ = 0;
  std::vector<std::int64_t> data_steps_;  // distance from one position to the next, for each axis
  std::vector<std::int64_t> filter_steps_;
  std::vector<AxisTaps> axes_;
  std::vector<Real> data_;
  std::vector<Real> filter_;

  // The current output.
  Sum sum_;
  std::int64_t products_ = 0;  // how many products were added to sum_
  TensorIndex data_index_;
  FilterIndex filter_index_;
};

// Runs the loop with the arithmetic that the hooks ask for. `arguments` are those of Compute().
template <typename... Arguments>
void ComputeIntegers(const Numbers& numbers, const Arguments&... arguments) {
  const bool hooked =
      numbers.loads_integer != nullptr || numbers.adds_integer != nullptr || numbers.stores_integer != nullptr;
  if (numbers.integers == Integers::kFloat) {
    Loop<IntegersInReals<float>>(arguments...).Run();
  } else if (numbers.integers == Integers::kDouble) {
    Loop<IntegersInReals<double>>(arguments...).Run();
  } else if (hooked) {
    Loop<HookedIntegers>(arguments...).Run();
  } else {
    Loop<PlainIntegers>(arguments...).Run();
  }
}

// The same for floating types. `Real` is the type of correct sums.
template <typename Real, typename... Arguments>
void ComputeReals(const Numbers& numbers, const Arguments&... arguments) {
  const bool hooked =
      numbers.loads != nullptr || numbers.multiplies != nullptr || numbers.adds != nullptr || numbers.stores != nullptr;
  if (numbers.accumulator != DECONV_ACCUMULATOR_F32) {
    Loop<HookedReals<double>>(arguments...).Run();
    return;
  }
  if (hooked) {
    Loop<HookedReals<Real>>(arguments...).Run();
    return;
  }
  switch (numbers.sums) {
    case Sums::kPlain:
      Loop<Reals<Real, PlainSum>>(arguments...).Run();
      break;
    case Sums::kReordered:
      Loop<Reals<Real, ReorderedSum>>(arguments...).Run();
      break;
    case Sums::kFused:
      Loop<Reals<Real, FusedSum>>(arguments...).Run();
      break;
    case Sums::kKahan:
      Loop<Reals<Real, KahanSum>>(arguments...).Run();
      break;
    case Sums::kDouble:
      Loop<Reals<double, PlainSum>>(arguments...).Run();
      break;
  }
}

}  // namespace

void Compute(const FaultyGeometry& layout, const FaultyGeometry& values, const Hooks& hooks, const unsigned char* data,
             const unsigned char* filter, unsigned char* output) {
  if (layout.OutputCount() == 0) return;
  if (!IsFloating(layout.type)) {
    ComputeIntegers(hooks.numbers, layout, values, hooks, data, filter, output);
  } else if (layout.type == DECONV_ID_F64) {
    ComputeReals<double>(hooks.numbers, layout, values, hooks, data, filter, output);
  } else {
    ComputeReals<float>(hooks.numbers, layout, values, hooks, data, filter, output);
  }
}

}  // namespace conformance::faults
