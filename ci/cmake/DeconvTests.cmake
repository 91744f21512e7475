# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# deconv_test(NAME SOURCES... LIBRARIES...): one GoogleTest program, registered with CTest as one test.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)

# How tests themselves are compiled, after the build type's flags: optimizing them takes as long as parsing them, and
# what they test is optimized.
set(DECONV_TEST_OPTIONS -O0)

function(deconv_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${DECONV_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE deconv_flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()
