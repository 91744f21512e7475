# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# What examines the doors (they themselves are part of deconv_backends): the doctor, and tests that judge through them.
add_library(deconv_doctor STATIC
  door/doctor.cc door/doctor.h
  door/doctor_cases.cc door/doctor_cases.h)
target_link_libraries(deconv_doctor PRIVATE deconv_flags fmt::fmt PUBLIC deconv_judgement)

add_library(deconv_example_backend_cc MODULE examples/backend.cc)
target_include_directories(deconv_example_backend_cc PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_options(deconv_example_backend_cc PRIVATE -Wall -Wextra -Wpedantic)

if(DECONV_TESTS)
  # It starts itself, as worker and as a process to talk to.
  deconv_test(door_test SOURCES door/doctor_test.cc door/plan_reuse_test.cc door/process_door_test.cc
              door/process_messages_test.cc
              LIBRARIES deconv_doctor fmt::fmt)
  target_compile_definitions(door_test PRIVATE
    DECONV_BROKEN_BACKEND="$<TARGET_FILE:deconv_test_broken_backend>"
    DECONV_DEVIATING_BACKEND="$<TARGET_FILE:deconv_test_deviating_backend>"
    DECONV_EXAMPLE_BACKEND="$<TARGET_FILE:deconv_example_backend>")
  add_dependencies(door_test deconv_test_broken_backend deconv_test_deviating_backend deconv_example_backend)

  # The examples as a vendor runs them.
  set(examples c cc python)
  set(example_c $<TARGET_FILE:deconv_example_backend>)
  set(example_cc $<TARGET_FILE:deconv_example_backend_cc>)
  set(example_python "cmd:python3 '${CMAKE_CURRENT_SOURCE_DIR}/examples/backend.py'")
  # Sanitized plain loops take minutes for the largest operators, which the other builds run.
  set(example_suites)
  if(DECONV_SANITIZE)
    set(example_suites --suite attributes --suite invalid --suite regressions)
  endif()
  foreach(example IN LISTS examples)
    add_test(NAME example_${example} COMMAND deconv-cts run --level smoke ${example_suites} --timeout 60
             --backend "${example_${example}}")
    add_test(NAME example_${example}_doctor COMMAND deconv-cts doctor "${example_${example}}")
  endforeach()
  add_test(NAME server_doctor COMMAND deconv-cts doctor "cmd:exec '$<TARGET_FILE:deconv-server>' kernel")
endif()
