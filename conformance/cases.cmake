# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Cases: their line, their values, layer XML, and the suites made of them.
add_library(deconv_cases STATIC
  case.h case_line.cc
  coverage/classify.cc coverage/classify.h
  coverage/clauses_met.cc coverage/clauses_met.h
  coverage/combinations.cc coverage/combinations.h
  coverage/coverage.cc coverage/coverage.h
  coverage/tap_regimes.cc coverage/tap_regimes.h
  covering/array.cc covering/array.h
  covering/axis_values.cc covering/axis_values.h
  covering/build.cc covering/build.h
  covering/constraints.cc
  covering/model.cc covering/model.h
  covering/parameter.cc covering/parameter.h
  data_set.cc data_set.h
  law.cc law.h
  exhaustive/resolved_axes.cc exhaustive/resolved_axes.h
  exhaustive/suite_exhaustive.cc
  exhaustive/sweep.cc exhaustive/sweep.h
  exhaustive/sweep_cases.cc exhaustive/sweep_cases.h
  layer_xml.cc layer_xml.h layer_xml_model.h layer_xml_net.cc layer_xml_parts.cc layer_xml_parts.h layer_xml_writer.cc
  shrink.cc shrink.h
  regression_file.cc regression_file.h
  suite.cc suite.h suite_generators.h
  suite_attributes.cc suite_attributes.h
  suite_attributes_channels.cc
  suite_attributes_geometry.cc
  suite_attributes_covering.cc
  suite_attributes_spelling.cc
  suite_attributes_values.cc
  suite_corpus.cc
  suite_invalid.cc
  suite_invalid_libraries.cc
  suite_invalid_pairs.cc suite_invalid_pairs.h
  suite_layers.cc
  suite_limits.cc
  suite_numerics.cc
  suite_plan.cc suite_plan.h
  suite_properties.cc suite_properties.h
  suite_regressions.cc
  suite_spec_examples.cc)
target_link_libraries(deconv_cases
  PRIVATE deconv_flags deconv_text pugixml::pugixml fmt::fmt rapidcheck
  PUBLIC deconv::oracle)
set_source_files_properties(suite.cc PROPERTIES
  COMPILE_DEFINITIONS "DECONV_SOURCE_CORPUS=\"${PROJECT_SOURCE_DIR}/corpus\"")

if(DECONV_TESTS)
  deconv_test(case_line_test SOURCES case_line_test.cc LIBRARIES deconv_cases rapidcheck rapidcheck_gtest)
  deconv_test(corpus_lint_test SOURCES corpus_lint.cc corpus_lint.h corpus_lint_test.cc LIBRARIES deconv_cases fmt::fmt)
  deconv_test(covering_test SOURCES covering/covering_test.cc LIBRARIES deconv_cases)
  deconv_test(coverage_test SOURCES coverage/coverage_test.cc LIBRARIES deconv_cases)
  deconv_test(tap_regimes_test SOURCES coverage/tap_regimes_test.cc LIBRARIES deconv_cases)
  deconv_test(data_set_test SOURCES data_set_test.cc LIBRARIES deconv_cases)
  set_source_files_properties(data_set_test.cc PROPERTIES
    COMPILE_DEFINITIONS "DECONV_DATA_SETS_DOCUMENT=\"${PROJECT_SOURCE_DIR}/conformance/data_sets.md\"")
  deconv_test(layer_xml_test SOURCES layer_xml_test.cc LIBRARIES deconv_cases rapidcheck rapidcheck_gtest)
  deconv_test(regression_file_test SOURCES regression_file_test.cc LIBRARIES deconv_cases)
  deconv_test(suite_numerics_test SOURCES suite_numerics_test.cc LIBRARIES deconv_cases)
  deconv_test(sweep_test SOURCES exhaustive/sweep_test.cc LIBRARIES deconv_cases)
  set_source_files_properties(exhaustive/sweep_test.cc PROPERTIES
    COMPILE_DEFINITIONS "DECONV_EXHAUSTIVE_DOCUMENT=\"${PROJECT_SOURCE_DIR}/conformance/exhaustive.md\"")
  deconv_test(suite_test SOURCES suite_test.cc LIBRARIES deconv_cases)
endif()
