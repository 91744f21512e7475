// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-onnx-shapes: infers the shapes of values inside an ONNX model with ONNX's own library. The command
// `deconv-cts import` starts it. It is a separate program, so that ONNX's library and its protobuf are never in the
// process of a backend, which may bring other versions.
//   deconv-onnx-shapes [--without-values] <MODEL >MODEL_WITH_SHAPES
// --without-values: does not compute the values of shape tensors, because older versions of the library crash there for
// some models. Exit code 1: the output is an error message instead of a model. The model may be hostile, so the process
// ends itself after 60 s, at 2 GiB of memory, or at 256 MiB of output.

#include <csignal>
#include <exception>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string_view>

#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

// The messages of onnx_infer.cc contain these limits too.
constexpr unsigned kMostSeconds = 60;
constexpr rlim_t kMostBytes = rlim_t{2} << 30;
constexpr rlim_t kMostAnswer = rlim_t{256} << 20;

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED  // its shadow memory is larger than any limit
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

// Signals enforce the limits of time and output. The caller of this process may have ignored or blocked these signals,
// and a process inherits that.
void RestoreSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGALRM, SIGXFSZ}) {
    signal(number, SIG_DFL);
    sigaddset(&signals, number);
  }
  sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

/// Limits the time, the memory and the output of this process, and forbids core dumps.
void LimitThisProcess() {
  RestoreSignals();
  alarm(kMostSeconds);
  const auto limit = [](auto resource, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(resource, &both);
  };
#ifndef SANITIZED
  limit(RLIMIT_AS, kMostBytes);
#endif
  limit(RLIMIT_FSIZE, kMostAnswer);
  limit(RLIMIT_CORE, 0);
}

void Infer(onnx::ModelProto& model, bool with_values) {
  onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                     onnx::ShapeInferenceOptions(false, 0, with_values));
}

/// Removes the shapes that the model states for inner values. They may contradict the inferred shapes.
void ForgetShapes(onnx::GraphProto& graph) {
  graph.clear_value_info();
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    if (output.type().has_tensor_type()) output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
}

/// Tries up to four ways of inference until one succeeds: with the shapes that the model states, then without them;
/// each first with the values of shape tensors (if `with_values`), then without. The first way finds the most shapes.
/// Each way starts from a copy, because a failed attempt may have changed the model.
void InferAsMuchAsPossible(onnx::ModelProto& model, bool with_values) {
  const onnx::ModelProto before = model;
  for (const bool forget : {false, true}) {
    for (const bool values : {true, false}) {
      if (values && !with_values) continue;
      model = before;
      if (forget) ForgetShapes(*model.mutable_graph());
      try {
        return Infer(model, values);
      } catch (const std::exception&) {
        if (forget && !values) throw;
      }
    }
  }
}

int Main(std::span<char* const> arguments) {
  onnx::ModelProto model;
  if (!model.ParsePartialFromIstream(&std::cin)) throw std::runtime_error("the model cannot be parsed");
  InferAsMuchAsPossible(model, arguments.empty());
  return model.SerializePartialToOstream(&std::cout) && std::cout.flush() ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  LimitThisProcess();
  try {
    return Main({values + 1, values + count});
  } catch (const std::exception& error) {
    const std::string_view message = error.what();
    std::cout << message.substr(0, message.find('\n'));
    return 1;
  }
}
