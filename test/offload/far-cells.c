// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole steps of one array that read cells more lanes away than most stencils do: what is shuffled for them is not kept. (A read
// beside the table of what is kept was seen by sanitizers, and crashed the compiler now and then.)
// RUN: %clang -O1 -ffp-contract=off -fno-strict-aliasing -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

static struct { float a[3000], b[3000]; } s;

// CHECK: remark: 2-D time loop of 2 sweeps runs on a GPU
void far(long S, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 45; i++)
                s.b[700 + j * S + i] = 0.7f * s.b[700 + j * S + i + 32] + 0.3f * s.b[700 + j * S + i - 33] +
                                       0.7f * s.b[700 + j * S + i - 64] + 0.4f * s.b[700 + j * S + i + 17];
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 45; i++)
                s.b[700 + j * S + i - 83] = s.b[700 + j * S + i];
    }
}
