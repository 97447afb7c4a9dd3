/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps that a time loop makes only in every N-th step: if (t % 4 == 3), also together with a
 * condition that does not change in the loop.
 */
#include "detect/host/nest.h"
#include "detect/host/region.h"

enum { MOST_STEPS = 1 << 16 };

/* x % N or x & (N - 1): the divisor; 0 if it is neither. */
static int64_t divisor_of(LLVMValueRef v) {
    bool masks = LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAnd;
    bool divides = LLVMIsAInstruction(v) && (LLVMGetInstructionOpcode(v) == LLVMURem ||
                                             LLVMGetInstructionOpcode(v) == LLVMSRem);
    if ((!masks && !divides) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return 0;
    int64_t by = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) + masks;
    bool good = by >= 2 && by <= MOST_STEPS && (!masks || (by & (by - 1)) == 0);
    return good ? by : 0;
}

/* start + time step, which the runtime's limit of steps keeps from wrapping 32 bits. */
static bool is_step_number(const host_region *r, LLVMValueRef v, int64_t *start) {
    br_scev s = br_scev_of(r->f, v);
    int64_t by;
    return br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == r->time && br_scev_count(s) == 2 &&
           br_scev_bits(r->f, s) >= 32 && br_scev_int(br_scev_operand(s, 0), start) &&
           br_scev_int(br_scev_operand(s, 1), &by) && by == 1 && *start >= 0 &&
           *start <= MOST_STEPS;
}

static bool is_comparison(host_region *r, LLVMValueRef c, bool holds) {
    st_stencil *s = r->stencil;
    if (!LLVMIsAICmpInst(c) || LLVMGetICmpPredicate(c) != (holds ? LLVMIntEQ : LLVMIntNE) ||
        !LLVMIsAConstantInt(LLVMGetOperand(c, 1)))
        return false;
    LLVMValueRef rest = LLVMGetOperand(c, 0);
    int64_t every = divisor_of(rest), start;
    int64_t at = LLVMConstIntGetSExtValue(LLVMGetOperand(c, 1));
    if (!every || at < 0 || at >= every || !is_step_number(r, LLVMGetOperand(rest, 0), &start))
        return false;
    uint32_t phase = (uint32_t)(((at - start) % every + every) % every);
    bool known = s->every != 0;
    if (known && (s->every != (uint32_t)every || s->phase != phase))
        return false;
    s->every = (uint32_t)every;
    s->phase = phase;
    return true;
}

/* The operands of `a and b`, which holds, or of `a or b`, which does not. */
static bool split(LLVMValueRef c, bool holds, LLVMValueRef part[2]) {
    LLVMOpcode op = LLVMIsAInstruction(c) ? LLVMGetInstructionOpcode(c) : LLVMRet;
    if (op == (holds ? LLVMAnd : LLVMOr)) {
        part[0] = LLVMGetOperand(c, 0);
        part[1] = LLVMGetOperand(c, 1);
        return true;
    }
    LLVMValueRef other = op == LLVMSelect ? LLVMGetOperand(c, holds ? 2 : 1) : NULL;
    part[0] = other ? LLVMGetOperand(c, 0) : NULL;
    part[1] = other ? LLVMGetOperand(c, holds ? 1 : 2) : NULL;
    return other && LLVMIsAConstantInt(other) && (LLVMConstIntGetZExtValue(other) != 0) == !holds;
}

bool host_every(host_region *r, LLVMValueRef condition, bool holds) {
    LLVMValueRef part[2];
    if (is_comparison(r, condition, holds))
        return true;
    if (!split(condition, holds, part))
        return false;
    for (int i = 0; i < 2; i++)
        if (br_scev_invariant(r->f, br_scev_of(r->f, part[i]), r->outer)
                ? !host_add_guard(r, part[i], holds)
                : !host_every(r, part[i], holds))
            return false;
    return true;
}

bool host_check_every(host_region *r) {
    const st_stencil *s = r->stencil;
    for (size_t g = 0; g < s->ngrids && s->every; g++)
        if (s->grids[g].buffers > 1 || s->grids[g].advance || s->grids[g].along)
            return host_refuse(r, ST_NO_CONTROL_FLOW,
                               "what runs in some steps only has other arrays in each step");
    return true;
}
