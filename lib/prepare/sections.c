/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Assignments of sections that may overlap in Fortran, h(:,1) = h(:,2), as flang calls its runtime
 * for them: _FortranAAssign(descriptor of the one, descriptor of the other, file, line). Both
 * descriptors are written just for the call (descriptor.h). The runtime copies by way of memory of
 * its own where they overlap. Here loops take the call's place:
 *
 *     if (extents agree, and copying upwards reads nothing that was written)
 *         for (i = 0; i < n; i++) to[i] = from[i];
 *     else                                                 or, where that is not always right
 *         for (i = n - 1; i >= 0; i--) to[i] = from[i];    the call as it was
 *
 * In one dimension, with equal steps s, one of the two directions is always right. Let d be how far
 * the source lies behind the target, and s and d be multiples of an element. Copying upwards reads
 * what was written before if d = -k s for a k from 1 to n - 1; copying downwards if d = k s. Both
 * at once is only possible with s = 0, where all elements are one, and any order is right.
 *
 * In more dimensions, or with steps that differ, the loops run where both lie apart.
 */
#include "detect/common/calls.h"
#include "prepare/checks.h"
#include "prepare/descriptor.h"
#include "prepare/shadow.h"
#include "prepare/whole.h"

#include <stdlib.h>

typedef struct copy {
    br_function *f;
    LLVMValueRef call;
    LLVMBuilderRef b;
    LLVMTypeRef i64, i8, type;
    int rank;
    prep_descriptor to, from;
    LLVMValueRef extent[ST_MAX_RANK];
    LLVMValueRef distance; /* the bytes from the target to the source */
    LLVMMetadataRef place; /* of the call in the source */
    LLVMValueRef data;     /* what elements are by their type, for LLVM: no descriptor; or NULL */
} copy;

/* What is known of both */

static LLVMValueRef number(const copy *c, int64_t n) {
    return LLVMConstInt(c->i64, (unsigned long long)n, true);
}

static LLVMTypeRef type_of(const prep_descriptor *d, LLVMContextRef c) {
    if (d->type == DESC_FLOAT)
        return LLVMFloatTypeInContext(c);
    if (d->type == DESC_DOUBLE)
        return LLVMDoubleTypeInContext(c);
    return LLVMIntTypeInContext(c, (unsigned)d->element * 8);
}

/* Has the array elements of one type that can be copied, and is it not allocated anew? */
static bool is_plain(const prep_descriptor *d) {
    bool is = (d->type >= 1 && d->type <= 24) || d->type == DESC_FLOAT || d->type == DESC_DOUBLE;
    return is && (d->element & (d->element - 1)) == 0 && d->attribute != DESC_ALLOCATABLE;
}

static bool is_same(const copy *c, LLVMValueRef a, LLVMValueRef b) {
    return a == b || br_scev_of(c->f, a) == br_scev_of(c->f, b);
}

static bool same_steps(const copy *c) {
    bool same = true;
    for (int k = 0; k < c->rank; k++)
        same &= is_same(c, prep_step(&c->to, k), prep_step(&c->from, k));
    return same;
}

static bool is_multiple(const copy *c, LLVMValueRef v, LLVMValueRef of) {
    br_scev s = br_scev_of(c->f, v), by = br_scev_of(c->f, of);
    int64_t n;
    return (br_scev_int(s, &n) && n == 0) || br_scev_quotient(c->f, s, by);
}

static bool not_negative(const copy *c, LLVMValueRef v) {
    int64_t least, greatest;
    br_scev_signed_range(c->f, br_scev_of(c->f, v), &least, &greatest);
    return least >= 0;
}

/* v >= 0, as a constant if that is known. */
static LLVMValueRef test_sign(const copy *c, LLVMValueRef v) {
    int64_t least, greatest;
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(c->i64));
    br_scev_signed_range(c->f, br_scev_of(c->f, v), &least, &greatest);
    if (least >= 0 || greatest < 0)
        return LLVMConstInt(bit, least >= 0, false);
    return LLVMBuildICmp(c->b, LLVMIntSGE, v, number(c, 0), "");
}

