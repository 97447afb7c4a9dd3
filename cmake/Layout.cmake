# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where things go in an installed tree, which may be moved: all paths in it are relative. Debian's
# folder of the architecture is left out, so that the tree is the same everywhere.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "libraries, under the prefix")
include(GNUInstallDirs)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/stencilopt)
set(STENCILOPT_PLUGIN_FOLDER ${CMAKE_INSTALL_LIBDIR}/stencilopt/llvm-${LLVM_VERSION_MAJOR})
set(STENCILOPT_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/StencilOpt)
file(RELATIVE_PATH STENCILOPT_FROM_BIN /prefix/${CMAKE_INSTALL_BINDIR} /prefix)
file(RELATIVE_PATH STENCILOPT_FROM_CMAKE /prefix/${STENCILOPT_CMAKE_FOLDER} /prefix)
foreach(path STENCILOPT_FROM_BIN STENCILOPT_FROM_CMAKE)
  string(REGEX REPLACE "/$" "" ${path} "${${path}}")
endforeach()
