# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# What people read: names nearest to a misspelt one, words to be pasted into a shell.
add_library(deconv_text STATIC nearest.cc nearest.h shell_word.cc shell_word.h)
target_link_libraries(deconv_text PRIVATE deconv_flags)
if(DECONV_TESTS)
  deconv_test(nearest_test SOURCES nearest_test.cc LIBRARIES deconv_text)
endif()
