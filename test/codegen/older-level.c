// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that read two time levels: both come through the prefetch ring, both are stored, and there
// is no loop that loads the boundary.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=2 STENCILOPT_PREFETCH=4 STENCILOPT_WARPS=4 %clang -O2 -fpass-plugin=%plugin -Rpass-analysis=stencil -c %s -o /dev/null 2>&1 | FileCheck %s -check-prefix=WHY
// RUN: FileCheck %s -check-prefix=PLAN < %t/wave.0.plan
// RUN: FileCheck %s -check-prefix=IR < %t/wave.0.ll
// RUN: FileCheck %s < %t/wave.0.ptx
// RUN: FileCheck %s -check-prefix=NONE < %t/wave.0.ptx
// PLAN: stencil_stream2: bT 2, tile 120x1, 4 warps, 4 cells of 1 rows a lane, prefetch 4, 32 lanes, scratchpad 16384 bytes
// PLAN: stencil_stream1: bT 1
// IR: void @stencil_stream2(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, i64
// IR: border.held:
// IR-NOT: border.loaded:
// CHECK: .visible .entry stencil_stream2
// CHECK-COUNT-6: cp.async.cg.shared.global
// CHECK: cp.async.wait_group
// CHECK: ld.shared.v4
// CHECK: cp.async.cg.shared.global
// CHECK: cp.async.cg.shared.global
// CHECK: cp.async.commit_group
// CHECK: st.global.v4
// CHECK: st.global.v4
// CHECK: cp.async.wait_group
// NONE-NOT: bar{{rier|[.](sync|cta|red)}}
// NONE-NOT: .local
// WHY: plan: bT 2
// WHY: time steps are not blocked: it reads neighbours two time steps back
// WHY: time steps are not blocked: more buffers rotate than it reads time steps
// WHY: time steps are not blocked: it reads more than two time steps
#define ROTATE                                                                                     \
    float *oldest = before;                                                                        \
    before = now;                                                                                  \
    now = next;                                                                                    \
    next = oldest
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

void wave(int n, int m, int steps, float *before, float *now, float *next) {
    for (int t = 0; t < steps; t++) {
        CELLS next[i * m + j] = now[i * m + j - 1] + now[i * m + j + 1] + now[(i - 1) * m + j] +
                                now[(i + 1) * m + j] - before[i * m + j];
        ROTATE;
    }
}
void neighbours(int n, int m, int steps, float *before, float *now, float *next) {
    for (int t = 0; t < steps; t++) {
        CELLS next[i * m + j] = now[i * m + j - 1] + now[(i + 1) * m + j] - before[i * m + j + 1];
        ROTATE;
    }
}
void idle(int n, int m, int steps, float *before, float *now, float *next) {
    for (int t = 0; t < steps; t++) {
        CELLS next[i * m + j] = now[i * m + j - 1] + now[(i + 1) * m + j];
        ROTATE;
    }
}
void three(int n, int m, int steps, float *before, float *now, float *next) {
    for (int t = 0; t < steps; t++) {
        CELLS next[i * m + j] = now[i * m + j - 1] - before[i * m + j] + next[i * m + j];
        ROTATE;
    }
}
