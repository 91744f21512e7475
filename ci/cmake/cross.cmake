# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles for another machine with Debian's cross libraries. The variable DECONV_CROSS_TRIPLE names the machine as GNU
# does, for example aarch64-linux-gnu. CMAKE_C_COMPILER and CMAKE_CXX_COMPILER are a clang, which gets the name as its target,
# or the g++ of that machine.
if(NOT DECONV_CROSS_TRIPLE)
  message(FATAL_ERROR "cross.cmake: expected -DDECONV_CROSS_TRIPLE=..., for example aarch64-linux-gnu")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DECONV_CROSS_TRIPLE)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${DECONV_CROSS_TRIPLE}")
set(CMAKE_SYSTEM_NAME Linux)
if(CMAKE_CXX_COMPILER MATCHES "clang")
  set(CMAKE_C_COMPILER_TARGET "${DECONV_CROSS_TRIPLE}")
  set(CMAKE_CXX_COMPILER_TARGET "${DECONV_CROSS_TRIPLE}")
endif()
set(CMAKE_FIND_ROOT_PATH "/usr/${DECONV_CROSS_TRIPLE}")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)  # no libraries of the machine that builds
