// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a forked call survives whatever the child does to itself, and says what that was.

#include "conformance/exchange/forked_call.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <variant>

#include <gtest/gtest.h>
#include <unistd.h>

namespace conformance::exchange {
namespace {

TEST(ChildProcess, WhatItDoesToItselfIsASentence) {
  const ChildLimits limits{std::chrono::seconds(1), std::uint64_t{4} << 30, 1000};
  const auto message = [&](const std::function<std::string()>& work) {
    const auto answer = ForkedCall(work, limits);
    const auto* failure = std::get_if<ChildFailure>(&answer);
    return failure == nullptr ? std::get<std::string>(answer) : failure->message;
  };
  EXPECT_EQ(message([] { return std::string("fine"); }), "fine");
  EXPECT_EQ(message([]() -> std::string {
              raise(SIGSEGV);
              return "";
            }),
            "died by signal 11");
  EXPECT_EQ(message([]() -> std::string {
              while (true) pause();
            }),
            "took more than 1 s");
  EXPECT_EQ(message([] { return std::string(std::size_t{1} << 20, 'x'); }), "answered more than 0 MiB");
  EXPECT_EQ(message([]() -> std::string { throw std::runtime_error("x"); }), "ended with exit code 1");
}

}  // namespace
}  // namespace conformance::exchange
