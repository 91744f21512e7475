// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The main function of tests that run backends. The test program starts itself again as a worker (a process that runs a
// backend) or as a server of the process protocol; the arguments tell which of the three it is.

#include <cstddef>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/serve_process.h"
#include "conformance/backends/worker/worker_process.h"

int main(int argc, char** argv) {
  // The suite starts this program also as a worker, or as a server of the process protocol. Such a process serves here
  // and ends. A result below 0 means that this process was not started so.
  for (const auto serve : {conformance::ServeIfWorker, conformance::ServeIfProcess}) {
    if (const int served = serve({argv, static_cast<std::size_t>(argc)}); served >= 0) return served;
  }
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
