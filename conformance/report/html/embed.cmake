# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Puts the page's style and script into its template, and writes the template and the style into a source file, as raw
# strings.
#   cmake -DPAGE=page.html -DSTYLE=page.css -DFIRST_SCRIPT=drawing.js -DSCRIPT=page.js -DOUTPUT=page_assets.cc
#         -P embed.cmake
foreach(asset PAGE STYLE FIRST_SCRIPT SCRIPT)
  file(READ "${${asset}}" ${asset}_TEXT)
  string(FIND "${${asset}_TEXT}" ")~~~\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${${asset}}: found )~~~\", which ends the string that it is embedded in")
  endif()
endforeach()
string(PREPEND SCRIPT_TEXT "${FIRST_SCRIPT_TEXT}")
foreach(asset STYLE SCRIPT)
  # The assets stand inside the elements <style> and <script>, which these texts would end.
  if(${asset}_TEXT MATCHES "</[Ss][CcTt]" OR ${asset}_TEXT MATCHES "<!--")
    message(FATAL_ERROR "${${asset}}: found '${CMAKE_MATCH_0}', which would end the element that it stands in")
  endif()
  string(REPLACE "@${asset}@" "${${asset}_TEXT}" PAGE_TEXT "${PAGE_TEXT}")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed.cmake.
#include \"conformance/report/html/page_assets.h\"

namespace conformance {

const std::string_view kPage = R\"~~~(${PAGE_TEXT})~~~\";
const std::string_view kPageStyle = R\"~~~(${STYLE_TEXT})~~~\";

}  // namespace conformance
")
