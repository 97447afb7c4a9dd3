/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop over planes whose first or last plane was taken out of it by hand. It is put back:
 *
 *     b[i] = first;                        for (k = 0; ; k++) {
 *     for (k = 1; k < n - 1; k++)              if (k == 0)           b[i] = first;
 *         b[i + k * p] = inner;     ->         else if (k == n - 1)  b[i + k * p] = last;
 *     b[i + k * p] = last;                     else                  b[i + k * p] = inner;
 *                                          }
 *
 * What the parts hand to each other is computed where it is needed:
 *   - counters and addresses, which grow evenly, go through the new loop;
 *   - what an iteration hands to the next one must be loaded, and is loaded again. What enters the
 *     loop must be loaded from where the iteration before the first would have;
 *   - what the last plane uses of the last iteration is computed again.
 * So no array that is written may overlap another one, which detection sees to: what it takes as a
 * neighbour is not written by the kernel. If the loop has no iteration, the shadow does nothing.
 * All threads must know alike whether it has one: else some would write the other planes alone.
 */
#include "prepare/planes.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "target/uniform.h"

#include <string.h>

enum { MAX_RECURRENCES = ST_LIMIT(64, 4), MAX_PHIS = 2 * MAX_RECURRENCES };
enum { MAX_COPIES = ST_LIMIT(4096, 64), MAX_DEPTH = 64 };

/* A phi at the loop's head that grows evenly: `now` takes its place in the new loop. */
typedef struct recurrence {
    LLVMValueRef phi, start, step, now;
} recurrence;

typedef struct planes {
    br_function *f;
    LLVMValueRef function;
    LLVMBuilderRef b;
    br_loop loop;
    LLVMBasicBlockRef preheader, header, latch;
    LLVMBasicBlockRef out;    /* behind the loop */
    LLVMBasicBlockRef behind; /* has the last plane; or NULL */
    LLVMValueRef first, last; /* the stores of these planes; or NULL */
    recurrence recurrences[MAX_RECURRENCES];
    int count;
    int copies;
} planes;

/* The parts */

static bool is_behind(const planes *p, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->out);
    bool next = LLVMGetNumSuccessors(end) == 1 && LLVMGetSuccessor(end, 0) == block;
    return block == p->out || next;
}

/* Sorts a store into first, inner or last; false if it is none of these, or another one is. */
static bool take_store(planes *p, LLVMValueRef store) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(store);
    if (br_loop_contains(p->loop, block))
        return true;
    bool before = br_dominates(p->f, block, p->preheader);
    LLVMValueRef *place = before ? &p->first : &p->last;
    if (*place || (!before && !is_behind(p, block)))
        return false;
    *place = store;
    if (!before)
        p->behind = block;
    return true;
}

static bool find_stores(planes *p) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) && !take_store(p, i))
                return false;
    return p->first || p->last;
}

static bool returns(LLVMBasicBlockRef block) {
    return LLVMIsAReturnInst(LLVMGetFirstInstruction(block)) != NULL;
}

/* Is there nothing to do after the last plane, or after the loop? */
static bool ends(const planes *p) {
    LLVMBasicBlockRef block = p->behind ? p->behind : p->out;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!p->behind && LLVMIsAPHINode(LLVMGetFirstInstruction(block)))
        return false;
    if (!p->behind)
        return true;
    return LLVMIsAReturnInst(end) ||
           (LLVMGetNumSuccessors(end) == 1 && returns(LLVMGetSuccessor(end, 0)));
}

static bool branches_alike(LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    return br_is_conditional(end) && tg_is_uniform(LLVMGetCondition(end));
}

/* May some threads go from this block to the loop, and others past it? */
static bool parts_threads(const planes *p, LLVMBasicBlockRef b) {
    bool first = p->first && br_dominates(p->f, LLVMGetInstructionParent(p->first), b);
    bool several = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(b)) > 1;
    if (br_loop_contains(p->loop, b))
        return false;
    if (p->behind && b != p->out && host_leads_to(b, p->behind))
        return !branches_alike(b) || !br_dominates(p->f, b, p->preheader);
    return first && several && !branches_alike(b);
}

