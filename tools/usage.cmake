# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DFILE=TEXT -DOUT=HEADER -P usage.cmake: the text as a C string.
file(READ ${FILE} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n\"" text "${text}")
file(WRITE ${OUT} "static const char usage[] =\n\"${text}\";\n")
