# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake --install: the programs, the door's header, the CMake package, documents and examples, as component cts. Everything
# is found relative to the rest, so that the folder can be moved. The corpus installs itself (corpus/CMakeLists.txt).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/deconv-cts")
set(data_dir "${CMAKE_INSTALL_DATADIR}/deconv-cts")

add_library(deconv_cts_door INTERFACE)
target_include_directories(deconv_cts_door INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
set_target_properties(deconv_cts_door PROPERTIES EXPORT_NAME door)

install(TARGETS deconv-cts deconv-cts-gtest deconv_cts_door EXPORT deconv-cts
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT cts)
install(FILES door/deconv_backend.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/deconv_cts" COMPONENT cts)

install(EXPORT deconv-cts NAMESPACE deconv_cts:: FILE deconv-ctsTargets.cmake DESTINATION "${package_dir}" COMPONENT cts)
set(generated "${PROJECT_BINARY_DIR}/generated/package")
configure_package_config_file(package/deconv-ctsConfig.cmake.in "${generated}/deconv-ctsConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS data_dir)
# Until version 1.0 a minor version may change what a vendor sees.
write_basic_package_version_file("${generated}/deconv-ctsConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${generated}/deconv-ctsConfig.cmake" "${generated}/deconv-ctsConfigVersion.cmake"
  package/DeconvCtsGate.cmake DESTINATION "${package_dir}" COMPONENT cts)

# The examples include the header by its path in this tree; a vendor's by that of the package.
foreach(example c cc)
  file(READ "examples/backend.${example}" text)
  string(REPLACE "\"conformance/door/deconv_backend.h\"" "<deconv_cts/deconv_backend.h>" text "${text}")
  file(CONFIGURE OUTPUT "${generated}/examples/backend.${example}" CONTENT "@text@" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "examples/backend.${example}")
  install(FILES "${generated}/examples/backend.${example}" DESTINATION "${data_dir}/examples" COMPONENT cts)
endforeach()
install(FILES package/example/CMakeLists.txt examples/backend.py DESTINATION "${data_dir}/examples" COMPONENT cts)
install(DIRECTORY examples/onnxruntime DESTINATION "${data_dir}/examples" COMPONENT cts)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/ci/templates/" DESTINATION "${data_dir}/ci" USE_SOURCE_PERMISSIONS COMPONENT cts)
install(FILES report/report.schema.json DESTINATION "${data_dir}" COMPONENT cts)

install(FILES
  bound.md case_line.md data_sets.md diagnosis.md door/process_protocol.md exchange/formats.md exhaustive.md
  expectations.md limits_of_proof.md sharding.md upgrading.md verdicts.md
  "${PROJECT_SOURCE_DIR}/oracle/clauses.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT cts)

if(DECONV_TESTS)
  add_test(NAME install_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/package/install_test"
           "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}" "${CMAKE_C_COMPILER}")
endif()