/* Do all threads that write the first plane, or the last one, go through the loop, or none? */
static bool go_together(const planes *p) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        if (parts_threads(p, b))
            return false;
    return true;
}

static bool find_parts(planes *p) {
    br_loop loops[2];
    if (br_loops(p->f, loops, 2) != 1)
        return false;
    p->loop = loops[0];
    p->preheader = br_loop_prepare(p->f, p->loop);
    p->header = br_loop_header(p->loop);
    p->latch = br_loop_latch(p->loop);
    p->out = br_loop_exit_block(p->loop);
    return p->preheader && p->out && host_tests_last(p->loop) && br_backedge_count(p->f, p->loop) &&
           find_stores(p) && ends(p) && go_together(p);
}

/* Recurrences */

static recurrence *find_recurrence(planes *p, LLVMValueRef phi) {
    for (int i = 0; i < p->count; i++)
        if (p->recurrences[i].phi == phi)
            return &p->recurrences[i];
    return NULL;
}

static bool is_recurrence(const planes *p, br_scev s, LLVMValueRef before) {
    return br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == p->loop && br_scev_count(s) == 2 &&
           br_scev_expandable(p->f, br_scev_operand(s, 1), before);
}

static bool add_recurrence(planes *p, LLVMValueRef phi, LLVMValueRef before) {
    br_scev s = br_scev_of(p->f, phi);
    bool pointer = br_scev_is_pointer(s);
    LLVMTypeRef type =
        pointer ? LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(phi))) : LLVMTypeOf(phi);
    if (p->count == MAX_RECURRENCES)
        return false;
    p->recurrences[p->count++] =
        (recurrence){phi, host_incoming(phi, p->loop, false),
                     br_scev_expand(p->f, br_scev_operand(s, 1), type, before), NULL};
    return true;
}

static bool find_recurrences(planes *p) {
    LLVMValueRef before = LLVMGetBasicBlockTerminator(p->preheader);
    LLVMValueRef phi = LLVMGetFirstInstruction(p->header);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
        bool number = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
        if (number && is_recurrence(p, br_scev_of(p->f, phi), before) &&
            !add_recurrence(p, phi, before))
            return false;
    }
    return true;
}

/* v, and so many steps more. */
static LLVMValueRef moved(planes *p, LLVMValueRef v, LLVMValueRef step, int times) {
    LLVMTypeRef type = LLVMTypeOf(step);
    LLVMValueRef by =
        LLVMBuildMul(p->b, step, LLVMConstInt(type, (unsigned long long)times, true), "");
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
        return LLVMBuildAdd(p->b, v, by, "");
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(type));
    return LLVMBuildGEP2(p->b, byte, v, &by, 1, "");
}

/* Copies of what was computed */

static bool is_copyable(LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || op == LLVMGetElementPtr ||
           op == LLVMICmp || op == LLVMFCmp || op == LLVMSelect || op == LLVMFNeg ||
           op == LLVMFreeze;
}

static LLVMValueRef copy_with(planes *p, LLVMValueRef v, LLVMValueRef const operands[]) {
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        LLVMSetOperand(copy, (unsigned)i, operands[i]);
    LLVMInsertIntoBuilder(p->b, copy);
    return copy;
}

/* An iteration from which values are taken: so many before the new loop's, or (`enters`) before
 * the old loop's first one. */
typedef struct moment {
    int before;
    bool enters;
} moment;

static LLVMValueRef value_at(planes *p, LLVMValueRef v, moment m, int depth);

