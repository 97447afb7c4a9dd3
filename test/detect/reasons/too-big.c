// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O1 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S -emit-llvm %s -o /dev/null 2>&1 | FileCheck %s

#define TEN(x) x x x x x x x x x x
#define FOUR(s, k) (s(k) + s(k + 1)) + (s(k + 2) + s(k + 3))
#define LEAF(k) a[i] * (1.0f + k)
#define S1(k) (FOUR(LEAF, k))
#define S2(k) (S1(k) + S1(k + 4) + (S1(k + 8) + S1(k + 12)))
#define S3(k) (S2(k) + S2(k + 16) + (S2(k + 32) + S2(k + 48)))
#define S4(k) (S3(k) + S3(k + 64) + (S3(k + 128) + S3(k + 192)))
#define S5(k) (S4(k) + S4(k + 256) + (S4(k + 512) + S4(k + 768)))
#define S6(k) (S5(k) + S5(k + 1024) + (S5(k + 2048) + S5(k + 3072)))

void wide(int n, const float *restrict a, float *restrict b) {
    // CHECK: too-big.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body is larger than the limit of 20000 operations
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] * a[i + 1] + S6(0) + S6(4096);
}
void deep(int n, const float *restrict a, float *restrict b) {
    // CHECK: too-big.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body is larger than the limit of 5000 operations one after the other
    for (int i = 1; i < n - 1; i++) {
        float s = a[i - 1] + a[i + 1];
        TEN(TEN(TEN(s = s * 0.9f + a[i]; s = s * 0.8f + a[i]; s = s * 0.7f + a[i];)))
        b[i] = s;
    }
}
extern int flag;
void act(void);
void many_blocks(int n, int steps, float *restrict a, float *restrict b) {
    for (int t = 0; t < steps; t++) {
        TEN(TEN(TEN(if (flag) act();)))
        // CHECK: too-big.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the loop body is larger than the limit of 256 basic blocks
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
    }
}