/* x, if the value is max(x, 0); else NULL. */
static LLVMValueRef not_clamped(LLVMValueRef v) {
    bool clamps = host_calls(v, "llvm.smax.") && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
                  LLVMIsNull(LLVMGetOperand(v, 1));
    return clamps ? LLVMGetOperand(v, 0) : NULL;
}

/* The extent where the loops run, so that it is above 0: (n > 0 ? x : 0) is x then. */
static LLVMValueRef chosen(LLVMValueRef n) {
    LLVMValueRef zero = LLVMIsASelectInst(n) ? LLVMGetOperand(n, 2) : NULL;
    bool chooses = zero && LLVMIsAConstantInt(zero) && LLVMIsNull(zero);
    return chooses ? LLVMGetOperand(n, 1) : n;
}

/* The same, and max(x, 0) is x then. */
static LLVMValueRef positive(copy *c, LLVMValueRef n) {
    LLVMValueRef own = chosen(n);
    LLVMValueRef narrow =
        LLVMIsAZExtInst(own) ? not_clamped(LLVMGetOperand(own, 0)) : not_clamped(own);
    return narrow ? LLVMBuildSExt(c->b, narrow, c->i64, "") : own;
}

/* Have the sections no gaps, and is the distance a multiple of their length? `clamped`: extents are
 * taken as max(x, 0), not as x. */
static bool spans_whole(copy *c, bool clamped) {
    LLVMValueRef span = number(c, c->to.element);
    for (int k = 0; k < c->rank; k++) {
        if (!is_same(c, prep_step(&c->to, k), span))
            return false;
        LLVMValueRef extent = clamped ? chosen(c->extent[k]) : positive(c, c->extent[k]);
        span = LLVMBuildMul(c->b, span, extent, "");
    }
    return is_multiple(c, c->distance, span);
}

/* Does the distance consist of whole rows of the section, or of whole planes if it has rows? Then
 * both lie apart, or are the same. */
static bool is_rows_away(copy *c) {
    return spans_whole(c, false) || spans_whole(c, true);
}

/* Do both begin at a multiple of an element from another, and step by such multiples? */
static bool is_aligned(const copy *c) {
    LLVMValueRef element = number(c, c->to.element);
    return is_multiple(c, c->distance, element) && is_multiple(c, prep_step(&c->to, 0), element);
}

/* Conditions */

static LLVMValueRef both(const copy *c, LLVMValueRef a, LLVMValueRef b) {
    return a ? LLVMBuildAnd(c->b, a, b, "") : b;
}

/* One step up does not come from the target past the source, which lies below it. */
static LLVMValueRef goes_up(copy *c) {
    LLVMValueRef s = prep_step(&c->to, 0), d = c->distance, zero = number(c, 0);
    if (!not_negative(c, s)) {
        LLVMValueRef falls = LLVMBuildICmp(c->b, LLVMIntSLT, s, zero, "");
        d = LLVMBuildSelect(c->b, falls, LLVMBuildNeg(c->b, d, ""), d, "");
        s = LLVMBuildSelect(c->b, falls, LLVMBuildNeg(c->b, s, ""), s, "");
    } else if (not_negative(c, d)) {
        return LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(c->i64)), 1, false);
    }
    LLVMValueRef sum = LLVMBuildAdd(c->b, s, d, "");
    return test_sign(c, LLVMBuildSub(c->b, sum, number(c, 1), ""));
}

/* The bytes from the first element to behind the last one. Steps must not be negative, which *all
 * requires. */
