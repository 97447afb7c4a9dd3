#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What recipe.yaml runs, in the sources. PREFIX is where LLVM is, and where the package goes.
set -euo pipefail
cmake -S . -B build-conda -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DLLVM_DIR="${LLVM_DIR:-$PREFIX/lib/cmake/llvm}" -DBUILD_TESTING=OFF -DSTENCILOPT_WERROR=OFF
cmake --build build-conda
cmake --install build-conda
