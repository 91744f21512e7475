# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The doors: whatever --backend can name. The only target of conformance/ that links the kernel, for its adapter.

# Not by find_package(dnnl): the package file of Debian 12 wants OpenCL's development files, which a CPU backend needs
# nothing of and which its package does not bring.
find_path(ONEDNN_INCLUDE_DIR oneapi/dnnl/dnnl.hpp)
find_library(ONEDNN_LIBRARY dnnl)
mark_as_advanced(ONEDNN_INCLUDE_DIR ONEDNN_LIBRARY)

add_library(deconv_backends STATIC
  backend.cc backend.h
  backend_builtin.h
  backend_description.cc backend_description.h
  backend_kernel.cc
  backend_open.cc
  backend_oracle.cc
  door/answer.cc door/answer.h
  door/child_process.cc door/child_process.h
  door/deconv_backend.h
  door/describe_operator.cc door/describe_operator.h
  door/mock_backend.cc door/mock_backend.h
  door/plan_reuse.cc door/plan_reuse.h
  door/process_door.cc door/process_door.h
  door/process_messages.cc door/process_messages.h
  door/resolve_by_oracle.cc door/resolve_by_oracle.h
  door/serve_process.cc door/serve_process.h
  faults/acceptance_faults.cc
  faults/arithmetic_faults.cc
  faults/attributes.cc faults/attributes.h
  faults/axis_faults.cc
  faults/channel_faults.cc
  faults/combined_fault.cc faults/combined_fault.h
  faults/conduct_faults.cc
  faults/fault.cc faults/fault.h
  faults/faulty_backend.cc faults/faulty_backend.h
  faults/faulty_loop.cc faults/faulty_loop.h
  faults/geometry_faults.cc
  faults/index_faults.cc
  faults/integer_faults.cc
  faults/memory_faults.cc
  faults/number.cc faults/number.h
  faults/pad_faults.cc
  faults/phase_faults.cc
  faults/plan.cc faults/plan.h
  faults/plan_places.cc
  faults/refusal_faults.cc
  faults/special_faults.cc
  faults/sums.h
  faults/tail_faults.cc
  thread_pool.cc thread_pool.h)
target_link_libraries(deconv_backends
  PUBLIC deconv::oracle
  PRIVATE deconv_flags deconv_text deconv::kernel fmt::fmt nlohmann_json::nlohmann_json Threads::Threads ${CMAKE_DL_LIBS})
if(ONEDNN_INCLUDE_DIR AND ONEDNN_LIBRARY)
  target_sources(deconv_backends PRIVATE backend_onednn.cc)
  target_compile_definitions(deconv_backends PRIVATE DECONV_HAS_ONEDNN)
  target_include_directories(deconv_backends SYSTEM PRIVATE "${ONEDNN_INCLUDE_DIR}")
  target_link_libraries(deconv_backends PRIVATE "${ONEDNN_LIBRARY}")
else()
  message(STATUS "Backend onednn is left out: oneDNN's header or library was not found")
endif()

# Any of these behind the process door, and nothing else of the suite.
add_executable(deconv-server door/server_main.cc)
target_link_libraries(deconv-server PRIVATE deconv_flags deconv_backends)

# The example that vendors start from: a library as they would build it, found by its path.
add_library(deconv_example_backend MODULE examples/backend.c)
target_include_directories(deconv_example_backend PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_options(deconv_example_backend PRIVATE -Wall -Wextra -Wpedantic)

if(DECONV_TESTS)
  add_library(deconv_backend_trial STATIC backend_trial.cc backend_trial.h)
  target_link_libraries(deconv_backend_trial PRIVATE deconv_flags fmt::fmt PUBLIC deconv_backends)

  # Libraries that are no backends, or broken ones.
  foreach(library no_symbol broken_backend)
    add_library(deconv_test_${library} MODULE door/test_libraries/${library}.c)
    target_include_directories(deconv_test_${library} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_compile_options(deconv_test_${library} PRIVATE -Wall -Wextra -Wpedantic)
  endforeach()

  # One that deviates from a right one in the way that its configuration names.
  add_library(deconv_test_deviating_backend MODULE door/test_libraries/deviating_backend.cc)
  target_link_libraries(deconv_test_deviating_backend PRIVATE deconv_flags)

  # One that takes its process down in every way, for some of the cases.
  add_library(deconv_test_troubled_backend MODULE door/test_libraries/troubled_backend.cc)
  target_link_libraries(deconv_test_troubled_backend PRIVATE deconv_flags deconv_backends)

  deconv_test(describe_operator_test SOURCES door/describe_operator_test.cc LIBRARIES deconv_backend_trial)
  deconv_test(backend_test SOURCES backend_test.cc LIBRARIES deconv_backends)
  deconv_test(thread_pool_test SOURCES thread_pool_test.cc LIBRARIES deconv_backends Threads::Threads)
  deconv_test(backend_open_test SOURCES backend_open_test.cc LIBRARIES deconv_backends)
  deconv_test(backend_value_test SOURCES backend_value_test.cc LIBRARIES deconv_backend_trial)

  add_library(deconv_fault_trial STATIC faults/fault_trial.cc faults/fault_trial.h)
  target_link_libraries(deconv_fault_trial PRIVATE deconv_flags PUBLIC deconv_backend_trial GTest::gtest)
  deconv_test(fault_test SOURCES faults/fault_test.cc LIBRARIES deconv_backend_trial)
  foreach(theme geometry index arithmetic refusal conduct)
    deconv_test(${theme}_faults_test SOURCES faults/${theme}_faults_test.cc LIBRARIES deconv_fault_trial)
  endforeach()

  foreach(test backend_open_test backend_value_test)
    target_compile_definitions(${test} PRIVATE
      DECONV_EXAMPLE_BACKEND="$<TARGET_FILE:deconv_example_backend>"
      DECONV_BROKEN_BACKEND="$<TARGET_FILE:deconv_test_broken_backend>"
      DECONV_NO_SYMBOL="$<TARGET_FILE:deconv_test_no_symbol>")
    add_dependencies(${test} deconv_example_backend deconv_test_broken_backend deconv_test_no_symbol)
  endforeach()
endif()
