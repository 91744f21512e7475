// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend as the suite sees it: the C interface (conformance/interface/deconv_backend.h) wrapped for C++. Built-in
// backends, shared libraries and processes open in the same way, by the name that --backend takes.

#ifndef DECONV_CONFORMANCE_INTERFACE_BACKEND_H_
#define DECONV_CONFORMANCE_INTERFACE_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/interface/deconv_backend.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace conformance {

/// How a backend computes with one floating type.
struct FloatArithmetic {
  deconv_accumulator_id accumulator = DECONV_ACCUMULATOR_F32;
  deconv_rounding_id rounding = DECONV_ROUNDING_NEAREST;
  deconv_subnormals_id subnormals = DECONV_SUBNORMALS_KEPT;  ///< kept or flushed

  bool operator==(const FloatArithmetic&) const = default;
};

struct TypeArithmetic {
  oracle::ElementType type = oracle::ElementType::kF32;
  FloatArithmetic arithmetic;

  bool operator==(const TypeArithmetic&) const = default;
};

/// The declaration of a backend, checked and copied out of its description.
struct Capabilities {
  std::string name;
  std::string version;
  std::vector<oracle::Dialect> dialects;
  std::uint32_t operators = 0;      ///< bit i: deconv_operator_id i
  std::uint32_t element_types = 0;  ///< bit i: deconv_element_type_id i
  int min_rank = 3;
  int max_rank = 5;
  std::uint64_t max_bytes = 0;  ///< 0: no limit
  deconv_accumulator_id accumulator = DECONV_ACCUMULATOR_F32;
  bool faithful_rounding = false;
  deconv_subnormals_id subnormals = DECONV_SUBNORMALS_KEPT;
  deconv_overflow_id overflow = DECONV_OVERFLOW_WRAPS;
  std::uint32_t saturating_types = 0;      ///< bit i: deconv_element_type_id i saturates, whatever `overflow` says
  std::uint32_t types_in_f32 = 0;          ///< bit i: deconv_element_type_id i is computed in f32
  std::uint32_t deterministic = 0;         ///< deconv_deterministic_bit
  bool fast_algorithm = false;             ///< floating-point sums come about by transforms
  int max_threads = 0;                     ///< 0: a run cannot be asked for a number of threads
  bool resolves = false;                   ///< can say what an operator resolves to without its values
  bool plans = false;                      ///< every other run of an operator goes through a plan
  std::vector<TypeArithmetic> arithmetic;  ///< types that differ from the fields above, in the order of the types
  std::uint32_t known_deviations = 0;      ///< deconv_deviation_bit
  std::uint32_t unsupported = 0;           ///< deconv_unsupported_bit
  std::int64_t max_attribute = 0;          ///< 0: no limit
  bool takes_resolved = false;             ///< gets operators that the suite has resolved
  bool answers_supports = false;           ///< can be asked whether it supports an operator

  /// How the backend computes with a floating type.
  FloatArithmetic ArithmeticFor(oracle::ElementType type) const;
  /// Whether sums of an integer type saturate.
  bool Saturates(oracle::ElementType type) const;
  /// Whether f64 or an integer type is computed in f32.
  bool ComputesInF32(oracle::ElementType type) const;

  /// The dialect by which an answer to `op` is judged: `wanted` if declared and legal for the operator, else the first
  /// declared one that speaks it.
  std::optional<oracle::Dialect> JudgedBy(const oracle::Operator& op, oracle::Dialect wanted) const;
  /// Empty if the backend declares that it can do this operator; else what it does not declare ("rank 6 (declared: 3 to
  /// 5)"). `dialect` judges the answer.
  std::string UnsupportedReason(const oracle::Operator& op, oracle::Dialect dialect) const;
  /// The reason in the first declared dialect of the operator.
  std::string UnsupportedReason(const oracle::Operator& op) const;
};

/// Buffers of one run. An invalid operator has no output, and data and filter where their dims say how large they are.
struct RunBuffers {
  std::span<const std::byte> data;
  std::span<const std::byte> filter;
  std::span<std::byte> output;
};

/// The word in place of an answer if the backend broke its interface's contract; the message says how. It lies within
/// the enumeration's range, and is none of its words.
inline constexpr auto kContractBroken = static_cast<deconv_answer>(7);

/// The word in place of an answer if supports() answered no; the message says why. Nothing was run.
inline constexpr auto kNotSupported = static_cast<deconv_answer>(6);

/// The word in place of an answer if supports() said yes, and then the backend answered UNSUPPORTED.
inline constexpr auto kBrokenPromise = static_cast<deconv_answer>(5);

/// Why a backend that takes resolved geometry never gets an invalid operator.
inline constexpr std::string_view kSuiteRefused =
    "the backend takes resolved geometry, so the suite refused the operator before the backend saw it";

struct RunAnswer {
  deconv_answer answer = DECONV_ANSWER_ERROR;
  oracle::Dims output_dims;
  std::string message;
  std::string implementation;  ///< name of the code that ran, if the backend says so
};

struct ResolveAnswer {
  deconv_answer answer = DECONV_ANSWER_ERROR;
  oracle::Dims output_dims;
  std::optional<oracle::Dims> pads_begin;  ///< per spatial axis; absent if the backend cannot tell
  std::string message;
};

/// The message of an answer without one.
inline constexpr std::string_view kNoReason = "(the backend gave no reason)";

class Backend {
 public:
  explicit Backend(const deconv_backend& interface);
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  const Capabilities& capabilities() const { return capabilities_; }
  /// Runs the backend in this process: crashes and hangs are the caller's (the runner calls it in a worker). `threads`:
  /// 0 leaves the number to the backend. If the backend offers plans, an operator that was run in the call before goes
  /// through a plan. That plan has run before or lives beside another plan (conformance/interface/plan_reuse.h). A
  /// valid operator that the backend does not support is not run.
  RunAnswer Run(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers, int threads = 0);
  /// Runs the backend like Run(), for a caller that has asked Supports() itself.
  RunAnswer RunUnasked(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers, int threads);
  /// Resolves an operator in this process, if the backend supports it. Only for a backend with `resolves`.
  ResolveAnswer Resolve(const oracle::Operator& op, oracle::Dialect dialect);
  /// Asks in this process whether the backend supports the operator. COMPUTED: it does, or cannot be asked; else
  /// kNotSupported or kContractBroken. `op` is valid or open.
  RunAnswer Supports(const oracle::Operator& op, oracle::Dialect dialect);

 private:
  friend struct BackendOpener;
  class InterfacePlan;
  RunAnswer AskSupports(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry);
  RunAnswer RunInterface(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers, int threads,
                         void* plan);
  std::optional<RunAnswer> RunPlanned(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers,
                                      int threads);
  RunAnswer MakePlan(const oracle::Operator& op, oracle::Dialect dialect, InterfacePlan& plan);
  /// Runs `op` for its effect on the plan. Answers COMPUTED without a run if `op` is too large or not supported.
  RunAnswer RunUnjudged(const oracle::Operator& op, oracle::Dialect dialect, int threads, const InterfacePlan& plan);

  deconv_backend interface_;
  Capabilities capabilities_;
  std::optional<oracle::Operator> last_;  ///< run without a plan by the call before, if plans are offered
};

/// Why there is no backend: not found, wrong ABI, broken description (exit code 3), or an unknown name (exit code 2).
struct BackendError {
  bool usage = false;
  std::string message;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_BACKEND_H_
