// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each iteration of a loop allocates and frees, as much each time, is allocated once for the region that takes the
// loop's place. The loop keeps its own calls, for where it runs; and where it is not offloaded it is as it was.
// RUN: %clang -O2 -ffp-contract=off -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=stencil-offload -stencilopt-code=0 -S %t.ll -o %t.with.ll
// RUN: FileCheck %s < %t.with.ll
// A function without a region is the same, line by line, but for numbers of metadata and the order of predecessors.
// RUN: %opt -S %t.ll -o %t.plain.ll
// RUN: sed -n -e 's/ *; preds = .*//' -e 's/[#!][0-9]*//g' -e '/@c_sums(/,/^}/p' %t.plain.ll > %t.plain
// RUN: sed -n -e 's/ *; preds = .*//' -e 's/[#!][0-9]*//g' -e '/@c_sums(/,/^}/p' %t.with.ll | diff %t.plain -
#include <stdlib.h>

void use(float *);

// The region's memory is freed before the loop runs, and after the runtime ran.
// CHECK-LABEL: define {{.*}}@a_time(
// CHECK:       [[OWN:%.*]] = {{.*}}call {{.*}}@malloc(
// CHECK:       [[THERE:%.*]] = icmp ne ptr [[OWN]], null
// CHECK:       [[GUARDS:%.*]] = select i1 %{{.*}}, i1 [[THERE]], i1 false
// CHECK:       [[READY:%.*]] = select i1 [[GUARDS]], i1 %{{.*}}, i1 false
// CHECK:       call void @stencilopt.settle(i1 [[READY]])
// CHECK:       [[NONE:%.*]] = select i1 [[READY]], ptr null, ptr [[OWN]]
// CHECK-NEXT:  call void @free(ptr [[NONE]])
// CHECK-NEXT:  br i1 [[READY]], label %stencil.enter, label %[[LOOP:[0-9]+]]
// CHECK:       stencil.enter:
// CHECK:       call i1 @stencilopt.enter(
// CHECK-NEXT:  call void @free(ptr [[OWN]])
// CHECK:       [[LOOP]]:
// CHECK:       [[EACH:%.*]] = {{.*}}call {{.*}}@malloc(
// CHECK-NOT:   [[OWN]]
// CHECK:       call void @free(ptr {{.*}}[[EACH]])
// CHECK-LABEL: define
void a_time(long n, long m, long steps, float *a) {
    for (long t = 0; t < steps; t++) {
        float *b = malloc(n * m * sizeof *b);
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j];
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
        free(b);
    }
}

// Only the sweep in the loop is offloaded, so both calls stay in the loop, once.
// CHECK-LABEL: {{.*}}@b_sweep(
// CHECK-NOT:   @malloc(
// CHECK:       br label %[[TIME:[0-9]+]]
// CHECK:       [[TIME]]:
// CHECK:       call {{.*}}@malloc(
// CHECK:       call i1 @stencilopt.enter(
// CHECK-NOT:   @malloc(
// CHECK:       call void @use(
// CHECK-NEXT:  {{.*}}call void @free(
// CHECK-NOT:   @free(
// CHECK-LABEL: define
void b_sweep(long n, long m, long steps, const float *a) {
    for (long t = 0; t < steps; t++) {
        float *b = malloc(n * m * sizeof *b);
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                b[i * m + j] = a[i * m + j] + a[(i + 1) * m + j];
        use(b);
        free(b);
    }
}

// Nothing is offloaded: what is called is foreign to sweeps.
float made(float);
void c_sums(long n, long m, long steps, float *a) {
    for (long t = 0; t < steps; t++) {
        float *b = malloc(n * m * sizeof *b), *c = malloc(n * sizeof *c);
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < 500; j++)
                b[i * m + j] = made(a[i * m + j]) + a[(i + 1) * m + j];
        for (long i = 0; i < n - 1; i++)
            c[i] = made(b[i]);
        a[t] = c[0];
        free(c);
        free(b);
    }
}

// CHECK-LABEL: define {{.*}}@d_sometimes(
// CHECK:       call i32 @asked(
// CHECK:       call {{.*}}@malloc(
// CHECK:       call void @use(
// CHECK-NEXT:  {{.*}}call void @free(
int asked(void);
void d_sometimes(long n, long m, long steps, const float *a) {
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

// CHECK-LABEL: define {{.*}}@e_grows(
// CHECK:       br label %[[TIME:[0-9]+]]
// CHECK:       [[TIME]]:
// CHECK:       call {{.*}}@malloc(
// CHECK:       call void @free(
void e_grows(long n, long m, long steps, float *a) {
    for (long t = 0; t < steps; t++) {
        float *b = malloc((n * m + t) * sizeof *b);
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j];
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
        free(b);
    }
}
