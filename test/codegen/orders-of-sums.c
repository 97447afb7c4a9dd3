// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums whose order is free are added up by planes of the stream, whatever order the program has them in, where the
// cost model predicts that this is faster: a partial sum is carried instead of planes. Others stay as they are.
// RUN: %clang -O2 -I %S/../programs -DREAL=float -ffast-math -fpass-plugin=%plugin -c %S/../programs/boxorder3d.c -o /dev/null -Rpass-analysis=stencil 2>&1 | FileCheck %s -check-prefix=FREE
// RUN: %clang -O2 -I %S/../programs -DREAL=float -DGROUPED -ffast-math -fpass-plugin=%plugin -c %S/../programs/boxorder3d.c -o /dev/null -Rpass-analysis=stencil 2>&1 | FileCheck %s -check-prefix=FREE
// RUN: %clang -O2 -I %S/../programs -DREAL=float -fpass-plugin=%plugin -c %S/../programs/boxorder3d.c -o /dev/null -Rpass-analysis=stencil 2>&1 | FileCheck %s -check-prefix=FIXED
// FREE: plan: bT {{[2-9]}}
// FIXED: plan: bT 1,
