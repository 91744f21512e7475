# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Says which instruction sets of Highway, its targets, each source file of the kernel is compiled for.
#
# deconv_disable_targets(TARGET [WITHOUT TARGET_OF_HIGHWAY...] [SOURCES...]): compiles these sources of a CMake target, or
# all that no call named before, without targets that the kernel leaves out and without those named. At run time, a
# target that a file lacks takes the code of the next weaker one (kernel/base/dispatch.h).
set(DECONV_KERNEL_TARGETS "all" CACHE STRING "Compile the kernel for all targets, for the best one of this machine (native), or for a list of Highway's names (AVX2;AVX3_ZEN4); the baseline of the compiler is always compiled")

# The targets that a list may leave out, the best ones first. SSE2 and NEON_WITHOUT_AES are baselines of compilers.
set(choosable AVX3_ZEN4 AVX3 AVX2 SVE2_128 SVE_256 SVE2 SVE NEON_BF16 NEON)
# SSSE3 and SSE4 serve CPUs from before 2013. The code of AVX3_SPR and AVX10_2 equals that of AVX3_ZEN4, apart from
# conversions of f16. AVX10_2 stands as its bit, because Highway before 1.3 lacks the name.
set(never HWY_SSSE3 HWY_SSE4 HWY_AVX3_SPR "8LL")

set(wanted "${DECONV_KERNEL_TARGETS}")
if(wanted STREQUAL "all")
  set(wanted ${choosable})
elseif(wanted STREQUAL "native")
  if(NOT DEFINED DECONV_NATIVE_TARGETS)
    try_run(exit_code compiled
      SOURCE_FROM_CONTENT native_targets.cc "#include <cstdio>
#include <hwy/targets.h>
int main() {
  for (long long rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) std::printf(\"%s;\", hwy::TargetName(rest & -rest));
}
"
      LINK_LIBRARIES hwy::hwy
      COMPILE_OUTPUT_VARIABLE log RUN_OUTPUT_VARIABLE supported)
    if(NOT compiled OR NOT exit_code EQUAL 0)
      message(FATAL_ERROR "DECONV_KERNEL_TARGETS is native, but a program that asks for this machine's targets failed: ${log}")
    endif()
    set(DECONV_NATIVE_TARGETS "${supported}" CACHE INTERNAL "What this machine runs, best first")
  endif()
  # Plans prefer NEON to SVE of 128 bits, see PreferredTargets in dispatch.h.
  set(skipped)
  if("SVE2_128" IN_LIST DECONV_NATIVE_TARGETS AND DECONV_NATIVE_TARGETS MATCHES "NEON")
    set(skipped SVE2_128 SVE2 SVE)
  endif()
  set(wanted)
  foreach(name IN LISTS choosable)
    if(name IN_LIST DECONV_NATIVE_TARGETS AND NOT name IN_LIST skipped AND NOT wanted)
      set(wanted ${name})
    endif()
  endforeach()
endif()
foreach(name IN LISTS wanted)
  if(NOT name IN_LIST choosable)
    list(JOIN choosable ", " names)
    message(FATAL_ERROR "DECONV_KERNEL_TARGETS has ${name}, expected all, native, or some of: ${names}")
  endif()
endforeach()

function(deconv_disable_targets target)
  cmake_parse_arguments(arg "" "" "WITHOUT;SOURCES" ${ARGN})
  # With one target nothing is left out of a file, and CMake joins files only if all have the same definitions.
  if(DECONV_KERNEL_TARGET)
    list(JOIN never "|" disabled)
    target_compile_definitions(${target} PRIVATE "HWY_DISABLED_TARGETS=(${disabled})")
    return()
  endif()
  set(disabled)
  foreach(name IN LISTS choosable)
    if(NOT name IN_LIST wanted OR name IN_LIST arg_WITHOUT)
      list(APPEND disabled ${name})
    endif()
  endforeach()
  # A file without AVX3_ZEN4 has the same code for AVX3.
  if("AVX3_ZEN4" IN_LIST wanted AND "AVX3_ZEN4" IN_LIST arg_WITHOUT AND NOT "AVX3" IN_LIST arg_WITHOUT)
    list(REMOVE_ITEM disabled AVX3)
  endif()
  list(TRANSFORM disabled PREPEND HWY_)
  list(PREPEND disabled ${never})
  list(JOIN disabled "|" disabled)
  if(NOT arg_SOURCES)
    get_target_property(arg_SOURCES ${target} SOURCES)
  endif()
  # Relative to the folder of the CMake target, which may not be the caller's.
  get_target_property(folder ${target} SOURCE_DIR)
  list(TRANSFORM arg_SOURCES PREPEND "${folder}/")
  foreach(source IN LISTS arg_SOURCES)
    get_property(is_done SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY COMPILE_DEFINITIONS SET)
    if(NOT is_done)
      set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY
        COMPILE_DEFINITIONS "HWY_DISABLED_TARGETS=(${disabled})")
    endif()
  endforeach()
endfunction()
