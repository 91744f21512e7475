# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the page's style and script into a source file, as raw strings.
#   cmake -DSTYLE=page.css -DSCRIPT=page.js -DOUTPUT=page_assets.cc -P embed.cmake
foreach(asset STYLE SCRIPT)
  file(READ "${${asset}}" text)
  # They stand inside the elements <style> and <script>, which these would end.
  if(text MATCHES "</[Ss][CcTt]" OR text MATCHES "<!--")
    message(FATAL_ERROR "${${asset}}: found '${CMAKE_MATCH_0}', which would end the element that it stands in")
  endif()
  string(FIND "${text}" ")~~~\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${${asset}}: found )~~~\", which ends the string that it is embedded in")
  endif()
  set(${asset}_TEXT "${text}")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed.cmake.
#include \"conformance/report/html/page_assets.h\"

namespace conformance {

const std::string_view kPageStyle = R\"~~~(${STYLE_TEXT})~~~\";
const std::string_view kPageScript = R\"~~~(${SCRIPT_TEXT})~~~\";

}  // namespace conformance
")
