# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Cases: their line, their values, layer XML, and the suites made of them.
add_library(deconv_cases STATIC
  case.h case_line.cc
  data_set.cc data_set.h
  layer_xml.cc layer_xml.h layer_xml_net.cc layer_xml_parts.cc layer_xml_parts.h layer_xml_writer.cc)
target_link_libraries(deconv_cases
  PRIVATE deconv_flags deconv_text pugixml::pugixml fmt::fmt
  PUBLIC deconv::oracle)