static LLVMValueRef span_of(copy *c, const prep_descriptor *d, LLVMValueRef *all) {
    LLVMValueRef span = number(c, d->element);
    for (int k = 0; k < c->rank; k++) {
        LLVMValueRef step = prep_step(d, k);
        LLVMValueRef last = LLVMBuildSub(c->b, c->extent[k], number(c, 1), "");
        if (!not_negative(c, step))
            *all = both(c, *all, test_sign(c, step));
        span = LLVMBuildAdd(c->b, span, LLVMBuildMul(c->b, last, step, ""), "");
    }
    return span;
}

/* Do both have no byte in common? */
static LLVMValueRef lie_apart(copy *c, LLVMValueRef all) {
    LLVMValueRef to = span_of(c, &c->to, &all), from = span_of(c, &c->from, &all);
    LLVMValueRef behind = test_sign(c, LLVMBuildSub(c->b, c->distance, to, ""));
    LLVMValueRef end = LLVMBuildAdd(c->b, c->distance, from, "");
    LLVMValueRef before = test_sign(c, LLVMBuildNeg(c->b, end, ""));
    return both(c, all, LLVMBuildOr(c->b, behind, before, ""));
}

/* Have both the same extents? NULL: always. */
static LLVMValueRef extents_agree(copy *c) {
    LLVMValueRef all = NULL;
    for (int k = 0; k < c->rank; k++) {
        LLVMValueRef own = prep_extent(&c->from, k);
        if (!is_same(c, c->extent[k], own))
            all = both(c, all, LLVMBuildICmp(c->b, LLVMIntEQ, c->extent[k], own, ""));
    }
    return all;
}

/* Loops */

static LLVMBasicBlockRef new_block(const copy *c, LLVMBasicBlockRef before) {
    return LLVMInsertBasicBlockInContext(LLVMGetTypeContext(c->i64), before, "");
}

static LLVMValueRef element_at(copy *c, const prep_descriptor *d, const LLVMValueRef *counter,
                               bool down) {
    LLVMValueRef at = prep_field(d, DESC_BASE);
    for (int k = c->rank - 1; k >= 0; k--) {
        LLVMValueRef step = prep_step(d, k), by;
        if (down) {
            LLVMValueRef last = LLVMBuildSub(c->b, c->extent[k], number(c, 1), "");
            by = LLVMBuildMul(c->b, LLVMBuildSub(c->b, last, counter[k], ""), step, "");
        } else {
            by = LLVMBuildMul(c->b, counter[k], step, "");
        }
        at = LLVMBuildGEP2(c->b, c->i8, at, &by, 1, "");
    }
    return at;
}

static void copy_element(copy *c, const LLVMValueRef *counter, bool down) {
    unsigned alignment = (unsigned)c->to.element;
    LLVMValueRef v = LLVMBuildLoad2(c->b, c->type, element_at(c, &c->from, counter, down), "");
    LLVMSetAlignment(v, alignment);
    LLVMValueRef store = LLVMBuildStore(c->b, v, element_at(c, &c->to, counter, down));
    LLVMSetAlignment(store, alignment);
    if (c->data) {
        LLVMSetMetadata(v, prep_alias_kind(c->i64), c->data);
        LLVMSetMetadata(store, prep_alias_kind(c->i64), c->data);
    }
}

/* Fills the empty block `begin` and new ones, which end at `done`. `left`: the loops are no sweep
 * that is looked at. */
