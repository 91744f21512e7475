# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# pugixml::pugixml, without a shared library if the package has another. All versions of pugixml have the same SONAME, so
# a backend that brings its own would get this program's.
find_package(pugixml REQUIRED)
if(TARGET pugixml::static AND TARGET pugixml::pugixml)
  set_property(TARGET pugixml::pugixml PROPERTY INTERFACE_LINK_LIBRARIES pugixml::static)
endif()