static LLVMValueRef copy_at(planes *p, LLVMValueRef v, moment m, int depth) {
    enum { MOST = 4 };
    LLVMValueRef operands[MOST];
    bool load = LLVMIsALoadInst(v) != NULL;
    bool good = load ? !m.enters && !LLVMGetVolatile(v) &&
                           br_dominates(p->f, LLVMGetInstructionParent(v), p->latch)
                     : is_copyable(v);
    if (!good || LLVMGetNumOperands(v) > MOST || p->copies++ == MAX_COPIES)
        return NULL;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        operands[i] = value_at(p, LLVMGetOperand(v, (unsigned)i), m, depth - 1);
        if (!operands[i])
            return NULL;
    }
    return copy_with(p, v, operands);
}

/* What v is at that moment; NULL if that cannot be told. */
static LLVMValueRef value_at(planes *p, LLVMValueRef v, moment m, int depth) {
    if (!LLVMIsAInstruction(v) || (!host_in_loop(p->loop, v) &&
                                   (LLVMGetInstructionParent(v) != p->out || p->out == p->behind)))
        return v;
    const recurrence *r = find_recurrence(p, v);
    if (r)
        return moved(p, m.enters ? r->start : r->now, r->step, -m.before);
    if (depth == 0)
        return NULL;
    if (!LLVMIsAPHINode(v))
        return copy_at(p, v, m, depth);
    if (host_is_at_head(p->loop, v))
        return value_at(p, host_incoming(v, p->loop, true), (moment){m.before + 1, m.enters},
                        depth - 1);
    return LLVMCountIncoming(v) == 1 ? value_at(p, LLVMGetIncomingValue(v, 0), m, depth - 1) : NULL;
}

/* What an iteration hands to the next one: is it loaded, and what enters the loop from where the
 * iterations before the first would have? */
static bool is_loaded(planes *p, LLVMValueRef phi) {
    LLVMValueRef v = phi, entry = host_incoming(phi, p->loop, false);
    moment m = {0, true};
    for (; LLVMIsAPHINode(v) && host_is_at_head(p->loop, v) && m.before < MAX_DEPTH; m.before++)
        v = host_incoming(v, p->loop, true);
    if (!LLVMIsALoadInst(v) || !LLVMIsALoadInst(entry) || LLVMTypeOf(v) != LLVMTypeOf(entry))
        return false;
    LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(p->preheader));
    LLVMValueRef there = value_at(p, LLVMGetOperand(v, 0), m, MAX_DEPTH);
    return there && br_scev_of(p->f, there) == br_scev_of(p->f, LLVMGetOperand(entry, 0));
}

static bool check_handed_on(planes *p) {
    LLVMValueRef phi = LLVMGetFirstInstruction(p->header);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (!find_recurrence(p, phi) && !is_loaded(p, phi))
            return false;
    return true;
}

/* The new loop */

typedef struct joined {
    LLVMBasicBlockRef head, latch, done;
    LLVMValueRef counter;
    LLVMTypeRef type;
    LLVMValueRef iterations; /* of the old loop */
} joined;

static LLVMBasicBlockRef new_block(planes *p, const char *name) {
    return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(p->function)), p->function,
                                         name);
}

static void add_incoming(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
    LLVMAddIncoming(phi, &value, &from, 1);
}

/* Without an iteration of the loop the shadow does nothing. */
static void cut_ways_around(planes *p, joined *j) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function);
    j->done = new_block(p, "done");
    LLVMPositionBuilderAtEnd(p->b, j->done);
    LLVMBuildRetVoid(p->b);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; p->behind && i < LLVMGetNumSuccessors(end); i++)
            if (LLVMGetSuccessor(end, i) == p->behind && !br_loop_contains(p->loop, b) &&
                b != p->out)
                LLVMSetSuccessor(end, i, j->done);
    }
}

