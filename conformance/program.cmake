# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The program deconv-cts.
configure_file(cli/version.h.in "${PROJECT_BINARY_DIR}/generated/conformance/cli/version.h" @ONLY)
# What its programs' command lines have in common with those of fuzz/.
add_library(deconv_cli STATIC
  cli/amount.cc cli/amount.h
  cli/exit_code.cc cli/exit_code.h
  cli/interrupt.cc cli/interrupt.h)
target_link_libraries(deconv_cli PRIVATE deconv_flags fmt::fmt PUBLIC deconv_judgement CLI11::CLI11)

add_executable(deconv-cts
  cli/command_doctor.cc
  cli/causes.cc cli/causes.h
  cli/command_diff.cc
  cli/command_explain.cc
  cli/command_export.cc
  cli/command_fuzz.cc
  cli/command_import.cc
  cli/command_list.cc
  cli/command_merge.cc
  cli/command_minimize.cc
  cli/command_power.cc
  cli/command_run.cc
  cli/commands.h
  cli/expectations_file.cc cli/expectations_file.h
  cli/input.cc cli/input.h
  cli/main.cc
  cli/report_files.cc cli/report_files.h
  cli/report_input.cc cli/report_input.h
  cli/run_journal.cc cli/run_journal.h)
target_include_directories(deconv-cts PRIVATE "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(deconv-cts PRIVATE deconv_flags deconv_cli deconv_doctor deconv_exchange deconv_diagnosis deconv_judgement CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)

if(DECONV_TESTS)
  add_test(NAME run_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/cli/run_test" $<TARGET_FILE:deconv-cts>)
  # Thousands of cases and hundreds of processes: under sanitizers runner_test is enough. `ci/test --full` has more.
  if(NOT DECONV_SANITIZE)
    add_test(NAME trouble_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/cli/trouble_test" $<TARGET_FILE:deconv-cts>
             $<TARGET_FILE:deconv_test_troubled_backend> 2500)
    set_tests_properties(trouble_test PROPERTIES RUN_SERIAL ON LABELS once)  # a hang is told by the clock
  endif()
  add_test(NAME exit_code_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/cli/exit_code_test" $<TARGET_FILE:deconv-cts>
           "${PROJECT_SOURCE_DIR}/corpus" $<TARGET_FILE:deconv_example_backend>)
  add_test(NAME merge_diff_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/cli/merge_diff_test" $<TARGET_FILE:deconv-cts>)
  set_tests_properties(merge_diff_test PROPERTIES LABELS once)
  set(sanitized)
  if(DECONV_SANITIZE)
    set(sanitized sanitized)
  endif()
  # Debian's own Python, which has Debian's packages.
  find_program(DECONV_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
  add_test(NAME schema_test COMMAND "${DECONV_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/report/schema_test"
           $<TARGET_FILE:deconv-cts> "${CMAKE_CURRENT_SOURCE_DIR}/report/report.schema.json"
           "${CMAKE_CURRENT_SOURCE_DIR}/result.h" $<TARGET_FILE:deconv_example_backend>
           ${sanitized})
  add_test(NAME cli_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/cli/cli_test" $<TARGET_FILE:deconv-cts>
           "${PROJECT_SOURCE_DIR}/corpus" $<TARGET_FILE:deconv_example_backend>)
endif()