static void emit_loops(copy *c, LLVMBasicBlockRef begin, LLVMBasicBlockRef done, bool down,
                       bool left) {
    LLVMBasicBlockRef head[ST_MAX_RANK], from = begin;
    LLVMValueRef counter[ST_MAX_RANK], count[ST_MAX_RANK], any = NULL;
    LLVMPositionBuilderAtEnd(c->b, begin);
    LLVMSetCurrentDebugLocation2(c->b, c->place);
    for (int k = 0; k < c->rank; k++) {
        count[k] = positive(c, c->extent[k]);
        any = both(c, any, LLVMBuildICmp(c->b, LLVMIntSGT, count[k], number(c, 0), ""));
    }
    for (int k = c->rank - 1; k >= 0; k--) {
        head[k] = new_block(c, done);
        if (k == c->rank - 1 && !LLVMIsAConstantInt(any))
            LLVMBuildCondBr(c->b, any, head[k], done);
        else
            LLVMBuildBr(c->b, k < c->rank - 1 || !LLVMIsNull(any) ? head[k] : done);
        LLVMPositionBuilderAtEnd(c->b, head[k]);
        counter[k] = LLVMBuildPhi(c->b, c->i64, "");
        LLVMValueRef zero = number(c, 0);
        LLVMAddIncoming(counter[k], &zero, &from, 1);
        from = head[k];
    }
    copy_element(c, counter, down);
    for (int k = 0; k < c->rank; k++) {
        LLVMBasicBlockRef here = LLVMGetInsertBlock(c->b);
        LLVMBasicBlockRef next = k < c->rank - 1 ? new_block(c, done) : done;
        LLVMValueRef more = LLVMBuildNUWAdd(c->b, counter[k], number(c, 1), "");
        LLVMSetNSW(more, true);
        LLVMAddIncoming(counter[k], &more, &here, 1);
        LLVMValueRef again = LLVMBuildICmp(c->b, LLVMIntSLT, more, count[k], "");
        LLVMValueRef back = LLVMBuildCondBr(c->b, again, head[k], next);
        if (left && k == c->rank - 1)
            prep_leave_loop(back);
        LLVMPositionBuilderAtEnd(c->b, next);
    }
}

/* Moves the instruction to the end of what is built now. */
static void move_here(copy *c, LLVMValueRef i) {
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(c->b, i);
}

static void for_all(copy *c, const prep_descriptor *d, void (*act)(copy *, LLVMValueRef)) {
    for (int i = 0; i < DESC_SIZE; i++)
        if (d->field[i])
            act(c, d->field[i]);
}

static void erase(copy *c, LLVMValueRef i) {
    (void)c;
    LLVMInstructionEraseFromParent(i);
}

static void erase_call(copy *c) {
    for_all(c, &c->to, erase);
    for_all(c, &c->from, erase);
    for (int i = 0; i < c->to.nmarkers; i++)
        erase(c, c->to.marker[i]);
    for (int i = 0; i < c->from.nmarkers; i++)
        erase(c, c->from.marker[i]);
    erase(c, c->call);
}

/* The call, with what is written for it, in the empty block. */
static void put_call(copy *c, LLVMBasicBlockRef block, LLVMBasicBlockRef done) {
    LLVMPositionBuilderAtEnd(c->b, block);
    for_all(c, &c->to, move_here);
    for_all(c, &c->from, move_here);
    move_here(c, c->call);
    LLVMBuildBr(c->b, done);
}

/* Puts loops that run where the condition holds in the place of the call. `down`: else the loops
 * that copy downwards run, not the call. */
static void put_loops(copy *c, LLVMValueRef condition, bool down) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(c->call);
    LLVMBasicBlockRef done = br_split_before(LLVMGetNextInstruction(c->call));
    LLVMBasicBlockRef up = new_block(c, done), rest = NULL;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(here);
    bool always = LLVMIsAConstantInt(condition) != NULL;
    LLVMPositionBuilderBefore(c->b, end);
    if (always) {
        LLVMBuildBr(c->b, up);
    } else {
        rest = new_block(c, done);
        LLVMBuildCondBr(c->b, condition, up, rest);
    }
    LLVMInstructionEraseFromParent(end);
    emit_loops(c, up, done, always && LLVMIsNull(condition), false);
    if (rest && down)
        emit_loops(c, rest, done, true, true);
    else if (rest)
        put_call(c, rest, done);
    if (!rest || down)
        erase_call(c);
}

