// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that declare functions of OpenMP's runtime with other arguments, or other results.
// RUN: %clang -O2 -gline-tables-only -fopenmp -DCALL='__kmpc_dispatch_deinit()' -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -fopenmp -DCALL='__kmpc_dispatch_next_4(0)' -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -fopenmp -DCALL='__kmpc_reduce_nowait(&of)' -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -fopenmp -DCALL='b[0]+=__kmpc_end_single()' -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -fopenmp -DCALL='__kmpc_single()' -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -fopenmp -DCALL='__kmpc_masked()' -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void __kmpc_dispatch_deinit(void), __kmpc_dispatch_next_4(int), __kmpc_reduce_nowait(int *);
void __kmpc_single(void), __kmpc_masked(void);
float __kmpc_end_single(void);

// CHECK: loop nest not offloaded: it runs in an OpenMP parallel region that calls OpenMP's runtime with arguments that it does not have
void sweep(int n, int m, const float *a, float *b) {
#pragma omp parallel
    {
        int of = 0;
        CALL;
#pragma omp for schedule(dynamic, 2)
        for (int i = 1 + of; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = a[i * m + j - 1] + a[i * m + m + j];
    }
}
