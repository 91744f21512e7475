// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens a backend, which is an implementation that the suite judges, by the name that the option --backend takes. There
// are built-in backends (built_in_backends.h), planted faults (backends that are wrong on purpose), shared libraries,
// and commands.

#include "conformance/backends/open_backend.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "conformance/backends/built_in_backends.h"
#include "conformance/backends/process_interface.h"
#include "conformance/case/text/files.h"
#include "conformance/case/text/names.h"
#include "conformance/case/text/shell_command.h"
#include "conformance/interface/backend.h"
#include "conformance/interface/backend_builtin.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/faulty_backend.h"

namespace conformance {
namespace {

// The oneDNN backend is a library beside this program, so that only a process that asks for it loads oneDNN.
// conformance/adapters/native builds it.
constexpr std::string_view kOnednn = "onednn";

std::filesystem::path OnednnLibrary() { return ProgramFolder().parent_path() / "lib/deconv-cts/onednn.so"; }

bool OnednnIsInstalled() {
  std::error_code none;
  return std::filesystem::exists(OnednnLibrary(), none);
}

bool IsLibraryPath(std::string_view name) {
  if (name.find('/') != std::string_view::npos) return true;
  // "libx.so", "libx.so.3.1": also without a slash, so that a file in the working directory needs no "./".
  const std::size_t so = name.rfind(".so");
  if (so == std::string_view::npos || so == 0) return false;
  return std::ranges::all_of(name.substr(so + 3), [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

/// A hint for a message if the name looks like a command without its prefix "cmd:". Else empty.
std::string DidYouMeanACommand(const std::string& name) {
  return name.find(' ') == std::string::npos ? "" : fmt::format("; did you mean 'cmd:{}'?", name);
}

/// A hint for a message if the file is no compiled program or library, but for example source code. Else empty.
std::string ExpectedALibrary(const std::string& path) {
  constexpr std::string_view kElf = "\177ELF";  // the first bytes of every program and library
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return "";
  std::array<char, kElf.size()> head{};
  file.read(head.data(), head.size());
  const bool is_elf = std::string_view(head.data(), head.size()) == kElf;
  return is_elf ? "" : "; expected a shared library, which for example cc -shared -fPIC makes";
}

OpenedInterface OpenLibrary(const std::string& path, const std::string& config) {
  const auto error = [&](std::string what) {
    return BackendError{.usage = false, .message = fmt::format("backend {}: {}", path, std::move(what))};
  };
  // A name without a slash would be searched in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  // Never close the library: libraries that start threads or register handlers would crash. The loader looks up symbols
  // in this program first. But symbols_test checks that this program contains no library that a backend may bring, so a
  // backend gets its own versions. RTLD_DEEPBIND would ensure this too, but would bypass the malloc of sanitizers.
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string why = dlerror();
    return error(fmt::format("cannot be loaded: {}{}{}", why, ExpectedALibrary(file), DidYouMeanACommand(path)));
  }
  const auto open = reinterpret_cast<deconv_backend_open_fn>(dlsym(library, DECONV_BACKEND_OPEN_SYMBOL));
  if (open == nullptr) return error("does not export the function " DECONV_BACKEND_OPEN_SYMBOL);
  deconv_backend interface{};
  interface.size = sizeof(interface);
  const int code = open(config.c_str(), &interface);
  if (code != 0) {
    return error(fmt::format(DECONV_BACKEND_OPEN_SYMBOL "(\"{}\") returned {}, expected 0", config, code));
  }
  return interface;
}

OpenedInterface OpenOnednn(const std::string& config) {
  if (!config.empty() && config != "any") {
    return BackendError{
        .usage = true, .message = fmt::format("backend onednn: configuration '{}', expected 'any' or nothing", config)};
  }
  const std::string library = OnednnLibrary().string();
  if (OnednnIsInstalled()) return OpenLibrary(library, config);
  return BackendError{.usage = false,
                      .message = fmt::format("backend onednn: {} is missing; install libdnnl-dev, then {}", library,
                                             BuildCommand("onednn"))};
}

BackendError Unknown(const std::string& name) {
  if (name.find(' ') != std::string::npos) {
    return {.usage = true,
            .message =
                fmt::format("unknown backend '{}'{} The prefix cmd: marks a command", name, DidYouMeanACommand(name))};
  }
  const std::vector<BackendName> all = BuiltInBackends();
  std::vector<std::string> names(all.size());
  std::ranges::transform(all, names.begin(), &BackendName::name);
  return {
      .usage = true,
      .message = fmt::format("unknown backend '{}'{}; expected a shared library's path, cmd:COMMAND, or a name that "
                             "'deconv-cts list --backends' prints",
                             name, DidYouMean(name, names))};
}

OpenedInterface OpenInterface(const std::string& name, const std::string& config) {
  if (name == "kernel") {  // not among the built-in backends
    return BackendError{.usage = false,
                        .message = "backend kernel: this program was built without it; " +
                                   BuildCommand("deconv-cts", "-DDECONV_CTS_KERNEL=ON")};
  }
  if (name == kOnednn) return OpenOnednn(config);
  if (name.starts_with(kFaultPrefix)) {
    const faults::Fault* fault = FaultOf(name);
    return fault == nullptr ? OpenedInterface(Unknown(name)) : faults::OpenFaultyBackend(*fault, config);
  }
  return IsLibraryPath(name) ? OpenLibrary(name, config) : OpenedInterface(Unknown(name));
}

}  // namespace

std::variant<std::unique_ptr<Backend>, BackendError> OpenBackend(std::string_view name) {
  if (name.starts_with(kProcessPrefix)) {  // every '?' belongs to the command
    return CheckedBackend(name, OpenProcess(std::string(name.substr(kProcessPrefix.size()))));
  }
  if (auto built_in = OpenBuiltIn(name)) return *std::move(built_in);
  const auto [base, config] = SplitName(name);
  return CheckedBackend(base, OpenInterface(std::string(base), std::string(config)));
}

bool IsForeignBackend(std::string_view name) {
  return name.starts_with(kProcessPrefix) || IsLibraryPath(SplitName(name).first);
}

const faults::Fault* FaultOf(std::string_view backend) {
  if (!backend.starts_with(kFaultPrefix)) return nullptr;
  return faults::FindFault(backend.substr(kFaultPrefix.size(), backend.find('?') - kFaultPrefix.size()));
}

std::unique_ptr<Backend> OpenFault(const faults::Fault& fault) {
  const std::string name = fmt::format("{}{}", kFaultPrefix, fault.name);
  return std::get<std::unique_ptr<Backend>>(CheckedBackend(name, faults::OpenFaultyBackend(fault, "")));
}

std::vector<BackendName> BuiltInBackends() {
  std::vector<BackendName> names;
  names.reserve(BuiltInTable().size() + 1 + faults::CorrectVariants().size() + faults::Faults().size());
  for (const BuiltInBackend& built_in : BuiltInTable()) {
    names.push_back({.name = std::string(built_in.name),
                     .description = std::string(built_in.description),
                     .mutant_class = "",
                     .link = ""});
  }
  if (OnednnIsInstalled()) {
    names.push_back({.name = std::string(kOnednn),
                     .description = "oneDNN's convolution_backward_data, with attributes resolved by the oracle; "
                                    "\"onednn?any\" lets it choose memory formats",
                     .mutant_class = "",
                     .link = ""});
  }
  for (const std::span<const faults::Fault> table : {faults::CorrectVariants(), faults::Faults()}) {
    for (const faults::Fault& fault : table) {
      names.push_back({.name = std::string(kFaultPrefix) + std::string(fault.name),
                       .description = std::string(fault.sentence),
                       .mutant_class = std::string(fault.mutant_class),
                       .link = std::string(fault.link)});
    }
  }
  return names;
}

}  // namespace conformance
