# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The program deconv-cts.
configure_file(cli/version.h.in "${PROJECT_BINARY_DIR}/generated/conformance/cli/version.h" @ONLY)
add_executable(deconv-cts
  cli/command_explain.cc
  cli/command_list.cc
  cli/command_power.cc
  cli/command_run.cc
  cli/commands.h
  cli/exit_code.h
  cli/expectations_file.cc cli/expectations_file.h
  cli/input.cc cli/input.h
  cli/interrupt.cc cli/interrupt.h
  cli/main.cc
  cli/run_journal.cc cli/run_journal.h)
target_include_directories(deconv-cts PRIVATE "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(deconv-cts PRIVATE deconv_flags deconv_judgement CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)

if(DECONV_TESTS)
  add_test(NAME run_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/cli/run_test" $<TARGET_FILE:deconv-cts>)
  add_test(NAME cli_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/cli/cli_test" $<TARGET_FILE:deconv-cts>
           "${PROJECT_SOURCE_DIR}/corpus" $<TARGET_FILE:deconv_example_backend>)
endif()
