# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Cases as bytes, for fuzzers and generators.
add_library(deconv_codec STATIC
  byte_codec.cc byte_codec.h
  byte_codec_case.cc
  byte_codec_library.cc
  byte_codec_range.h
  byte_codec_recipe.cc byte_codec_recipe.h
  byte_codec_slots.h
  byte_codec_spoil.cc byte_codec_spoil.h)
target_link_libraries(deconv_codec PRIVATE deconv_flags PUBLIC deconv_cases)
deconv_not_searched(deconv_codec)
if(DECONV_TESTS)
  deconv_test(byte_codec_test SOURCES byte_codec_test.cc LIBRARIES deconv_codec rapidcheck)
  set_tests_properties(byte_codec_test PROPERTIES ENVIRONMENT "RC_PARAMS=max_success=5000")
endif()
