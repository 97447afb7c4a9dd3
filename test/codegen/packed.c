// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes are loaded, kept, shuffled and stored by words; so are sums of them where they fit. Life's
// cells may be anything at first, and sums of them take 16 bits; those that it makes are 0 or 1, and
// four counts of neighbours fit into a word. An average is divided in halves of words. What is
// divided by a value that is no constant is unpacked.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=4 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=PLAN < %t/life.0.plan
// RUN: FileCheck %s -check-prefix=LIFE < %t/life.0.ptx
// RUN: FileCheck %s -check-prefix=SINGLE < %t/life.0.ptx
// RUN: %opt -passes=verify -S %t/life.0.ll | FileCheck %s -check-prefix=IR
// RUN: FileCheck %s -check-prefix=BLUR < %t/blur.1.ptx
// RUN: FileCheck %s -check-prefix=RATIO < %t/ratio.2.ptx
// RUN: FileCheck %s -check-prefix=HALVES < %t/halves.3.ptx
// RUN: FileCheck %s -check-prefix=LINE-PLAN < %t/line.4.plan
// PLAN: stencil_stream4: bT 4, tile 480x1, {{.*}}, packed; predicted
// LIFE: .visible .entry stencil_stream4
// LIFE-COUNT-8: shfl.sync
// LIFE: st.global.v4.b32
// SINGLE: .visible .entry stencil_stream4
// SINGLE-NOT: setp.{{eq|ne}}.s16
// SINGLE-NOT: .u8
// SINGLE-NOT: v16
// SINGLE: .visible .entry stencil_stream2
// 16 bits a field at level 0: 0x00030003; 8 above: 0x03030303.
// IR: define ptx_kernel void @stencil_stream4
// IR: inner:
// IR: xor i32 %{{[0-9]+}}, 196611
// IR: xor i32 %{{[0-9]+}}, 50529027
// IR: hold
// BLUR: .visible .entry stencil_stream4
// BLUR-NOT: div
// BLUR: mul.lo.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 7282
// BLUR: prmt.b32
// BLUR: .visible .entry stencil_stream2
// RATIO: .visible .entry stencil_stream4
// RATIO: div
// RATIO: .visible .entry stencil_stream2
// HALVES: .visible .entry stencil_stream4
// HALVES-COUNT-8: shfl.sync
// HALVES: st.global.v4.b32
// LINE-PLAN: stencil_strip4: bT 4, {{.*}}, packed; predicted
#include <stdint.h>
void life(int n, int m, int steps, uint8_t A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int around = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] +
                             A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j - 1] +
                             A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1];
                A[(t + 1) % 2][i][j] = around == 3 || (around == 2 && A[t % 2][i][j]);
            }
}
void blur(int n, int m, int steps, uint8_t A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] =
                    (A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] +
                     A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1] +
                     A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]) /
                    9;
}
void ratio(int n, int m, int steps, uint8_t A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] =
                    (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]) / (A[t % 2][i][j] + 1);
}
void halves(int n, int m, int steps, int16_t A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] = (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] +
                                        A[t % 2][i][j - 1] + A[t % 2][i][j + 1]) >>
                                       2;
}
void line(int n, int steps, uint8_t A[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] = (A[t % 2][i - 1] + 2 * A[t % 2][i] + A[t % 2][i + 1]) >> 2;
}