/* Head and latch, without branches. */
static void make_loop(planes *p, joined *j) {
    LLVMBasicBlockRef before = p->preheader;
    br_scev back = br_backedge_count(p->f, p->loop);
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(p->function));
    j->type = LLVMIntTypeInContext(c, br_scev_bits(p->f, back));
    LLVMValueRef one = LLVMConstInt(j->type, 1, false), end = LLVMGetBasicBlockTerminator(before);
    j->iterations = br_scev_expand(p->f, back, j->type, end);
    j->head = new_block(p, "planes");
    j->latch = new_block(p, "next_plane");
    LLVMPositionBuilderBefore(p->b, end);
    j->iterations = LLVMBuildAdd(p->b, j->iterations, one, "");
    for (int i = 0; i < p->count; i++) {
        recurrence *r = &p->recurrences[i];
        LLVMPositionBuilderBefore(p->b, end);
        LLVMValueRef start = p->first ? moved(p, r->start, r->step, -1) : r->start;
        LLVMPositionBuilderAtEnd(p->b, j->head);
        r->now = LLVMBuildPhi(p->b, LLVMTypeOf(r->phi), "");
        add_incoming(r->now, start, before);
        LLVMPositionBuilderAtEnd(p->b, j->latch);
        add_incoming(r->now, moved(p, r->now, r->step, 1), j->latch);
    }
    LLVMPositionBuilderAtEnd(p->b, j->head);
    j->counter = LLVMBuildPhi(p->b, j->type, "");
    add_incoming(j->counter, LLVMConstInt(j->type, 0, false), before);
    LLVMPositionBuilderAtEnd(p->b, j->latch);
    add_incoming(j->counter, LLVMBuildAdd(p->b, j->counter, one, ""), j->latch);
}

/* A copy of what the first plane's store needs, as far as it is computed in the store's block, so
 * that it is seen to be that plane's. */
static LLVMValueRef copy_first(planes *p, LLVMValueRef v, int depth) {
    enum { MOST = 4 };
    LLVMValueRef operands[MOST];
    bool here =
        LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == LLVMGetInstructionParent(p->first);
    if (!here || depth == 0 || !(is_copyable(v) || LLVMIsALoadInst(v)) ||
        LLVMGetNumOperands(v) > MOST || p->copies++ >= MAX_COPIES)
        return v;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        operands[i] = copy_first(p, LLVMGetOperand(v, (unsigned)i), depth - 1);
    return copy_with(p, v, operands);
}

static LLVMBasicBlockRef make_first(planes *p, const joined *j) {
    LLVMBasicBlockRef block = new_block(p, "first");
    LLVMPositionBuilderAtEnd(p->b, block);
    LLVMValueRef operands[] = {copy_first(p, LLVMGetOperand(p->first, 0), MAX_DEPTH),
                               copy_first(p, LLVMGetOperand(p->first, 1), MAX_DEPTH)};
    copy_with(p, p->first, operands);
    LLVMBuildBr(p->b, j->latch);
    LLVMInstructionEraseFromParent(p->first);
    return block;
}

/* What an operand of the last plane's is: at phis, by the way from the loop. */
static LLVMValueRef value_behind(planes *p, LLVMValueRef v) {
    bool phi = LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == p->behind;
    for (unsigned i = 0; phi && i < LLVMCountIncoming(v); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
        if (from == p->latch || (from == p->out && p->out != p->behind))
            return value_at(p, LLVMGetIncomingValue(v, i), (moment){1, false}, MAX_DEPTH);
    }
    return phi ? NULL : value_at(p, v, (moment){1, false}, MAX_DEPTH);
}

static bool replace_operands(planes *p, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        LLVMValueRef value = LLVMIsAInstruction(operand) ? value_behind(p, operand) : operand;
        if (!value)
            return false;
        LLVMSetOperand(i, (unsigned)k, value);
    }
    return true;
}

/* The last plane takes nothing from the loop by phis any more. */
static bool make_last(planes *p, const joined *j) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->behind), next;
    for (LLVMValueRef i = host_first_after_phis(p->behind); i != end;
         i = LLVMGetNextInstruction(i)) {
        LLVMPositionBuilderBefore(p->b, i);
        if (!replace_operands(p, i))
            return false;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(p->behind); LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionEraseFromParent(i);
    }
    LLVMInstructionEraseFromParent(end);
    LLVMPositionBuilderAtEnd(p->b, p->behind);
    LLVMBuildBr(p->b, j->latch);
    return true;
}

