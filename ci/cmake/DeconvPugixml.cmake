# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds pugixml::pugixml, and prefers its static library if the package has one. All versions of pugixml have the same
# SONAME. With the shared library, a backend that brings its own pugixml would get the one of this program.
find_package(pugixml REQUIRED)
if(TARGET pugixml::static AND TARGET pugixml::pugixml)
  set_property(TARGET pugixml::pugixml PROPERTY INTERFACE_LINK_LIBRARIES pugixml::static)
endif()
