// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows found through tables, and cells written under conditions, of several sweeps.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/edges.*.stencil %t/lists.*.stencil %t/members.*.stencil %t/planes.*.stencil %t/mask.*.stencil %t/frame.*.stencil | FileCheck %s

// CHECK-LABEL: in edges: rank 2
// CHECK-NEXT: sweep 1: along x
// CHECK-NEXT:  grid {{.*}}: f32, 2 buffers, halo x 0..0 y 0..0
// CHECK-NEXT:  grid {{.*}}: f32, 2 buffers, halo x 0..0 y 0..0
// CHECK:       writes {{.*}}[0]
// CHECK:      sweep 2: along x y
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x 0..1 y -1..0
// CHECK-NEXT:  reads A[0]: (0,-1) (1,0)
// CHECK-NEXT:  writes A[+1]
void edges(int T, int n, int m, float **a, float **b) {
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < m; j++)
            a[0][j] = a[n - 2][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = a[i - 1][j] + a[i][j + 1];
        float **was = a;
        a = b;
        b = was;
    }
}

// Pointers in structs, as those of a vector of vectors.
struct list {
    float *cells, *end, *room;
};
// CHECK-LABEL: in lists: rank 2
// CHECK:      sweep 2: along x y
// CHECK-NEXT:  grid A: f32, 2 buffers, halo x 0..1 y -1..0
// CHECK-NEXT:  reads A[0]: (0,-1) (1,0)
void lists(int T, int n, int m, struct list *a, struct list *b) {
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < m; j++)
            a[0].cells[j] = a[n - 2].cells[j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i].cells[j] = a[i - 1].cells[j] + a[i].cells[j + 1];
        struct list *was = a;
        a = b;
        b = was;
    }
}

// Two pointers in each struct are two tables.
struct pair {
    int length;
    float *from, *to;
};
// CHECK-LABEL: in members: rank 2, one sweep
// CHECK-NEXT: grid {{.*}}: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid {{.*}}: f32, 1 buffer, halo x -1..0 y 0..1
void members(int n, int m, struct pair *rows) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            rows[i].to[j] = rows[i].from[j - 1] + rows[i + 1].from[j];
}

// CHECK-LABEL: in planes: rank 3, one sweep
// CHECK:       halo x -1..0 y 0..1 z -1..0
// CHECK-NEXT:  reads {{.*}}: (0,0,-1) (-1,1,0)
void planes(int n, double ***a, double ***b) {
    for (int k = 1; k < n - 1; k++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[k][i][j] = a[k - 1][i][j] + a[k][i + 1][j - 1];
}

// What is there where the condition does not hold is stored, too.
// CHECK-LABEL: in mask: rank 2
// CHECK:       reads B[0]: (-1,0)? (1,0)?
// CHECK-NEXT:  reads C[0]: (0,0)
// CHECK-NEXT:  reads A[0]: (0,0)?
// CHECK-NEXT:  writes A[0]
// CHECK-NEXT:  = select(icmp.sgt(C[0](0,0), 0), fadd(B[0](-1,0), B[0](1,0)), A[0](0,0))
void mask(int T, int n, int m, float (*A)[m], float (*B)[m], const int (*C)[m]) {
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (C[i][j] > 0)
                    B[i][j] = A[i][j - 1] + A[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = B[i][j];
    }
}

// A frame is left out of the domain.
// CHECK-LABEL: in frame: rank 2
// CHECK-NEXT: sweep 1: along x y
// CHECK:       reads B[0]: (0,-1) (1,0)
// CHECK-NEXT:  writes A[0]
// CHECK-NEXT:  = fadd(B[0](0,-1), B[0](1,0))
void frame(int T, int n, int m, float (*A)[m], float (*B)[m]) {
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (i > 0 && j < m - 1)
                    B[i][j] = A[i - 1][j] + A[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = B[i][j];
    }
}
