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

# The text of a program's --help, a line a line, from its first option on.
function(man_usage tool out)
  set(file ${CMAKE_SOURCE_DIR}/tools/${tool}/usage.txt)
  file(READ ${file} text)
  as_roff("${text}" text)
  string(FIND "${text}" "\n\n" start) # SYNOPSIS and DESCRIPTION say what is in front
  string(SUBSTRING "${text}" ${start} -1 text)
  set(${out} ".nf${text}.fi" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()
man_usage(stencil-sim STENCILOPT_MAN_SIM)
man_usage(stencil-mlir STENCILOPT_MAN_MLIR)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lib/options/options.def)
