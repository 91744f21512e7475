# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Defines deconv_flags, the compile options that every target of the project links, and functions that change them for
# some targets.
add_library(deconv_flags INTERFACE)
target_include_directories(deconv_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(deconv_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wconversion -Wno-sign-conversion
  # The error bounds of oracle and verdict count roundings. The compiler may therefore not contract a product and a sum
  # to one rounding, unless the source asks for it.
  -ffp-contract=off)
# Without this definition, code that clang 19 compiles at -O0 calls a bf16 conversion that Debian 12's runtime library
# lacks.
target_compile_definitions(deconv_flags INTERFACE HWY_SSE2_HAVE_SCALAR_BF16_TYPE=0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # -Wpsabi only notes that the ABI of vectors changed in GCC 4.6; Highway is full of them. At -O2, g++ has false
  # positives in the standard library: g++ 12 of -Wrestrict and -Wstringop-overflow, g++ 14 of -Warray-bounds
  # (std::vector::resize) and -Wmaybe-uninitialized (an optional's string). clang's warnings and the sanitizers find
  # true reads of uninitialized memory.
  target_compile_options(deconv_flags INTERFACE -Wno-psabi -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                         -Wno-array-bounds -Wno-maybe-uninitialized)
endif()

# A unity build compiles several files as one, so a name of one file may shadow a name of another file. Builds without
# it still warn of a name that shadows another name of its own file.
if(CMAKE_UNITY_BUILD)
  target_compile_options(deconv_flags INTERFACE -Wno-shadow)
endif()

if(DECONV_SANITIZE)
  add_compile_options(-fsanitize=${DECONV_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DECONV_SANITIZE})
endif()
# If another fuzzing engine is used, its instrumentation is in CMAKE_CXX_FLAGS or the environment's CXXFLAGS.
if(DECONV_FUZZERS AND NOT DECONV_FUZZING_ENGINE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "DECONV_FUZZERS needs clang (libFuzzer) or a DECONV_FUZZING_ENGINE, found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# deconv_not_searched(TARGET): for code that only turns the input of a fuzz target into a case. It reports no coverage
# to the engine. Otherwise its branches would keep the engine busy with inputs that mean nothing new to the tested code.
function(deconv_not_searched target)
  if(DECONV_FUZZERS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE -fno-sanitize=fuzzer-no-link)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # those are compiled with coverage
  endif()
endfunction()

# deconv_compares_sizes(TARGET [SOURCES...]): for code that compares sizes and numbers, but no text: the whole target,
# or only these sources. Comparisons in it are not reported to the engine. The engine would use the compared numbers to
# change bytes, which is of no use for cases and takes a quarter of the time.
function(deconv_compares_sizes target)
  if(NOT (DECONV_FUZZERS AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang"))
    return()
  endif()
  if(ARGN)
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES
      COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp SKIP_PRECOMPILE_HEADERS ON)
  else()
    target_compile_options(${target} PRIVATE -fno-sanitize-coverage=trace-cmp)
  endif()
endfunction()

# deconv_unoptimized(TARGET...): for code that runs once per run or per file, and that is slow to compile because of
# templates of libraries. Of equal inline functions, the linker keeps the first. So programs must call
# deconv_link_first.
function(deconv_unoptimized)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -O0)
    set_target_properties(${target} PROPERTIES DECONV_UNOPTIMIZED ON)
  endforeach()
endfunction()

# deconv_lightly_optimized(TARGET...): for code that runs once per run, but for so long that the user would notice. It
# compiles in 0.6 to 0.8 of the time of full optimization. Without any, building the case lists took 1.5 times as long.
function(deconv_lightly_optimized)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1>")
  endforeach()
endfunction()

# deconv_link_first(PROGRAM LIBRARY...): links these libraries before the program's own objects, so that their optimized
# inline functions are kept.
function(deconv_link_first program)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  target_link_options(${program} PRIVATE "LINKER:--whole-archive" ${ARGN} "LINKER:--no-whole-archive")
endfunction()

# The libraries in which programs and tests spend their time. The lightly optimized ones are the last.
set(DECONV_HOT_LIBRARIES deconv_worker deconv_backends deconv_judge deconv_verdict deconv_comparison deconv_case
  deconv_case_line deconv_run deconv_oracle deconv_suite deconv_diagnosis deconv_conditions)

# deconv_link_hot_first(PROGRAM): deconv_link_first for those hot libraries that the program links, directly or through
# others. Without it, conditions_test took twice the CPU time, and a run at level smoke a quarter more. Call it when all
# targets are defined: cmake_language(DEFER).
function(deconv_link_hot_first program)
  set(seen)
  set(rest ${program})
  while(rest)
    list(POP_FRONT rest library)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    string(REPLACE "deconv::" "deconv_" library "${library}")
    if(TARGET "${library}" AND NOT library IN_LIST seen)
      list(APPEND seen ${library})
      get_target_property(linked ${library} LINK_LIBRARIES)
      if(linked)
        list(APPEND rest ${linked})
      endif()
    endif()
  endwhile()
  set(hot)
  foreach(library IN LISTS DECONV_HOT_LIBRARIES)
    if(library IN_LIST seen)
      list(APPEND hot ${library})
    endif()
  endforeach()
  if(hot)
    deconv_link_first(${program} ${hot})
  endif()
endfunction()
