# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# deconv_test(NAME SOURCES... LIBRARIES... [ONCE TEST...]): one GoogleTest program, registered with CTest as one test. Those
# that take long and show what no compiler changes are CTest's own, labelled "once" (ci/CMakeLists.txt).
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)

# How tests themselves are compiled, after the build type's flags: optimizing them takes as long as parsing them, and
# what they test is optimized.
set(DECONV_TEST_OPTIONS -O0)

function(deconv_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;ONCE" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${DECONV_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE deconv_flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  set(rest)
  foreach(test IN LISTS arg_ONCE)
    add_test(NAME ${name}.${test} COMMAND ${name} --gtest_filter=${test})
    set_tests_properties(${name}.${test} PROPERTIES TIMEOUT 600 LABELS once FAIL_REGULAR_EXPRESSION "Running 0 tests")
    string(APPEND rest ":${test}")
  endforeach()
  if(rest)
    set(rest --gtest_filter=-${rest})
  endif()
  add_test(NAME ${name} COMMAND ${name} ${rest})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()
