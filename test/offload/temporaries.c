// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each iteration of a loop allocates and frees is allocated in front of the loop, once, and freed behind it; if it
// is as large each time, and each iteration comes to both.
// RUN: %clang -O2 -ffp-contract=off -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=stencil-offload -S %t.ll | FileCheck %s
#include <stdlib.h>

void use(float *);

// CHECK-LABEL: define {{.*}}@a_same(
// CHECK:       call {{.*}}@malloc(
// CHECK:       br label %[[LOOP:[0-9]+]]
// CHECK:       [[BEHIND:.*]]: {{.*}}preds = %[[LATCH:[0-9]+]]
// CHECK-NEXT:  {{.*}}call void @free(
// CHECK:       [[LOOP]]:
// CHECK:       [[LATCH]]:
// CHECK-NEXT:  {{.*}}call void @use(
// CHECK-NEXT:  {{.*}} = add
// CHECK-NEXT:  {{.*}} = icmp
// CHECK-NEXT:  br i1 %{{.*}}, label %[[BEHIND]], label %[[LOOP]]
void a_same(long n, long m, long steps, const float *a) {
    for (long t = 0; t < steps; t++) {
        float *b = malloc(n * m * sizeof *b);
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                b[i * m + j] = a[i * m + j] + a[(i + 1) * m + j];
        use(b);
        free(b);
    }
}

// CHECK-LABEL: define {{.*}}@b_sometimes(
// CHECK:       call i32 @asked(
// CHECK:       call {{.*}}@malloc(
// CHECK:       call void @use(
// CHECK-NEXT:  {{.*}}call void @free(
int asked(void);
void b_sometimes(long n, long m, long steps, const float *a) {
    for (long t = 0; t < steps; t++) {
        if (asked())
            break;
        float *b = malloc(n * m * sizeof *b);
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                b[i * m + j] = a[i * m + j] + a[(i + 1) * m + j];
        use(b);
        free(b);
    }
}

// CHECK-LABEL: define {{.*}}@c_grows(
// CHECK:       call void @use(
// CHECK-NEXT:  {{.*}}call void @free(
void c_grows(long n, long m, long steps, const float *a) {
    for (long t = 0; t < steps; t++) {
        float *b = malloc((n * m + t) * sizeof *b);
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                b[i * m + j] = a[i * m + j] + a[(i + 1) * m + j];
        use(b);
        free(b);
    }
}
