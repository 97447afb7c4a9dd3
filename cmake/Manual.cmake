# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What manual pages say of options comes from where the options themselves do.

# ${name} = value as roff has it.
function(as_roff text out)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# OPTION(id, "name", "default", "allowed", "help") of lib/options/options.def
file(READ ${CMAKE_SOURCE_DIR}/lib/options/options.def table)
string(REPLACE ";" "@semicolon@" table "${table}")
set(word "\"([^\"]*)\"")
set(entry "OPTION\\([A-Z_]+, ${word}, ${word}, ${word},[ \n]*${word}\\)")
string(REGEX MATCHALL "${entry}" entries "${table}")
set(STENCILOPT_MAN_OPTIONS "")
foreach(one IN LISTS entries)
  string(REGEX MATCH "${entry}" all "${one}")
  set(name "${CMAKE_MATCH_1}")
  set(text "${CMAKE_MATCH_4}. Allowed: ${CMAKE_MATCH_3}.")
  if(NOT "${CMAKE_MATCH_2}" STREQUAL "")
    string(APPEND text " Default: ${CMAKE_MATCH_2}.")
  endif()
  string(REPLACE "@semicolon@" ";" text "${text}")
  as_roff("${name}" name)
  as_roff("${text}" text)
  string(APPEND STENCILOPT_MAN_OPTIONS ".TP\n.B ${name}\n${text}\n")
endforeach()

# stencil-sim's: the text of its --help, a line a line.
file(READ ${CMAKE_SOURCE_DIR}/tools/stencil-sim/usage.txt STENCILOPT_MAN_SIM)
as_roff("${STENCILOPT_MAN_SIM}" STENCILOPT_MAN_SIM)
string(REGEX REPLACE "^[^\n]*\n[^\n]*\n" "" STENCILOPT_MAN_SIM "${STENCILOPT_MAN_SIM}") # what SYNOPSIS says
set(STENCILOPT_MAN_SIM ".nf\n${STENCILOPT_MAN_SIM}.fi")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/lib/options/options.def ${CMAKE_SOURCE_DIR}/tools/stencil-sim/usage.txt)
