# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -P PREFIX/lib/cmake/StencilOpt/uninstall.cmake: removes an installation, also one that was
# moved. A file that names the folder with the list of its files may be given.
set(folder "${CMAKE_CURRENT_LIST_DIR}")
if(CMAKE_ARGC GREATER 3)
  set(folder "${CMAKE_ARGV3}")
  if(EXISTS "${folder}")
    file(READ "${folder}" folder)
  endif()
endif()
if(NOT EXISTS "${folder}/files.txt")
  message(FATAL_ERROR "uninstall: nothing is installed here: ${folder} has no files.txt. "
    "Of an installation elsewhere, run its own: cmake -P PREFIX/lib/cmake/StencilOpt/uninstall.cmake")
endif()
file(STRINGS "${folder}/files.txt" files)
list(GET files 0 own)

# The prefix is as far up as the list's own name is deep.
set(prefix "${folder}/uninstall.cmake")
string(REPLACE "/" ";" parts "${own}")
foreach(part IN LISTS parts)
  get_filename_component(prefix "${prefix}" DIRECTORY)
endforeach()

set(folders "")
foreach(file IN LISTS files)
  file(REMOVE "${prefix}/${file}")
  get_filename_component(up "${file}" DIRECTORY)
  while(up MATCHES "[Ss]tencil[Oo]pt") # other folders are others', too
    list(APPEND folders "${up}")
    get_filename_component(up "${up}" DIRECTORY)
  endwhile()
endforeach()

# Longest first: what is inside before what holds it.
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)
foreach(one IN LISTS folders)
  file(GLOB left "${prefix}/${one}/*" "${prefix}/${one}/.*")
  if(NOT left AND EXISTS "${prefix}/${one}")
    file(REMOVE_RECURSE "${prefix}/${one}")
  endif()
endforeach()
list(LENGTH files count)
message(STATUS "Removed ${count} files from ${prefix}")
