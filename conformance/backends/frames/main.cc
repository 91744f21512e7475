// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-frames: finds the function, the source file and the line of the frames of a stack, with libdw of
// elfutils. The suite starts it after a crash of a backend, the library under test. It is a separate program, so that
// no process that loads a backend contains libdw. The files that it reads may be hostile, so it ends itself after 20 s
// for a frame or at 4 GiB.
//   deconv-frames [SANDBOX] <FRAMES
// SANDBOX is the policy of a sandbox to enter first. Each input line is a frame, "FILE +0xADDRESS SYMBOL", and gets one
// output line. The output has a part for each function, the innermost first, and a tab between parts; inlined calls
// give more than one part. An empty line means that nothing is known. Example:
//   /opt/libx.so +0x1a40 Run
//   Pack (inlined) at /src/pack.cc:57 in libx.so<TAB>Run at /src/run.cc:12 in libx.so

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "conformance/backends/sandbox.h"

namespace {

// Limits for debug information that is broken or hostile: no result depends on them. The seconds and bytes are guesses
// that leave room for large libraries.
constexpr unsigned kMostSecondsOfFrame = 20;
constexpr rlim_t kMostBytes = rlim_t{4} << 30;
constexpr std::size_t kMostNameBytes = 200;  // names of templates can be longer than a page

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED  // its shadow memory is larger than any limit
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

void LimitThisProcess() {
  std::signal(SIGALRM, SIG_DFL);
  const auto limit = [](auto resource, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(resource, &both);
  };
#ifndef SANITIZED
  limit(RLIMIT_AS, kMostBytes);
#endif
  limit(RLIMIT_CORE, 0);
}

std::string Demangled(const char* name) {
  if (name == nullptr) return "";
  int status = 0;
  const std::unique_ptr<char, Free> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  std::string text = status == 0 && plain != nullptr ? plain.get() : name;
  if (text.size() > kMostNameBytes) text = text.substr(0, kMostNameBytes - 3) + "...";
  return text;
}

/// A library or a program, mapped at address 0.
class File {
 public:
  explicit File(const std::string& path) : name_(std::filesystem::path(path).filename().string()) {
    static const Dwfl_Callbacks callbacks = {.find_elf = nullptr,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address,
                                             .debuginfo_path = nullptr};
    session_.reset(dwfl_begin(&callbacks));
    std::error_code error;
    if (session_ == nullptr || !std::filesystem::is_regular_file(path, error)) return;  // opening a pipe would wait
    module_ = dwfl_report_elf(session_.get(), path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(session_.get(), nullptr, nullptr);
  }

  /// The answer for one address of this file. `symbol` is the function's name from the loader's tables, or empty.
  std::string PartsOf(std::uint64_t address, const std::string& symbol) {
    if (module_ == nullptr) return "";
    const char* const in_table = dwfl_module_addrname(module_, address);
    const std::string outermost = Demangled(in_table != nullptr ? in_table : symbol.empty() ? nullptr : symbol.c_str());
    std::string location = LocationOf(address);
    std::string parts;
    for (Dwarf_Die& scope : ScopesOf(address)) {
      const int tag = dwarf_tag(&scope);
      if (tag == DW_TAG_inlined_subroutine) {
        parts += Part(NameOf(scope) + " (inlined)", location) + '\t';
        location = CallLocationOf(scope, address);
      } else if (tag == DW_TAG_subprogram) {
        return parts + Part(outermost.empty() ? NameOf(scope) : outermost, location);
      }
    }
    return outermost.empty() && location.empty() ? parts : parts + Part(outermost, location);
  }

 private:
  struct End {
    void operator()(Dwfl* session) const { dwfl_end(session); }
  };

  std::string Part(const std::string& function, const std::string& location) const {
    return (function.empty() ? "?" : function) + (location.empty() ? "" : " at " + location) + " in " + name_;
  }

  /// The compilation unit (the debug information of one source file) of an address, or null. Sets `bias` to the
  /// difference between dwfl's addresses and the unit's.
  Dwarf_Die* UnitOf(std::uint64_t address, Dwarf_Addr& bias) {
    if (Dwarf_Die* const unit = dwfl_module_addrdie(module_, address, &bias)) return unit;
    // clang writes no table of the addresses of units, and without it libdw before 0.191 finds no unit. So try all
    // units.
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr;) {
      if (dwarf_haspc(unit, address - bias) == 1) return unit;
    }
    return nullptr;
  }

