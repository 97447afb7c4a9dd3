// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass by its text alone takes IR as a front end writes it, with variables in memory, and a second run changes nothing.
// CASE: From text.
// RUN: %clang -O0 -Xclang -disable-O0-optnone -S -emit-llvm %s -o %t.ll
// RUN: env STENCILOPT_ARCH=sm_90 %opt -passes=stencil-offload -pass-remarks=stencil -S %t.ll -o %t.1.ll 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}2-D stencil of radius 1, 5 cells read, f64, runs on a GPU where there is one: the whole time loop
// RUN: env STENCILOPT_ARCH=sm_90 %opt -passes=stencil-offload -S %t.1.ll -o - | sed '/ModuleID/d; s/ *; preds.*//' > %t.2.ll
// RUN: sed '/ModuleID/d; s/ *; preds.*//' %t.1.ll | cmp - %t.2.ll

// CASE: A plugin that is only opened says that it does nothing; one that is loaded says nothing.
// RUN: %clang -O2 -fplugin=%plugin -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OPENED
// RUN: %clang -O2 -Xclang -load -Xclang %plugin -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OPENED
// OPENED: stencilopt: the plugin was opened, but none of its passes runs: load it with -fpass-plugin=
// RUN: %clang -O2 -fpass-plugin=%plugin -c %s -o %t.o 2>&1 | count 0

// CASE: Given at the link of thin LTO only it works; of full LTO the files were vectorised before, which is told.
// RUN: %clang -O2 -flto=thin -c %s -o %t.thin.o
// RUN: env STENCILOPT_ARCH=sm_90 %clang -flto=thin -fuse-ld=lld -shared -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=stencil %t.thin.o -o %t.so 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: 2-D stencil of radius 1, 5 cells read, f64, runs on a GPU where there is one: the whole time loop
// CASE: Full LTO.
// RUN: %clang -O2 -flto=full -S -emit-llvm %s -o %t.full.ll
// RUN: %opt -passes='lto<O2>' -pass-remarks-missed=stencil -disable-output %t.full.ll 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: remark: {{.*}}its loops were vectorised before the plugin saw them
void heat(double *a, double *b, long h, long w, long steps) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < h - 1; i++)
            for (long j = 1; j < w - 1; j++)
                b[i * w + j] = a[i * w + j] * 0.5 + (a[(i - 1) * w + j] + a[(i + 1) * w + j] + a[i * w + j - 1] + a[i * w + j + 1]) * 0.125;
        double *c = a;
        a = b;
        b = c;
    }
}
