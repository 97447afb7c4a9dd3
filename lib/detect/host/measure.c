/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nests that store nothing and only measure: from cell to cell they carry a maximum, a minimum or
 * a sum (reduce.c). Which loops belong to other nests is told by the address of a store; here, by
 * the address of a load. The loop around those that belong to a nest may be its time loop.
 */
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/host/nest.h"

#include <string.h>

/* Is there a number that iterations of the loop hand on, and that does not merely count them? */
static bool hands_on(br_function *f, br_loop l) {
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(l));
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        st_type type;
        if (LLVMCountIncoming(phi) == 2 && host_type(LLVMTypeOf(phi), &type) && type != ST_I1 &&
            br_scev_kind(br_scev_of(f, phi)) != BR_ADDREC)
            return true;
    }
    return false;
}

/* Each iteration makes the loads in the head. Takes the load that walks the most loops. */
static int walked_by_loads(br_function *f, br_loop innermost, br_loop *chain, int *length,
                           int *loads) {
    int most = 0;
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(innermost));
    for (*loads = 0; i; i = LLVMGetNextInstruction(i)) {
        br_loop around[HOST_MAX_LOOPS + 1];
        int count;
        if (!LLVMIsALoadInst(i))
            continue;
        int walked = host_walked_by_load(f, innermost, i, around, &count);
        ++*loads;
        if (walked <= most || walked > ST_MAX_RANK)
            continue;
        most = walked;
        *length = count;
        memcpy(chain, around, sizeof around);
    }
    return most;
}

int host_measured(br_function *f, br_loop innermost, br_loop *chain, int *length) {
    br_loop child;
    int loads;
    if (br_loop_children(innermost, &child, 1) || !br_loop_exiting_block(innermost) ||
        !hands_on(f, innermost) || host_first_store(innermost))
        return 0;
    int walked = walked_by_loads(f, innermost, chain, length, &loads);
    if (walked < 1 || walked + loads < 3) /* the sum of a vector */
        return 0;
    return hands_on(f, chain[walked - 1]) && !host_first_store(chain[walked - 1]) ? walked : 0;
}

br_loop host_nest_around(br_function *f, br_loop innermost) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    size_t n = br_loop_blocks(innermost, blocks, HOST_MAX_BLOCKS);
    br_loop chain[HOST_MAX_LOOPS + 1];
    int length, walked = 0;
    bool beyond;
    for (size_t b = 0; b < n && b < HOST_MAX_BLOCKS && walked == 0; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]);
        for (; i && walked == 0; i = LLVMGetNextInstruction(i))
            if (host_written(i))
                walked = host_walked(f, innermost, host_written(i), chain, &length, &beyond);
    }
    if (walked == 0)
        walked = host_measured(f, innermost, chain, &length);
    return walked > 0 && walked <= ST_MAX_RANK ? chain[walked - 1] : NULL;
}

/* The first address that the loop writes to. */
static LLVMValueRef first_written(br_loop l) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    size_t count = br_loop_blocks(l, blocks, HOST_MAX_BLOCKS);
    for (size_t b = 0; b < count && b < HOST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (host_written(i))
                return host_written(i);
    return NULL;
}

/* The first loop that its stores do not walk. */
br_loop host_time_loop(br_function *f, br_loop innermost) {
    br_loop chain[HOST_MAX_LOOPS + 1], child;
    int length;
    bool beyond;
    if (br_loop_children(innermost, &child, 1))
        return innermost;
    if (!br_loop_parent(innermost))
        return NULL;
    LLVMValueRef written = first_written(innermost);
    int walked = written ? host_walked(f, innermost, written, chain, &length, &beyond)
                         : host_measured(f, innermost, chain, &length);
    return walked > 0 && walked < length && walked <= ST_MAX_RANK ? chain[walked] : NULL;
}
