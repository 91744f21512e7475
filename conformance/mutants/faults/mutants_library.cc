// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports the mutants (backends that misbehave on purpose) as a shared library, for tests of how libraries are opened.
// "libdeconv_mutants.so?NAME" is the backend "fault:NAME". A configuration may follow the name:
// "libdeconv_mutants.so?declares_unsupported?bits=2".

#include <algorithm>
#include <cstring>
#include <string_view>
#include <variant>

#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/faulty_backend.h"

// NOLINTNEXTLINE(readability-identifier-naming): the interface's name
extern "C" int deconv_backend_open(const char* config, deconv_backend* backend) {
  using conformance::faults::Fault;
  const std::string_view text = config;
  const std::size_t end = std::min(text.find('?'), text.size());
  const Fault* const mutant = conformance::faults::FindFault(text.substr(0, end));
  if (mutant == nullptr) return 1;  // an unknown name
  const auto opened = OpenFaultyBackend(*mutant, text.substr(std::min(end + 1, text.size())));
  const auto* const interface = std::get_if<deconv_backend>(&opened);
  if (interface == nullptr) return 2;  // a wrong configuration
  std::memcpy(backend, interface, std::min(backend->size, sizeof(*interface)));
  return 0;
}
