# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cpack -G DEB, in the build folder.
set(CPACK_PACKAGE_NAME stencilopt)
set(CPACK_PACKAGE_VENDOR StencilOpt)
set(CPACK_PACKAGE_CONTACT "StencilOpt maintainers <maintainers@stencilopt.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "LLVM pass plugin that makes GPUs run stencils")
set(CPACK_PACKAGE_DESCRIPTION "StencilOpt finds stencils, loops over neighbouring cells of a grid, in what clang and flang compile,
 and makes GPUs run them. This package has the plugin for LLVM ${LLVM_VERSION_MAJOR}, the runtime, a simulator and the
 compilers stencil-cc, stencil-c++ and stencil-fc, which use it.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libllvm${LLVM_VERSION_MAJOR}, clang-${LLVM_VERSION_MAJOR}, libzstd1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "flang-${LLVM_VERSION_MAJOR}, ccache")
set(CPACK_GENERATOR DEB)
include(CPack)
