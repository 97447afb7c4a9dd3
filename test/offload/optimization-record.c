// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of remarks (YAML) have what a remark says as values with keys.
// RUN: %clang -O2 -g1 -fpass-plugin=%plugin -fsave-optimization-record -foptimization-record-passes=stencil -foptimization-record-file=%t.yaml -c %s -o %t.o
// RUN: FileCheck %s --input-file=%t.yaml
// RUN: %clang -O2 -g1 -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -Rpass-analysis=stencil -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TEXT

// CHECK:      --- !Passed
// CHECK-NEXT: Pass: stencil
// CHECK-NEXT: Name: Offloaded
// CHECK-NEXT: DebugLoc: { File: {{.*}}optimization-record.c
// CHECK:      Line: [[#@LINE+25]]
// CHECK:      Function: heat
// CHECK-NEXT: Args:
// CHECK-NEXT: - Dimensions: '2'
// CHECK-NEXT: - String: '-D stencil of radius '
// CHECK-NEXT: - Radius: '1'
// CHECK:      - CellsRead: '4'
// CHECK:      - ElementType: f32
// CHECK:      - What: the whole time loop
// CHECK:      --- !Analysis
// CHECK:      Name: Plan
// CHECK:      - bT: '{{[0-9]+}}'
// CHECK:      - Tile: {{[0-9]+x[0-9]+}}
// CHECK:      - Warps: '{{[0-9]+}}'
// CHECK:      - CellsPerLane: '{{[0-9]+}}'
// CHECK:      - PredictedRate: '{{[0-9]+}}'
// CHECK:      - Limit: {{[a-z]+}}
// CHECK:      - Registers: '{{[0-9]+}}'
// CHECK-NEXT: ...
// TEXT: :[[#@LINE+6]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 4 cells read, f32, runs on a GPU where there is one: the whole time loop [-Rpass=stencil]
// TEXT: :[[#@LINE+5]]:{{[0-9]+}}: remark: plan: bT {{[0-9]+}}, tile {{[0-9]+x[0-9]+}}, {{[0-9]+}} warps, {{[0-9]+}} cells of {{[0-9]+}} rows a lane; predicted {{[0-9]+}} GCells/s, bound by {{[a-z ]+}} [-Rpass-analysis=stencil]
enum { N = 1000 };
void heat(int steps, float a[2][N][N]) {
    for (int t = 0; t < steps; t++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++)
                a[(t + 1) % 2][j][i] = 0.25f * (a[t % 2][j][i - 1] + a[t % 2][j][i + 1] + a[t % 2][j - 1][i] + a[t % 2][j + 1][i]);
}

// CHECK:      --- !Missed
// CHECK:      Name: Call
// CHECK:      - String: 'loop nest not offloaded: '
// CHECK-NEXT: - String: 'the loop nest calls '
// CHECK-NEXT: - Detail: work
// CHECK-NEXT: - String: ', which is not known to be free of side effects; let it be inlined, or call it outside the loops'
// CHECK-NEXT: - Reason: Call
// CHECK-NEXT: ...
// TEXT: :[[#@LINE+3]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest calls work, which is not known to be free of side effects; let it be inlined, or call it outside the loops [-Rpass-missed=stencil]
float work(float);
void call(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = work(a[i - 1] + a[i + 1]);
}
// No function of StencilOpt's own is told of.
// CHECK-NOT: stencilopt.
