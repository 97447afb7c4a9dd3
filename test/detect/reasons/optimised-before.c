// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IR that was vectorised before the plugin saw it is told so; without that it is taken.
// RUN: %clang -O3 -S -emit-llvm %s -o %t.ll
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -x ir -c %t.ll -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O3 -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.2.ll
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass=stencil -x ir -c %t.2.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=TAKEN
// CHECK: remark: {{.*}}loop nest not offloaded: its loops were vectorised before the plugin saw them; run the plugin before the passes that do that
// TAKEN: remark: {{.*}}2-D stencil of radius 1
void step(double *restrict a, double *restrict b, long h, long w) {
    for (long i = 1; i < h - 1; i++)
        for (long j = 1; j < w - 1; j++)
            b[i * w + j] = a[i * w + j - 1] + a[i * w + j + 1] + a[(i - 1) * w + j] + a[(i + 1) * w + j];
}
// What the plugin keeps LLVM from unrolling was not unrolled.
// RUN: %clang -O3 -DKEPT -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: remark: loop nest not offloaded: {{'sin'|the}}
#ifdef KEPT
double sin(double);
void table(double *restrict a, const double *restrict b) {
    for (long j = 0; j < 40; j++) {
        a[2 * j] = sin(b[j]) + b[j + 1];
        a[2 * j + 1] = sin(b[j + 1]);
    }
}
#endif
