// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin decides what is contracted, not the GPU's compiler: nothing where the program says off.
// RUN: rm -rf %t && mkdir %t
// RUN: env STENCILOPT_SAVE_TEMPS=%t/off %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=OFF < %t/off/f.0.ptx
// RUN: env STENCILOPT_SAVE_TEMPS=%t/on %clang -O2 -ffp-contract=on -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=ON < %t/on/f.0.ptx
// RUN: env STENCILOPT_SAVE_TEMPS=%t/fast %clang -O2 -ffp-contract=fast -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=FAST < %t/fast/f.0.ptx
//
// `on` contracts within a statement, `fast` across them; fmuladd may not become two operations.
// OFF-NOT: fma.rn
// OFF: mul.rn.f32
// OFF-NOT: fma.rn
// OFF: add.rn.f32
// OFF-NOT: fma.rn
// ON: fma.rn.f32
// ON: mul.rn.f32
// ON: add.rn.f32
// FAST: fma.rn.f32
// FAST: fma.rn.f32
// FAST-NOT: mul.rn.f32
void f(int n, const float *a, float *restrict b) {
    for (int i = 1; i < n - 1; i++) {
        float x = a[i - 1] * 1.5f + a[i];
        float y = a[i + 1] * 2.5f;
        b[i] = x + y;
    }
}
