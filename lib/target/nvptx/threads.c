/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels, their threads and warps: PTX ISA, "Special Registers", "shfl.sync" and "barrier". What
 * marks a kernel, and what a kernel says of its blocks: LLVM's "User Guide for NVPTX Back-end".
 */
#include "target/intrinsic.h"
#include "target/nvptx/nvptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32 };

/* Kernels */

/* Is the node !{ptr @f, !"kernel", i32 1, ...}? Front ends that do not use the calling convention
 * write it. */
static bool marks_kernel(LLVMValueRef node, LLVMValueRef function) {
    LLVMValueRef operands[16];
    unsigned length, count = LLVMGetMDNodeNumOperands(node);
    if (count < 3 || count > 16)
        return false;
    LLVMGetMDNodeOperands(node, operands);
    if (operands[0] != function)
        return false;
    for (unsigned i = 1; i + 1 < count; i += 2) {
        const char *key = operands[i] ? LLVMGetMDString(operands[i], &length) : NULL;
        if (key && length == 6 && !strncmp(key, "kernel", 6))
            return true;
    }
    return false;
}

bool nvptx_is_annotated(LLVMValueRef function) {
    LLVMModuleRef m = LLVMGetGlobalParent(function);
    unsigned count = LLVMGetNamedMetadataNumOperands(m, "nvvm.annotations");
    LLVMValueRef *nodes = malloc((count + 1) * sizeof *nodes);
    bool found = false;
    LLVMGetNamedMetadataOperands(m, "nvvm.annotations", nodes);
    for (unsigned i = 0; i < count && !found; i++)
        found = marks_kernel(nodes[i], function);
    free(nodes);
    return found;
}

int nvptx_required_size(LLVMValueRef kernel, int d) {
    return tg_attribute_number(kernel, "nvvm.reqntid", d);
}

int nvptx_most_threads(LLVMValueRef kernel) {
    int most = 1, given = tg_attribute_number(kernel, "nvvm.maxntid", 0);
    for (int d = 0; d < 3 && given; d++) {
        int size = tg_attribute_number(kernel, "nvvm.maxntid", d);
        most *= size ? size : 1;
    }
    return given ? most : 0;
}

void nvptx_limit_registers(LLVMValueRef kernel, int registers) {
    char text[16];
    if (tg_attribute_number(kernel, "nvvm.maxnreg", 0) ||
        tg_attribute_number(kernel, "nvvm.minctasm", 0))
        return;
    snprintf(text, sizeof text, "%d", registers);
    tg_add_attribute(kernel, "nvvm.maxnreg", text);
}

/* The launch: there is a special register for each value. */

LLVMValueRef nvptx_launch(LLVMBuilderRef b, tg_launch_value value, int d) {
    static const char *const registers[] = {"tid", "ctaid", "ntid", "nctaid"};
    char name[64];
    snprintf(name, sizeof name, "llvm.nvvm.read.ptx.sreg.%s.%c", registers[value], "xyz"[d]);
    return tg_read(b, name, tg_i32(b));
}

LLVMValueRef nvptx_reciprocal(LLVMBuilderRef b, LLVMValueRef v) {
    return tg_intrinsic(b, "llvm.nvvm.rcp.approx.ftz.f", NULL, 0, &v, 1);
}

/* Warps */

int nvptx_group(LLVMValueRef kernel) {
    (void)kernel;
    return WARP;
}

LLVMValueRef nvptx_lane(LLVMBuilderRef b, int lanes) {
    (void)lanes;
    return tg_intrinsic(b, "llvm.nvvm.read.ptx.sreg.laneid", NULL, 0, NULL, 0);
}

/* The instruction itself takes the lane's number modulo the lanes of a warp. */
LLVMValueRef nvptx_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes) {
    (void)lanes;
    LLVMValueRef args[] = {tg_int32(b, -1), v, from, tg_int32(b, WARP - 1)};
    return tg_intrinsic(b, "llvm.nvvm.shfl.sync.idx.i32", NULL, 0, args, 4);
}

LLVMValueRef nvptx_shuffle(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes) {
    (void)lanes;
    bool up = distance < 0;
    LLVMValueRef args[] = {tg_int32(b, -1), v, tg_int32(b, abs(distance)),
                           tg_int32(b, up ? 0 : WARP - 1)};
    return tg_intrinsic(b, up ? "llvm.nvvm.shfl.sync.up.i32" : "llvm.nvvm.shfl.sync.down.i32", NULL,
                        0, args, 4);
}

LLVMValueRef nvptx_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes) {
    v = nvptx_shuffle(b, v, step, lanes);
    return tg_at_end(b, edge, v, nvptx_lane(b, lanes), step, lanes);
}

LLVMValueRef nvptx_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes) {
    (void)b, (void)lanes;
    return v;
}

/* Barriers */

void nvptx_barrier(LLVMBuilderRef b) {
    LLVMValueRef number = tg_int32(b, 0);
    tg_intrinsic(b, "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, 0, &number, 1);
}

/* Not the aligned form, though its machine code is the same. The aligned form promises that all
 * threads of the block come here. They do not, and compute-sanitizer's synccheck reports it. */
void nvptx_sync_pair(LLVMBuilderRef b, LLVMValueRef number) {
    LLVMValueRef args[] = {number, tg_int32(b, 2 * WARP)};
    tg_intrinsic(b, "llvm.nvvm.barrier.cta.sync.count", NULL, 0, args, 2);
}

void nvptx_sync_warp(LLVMBuilderRef b) {
    LLVMValueRef all = tg_int32(b, -1);
    tg_intrinsic(b, "llvm.nvvm.bar.warp.sync", NULL, 0, &all, 1);
}
