# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# What users of the kernel get from cmake --install and CPack: component runtime is the shared library, component dev the
# headers, the static library, the packages of CMake and pkg-config, and the examples. Everything is found relative to the
# rest, so that the folder can be moved.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Both are made of the objects of the library in the tree. Only what stands in deconv.symbols can be seen from outside.
set(symbols_file "${CMAKE_CURRENT_SOURCE_DIR}/package/deconv.symbols")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${symbols_file}")
file(STRINGS "${symbols_file}" symbols REGEX "^[^#]")
list(JOIN symbols ";\n    " version_script)
set(generated "${PROJECT_BINARY_DIR}/generated/kernel-package")
file(CONFIGURE OUTPUT "${generated}/deconv.map" CONTENT
  "DECONV_@PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@ {\n  global:\n    @version_script@;\n  local:\n    *;\n};\n" @ONLY)

# The types of the interface are in the debugging information, where abi_test reads them; packages are stripped of it.
set_source_files_properties(packed_filter.cc plan.cc run.cc selftest.cc targets.cc PROPERTIES
  COMPILE_OPTIONS "-g;$<$<CXX_COMPILER_ID:Clang>:-fstandalone-debug>")

add_library(deconv_shared SHARED $<TARGET_OBJECTS:deconv>)
target_link_libraries(deconv_shared PRIVATE hwy::hwy)
target_include_directories(deconv_shared INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
  "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>")
target_link_options(deconv_shared PRIVATE "LINKER:--version-script=${generated}/deconv.map" "LINKER:--no-undefined"
  "LINKER:--gc-sections")
