// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds classes of CPUs by name, and implements deconv_cpu_class, which lists the names with the class of this machine
// first. CPUs of a class, such as "zen4", share the costs by which a plan chooses an algorithm.
#include "kernel/plan/cpu_names.h"

#include <cstddef>
#include <cstdio>
#include <span>

#include "kernel/base/cpu_detect.h"
#include "kernel/include/deconv/deconv.h"

namespace deconv {

Status FindCpu(const char* name, const CpuClass*& cpu) {
  cpu = name == nullptr ? &ThisCpuClass() : FindCpuClass(name);
  if (cpu != nullptr) return {};
  char names[320] = "";  // for the message: room for the names of all classes
  size_t length = 0;
  for (const CpuClass& known : CpuClasses()) {
    const int written =
        std::snprintf(names + length, sizeof(names) - length, "%s%s", length == 0 ? "" : ", ", known.name);
    if (written > 0 && length + static_cast<size_t>(written) < sizeof(names)) length += static_cast<size_t>(written);
  }
  names[length] = '\0';
  return Fail(DECONV_INVALID_ARGUMENT, "cpu: is \"%.64s\", expected NULL or one of: %s", name, names);
}

}  // namespace deconv

extern "C" {

const char* deconv_cpu_class(size_t index) {
  const std::span<const deconv::CpuClass> all = deconv::CpuClasses();
  const deconv::CpuClass& own = deconv::ThisCpuClass();
  if (index == 0) return own.name;
  if (index >= all.size()) return nullptr;
  // The name of the own class comes first. The names of the other classes follow in the order of the table.
  const auto own_index = static_cast<size_t>(&own - all.data());
  return all[index <= own_index ? index - 1 : index].name;
}

}  // extern "C"
