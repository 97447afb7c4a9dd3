# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DFILE=PLUGIN -DOUT=HEADER -P key.cmake: the header has the plugin's hash.
file(SHA256 ${FILE} hash)
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUT} "#define STENCIL_KEY \"${hash}\"\n")
