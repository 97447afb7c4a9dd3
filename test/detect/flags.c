// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags that cells set, and that end the time loop. A flag that keeps which cell it was is none.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <stdbool.h>

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < n - 1; j++)
#define NEXT                                                                                       \
    b[i * n + j] = (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]) / 4
#define SWAP int *was = a; a = b; b = was

int number(int n, int *a, int *b) {
    int changed = 1, steps = 0;
    // CHECK: flags.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep, which ends by what each step computes, runs on a GPU
    while (changed) {
        changed = 0;
        CELLS {
            NEXT;
            if (b[i * n + j] != a[i * n + j])
                changed = 1;
        }
        SWAP;
        steps++;
    }
    return steps;
}

int truth(int n, int *a, int *b) {
    bool same = false;
    int steps = 0;
    // CHECK: flags.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep, which ends by what each step computes, runs on a GPU
    while (!same) {
        same = true;
        CELLS {
            NEXT;
            if (b[i * n + j] != a[i * n + j])
                same = false;
        }
        SWAP;
        steps++;
    }
    return steps;
}

int which(int n, int *a, int *b) {
    int changed = 1, steps = 0;
    while (changed) {
        changed = 0;
        // CHECK: flags.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value computed in the nest is used after it
        CELLS {
            NEXT;
            if (b[i * n + j] != a[i * n + j])
                changed = j;
        }
        SWAP;
        steps++;
    }
    return steps;
}
