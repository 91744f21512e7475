// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Mock backends with known behaviour: the oracle, right or wrong in one simple way. The doctor runs them through the
// same kind of door as the adapter that it examines, to show that the suite judges them correctly.

#ifndef DECONV_CONFORMANCE_BACKENDS_MOCK_BACKEND_H_
#define DECONV_CONFORMANCE_BACKENDS_MOCK_BACKEND_H_

#include <array>
#include <string_view>

#include "conformance/door/backend_builtin.h"

namespace conformance {

inline constexpr std::string_view kMockPrefix = "mock:";

enum class MockConduct {
  kSound,
  kEcho,
  kWrongShape,
  kNan,
  kGarbage,
  kCrash,
  kHang,
  kLimited,
  kFickle,
  kUnfaithful,
  kResolved,
};

struct Mock {
  MockConduct conduct;
  std::string_view name;      ///< behind kMockPrefix
  std::string_view sentence;  ///< what it does
};

inline constexpr std::array kMocks = {
    Mock{MockConduct::kSound, "sound", "answers correctly"},
    Mock{MockConduct::kEcho, "echo", "copies the data to the output"},
    Mock{MockConduct::kWrongShape, "wrong-shape", "makes the last dimension one larger"},
    Mock{MockConduct::kNan, "nan", "writes NaN as the last output"},
    Mock{MockConduct::kGarbage, "garbage", "returns an answer that the door does not define"},
    Mock{MockConduct::kCrash, "crash", "aborts"},
    Mock{MockConduct::kHang, "hang", "never answers"},
    Mock{MockConduct::kLimited, "limited", "supports one group, dilations of 1 and equal pads, and says so"},
    Mock{MockConduct::kFickle, "fickle", "says at every second question that it supports nothing"},
    Mock{MockConduct::kUnfaithful, "unfaithful", "says that it supports an operator, and then that it does not"},
    Mock{MockConduct::kResolved, "resolved", "takes resolved geometry"},
};

/// `name` without the prefix. Operators that the oracle refuses are refused by all of them.
OpenedDoor OpenMock(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_MOCK_BACKEND_H_
