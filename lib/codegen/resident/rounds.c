/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rounds of resident kernels, of one sweep and of whole steps: as many steps as the margin
 * allows, then the blocks exchange cells.
 */
#include "codegen/resident/resident.h"

LLVMValueRef rs_parameter(rs_kernel *t, stencilrt_parameter_kind kind, int index) {
    LLVMValueRef v = gen_parameter(t->g.function, t->g.p, kind, (size_t)index);
    return LLVMBuildTrunc(t->g.e.b, v, gen_i32(&t->g.e), "");
}

void rs_make_counters(rs_kernel *t) {
    LLVMValueRef zero = gen_int32(&t->g.e, 0);
    LLVMTypeRef i32 = gen_i32(&t->g.e);
    t->parity = rs_variable(t, i32, zero);
    t->made = rs_variable(t, i32, zero);
    t->round = rs_variable(t, i32, zero);
    t->patience = rs_variable(t, i32, rs_parameter(t, STENCILRT_ARG_PATIENCE, 0));
}

/* `count` steps, 1 or more. */
static void make_steps(rs_kernel *t, LLVMValueRef count, rs_part *make_step) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef step = gen_add_block(t->g.function, "step"),
                      after = gen_add_block(t->g.function, "stepped");
    LLVMValueRef left = rs_variable(t, gen_i32(&t->g.e), count);
    LLVMBuildBr(b, step);
    LLVMPositionBuilderAtEnd(b, step);
    make_step(t);
    LLVMValueRef less = gen_add32(&t->g.e, rs_get(t, left), -1);
    rs_set(t, left, less);
    LLVMBuildCondBr(b, gen_less(&t->g.e, gen_int32(&t->g.e, 0), less), step, after);
    LLVMPositionBuilderAtEnd(b, after);
}

void rs_make_rounds(rs_kernel *t, rs_part *begin_round, rs_part *make_step) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMBasicBlockRef round = gen_add_block(t->g.function, "round"),
                      exchange = gen_add_block(t->g.function, "exchange");
    LLVMBasicBlockRef last = gen_add_block(t->g.function, "last");
    LLVMValueRef most = rs_parameter(t, STENCILRT_ARG_ROUND, 0);
    LLVMValueRef steps = rs_parameter(t, STENCILRT_ARG_STEPS, 0);
    LLVMBuildBr(b, round);
    LLVMPositionBuilderAtEnd(b, round);
    begin_round(t);
    LLVMValueRef made = rs_get(t, t->made), left = LLVMBuildSub(b, steps, made, "");
    LLVMValueRef count = gen_smaller(&t->g.e, most, left);
    make_steps(t, count, make_step);
    made = LLVMBuildAdd(b, made, count, "");
    rs_set(t, t->made, made);
    LLVMBuildCondBr(b, gen_less(&t->g.e, made, steps), exchange, last);
    LLVMPositionBuilderAtEnd(b, exchange);
    rs_set(t, t->round, gen_add32(&t->g.e, rs_get(t, t->round), 1));
    rs_send(t);
    rs_receive(t);
    LLVMBuildBr(b, round);
    LLVMPositionBuilderAtEnd(b, last);
}