/* False: the call stays. */
static bool replace(copy *c) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(LLVMGetTypeContext(c->i64));
    LLVMValueRef agree = extents_agree(c), condition = NULL;
    bool same = same_steps(c), down = false;
    if (same && !agree && is_rows_away(c)) {
        condition = LLVMConstInt(bit, 1, false);
    } else if (same && !agree && c->rank == 1 && is_aligned(c)) {
        condition = goes_up(c);
        down = true;
    } else {
        condition = lie_apart(c, agree);
        if (LLVMIsAConstantInt(condition) && LLVMIsNull(condition))
            return false;
    }
    put_loops(c, condition, down);
    return true;
}

/* Reads the call. False: too little is known of its descriptors. */
static bool describe(copy *c, br_function *f, LLVMValueRef call) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    c->f = f;
    c->call = call;
    if (!prep_read_descriptor(&c->to, f, NULL, call, 0) ||
        !prep_read_descriptor(&c->from, f, NULL, call, 1) || c->to.rank != c->from.rank ||
        c->to.type != c->from.type || c->to.element != c->from.element || !is_plain(&c->to) ||
        !is_plain(&c->from))
        return false;
    c->i64 = LLVMInt64TypeInContext(context);
    c->i8 = LLVMInt8TypeInContext(context);
    c->type = type_of(&c->to, context);
    c->rank = c->to.rank;
    for (int k = 0; k < c->rank; k++)
        c->extent[k] = prep_extent(&c->to, k);
    return true;
}

/* The bytes from the target to the source, as a constant if LLVM knows them. */
static LLVMValueRef distance_of(const copy *c) {
    LLVMValueRef from = LLVMBuildPtrToInt(c->b, prep_field(&c->from, DESC_BASE), c->i64, "");
    LLVMValueRef to = LLVMBuildPtrToInt(c->b, prep_field(&c->to, DESC_BASE), c->i64, "");
    LLVMValueRef distance = LLVMBuildSub(c->b, from, to, "");
    int64_t n;
    return br_scev_int(br_scev_of(c->f, distance), &n) ? number(c, n) : distance;
}

static bool mend(br_function *f, LLVMValueRef call, LLVMValueRef data) {
    copy *c = calloc(1, sizeof *c);
    bool changed = describe(c, f, call);
    c->data = data;
    if (changed) {
        c->b = LLVMCreateBuilderInContext(LLVMGetTypeContext(c->i64));
        LLVMPositionBuilderBefore(c->b, call);
        c->place = LLVMGetCurrentDebugLocation2(c->b);
        c->distance = distance_of(c);
        changed = replace(c);
        LLVMDisposeBuilder(c->b);
    }
    free(c);
    return changed;
}

/* The first call from the block on, or behind the instruction. */
static LLVMValueRef next_call(LLVMBasicBlockRef b, LLVMValueRef behind) {
    LLVMValueRef i = behind ? LLVMGetNextInstruction(behind)
                     : b    ? LLVMGetFirstInstruction(b)
                            : NULL;
    while (b) {
        for (; i; i = LLVMGetNextInstruction(i))
            if (host_is_array_assignment(i))
                return i;
        b = LLVMGetNextBasicBlock(b);
        i = b ? LLVMGetFirstInstruction(b) : NULL;
    }
    return NULL;
}

/* LLVM took the calls to change anything, as the descriptors of arrays; now that they are gone,
 * what it reads again in each step is what it was. */
static bool clean_up(LLVMValueRef function) {
    return prep_run_passes(
        function,
        "loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm)");
}

bool prep_mend_sections(br_function *f, LLVMValueRef function) {
    bool changed = false;
    LLVMValueRef call = next_call(LLVMGetFirstBasicBlock(function), NULL), next;
    LLVMValueRef data = call ? prep_alias_data(function) : NULL;
    for (; call; call = next) {
        next = next_call(LLVMGetInstructionParent(call), call);
        if (mend(f, call, data)) {
            changed = true;
            br_function_invalidate(f);
        }
    }
    if (changed && clean_up(function))
        br_function_invalidate(f);
    return changed;
}
