// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A vendor's library with five faults at once, each of which shows in few cases. A campaign must separate them.

#include <algorithm>
#include <cstring>
#include <variant>

#include "conformance/mutants/faultable/faulty_backend.h"
#include "conformance/mutants/faults/fault.h"

// NOLINTNEXTLINE(readability-identifier-naming): the door's name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  const conformance::faults::Fault* const five = conformance::faults::FindFault(
      "same_lower_odd_at_other_side+stride_three_tap_dropped+one_axis_groups_misplaced+output_padding_unwritten+"
      "bf16_truncated");
  if (five == nullptr) return 1;
  const auto opened = conformance::faults::OpenFault(*five, config);
  const auto* const door = std::get_if<deconv_backend>(&opened);
  if (door == nullptr) return 1;
  std::memcpy(backend, door, std::min(backend->size, sizeof(*door)));
  return 0;
}