# Until version 1.0 a minor version may be another binary interface, and is another library then.
set_target_properties(deconv_shared PROPERTIES
  OUTPUT_NAME deconv
  EXPORT_NAME shared
  LINKER_LANGUAGE CXX
  LINK_DEPENDS "${generated}/deconv.map"
  VERSION "${PROJECT_VERSION}"
  SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")

# The static library is one object, in which the parts of Highway that it needs are linked already and hidden: its users
# need no Highway, and one of their own does not clash with it. What is left for them to link is the C++ library.
get_target_property(hwy_location hwy::hwy LOCATION)
get_filename_component(hwy_folder "${hwy_location}" DIRECTORY)
find_library(DECONV_HWY_ARCHIVE NAMES libhwy.a HINTS "${hwy_folder}" NO_CACHE)
# GNU's, whatever links the rest: others leave the groups of inline functions in the object, under names that are hidden.
find_program(DECONV_LD ld.bfd)
find_program(DECONV_OBJCOPY objcopy)
mark_as_advanced(DECONV_LD DECONV_OBJCOPY)
# g++ makes inline constants unique over all libraries of a process: objcopy does not hide those.
target_compile_options(deconv PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>")
set(static_targets)
if(DECONV_HWY_ARCHIVE AND DECONV_LD AND DECONV_OBJCOPY)
  set(object "${generated}/deconv.o")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${DECONV_LD}" -r --force-group-allocation -o "${object}.all" "$<TARGET_OBJECTS:deconv>"
            "${DECONV_HWY_ARCHIVE}"
    COMMAND "${DECONV_OBJCOPY}" --strip-debug "--keep-global-symbols=${symbols_file}" "${object}.all" "${object}"
    COMMAND "${CMAKE_COMMAND}" -E rm "${object}.all"
    DEPENDS deconv "$<TARGET_OBJECTS:deconv>" "${DECONV_HWY_ARCHIVE}" "${symbols_file}"
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking the static library's one object")
  add_library(deconv_static STATIC "${object}")
  target_link_libraries(deconv_static INTERFACE stdc++ m)
  target_include_directories(deconv_static INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set_target_properties(deconv_static PROPERTIES
    OUTPUT_NAME deconv
    EXPORT_NAME static
    LINKER_LANGUAGE C  # of those who link it: they need no C++ compiler
    ARCHIVE_OUTPUT_DIRECTORY "${generated}")
  set(static_targets deconv_static)
else()
  message(STATUS "The package has no static library, for want of libhwy.a beside ${hwy_location}, ld.bfd or objcopy")
endif()

set(cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/deconv")
set(data_dir "${CMAKE_INSTALL_DATADIR}/deconv")
install(TARGETS deconv_shared EXPORT deconv-shared
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT dev)
install(EXPORT deconv-shared NAMESPACE deconv:: FILE deconv-shared.cmake DESTINATION "${cmake_dir}" COMPONENT dev)
if(static_targets)
  install(TARGETS deconv_static EXPORT deconv-static
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
  install(EXPORT deconv-static NAMESPACE deconv:: FILE deconv-static.cmake DESTINATION "${cmake_dir}" COMPONENT dev)
endif()
install(FILES include/deconv/deconv.h include/deconv/cxx.h
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/deconv" COMPONENT dev)

configure_package_config_file(package/deconvConfig.cmake.in "${generated}/deconvConfig.cmake"
  INSTALL_DESTINATION "${cmake_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${generated}/deconvConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${generated}/deconvConfig.cmake" "${generated}/deconvConfigVersion.cmake"
  DESTINATION "${cmake_dir}" COMPONENT dev)

string(REGEX REPLACE "[^/]+" ".." prefix_from_pc "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
configure_file(package/deconv.pc.in "${generated}/deconv.pc" @ONLY)
install(FILES "${generated}/deconv.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)

install(FILES examples/upsample.c examples/upsample.cc examples/upsample.py examples/selftest.c
  package/example/CMakeLists.txt DESTINATION "${data_dir}/examples" COMPONENT dev)
install(PROGRAMS package/verification_record DESTINATION "${data_dir}" COMPONENT dev)
# What was run on the library and what came of it; there only where ci/verify_kernel wrote it before.
install(FILES "${PROJECT_BINARY_DIR}/deconv-verification.json" DESTINATION "${data_dir}" COMPONENT dev OPTIONAL)

set(CPACK_PACKAGE_NAME deconv)
set(CPACK_PACKAGE_VENDOR "the deconv-cts authors")
set(CPACK_PACKAGE_CONTACT "the deconv-cts authors <nobody@example.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Transposed convolution on CPUs, vectorised")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME "libdeconv${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Transposed convolution on CPUs, vectorised\n The shared library.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libdeconv-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "g++, cmake, pkg-config")
set(CPACK_DEBIAN_DEV_DESCRIPTION
  "Transposed convolution on CPUs, vectorised: development files\n Headers, the static library, CMake package, pkg-config file and examples.")
include(CPack)

set(DECONV_DOCS_DIR "${PROJECT_BINARY_DIR}/docs/kernel")
configure_file(package/Doxyfile.in "${generated}/Doxyfile" @ONLY)
find_program(DECONV_DOXYGEN doxygen)
if(DECONV_DOXYGEN)
  add_custom_target(deconv_docs COMMAND "${CMAKE_COMMAND}" -E make_directory "${DECONV_DOCS_DIR}"
    COMMAND "${DECONV_DOXYGEN}" "${generated}/Doxyfile" VERBATIM COMMENT "Documentation of the kernel's interface")
endif()

if(DECONV_TESTS)
  add_test(NAME kernel_docs_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/package/docs_test" "${generated}/Doxyfile"
           "${CMAKE_CURRENT_SOURCE_DIR}/include")
  add_test(NAME kernel_verification_record_test
           COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/package/verification_record_test" $<TARGET_FILE:deconv-cts>)
  add_test(NAME kernel_package_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/package/package_test"
           "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}" "${CMAKE_C_COMPILER}" "${CMAKE_CXX_COMPILER}")
  # The dump is of one processor's types; others are alike as far as their sizes are.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    set(abi "deconv-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}-x86_64.xml")
    add_test(NAME kernel_abi_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/package/abi_test"
             "${CMAKE_CURRENT_SOURCE_DIR}/package/abi/${abi}" "${CMAKE_CURRENT_SOURCE_DIR}/include"
             $<TARGET_FILE:deconv_shared>)
  endif()
endif()
