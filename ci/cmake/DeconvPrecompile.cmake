# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# deconv_precompile(FOLDER): parses the standard headers once for the libraries and tests of the folder and of the
# folders inside it. Parsing them for each file would take half of a file's compile time. Files still include what they
# use: ci/tidy reads them without precompiled headers. Only clang uses this: g++ forgets which precompiled headers are
# the system's, and warns of them.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  function(deconv_precompile folder)
  endfunction()
  return()
endif()

set(standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits>
  <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view> <thread>
  <unordered_map> <utility> <variant> <vector>)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/precompile.cc" CONTENT "")

# Unoptimized code consists mostly of templates of these libraries. Every other file that reads or writes JSON would
# spend two seconds on parsing the JSON library.
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
# A precompiled header can be used with one set of compile options only. There are three: for libraries, for libraries
# that are not optimized, and for tests.
foreach(kind library unoptimized test)
  add_library(deconv_precompiled_${kind} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/generated/precompile.cc")
  target_link_libraries(deconv_precompiled_${kind} PRIVATE deconv_flags)
  target_precompile_headers(deconv_precompiled_${kind} PRIVATE ${standard_headers})
  # With a timestamp inside, two precompiled headers are never equal, and ccache never finds a file that was compiled
  # before.
  target_compile_options(deconv_precompiled_${kind} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endforeach()
foreach(kind library unoptimized)
  target_link_libraries(deconv_precompiled_${kind} PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(deconv_precompiled_${kind} PRIVATE <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>)
endforeach()
target_link_libraries(deconv_precompiled_unoptimized PRIVATE CLI11::CLI11)
target_precompile_headers(deconv_precompiled_unoptimized PRIVATE <CLI/CLI.hpp>)
deconv_unoptimized(deconv_precompiled_unoptimized)
if(DECONV_TESTS)
  set_target_properties(deconv_precompiled_test PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(deconv_precompiled_test PRIVATE -fPIE ${DECONV_TEST_OPTIONS})
  target_link_libraries(deconv_precompiled_test PRIVATE GTest::gmock)
  target_precompile_headers(deconv_precompiled_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
endif()

function(deconv_precompile folder)
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    deconv_precompile("${inner}")
  endforeach()
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(unoptimized ${target} DECONV_UNOPTIMIZED)
    if(target MATCHES "_test$")
      target_precompile_headers(${target} REUSE_FROM deconv_precompiled_test)
    elseif(type STREQUAL "STATIC_LIBRARY" AND unoptimized)
      target_precompile_headers(${target} REUSE_FROM deconv_precompiled_unoptimized)
    elseif(type STREQUAL "STATIC_LIBRARY")
      target_precompile_headers(${target} REUSE_FROM deconv_precompiled_library)
    endif()
  endforeach()
endfunction()
