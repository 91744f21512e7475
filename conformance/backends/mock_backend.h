// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Backends whose conduct is known: the oracle, right or spoilt in one plain way. The doctor runs them through the door
// of the adapter that it examines, to show that this side judges them as it must.

#ifndef DECONV_CONFORMANCE_BACKENDS_MOCK_BACKEND_H_
#define DECONV_CONFORMANCE_BACKENDS_MOCK_BACKEND_H_

#include <array>
#include <string_view>

#include "conformance/door/backend_builtin.h"

namespace conformance {

inline constexpr std::string_view kMockPrefix = "mock:";

enum class MockConduct { kSound, kEcho, kWrongShape, kNan, kGarbage, kCrash, kHang };

struct Mock {
  MockConduct conduct;
  std::string_view name;      ///< behind kMockPrefix
  std::string_view sentence;  ///< what it does
};

inline constexpr std::array kMocks = {
    Mock{MockConduct::kSound, "sound", "answers rightly"},
    Mock{MockConduct::kEcho, "echo", "copies the data to the output"},
    Mock{MockConduct::kWrongShape, "wrong-shape", "gives the last dimension one more"},
    Mock{MockConduct::kNan, "nan", "writes NaN as the last output"},
    Mock{MockConduct::kGarbage, "garbage", "gives an answer that the door does not have"},
    Mock{MockConduct::kCrash, "crash", "aborts"},
    Mock{MockConduct::kHang, "hang", "never answers"},
};

/// `name` without the prefix. Operators that the oracle refuses are refused by all of them.
OpenedDoor OpenMock(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_MOCK_BACKEND_H_
