// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// Why the sweeps of a time loop do not run together.

float fmaxf(float, float);
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define GRID int T, int n, int m, float (*A)[m], float (*B)[m], float (*C)[m]

void in_place(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the sweeps in the loop around do not run on the GPU together (sweep 2 of 3, line {{[0-9]+}}: the nest reads neighbours from the array it writes
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS C[i][j] = C[i][j - 1] + B[i][j];
        CELLS A[i][j] = C[i][j];
    }
}
void neighbour_of_first(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}do not run on the GPU together (sweep 2 of 2, line {{[0-9]+}}: the nest reads neighbours from the array it writes
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS {
            A[i][j] = B[i][j];
            C[i][j] = A[i - 1][j];
        }
    }
}
void twice(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}(sweep 2 of 2, line {{[0-9]+}}: two assignments in a loop write the same array element)
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS {
            A[i][j] = B[i][j];
            A[i + 1][j] = C[i][j];
        }
    }
}
void sometimes(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}(sweep {{[123]}} of 3, line {{[0-9]+}}: control flow in the loop nest is not understood (an inner loop runs only under a condition))
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        if (t * t % 5 == 0)
            CELLS A[i][j] = B[i][j];
        CELLS B[i][j] = A[i][j] * A[i][j];
    }
}
struct row {
    float *cells;
    long length;
};
void rows_far_apart(GRID, struct row *rows) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}(sweep 2 of 2, line {{[0-9]+}}: {{.*}}(it uses a pointer read in the loop that is none of a table of rows))
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS A[i][j] = B[i][j] + rows[i * n].cells[j];
    }
}
void several_loops(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}do not run on the GPU together (a loop holds several loops, of which one uses what another one writes; write a loop around each)
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < m - 1; j++)
                A[i][j] = B[i][j];
            for (int j = 1; j < m - 1; j++)
                C[i][j] = A[i][j] + t;
        }
    }
}
float largest(GRID) {
    float most = 0;
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}(sweep 2 of 3, line {{[0-9]+}}: {{.*}}: it does not start anew in each time step)
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS most = B[i][j] > most ? B[i][j] : most;
        CELLS A[i][j] = B[i][j];
    }
    return most;
}
void earlier(GRID) {
    for (int t = 0; t < T; t++) {
        float one = B[1][1];
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}(sweep 2 of 2, line {{[0-9]+}}: a value is carried from one iteration to the next
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS A[i][j] = B[i][j] + one;
    }
}
// No nest is offloaded by itself.
void none(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
        CELLS {
            B[i][j] = A[i][j - 1];
            C[i][j] = B[i][j - 1];
        }
        CELLS A[i][j] = C[i][j];
    }
}
// Calls in one loop copy the same cells of their arrays, and each array once.
void other_lengths(GRID, float (*D)[m]) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}(sweep 2 of 2, line {{[0-9]+}}: a loop copies rows of different lengths)
        CELLS {
            B[i][j] = A[i][j - 1];
            D[i][j] = C[i][j + 1];
        }
        for (int i = 1; i < n - 1; i++) {
            __builtin_memcpy(A[i], B[i], m * sizeof(float));
            __builtin_memcpy(C[i], D[i], (m - 1) * sizeof(float));
        }
    }
}
void copied_twice(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}(sweep 2 of 2, line {{[0-9]+}}: two assignments in a loop write the same array element)
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        for (int i = 1; i < n - 1; i++) {
            __builtin_memcpy(A[i], B[i], m * sizeof(float));
            __builtin_memcpy(C[i], A[i], m * sizeof(float));
            __builtin_memcpy(A[i], B[i - 1], m * sizeof(float));
        }
    }
}
void copies_and_more(GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}(a loop copies memory, and more)
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        for (int i = 1; i < n - 1; i++) {
            __builtin_memcpy(A[i], B[i], m * sizeof(float));
            C[i][0] = B[i][0];
        }
    }
}

// Two loops at one place, as those of a macro are, each of which runs for every row.
#define TWO_LOOPS                                                                                  \
    for (int j = 1; j < m - 1; j++)                                                                \
        B[i][j] = A[i - 1][j] + A[i][j - 1];                                                       \
    for (int j = 1; j < m - 1; j++)                                                                \
        C[j][j] += A[i][j];
void of_a_macro(GRID) {
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) {
            TWO_LOOPS
        }
        // CHECK: sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}do not run on the GPU together (a loop in it holds several loops)
        CELLS A[i][j] = B[i][j];
    }
}
