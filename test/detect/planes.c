// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planes of a grid whose sizes are read: products of three numbers of 32 bits are checked, not of four.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
typedef struct matrix {
    float *at;
    int rows, columns, depth;
} matrix;
#define AT(a, p, i, j, k)                                                                          \
    a->at[(p) * a->rows * a->columns * a->depth + (i) * a->columns * a->depth + (j) * a->depth + (k)]
void second_plane(const matrix *a, const matrix *b) {
    int rows = b->rows - 1, columns = b->columns - 1, depth = b->depth - 1;
    // CHECK: remark: 3-D stencil of radius
    for (int i = 1; i < rows; i++)
        for (int j = 1; j < columns; j++)
            for (int k = 1; k < depth; k++)
                AT(b, 0, i, j, k) = AT(a, 1, i, j, k) * AT(a, 0, i, j, k - 1);
}
void any_plane(const matrix *a, const matrix *b, int p) {
    int rows = b->rows - 1, columns = b->columns - 1, depth = b->depth - 1;
    for (int i = 1; i < rows; i++)
        for (int j = 1; j < columns; j++)
            // CHECK: remark: loop nest not offloaded: {{.*}}an index of a narrow type may wrap
            for (int k = 1; k < depth; k++)
                AT(b, 0, i, j, k) = AT(a, p, i, j, k) * AT(a, 0, i, j, k - 1);
}
