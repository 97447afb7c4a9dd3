// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What columns are for: a cache of 64 KiB holds 64 columns of the right matrix, 128 deep, but not all 1024. In row
// order each row of the result fetches it anew; in columns it is fetched once: 128 * 1024 / 32 lines.
// RUN: %clang %cuda -O2 -DT=float %s -o - | %early -o %t.rows.ll
// RUN: %opt -passes=stencil-remap -S %t.rows.ll -o %t.columns.ll
// RUN: %stencil-sim %t.rows.ll --kernel product --grid 128 --block 256 --arg buf:f32:32768:zero --arg buf:f32:65536:rand=1 --arg buf:f32:131072:rand=2 --arg i32:128 --arg i32:1024 --arg i32:32 --trace-cache --cache l1=64K:128:full,blocks=2 | FileCheck %s --check-prefix=ROWS
// RUN: %stencil-sim %t.columns.ll --kernel product --grid 128 --block 256 --arg buf:f32:32768:zero --arg buf:f32:65536:rand=1 --arg buf:f32:131072:rand=2 --arg i32:128 --arg i32:1024 --arg i32:32 --trace-cache --cache l1=64K:128:full,blocks=2 | FileCheck %s --check-prefix=COLUMNS
// ROWS: argument 2 {{.*}} 131072{{$}}
// COLUMNS: argument 2 {{.*}} 4096{{$}}
#include "../kernels/flat.cu"
