# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# From a case to its verdict: the worker that runs the backend, the bound, the judge, the runner, the reports.
add_library(deconv_judgement STATIC
  accumulator.cc accumulator.h
  answer_failure.cc answer_failure.h
  arena.cc arena.h
  bound.cc bound.h
  capabilities_json.cc capabilities_json.h
  compare.cc compare.h
  crash_report.cc crash_report.h
  dialect_fit.cc dialect_fit.h
  exhaustive/batch.h
  exhaustive/judge_sweep.cc exhaustive/judge_sweep.h
  exhaustive/problems.cc exhaustive/problems.h
  exhaustive/serve_batch.cc exhaustive/serve_batch.h
  explain.cc explain.h
  failure_causes.h
  filter_file.cc filter_file.h
  expectations.cc expectations.h
  journal.cc journal.h
  judge.cc judge.h
  json_integers.h
  or_complaint.h
  plan_hash.cc plan_hash.h
  power.cc power.h
  process_memory.cc process_memory.h
  properties/bench.cc properties/bench.h
  properties/check.cc properties/check.h
  properties/element.cc properties/element.h
  properties/judge_law.cc properties/judge_law.h
  properties/law_of_attributes.cc
  properties/laws_of_axes.cc
  properties/laws_of_channels.cc
  properties/laws_of_positions.cc
  properties/laws_of_sums.cc
  properties/nd_array.cc properties/nd_array.h
  properties/problem.cc properties/problem.h
  result.cc result.h
  runner.cc runner.h
  shard.cc shard.h
  stage.cc stage.h
  structural_zero.cc structural_zero.h
  transform_error.cc transform_error.h
  unit.cc unit.h
  worker.cc worker.h
  worker_process.cc worker_process.h)
target_link_libraries(deconv_judgement
  PRIVATE deconv_flags fmt::fmt nlohmann_json::nlohmann_json pugixml::pugixml Threads::Threads tomlplusplus::tomlplusplus
  PUBLIC deconv_cases deconv_backends deconv_text deconv::oracle)
deconv_compares_sizes(deconv_judgement bound.cc compare.cc)

if(DECONV_TESTS)
  add_library(deconv_worker_test_main STATIC worker_test_main.cc)
  target_link_libraries(deconv_worker_test_main PRIVATE deconv_flags GTest::gmock PUBLIC deconv_judgement)
  deconv_test(arena_test SOURCES arena_test.cc LIBRARIES deconv_judgement)
  deconv_test(bound_test SOURCES bound_test.cc LIBRARIES deconv_judgement)
  add_library(deconv_test_clamping_backend MODULE door/test_libraries/clamping_backend.c)
  target_include_directories(deconv_test_clamping_backend PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_options(deconv_test_clamping_backend PRIVATE -Wall -Wextra -Wpedantic)
  deconv_test(dialect_fit_test SOURCES dialect_fit_test.cc LIBRARIES deconv_judgement deconv_worker_test_main)
  target_compile_definitions(dialect_fit_test PRIVATE
    DECONV_CLAMPING_BACKEND="$<TARGET_FILE:deconv_test_clamping_backend>")
  add_dependencies(dialect_fit_test deconv_test_clamping_backend)
  deconv_test(expectations_test SOURCES expectations_test.cc LIBRARIES deconv_judgement)
  deconv_test(explain_test SOURCES explain_test.cc LIBRARIES deconv_judgement)
  deconv_test(law_test SOURCES properties/law_test.cc LIBRARIES deconv_judgement deconv_worker_test_main)
  deconv_test(nd_array_test SOURCES properties/nd_array_test.cc LIBRARIES deconv_judgement)
  deconv_test(shrink_test SOURCES shrink_test.cc LIBRARIES deconv_judgement)
  deconv_test(judge_test SOURCES judge_test.cc LIBRARIES deconv_judgement deconv_worker_test_main)
  deconv_test(judge_sweep_test SOURCES exhaustive/judge_sweep_test.cc LIBRARIES deconv_judgement deconv_worker_test_main)
  target_compile_definitions(judge_sweep_test PRIVATE
    DECONV_DEVIATING_BACKEND="$<TARGET_FILE:deconv_test_deviating_backend>")
  add_dependencies(judge_sweep_test deconv_test_deviating_backend)
  deconv_test(power_test SOURCES power_test.cc LIBRARIES deconv_judgement deconv_worker_test_main)
  target_compile_definitions(power_test PRIVATE
    DECONV_DEVIATING_BACKEND="$<TARGET_FILE:deconv_test_deviating_backend>")
  add_dependencies(power_test deconv_test_deviating_backend)
  deconv_test(runner_test SOURCES runner_test.cc LIBRARIES deconv_judgement deconv_worker_test_main)
  target_compile_definitions(runner_test PRIVATE
    DECONV_DEVIATING_BACKEND="$<TARGET_FILE:deconv_test_deviating_backend>")
  add_dependencies(runner_test deconv_test_deviating_backend)
  deconv_test(shard_test SOURCES shard_test.cc LIBRARIES deconv_judgement)
  deconv_test(transform_error_test SOURCES transform_error_test.cc LIBRARIES deconv_judgement)
  deconv_test(verdict_test SOURCES verdict_test.cc LIBRARIES deconv_judgement deconv_worker_test_main
    ONCE Powerless.NoCaseOfTheGateIs)
  target_compile_definitions(verdict_test PRIVATE
    DECONV_DEVIATING_BACKEND="$<TARGET_FILE:deconv_test_deviating_backend>")
  add_dependencies(verdict_test deconv_test_deviating_backend)
endif()