/* What stands for the phis at the loop's head. All are found before any is replaced, for one may
 * hand its value on to another. */
static bool find_values(planes *p, LLVMValueRef values[], int *count) {
    LLVMValueRef phi = LLVMGetFirstInstruction(p->header);
    *count = 0;
    LLVMPositionBuilderBefore(p->b, host_first_after_phis(p->header));
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = value_at(p, phi, (moment){0, false}, MAX_DEPTH);
        if (!value || *count == MAX_PHIS)
            return false;
        values[(*count)++] = value;
    }
    return true;
}

/* The loop's own iterations become the inner planes. */
static bool make_inner(planes *p, const joined *j) {
    LLVMValueRef values[MAX_PHIS], phi;
    int count;
    if (!find_values(p, values, &count))
        return false;
    for (int i = 0; i < count; i++) {
        phi = LLVMGetFirstInstruction(p->header);
        LLVMReplaceAllUsesWith(phi, values[i]);
        LLVMInstructionEraseFromParent(phi);
    }
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(p->latch));
    LLVMPositionBuilderAtEnd(p->b, p->latch);
    LLVMBuildBr(p->b, j->latch);
    return true;
}

/* From the head to the parts, and from the latch to the head or out of the loop. */
static void make_branches(planes *p, const joined *j, LLVMBasicBlockRef first) {
    LLVMValueRef zero = LLVMConstInt(j->type, 0, false), one = LLVMConstInt(j->type, 1, false);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->preheader);
    LLVMPositionBuilderBefore(p->b, end);
    LLVMValueRef last = p->first ? LLVMBuildAdd(p->b, j->iterations, one, "") : j->iterations;
    LLVMValueRef greatest = p->last ? last : LLVMBuildSub(p->b, last, one, "");
    LLVMSetSuccessor(end, 0, j->head);
    LLVMPositionBuilderAtEnd(p->b, j->head);
    if (first) {
        LLVMBasicBlockRef others = p->behind ? new_block(p, "others") : p->header;
        LLVMBuildCondBr(p->b, LLVMBuildICmp(p->b, LLVMIntEQ, j->counter, zero, ""), first, others);
        LLVMPositionBuilderAtEnd(p->b, others);
    }
    if (p->behind)
        LLVMBuildCondBr(p->b, LLVMBuildICmp(p->b, LLVMIntEQ, j->counter, last, ""), p->behind,
                        p->header);
    LLVMPositionBuilderAtEnd(p->b, j->latch);
    LLVMBuildCondBr(p->b, LLVMBuildICmp(p->b, LLVMIntEQ, j->counter, greatest, ""), j->done,
                    j->head);
}

static bool join(planes *p) {
    joined j;
    LLVMBasicBlockRef first = NULL;
    cut_ways_around(p, &j);
    make_loop(p, &j);
    if (p->behind && !make_last(p, &j))
        return false;
    if (p->first)
        first = make_first(p, &j);
    if (!make_inner(p, &j))
        return false;
    make_branches(p, &j, first);
    if (p->out != p->behind && p->behind)
        LLVMDeleteBasicBlock(p->out);
    return true;
}

bool prep_join_planes(prep_shadow *s, br_function *f) {
    if (!prep_make_shadow(s, f))
        return false;
    planes p = {.f = s->f, .function = s->function};
    p.b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    bool good = find_parts(&p) && find_recurrences(&p) && check_handed_on(&p) && join(&p);
    LLVMDisposeBuilder(p.b);
    good = good && prep_run_passes(s->function, "dce");
    br_function_invalidate(s->f);
    if (!good)
        prep_drop_shadow(s);
    return good;
}
