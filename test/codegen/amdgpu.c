// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code objects for AMD's GPUs, with what a loader asks of them: no scratch memory, no spills; neighbours in a row by
// DPP on GFX9, by rows of 16 lanes and permlanex16 later. The plan is for all of them, so a warp is half a wave on GFX9.
// CASE: For seven GPUs.
// RUN: rm -rf %t && env STENCILOPT_COMPRESS=0 STENCILOPT_SAVE_TEMPS=%t STENCILOPT_ARCH=gfx90a+gfx942+gfx950+gfx1030+gfx1100+gfx1201+sm_90 %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=IMAGES < %t.ll
// RUN: llvm-readelf -h --notes %t/f.0.hsaco | FileCheck %s --check-prefixes=OBJECT,WAVE64
// RUN: llvm-readelf -h --notes %t/f.0.gfx942.hsaco | FileCheck %s --check-prefixes=OBJECT,WAVE64
// RUN: llvm-readelf -h --notes %t/f.0.gfx950.hsaco | FileCheck %s --check-prefixes=OBJECT,WAVE64
// RUN: llvm-readelf -h --notes %t/f.0.gfx1030.hsaco | FileCheck %s --check-prefixes=OBJECT,WAVE32
// RUN: llvm-readelf -h --notes %t/f.0.gfx1100.hsaco | FileCheck %s --check-prefixes=OBJECT,WAVE32
// RUN: llvm-readelf -h --notes %t/f.0.gfx1201.hsaco | FileCheck %s --check-prefixes=OBJECT,WAVE32
// RUN: llvm-objdump -d %t/f.0.gfx942.hsaco | FileCheck %s --check-prefix=GFX9
// RUN: llvm-objdump -d %t/f.0.gfx1201.hsaco | FileCheck %s --check-prefix=GFX12
// CASE: Products and sums are not fused unless the program's flags allow it.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_ARCH=gfx942+gfx1100 %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: llvm-objdump -d %t/f.0.hsaco | FileCheck %s --check-prefix=APART
// RUN: llvm-objdump -d %t/f.0.gfx1100.hsaco | FileCheck %s --check-prefix=APART
// APART-NOT: {{v_[a-z_]*(fma|mac|mad)_?[a-z_]*f32}}
// What the simulator runs is for the first of them.
// IMAGES-DAG: c"BC\C0\DE
// IMAGES-DAG: c"gfx90a\00"
// IMAGES-DAG: c"gfx1201\00"
// IMAGES-DAG: c"sm_90\00"
// CASE: Where all GPUs have waves of 64 lanes, so has the plan; farther neighbours take DPP too, and pairs of floats share an
// instruction where the GPU has such.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_ARCH=gfx942+gfx90a STENCILOPT_BT=4 %clang -O2 -DFAR -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s --check-prefix=LONG < %t/far.0.plan
// RUN: llvm-readelf --notes %t/far.0.hsaco | FileCheck %s --check-prefix=LONG-OBJECT
// RUN: llvm-objdump -d %t/far.0.hsaco | FileCheck %s --check-prefix=LONG-CODE
// RUN: llvm-objdump -d %t/far.0.gfx90a.hsaco | FileCheck %s --check-prefix=LONG-CODE
// CASE: Where one has not.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_ARCH=gfx942+gfx1100 STENCILOPT_BT=4 %clang -O2 -DFAR -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s --check-prefix=HALF < %t/far.0.plan
// RUN: llvm-objdump -d %t/far.0.gfx1100.hsaco | FileCheck %s --check-prefix=RDNA-CODE
// LONG: stencil_stream4: bT 4, tile 232x1, {{.*}} 64 lanes
// LONG-OBJECT: .max_flat_workgroup_size: {{64|128|256}}
// LONG-OBJECT: .name: stencil_stream4
// LONG-CODE: <stencil_stream4
// LONG-CODE-NOT: ds_bpermute
// LONG-CODE-DAG: v_pk_fma_f32
// LONG-CODE-DAG: wave_shr:1
// LONG-CODE-DAG: wave_shl:1
// LONG-CODE-NOT: ds_bpermute
// HALF: stencil_stream4: bT 4, tile 104x1, {{.*}} 32 lanes
// RDNA-CODE: <stencil_stream4
// RDNA-CODE-NOT: {{ds_bpermute|v_pk_fma_f32}}
// OBJECT: OS/ABI: AMDGPU - HSA
// OBJECT: ABI Version: 3
// OBJECT-NOT: private_segment_fixed_size: {{[1-9]}}
// OBJECT: .max_flat_workgroup_size: {{32|64|128|256|512}}
// OBJECT: .name: stencil_stream
// OBJECT-NOT: {{sgpr|vgpr}}_spill_count: {{[1-9]}}
// OBJECT-NOT: private_segment_fixed_size: {{[1-9]}}
// WAVE64: .wavefront_size: 64
// WAVE32: .wavefront_size: 32
// GFX9: <stencil_stream
// GFX9-DAG: wave_shr:1
// GFX9-DAG: wave_shl:1
// GFX12: <stencil_stream
// GFX12-DAG: row_shr:1
// GFX12-DAG: v_permlanex16_b32
enum { N = 4000 };
float A[2][N][N];
#ifdef FAR
void far(int steps) {
    for (int t = 0; t < steps; t++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 4; i < N - 4; i++)
                A[(t + 1) % 2][j][i] = 0.5f * A[t % 2][j][i] + 0.125f * (A[t % 2][j][i - 4] + A[t % 2][j][i + 4] +
                                                                         A[t % 2][j - 1][i] + A[t % 2][j + 1][i]);
}
#endif
void f(int steps) {
    for (int t = 0; t < steps; t++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++)
                A[(t + 1) % 2][j][i] = 0.5f * A[t % 2][j][i] + 0.125f * (A[t % 2][j][i - 1] + A[t % 2][j][i + 1] +
                                                                         A[t % 2][j - 1][i] + A[t % 2][j + 1][i]);
}
// CASE: Functions of a mathematical library are the ROCm device libraries'.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_ARCH=gfx90a+gfx1201 %clang -O2 -ffast-math -fno-math-errno -DMATH -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: llvm-readelf --notes --symbols %t/g.1.hsaco | FileCheck %s --check-prefix=MATH
// RUN: llvm-readelf --notes --symbols %t/g.1.gfx1201.hsaco | FileCheck %s --check-prefix=MATH
// REMARK: f64, runs on a GPU where there is one: one sweep a call
// MATH-NOT: ocml
// MATH: .private_segment_fixed_size: 0
#ifdef MATH
double exp(double);
double B[N][N];
void g(void) {
    for (int j = 1; j < N - 1; j++)
        for (int i = 1; i < N - 1; i++)
            B[j][i] = exp(A[0][j][i - 1] + A[0][j][i + 1]);
}
#endif
