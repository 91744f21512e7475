# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The case lists that a version is bound to, and the ids that were renamed: tables of text, carried by the program.
set(frozen_lists_file "${CMAKE_CURRENT_SOURCE_DIR}/plans/${PROJECT_VERSION}.txt")
set(renames_file "${CMAKE_CURRENT_SOURCE_DIR}/plans/renamed.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${frozen_lists_file}" "${renames_file}")
if(NOT EXISTS "${frozen_lists_file}")
  message(FATAL_ERROR "conformance/plans/${PROJECT_VERSION}.txt is missing: a new version starts with a copy of the last "
    "one's lists, marked unreleased (CONTRIBUTING.md, \"Case lists\")")
endif()
file(READ "${frozen_lists_file}" frozen_lists)
file(READ "${renames_file}" renames)
configure_file(plans/tables.h.in "${PROJECT_BINARY_DIR}/generated/conformance/plans/tables.h" @ONLY)

target_sources(deconv_judgement PRIVATE
  plans/frozen_lists.cc plans/frozen_lists.h
  plans/renames.cc plans/renames.h)
target_include_directories(deconv_judgement PRIVATE "${PROJECT_BINARY_DIR}/generated")

if(DECONV_TESTS)
  deconv_test(plans_test SOURCES plans/plans_test.cc LIBRARIES deconv_judgement)
  target_compile_definitions(plans_test PRIVATE
    DECONV_CHANGELOG="${PROJECT_SOURCE_DIR}/CHANGELOG.md"
    DECONV_VERSION="${PROJECT_VERSION}")
endif()
