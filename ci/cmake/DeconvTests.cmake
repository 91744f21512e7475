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

# Programs that take 20 s of CPU time and more. CTest starts them first, so that no core waits for one at the end. Scripts
# that take as long have a COST of their own.
set(long_tests conditions_test doctor_test kernel_interface_test kernel_values_test suite_test traceability_test)

# Where tests write files: what they leave behind stays in the build folder.
set(DECONV_TEST_SCRATCH "${PROJECT_BINARY_DIR}/test_scratch")
file(MAKE_DIRECTORY "${DECONV_TEST_SCRATCH}")

function(deconv_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;ONCE" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${DECONV_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE deconv_flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  set(rest)
  foreach(test IN LISTS arg_ONCE)
    add_test(NAME ${name}.${test} COMMAND ${name} --gtest_filter=${test})
    set_tests_properties(${name}.${test} PROPERTIES TIMEOUT 600 LABELS once ENVIRONMENT "TEST_TMPDIR=${DECONV_TEST_SCRATCH}" FAIL_REGULAR_EXPRESSION "Running 0 tests")
    string(APPEND rest ":${test}")
  endforeach()
  if(rest)
    set(rest --gtest_filter=-${rest})
  endif()
  add_test(NAME ${name} COMMAND ${name} ${rest})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT "TEST_TMPDIR=${DECONV_TEST_SCRATCH}")
  if(name IN_LIST long_tests)
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endfunction()
