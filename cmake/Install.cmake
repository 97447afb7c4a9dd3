# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools) # components are packages: Package.cmake
set(made ${CMAKE_BINARY_DIR}/cmake)

set_target_properties(stencilsim PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
set_target_properties(stencil-sim PROPERTIES INSTALL_RPATH "$ORIGIN/${STENCILOPT_FROM_BIN}/${STENCILOPT_PLUGIN_FOLDER};${LLVM_LIBRARY_DIR}")
set_target_properties(stencilopt PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIR}")

install(TARGETS stencilopt stencilsim DESTINATION ${STENCILOPT_PLUGIN_FOLDER} COMPONENT plugin)
install(TARGETS stencilrt LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_SKIP COMPONENT runtime)
install(TARGETS stencil-sim stencil-cc stencil-c++ stencil-fc DESTINATION ${CMAKE_INSTALL_BINDIR})
set(pages stencilopt stencil-sim stencil-cc stencil-tune)
if(TARGET stencil-mlir)
  set_target_properties(stencil-mlir PROPERTIES
    INSTALL_RPATH "$ORIGIN/${STENCILOPT_FROM_BIN}/${STENCILOPT_PLUGIN_FOLDER};${LLVM_LIBRARY_DIR}")
  install(TARGETS stencil-mlir DESTINATION ${CMAKE_INSTALL_BINDIR})
  list(APPEND pages stencil-mlir)
endif()
install(PROGRAMS tools/accelerate-clang tools/stencil-tune tools/stencil-plot DESTINATION ${CMAKE_INSTALL_BINDIR})
file(GLOB modules tools/python/*.py) # where the programs look for them: ../share/stencilopt/python
install(FILES ${modules} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/stencilopt/python)
file(GLOB headers include/stencilopt/*.h include/stencilopt/*.def)
install(FILES ${headers} ${CMAKE_BINARY_DIR}/include/stencilopt/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stencilopt)

# Manual pages
include(${here}/Manual.cmake)
foreach(page IN LISTS pages)
  configure_file(docs/man/${page}.1.in ${CMAKE_BINARY_DIR}/man/${page}.1 @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/man/${page}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()
foreach(link stencil-c++ stencil-fc)
  file(CREATE_LINK stencil-cc.1 ${CMAKE_BINARY_DIR}/man/${link}.1 SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/man/${link}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()

# Documentation
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT doc FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "*.json"
  PATTERN man EXCLUDE)
install(FILES tools/demo.d/heat.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# pkg-config and find_package
configure_file(${here}/stencilopt.pc.in ${made}/stencilopt.pc @ONLY)
configure_file(${here}/stencilopt-passes.pc.in ${made}/stencilopt-passes.pc @ONLY)
configure_file(${here}/StencilOptConfig.cmake.in ${made}/StencilOptConfig.cmake @ONLY)
write_basic_package_version_file(${made}/StencilOptConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${made}/stencilopt.pc ${made}/stencilopt-passes.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${made}/StencilOptConfig.cmake ${made}/StencilOptConfigVersion.cmake ${here}/StencilOptEnable.cmake
  DESTINATION ${STENCILOPT_CMAKE_FOLDER})

# What removes it all lies in the tree itself, so that it works wherever that is. In a package the
# package's manager does that.
set(STENCILOPT_UNINSTALL ${STENCILOPT_CMAKE_FOLDER}/uninstall.cmake)
configure_file(${here}/record.cmake.in ${made}/record.cmake @ONLY)
install(SCRIPT ${made}/record.cmake)
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -P ${here}/uninstall.cmake ${CMAKE_BINARY_DIR}/installed.txt
  COMMENT "Removing what was installed last" VERBATIM)
