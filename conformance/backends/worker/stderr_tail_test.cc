// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which lines of the standard error of a process that has ended are shown in the verdict, as the reason for its
// end.

#include <gtest/gtest.h>

#include "conformance/backends/worker/death_reason.h"

namespace conformance {
namespace {

TEST(StderrTail, ShowsTheErrorOfNodeAndNotOnlyItsVersion) {
  const StderrTail tail = StderrTailOf(
      "/srv/adapter.mjs:12\n  throw new Error('no strides');\n        ^\n\nError: no strides\n"
      "    at run (/srv/adapter.mjs:12:9)\n    at main (/srv/adapter.mjs:40:1)\n\nNode.js v20.11.1\n");
  EXPECT_EQ(tail.text,
            "/srv/adapter.mjs:12 | throw new Error('no strides'); | ^ | Error: no strides | Node.js v20.11.1");
  EXPECT_FALSE(tail.reported);
}

TEST(StderrTail, ShowsAtMostFiveLines) {
  EXPECT_EQ(StderrTailOf("1\n2\n3\n4\n5\n6\n").text, "2 | 3 | 4 | 5 | 6");
  EXPECT_EQ(StderrTailOf("alone").text, "alone");
  EXPECT_EQ(StderrTailOf("").text, "");
  EXPECT_EQ(StderrTailOf("\n \n").text, "");
  EXPECT_EQ(StderrTailOf("a\x1b[31mb").text, "a?[31mb");
}

TEST(StderrTail, PrefersACrashReport) {
  const StderrTail crash = StderrTailOf("loading\ndeconv-cts worker: access to address 0x0\nframe 1\nframe 2\n");
  EXPECT_EQ(crash.text, "access to address 0x0");
  EXPECT_EQ(crash.before_report, "loading");
  EXPECT_EQ(crash.backtrace, "frame 1\nframe 2");
  EXPECT_TRUE(crash.reported);
  EXPECT_FALSE(crash.wrote_to_input);

  const StderrTail write = StderrTailOf("deconv-cts worker: write to byte 4 of 16 of the filter\nframe 1\n");
  EXPECT_EQ(write.text, "byte 4 of 16 of the filter");
  EXPECT_TRUE(write.wrote_to_input);

  EXPECT_EQ(StderrTailOf("plain\n").before_report, "");
  EXPECT_EQ(WithoutReport("a\nb\ndeconv-cts worker: Aborted\nframe 1\n"), "a\nb\n");
  EXPECT_EQ(WithoutReport("a\n"), "a\n");

  EXPECT_EQ(StderrTailOf("x\nSUMMARY: AddressSanitizer: SEGV\nABORTING\n").text, "SUMMARY: AddressSanitizer: SEGV");
}

TEST(StderrTail, ShowsTheStackOfPython) {
  const StderrTail tail = StderrTailOf(
      "loaded\nFatal Python error: Aborted\n\nThread 0x00007f01 (most recent call first):\n"
      "  File \"/usr/lib/python3.11/threading.py\", line 320 in wait\n\n"
      "Current thread 0x00007f02 (most recent call first):\n  File \"/srv/adapter.py\", line 12 in run\n"
      "  File \"/srv/adapter.py\", line 40 in <module>\n\nExtension modules: numpy (total: 1)\n");
  EXPECT_EQ(tail.text, "Fatal Python error: Aborted");
  EXPECT_EQ(tail.backtrace,
            "File \"/srv/adapter.py\", line 12 in run\nFile \"/srv/adapter.py\", line 40 in <module>\n");
  EXPECT_EQ(tail.before_report, "loaded");
}

}  // namespace
}  // namespace conformance
