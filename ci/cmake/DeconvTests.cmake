# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# deconv_test(NAME SOURCES... LIBRARIES... [ONCE TEST...]): one GoogleTest program, registered with CTest as one test.
# The tests behind ONCE take long and do not depend on the compiler. Each of them is a CTest test of its own, labelled
# "once" (ci/CMakeLists.txt).
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)

# The options of test code, which come after the flags of the build type. Optimizing tests takes as long as parsing
# them; the code that they test is optimized.
set(DECONV_TEST_OPTIONS -O0)

# Test programs that take 20 s of CPU time or more. CTest starts them first, so that no core waits for one at the end.
# Scripts that take as long have a COST of their own.
set(long_tests conditions_test doctor_test kernel_interface_test kernel_values_test suite_test traceability_test)

# The folder into which tests write files, so that files that they leave behind stay in the build folder.
set(DECONV_TEST_SCRATCH "${PROJECT_BINARY_DIR}/test_scratch")
file(MAKE_DIRECTORY "${DECONV_TEST_SCRATCH}")

function(deconv_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;ONCE" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${DECONV_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE deconv_flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]] CALL deconv_link_hot_first ${name})")
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
