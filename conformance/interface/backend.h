// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps the C interface of a backend, the library under test, for C++ (conformance/interface/deconv_backend.h). Class
// Capabilities holds what the backend declares. Class Backend runs an operator, resolves it, or asks whether the
// backend supports it. Built-in backends, shared libraries and processes all have this interface.

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

/// How a backend computes with one floating type. deconv_backend.h explains the values.
struct FloatArithmetic {
  deconv_accumulator_id accumulator = DECONV_ACCUMULATOR_F32;
  deconv_rounding_id rounding = DECONV_ROUNDING_NEAREST;
  deconv_subnormals_id subnormals = DECONV_SUBNORMALS_KEPT;  ///< kept or flushed

  bool operator==(const FloatArithmetic&) const = default;
};

/// One floating type whose arithmetic differs from that of the other types.
struct TypeArithmetic {
  oracle::ElementType type = oracle::ElementType::kF32;
  FloatArithmetic arithmetic;

  bool operator==(const TypeArithmetic&) const = default;
};

/// The declarations of a backend: its limits and its arithmetic, checked and copied from its description.
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
  bool fast_algorithm = false;             ///< floating-point sums are computed by transforms (FFT)
  int max_threads = 0;                     ///< 0: a run cannot be asked for a number of threads
  bool resolves = false;                   ///< can return output dims and pads without computing values
  bool plans = false;                      ///< prepares plans; every second run of an operator then uses a plan
  std::vector<TypeArithmetic> arithmetic;  ///< types that differ from the fields above, in the order of the types
  std::uint32_t known_deviations = 0;      ///< deconv_deviation_bit
  std::uint32_t unsupported = 0;           ///< deconv_unsupported_bit
  std::int64_t max_attribute = 0;          ///< 0: no limit
  bool takes_resolved = false;             ///< gets operators that the suite has resolved
  bool answers_supports = false;           ///< can be asked whether it supports an operator

  /// The name with the version: "kernel 0.1.0". The name alone if no version is declared.
  std::string NameAndVersion() const;

  /// How the backend computes with a floating type.
  FloatArithmetic ArithmeticFor(oracle::ElementType type) const;
  /// Whether sums of an integer type saturate.
  bool Saturates(oracle::ElementType type) const;
  /// Whether f64 or an integer type is computed in f32.
  bool ComputesInF32(oracle::ElementType type) const;

  /// Returns the dialect (one reading of the attributes) by which an answer to `op` is judged. That is `wanted` if the
  /// backend declares it and it defines the operator, else the first declared dialect that defines the operator.
  /// Returns nothing if no declared dialect defines it.
  std::optional<oracle::Dialect> JudgingDialect(const oracle::Operator& op, oracle::Dialect wanted) const;
  /// Returns why `op` is outside of the declarations, such as "rank 6 (declared: 3 to 5)", or an empty string if the
  /// backend declares to support it. `dialect` is the dialect that judges the answer.
  std::string UnsupportedReason(const oracle::Operator& op, oracle::Dialect dialect) const;
  /// Returns the same reason for the first declared dialect that defines the operator.
  std::string UnsupportedReason(const oracle::Operator& op) const;
};

/// Buffers of one run. For an invalid operator, `output` is empty. Its data and filter are empty, too, if their dims
/// give no sizes.
struct RunBuffers {
  std::span<const std::byte> data;
  std::span<const std::byte> filter;
  std::span<std::byte> output;
};

/// Poisons: the bytes that fill the output before a run, so that an output that the backend did not write is noticed.
/// The first poison is NaN in every floating type; the second is an ordinary number in each.
inline constexpr std::byte kFirstPoison{0xFF};
inline constexpr std::byte kSecondPoison{0xA5};

/// Stands in place of an answer if the backend broke the contract of the interface; the message says how. C++ allows
/// the values 5 to 7 for this enumeration, because its enumerators 0 to 4 need three bits. No backend may return them.
inline constexpr auto kContractBroken = static_cast<deconv_answer>(7);

/// Stands in place of an answer if supports() returned no; the message says why. Nothing was run.
inline constexpr auto kNotSupported = static_cast<deconv_answer>(6);

/// Stands in place of an answer if supports() returned yes, and run() then answered UNSUPPORTED.
inline constexpr auto kBrokenPromise = static_cast<deconv_answer>(5);

/// The message for an invalid operator that the suite did not send to a backend that takes resolved geometry.
inline constexpr std::string_view kSuiteRefused =
    "the backend takes resolved geometry, so the suite refused the operator before the backend saw it";

/// The checked answer of a run.
struct RunAnswer {
  deconv_answer answer = DECONV_ANSWER_ERROR;
  oracle::Dims output_dims;
  std::string message;
  std::string implementation;  ///< name of the code that ran, if the backend says so
};

/// The checked answer to a request to resolve: to compute output dims and pads from the attributes.
struct ResolveAnswer {
  deconv_answer answer = DECONV_ANSWER_ERROR;
  oracle::Dims output_dims;
  std::optional<oracle::Dims> pads_begin;  ///< for each spatial axis; absent if the backend does not report it
  std::string message;
};

/// The message of an answer without one.
inline constexpr std::string_view kNoReason = "(the backend gave no reason)";

/// An opened backend. It checks each answer of the backend against the contract of the C header.
class Backend {
 public:
  explicit Backend(const deconv_backend& interface);
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  const Capabilities& capabilities() const { return capabilities_; }
  /// Runs the backend in this process, so a crash or a hang hits the caller; the runner therefore calls it in a worker.
  /// With `threads` 0, the backend chooses the number. If the backend offers plans, every second call for the same
  /// operator runs it through a plan that has already run, or that lives beside another plan (related_operators.h). A
  /// valid operator that the backend does not support is not run.
  RunAnswer Run(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers, int threads = 0);
  /// Runs the backend like Run(), for a caller that has asked Supports() itself.
  RunAnswer RunSupported(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers, int threads);
  /// Resolves an operator in this process, if the backend supports it. Only for a backend with `resolves`.
  ResolveAnswer Resolve(const oracle::Operator& op, oracle::Dialect dialect);
  /// Asks in this process whether the backend supports `op`, which is valid or open. Answers COMPUTED if it does or
  /// cannot be asked, else kNotSupported or kContractBroken.
  RunAnswer Supports(const oracle::Operator& op, oracle::Dialect dialect);

 private:
  class InterfacePlan;
  RunAnswer AskSupports(const oracle::Operator& op, oracle::Dialect dialect, const oracle::Geometry& geometry);
  RunAnswer RunInterface(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers, int threads,
                         void* plan);
  std::optional<RunAnswer> RunPlanned(const oracle::Operator& op, oracle::Dialect dialect, const RunBuffers& buffers,
                                      int threads);
  RunAnswer MakePlan(const oracle::Operator& op, oracle::Dialect dialect, InterfacePlan& plan);
  /// Runs `op` for its effect on the plan. Answers COMPUTED without a run if `op` is too large or not supported.
  RunAnswer RunForPlan(const oracle::Operator& op, oracle::Dialect dialect, int threads, const InterfacePlan& plan);

  deconv_backend interface_;
  Capabilities capabilities_;
  std::optional<oracle::Operator> last_;  ///< the operator of the last call, if it ran without a plan
};

/// Why a backend cannot be opened: not found, wrong ABI, broken description (exit code 3), or unknown name (exit code
/// 2).
struct BackendError {
  bool usage = false;  ///< the user gave an unknown name
  std::string message;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_BACKEND_H_
