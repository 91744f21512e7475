# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The program deconv-cts-gtest.
find_package(GTest REQUIRED)
add_executable(deconv-cts-gtest
  gtest/case_test.cc gtest/case_test.h
  gtest/main.cc
  gtest/test_name.cc gtest/test_name.h)
target_include_directories(deconv-cts-gtest PRIVATE "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(deconv-cts-gtest PRIVATE deconv_flags deconv_judgement CLI11::CLI11 fmt::fmt GTest::gtest)

if(DECONV_TESTS)
  add_test(NAME gtest_program_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/gtest/gtest_program_test"
           $<TARGET_FILE:deconv-cts> $<TARGET_FILE:deconv-cts-gtest>)
endif()