  /// "SOURCE:LINE" of an address, or an empty string.
  std::string LocationOf(std::uint64_t address) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = UnitOf(address, bias);
    Dwarf_Line* const line = unit == nullptr ? nullptr : dwarf_getsrc_die(unit, address - bias);
    int number = 0;
    const char* const source = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
    if (source == nullptr || dwarf_lineno(line, &number) != 0) return "";
    return std::string(source) + ":" + std::to_string(number);
  }

  /// The blocks and functions around the address, the innermost first.
  std::vector<Dwarf_Die> ScopesOf(std::uint64_t address) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = UnitOf(address, bias);
    if (unit == nullptr) return {};
    Dwarf_Die* found = nullptr;
    const int count = dwarf_getscopes(unit, address - bias, &found);
    const std::unique_ptr<Dwarf_Die, Free> innermost(found);
    if (count <= 0) return {};
    // dwarf_getscopes() returns the scopes for name lookup. The chain of inlined calls consists of the parents of the
    // innermost scope.
    Dwarf_Die* parents = nullptr;
    const int parent_count = dwarf_getscopes_die(found, &parents);
    const std::unique_ptr<Dwarf_Die, Free> held(parents);
    if (parent_count <= 0) return {};
    return {parents, parents + parent_count};
  }

  static std::string NameOf(Dwarf_Die& function) {
    Dwarf_Attribute attribute;
    const char* mangled = nullptr;
    if (dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute) != nullptr) {
      mangled = dwarf_formstring(&attribute);
    }
    return Demangled(mangled != nullptr ? mangled : dwarf_diename(&function));
  }

  /// "SOURCE:LINE" of the call of an inlined function, or an empty string.
  std::string CallLocationOf(Dwarf_Die& function, std::uint64_t address) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = UnitOf(address, bias);
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0;
    Dwarf_Word line = 0;
    if (unit == nullptr || dwarf_getsrcfiles(unit, &files, &count) != 0 ||
        dwarf_formudata(dwarf_attr(&function, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(&function, DW_AT_call_line, &attribute), &line) != 0 || file >= count) {
      return "";
    }
    const char* const source = dwarf_filesrc(files, file, nullptr, nullptr);
    return source == nullptr ? "" : std::string(source) + ":" + std::to_string(line);
  }

  std::string name_;
  std::unique_ptr<Dwfl, End> session_;
  Dwfl_Module* module_ = nullptr;  ///< null if the file cannot be read
};

/// The output line for one input line. Files that were read stay open for the next frames.
std::string AnswerTo(const std::string& frame) {
  static std::map<std::string, File> files;
  const std::size_t plus = frame.rfind(" +0x");  // a symbol has no spaces
  if (plus == std::string::npos) return "";
  char* end = nullptr;
  const std::uint64_t address = std::strtoull(frame.c_str() + plus + 2, &end, 16);
  while (*end == ' ') ++end;
  const std::string path = frame.substr(0, plus);
  return files.try_emplace(path, path).first->second.PartsOf(address, end);
}

}  // namespace

int main(int count, char** values) {
  if (count > 1) conformance::EnterSandbox(conformance::DecodeSandbox(values[1]));
  LimitThisProcess();
  for (std::string frame; std::getline(std::cin, frame);) {
    alarm(kMostSecondsOfFrame);
    std::string answer = AnswerTo(frame);
    for (char& letter : answer) {
      if (letter == '\n') letter = '?';
    }
    std::cout << answer << std::endl;
    alarm(0);
  }
  return 0;
}
