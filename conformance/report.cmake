# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# What a run leaves behind: on the console, and in files of several formats.
target_sources(deconv_judgement PRIVATE
  report/causes_text.cc report/causes_text.h
  report/comparison.cc report/comparison.h
  report/console.cc report/console.h
  report/coverage_map.cc report/coverage_map.h
  report/coverage_text.cc report/coverage_text.h
  report/diff.cc report/diff.h
  report/diff_text.cc report/diff_text.h
  report/html.cc report/html.h
  report/html_coverage.cc report/html_coverage.h
  report/html_data.cc report/html_data.h
  report/html_element.cc report/html_element.h
  report/json.cc report/json.h
  report/json_reader.cc report/json_reader.h
  report/junit.cc report/junit.h
  report/markdown.cc report/markdown.h
  report/merge.cc report/merge.h
  report/page_assets.h
  report/picture_path.cc report/picture_path.h
  report/printable.cc report/printable.h
  report/record.cc report/record.h
  report/report_file.cc report/report_file.h
  report/run_description.h
  report/sarif.cc report/sarif.h
  report/summary.cc report/summary.h)

# The page's style and script are files that an editor understands; the program has them inside.
set(page_style "${CMAKE_CURRENT_SOURCE_DIR}/report/html/page.css")
set(page_script "${CMAKE_CURRENT_SOURCE_DIR}/report/html/page.js")
set(page_assets "${PROJECT_BINARY_DIR}/generated/conformance/report/page_assets.cc")
add_custom_command(
  OUTPUT "${page_assets}"
  COMMAND "${CMAKE_COMMAND}" "-DSTYLE=${page_style}" "-DSCRIPT=${page_script}" "-DOUTPUT=${page_assets}"
          -P "${CMAKE_CURRENT_SOURCE_DIR}/report/embed.cmake"
  DEPENDS "${page_style}" "${page_script}" report/embed.cmake
  VERBATIM)
target_sources(deconv_judgement PRIVATE "${page_assets}")

if(DECONV_TESTS)
  deconv_test(report_test SOURCES
              report/comparison_test.cc report/diff_test.cc report/html_document_test.cc report/markdown_test.cc
              report/merge_test.cc report/printable_test.cc report/report_test.cc report/sarif_test.cc
              LIBRARIES deconv_judgement fmt::fmt nlohmann_json::nlohmann_json pugixml::pugixml)
  # In a real browser.
  add_test(NAME html_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/report/html_test" $<TARGET_FILE:deconv-cts>)
  set_tests_properties(html_test PROPERTIES LABELS once)
endif()
