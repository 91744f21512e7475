# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Adds the gate as tests of CTest, for projects that build a backend.

# Sets `result` to the text for --backend: a target's file, or the words as they stand ("cmd:python3 backend.py",
# "fault:filter_flipped").
function(_deconv_cts_backend result backend)
  if(TARGET "${backend}")
    set(${result} "$<TARGET_FILE:${backend}>" PARENT_SCOPE)
  else()
    set(${result} "${backend}" PARENT_SCOPE)
  endif()
endfunction()

# Checks the parsed arguments of both functions.
macro(_deconv_cts_check_arguments function)
  if(NOT arg_NAME OR NOT arg_BACKEND)
    message(FATAL_ERROR "${function}: expected NAME and BACKEND")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
endmacro()

# deconv_cts_add_gate(NAME test BACKEND target|text [LEVEL smoke|gate|full] [EXPECT file] [JUNIT file] [JOBS n]
#                     [SUITES suite...] [ARGUMENTS argument...])
# One test that runs the gate; it fails with every exit code of `deconv-cts run` but 0. JOBS workers at once (default 1, so
# that ctest -j decides what runs beside it); ARGUMENTS are further ones of `deconv-cts run`.
function(deconv_cts_add_gate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;BACKEND;LEVEL;EXPECT;JUNIT;JOBS" "SUITES;ARGUMENTS")
  _deconv_cts_check_arguments(deconv_cts_add_gate)
  if(NOT arg_JOBS)
    set(arg_JOBS 1)
  endif()
  _deconv_cts_backend(backend "${arg_BACKEND}")
  # The whole gate, whatever CI system runs ctest: its numbers of parallel jobs may mean other things than shards.
  set(command deconv_cts::deconv-cts run --backend "${backend}" --jobs ${arg_JOBS} --shard 0/1)
  foreach(suite IN LISTS arg_SUITES)
    list(APPEND command --suite "${suite}")
  endforeach()
  foreach(option LEVEL EXPECT JUNIT)
    if(arg_${option})
      string(TOLOWER "--${option}" flag)
      set(value "${arg_${option}}")
      if(option STREQUAL "EXPECT")
        get_filename_component(value "${value}" ABSOLUTE)
      endif()
      list(APPEND command ${flag} "${value}")
    endif()
  endforeach()
  add_test(NAME "${arg_NAME}" COMMAND ${command} ${arg_ARGUMENTS})
  set_tests_properties("${arg_NAME}" PROPERTIES PROCESSORS ${arg_JOBS})
endfunction()

# deconv_cts_discover_tests(NAME prefix BACKEND target|text [LEVEL smoke|gate|full] [FILTER gtest_filter] [EXPECT file])
# A test for each case, found when ctest starts: deconv-cts-gtest through CMake's own gtest_discover_tests(). Each starts a
# process, so that a level takes longer than as one gate, and a backend never meets two cases in one process.
function(deconv_cts_discover_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;BACKEND;LEVEL;FILTER;EXPECT" "")
  _deconv_cts_check_arguments(deconv_cts_discover_tests)
  if(NOT arg_LEVEL)
    set(arg_LEVEL smoke)
  endif()
  _deconv_cts_backend(backend "${arg_BACKEND}")
  # A target of its own for each call: what starts the program says which cases there are, when they are listed and when they
  # are run.
  set(program "deconv_cts_gtest_${arg_NAME}")
  get_target_property(location deconv_cts::deconv-cts-gtest LOCATION)
  add_executable("${program}" IMPORTED)
  set(environment "DECONV_CTS_BACKEND=${backend}" "DECONV_CTS_LEVEL=${arg_LEVEL}")
  if(arg_EXPECT)
    get_filename_component(expect "${arg_EXPECT}" ABSOLUTE)
    list(APPEND environment "DECONV_CTS_EXPECT=${expect}")
  endif()
  set_target_properties("${program}" PROPERTIES
    IMPORTED_LOCATION "${location}"
    CROSSCOMPILING_EMULATOR "${CMAKE_COMMAND};-E;env;${environment}")
  include(GoogleTest)
  gtest_discover_tests("${program}" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX "${arg_NAME}."
    TEST_FILTER "${arg_FILTER}")
endfunction()
