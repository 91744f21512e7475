// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The main function of tests that run backends: their workers are this program again.

#include <cstddef>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/worker_process.h"

int main(int argc, char** argv) {
  const int served = conformance::ServeIfWorker({argv, static_cast<std::size_t>(argc)});
  if (served >= 0) return served;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
