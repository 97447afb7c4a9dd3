/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loop over a piece's steps: see pieces.c. With P the quiet blocks of a step, in the order from
 * the end of its sweeps to the start of the next step's, where P leads to an output or out of the
 * loop if a branch in it goes there:
 *
 *     program:          S: sweeps -> P -> S, or what P ends with
 *     counted:          n = 0; do n++ while a copy of P, with values of its own, gets to S;
 *                       k = 0; S: sweeps; a copy of P whose branches do not end it computes the
 *                       next step's values; k + 1 < n: takes these, -> S; else -> P
 *     with other ends:  S: sweeps; k + 1 == n -> P; a copy of P -> S, or what P ends with
 *     not counted:      S: sweeps; a copy of P -> S, or what P ends with
 *
 * So the program's own P does every output, and every test for one, as it did. A piece may have
 * fewer steps than it could, so they are not counted for ever. Values that go from one part to
 * another are in memory meanwhile.
 */
#include "detect/common/flow.h"
#include "prepare/reread.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1 << 16 }; /* of a piece */

typedef struct cut_slot {
    LLVMValueRef memory;
    LLVMValueRef value; /* a value of the sweeps that can be computed before them; or NULL */
    LLVMValueRef copy;  /* the same memory for a copy of the quiet blocks */
    LLVMValueRef kept;  /* memory for its value in the last step, if that is known; or NULL */
    bool known;         /* it can be computed before a piece, and is a number */
} cut_slot;

typedef struct cut {
    prep_pieces *p;
    LLVMBuilderRef b;
    cut_slot *slot;
    int nslots, capacity;
    LLVMBasicBlockRef *copied; /* the copies of the quiet blocks, by the number of the original */
    LLVMBasicBlockRef entry, end;
    LLVMValueRef steps, made; /* n and k of the head of this file, in memory */
    bool counts;              /* the steps of a piece are counted first */
    bool mixed;               /* counted, with other ends */
    LLVMMetadataRef place;    /* in the source; or NULL */
    bool ahead;               /* the copy computes values of steps that the program may not make */
} cut;

static LLVMContextRef context_of(const cut *c) {
    return LLVMGetTypeContext(LLVMTypeOf(c->p->function));
}

static LLVMBasicBlockRef new_block(const cut *c) {
    return LLVMAppendBasicBlockInContext(context_of(c), c->p->function, "");
}

static void go_to_end(const cut *c, LLVMBasicBlockRef b) {
    LLVMPositionBuilderAtEnd(c->b, b);
    LLVMSetCurrentDebugLocation2(c->b, c->place);
}

/* Values into memory */

static void add_slot(cut *c, LLVMValueRef memory, LLVMValueRef value, bool known) {
    if (!memory)
        return;
    if (c->nslots == c->capacity) {
        c->capacity = 2 * c->capacity + 16;
        c->slot = realloc(c->slot, (size_t)c->capacity * sizeof *c->slot);
    }
    c->slot[c->nslots++] = (cut_slot){memory, value, NULL, NULL, known};
}

static bool joins_parts(const cut *c, LLVMBasicBlockRef b) {
    int at = piece_number(c->p, b);
    return at < 0 || c->p->block[at].part != PART_SWEEPS;
}

static void demote_phis_in(cut *c, LLVMBasicBlockRef b) {
    LLVMValueRef i = LLVMGetFirstInstruction(b);
    while (i && LLVMIsAPHINode(i)) {
        LLVMValueRef next = LLVMGetNextInstruction(i);
        add_slot(c, br_demote_phi(i), NULL, false);
        i = next;
    }
}

/* Demotes phis of the parts' blocks and of their successors. Successors are behind the time loop,
 * or are heads of loops with output, to which copies of quiet blocks branch, too. */
static void demote_phis(cut *c) {
    const prep_pieces *p = c->p;
    for (int k = 0; k < p->count; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[k].b);
        if (!p->block[k].nested && joins_parts(c, p->block[k].b))
            demote_phis_in(c, p->block[k].b);
        for (int s = 0; s < p->block[k].successors; s++) {
            int next = p->next[p->block[k].first + s];
            if (next < 0 || (piece_is_quiet(p, k) && p->block[next].nested))
                demote_phis_in(c, LLVMGetSuccessor(end, (unsigned)s));
        }
    }
}

/* Is the value of block k used elsewhere: in another part, in another quiet block, or by a phi of
 * block k in the next step? */
static bool goes_on(const cut *c, int k, LLVMValueRef v) {
    const prep_pieces *p = c->p;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef user = LLVMGetInstructionParent(LLVMGetUser(u));
        int at = piece_number(p, user);
        prep_part part = at < 0 ? PART_OUTPUT : p->block[at].part;
        bool leaves = at != k || LLVMIsAPHINode(LLVMGetUser(u));
        if (leaves && (part != p->block[k].part || part == PART_QUIET))
            return true;
    }
    return false;
}

typedef struct cut_list {
    LLVMValueRef *value;
    bool *known;
    size_t count;
} cut_list;

static void demote_list(cut *c, const cut_list *l) {
    for (size_t n = 0; n < l->count; n++) {
        LLVMValueRef v = l->value[n];
        int at = piece_number(c->p, LLVMGetInstructionParent(v));
        bool again = l->known[n] && c->p->block[at].part == PART_SWEEPS && !LLVMIsAPHINode(v);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
        add_slot(c, br_demote(v), again ? v : NULL, l->known[n] && !pointer);
    }
}

static void demote_values(cut *c) {
    cut_list l = {.count = 0};
    for (int k = 0; k < c->p->count; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->p->block[k].b); i;
             i = LLVMGetNextInstruction(i)) {
            if (!goes_on(c, k, i))
                continue;
            l.value = realloc(l.value, (l.count + 1) * sizeof *l.value);
            l.known = realloc(l.known, (l.count + 1) * sizeof *l.known);
            l.value[l.count] = i;
            l.known[l.count++] = piece_computable(c->p, i);
        }
    demote_list(c, &l);
    free(l.value);
    free(l.known);
}

/* Copies */

static LLVMValueRef allocate(cut *c, LLVMTypeRef type) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->p->function);
    LLVMPositionBuilderBefore(c->b, LLVMGetFirstInstruction(entry));
    return LLVMBuildAlloca(c->b, type, "");
}

/* Allocates a second slot for each value. Copies of blocks use the second slots. */
static void make_memory(cut *c) {
    for (int i = 0; i < c->nslots; i++)
        c->slot[i].copy = allocate(c, LLVMGetAllocatedType(c->slot[i].memory));
}

static void forget_memory(cut *c) {
    for (int i = 0; i < c->nslots; i++)
        c->slot[i].copy = NULL;
}

static void copy_memory(cut *c, bool back) {
    for (int i = 0; i < c->nslots; i++) {
        const cut_slot *s = &c->slot[i];
        LLVMTypeRef type = LLVMGetAllocatedType(s->memory);
        LLVMValueRef v = LLVMBuildLoad2(c->b, type, back ? s->copy : s->memory, "");
        LLVMBuildStore(c->b, v, back ? s->memory : s->copy);
    }
}

static LLVMValueRef memory_of_copy(const cut *c, LLVMValueRef v) {
    for (int i = 0; i < c->nslots && LLVMIsAAllocaInst(v); i++)
        if (c->slot[i].memory == v && c->slot[i].copy)
            return c->slot[i].copy;
    return v;
}

typedef struct cut_map {
    LLVMValueRef *from, *to;
    size_t count, capacity;
} cut_map;

static void map(cut_map *m, LLVMValueRef from, LLVMValueRef to) {
    if (m->count == m->capacity) {
        m->capacity = 2 * m->capacity + 16;
        m->from = realloc(m->from, m->capacity * sizeof *m->from);
        m->to = realloc(m->to, m->capacity * sizeof *m->to);
    }
    m->from[m->count] = from;
    m->to[m->count++] = to;
}

static LLVMValueRef mapped(const cut *c, const cut_map *m, LLVMValueRef v) {
    for (size_t i = m->count; i > 0; i--)
        if (m->from[i - 1] == v)
            return m->to[i - 1];
    return memory_of_copy(c, v);
}

static void free_map(cut_map *m) {
    free(m->from);
    free(m->to);
}

/* Where the program comes to a division that traps, the number of steps does not matter. */
void piece_make_safe(LLVMBuilderRef b, LLVMValueRef division) {
    LLVMValueRef of = LLVMGetOperand(division, 0), by = LLVMGetOperand(division, 1);
    LLVMTypeRef type = LLVMTypeOf(by);
    LLVMOpcode op = LLVMGetInstructionOpcode(division);
    if (LLVMIsAConstantInt(by))
        return;
    of = LLVMBuildFreeze(b, of, "");
    by = LLVMBuildFreeze(b, by, "");
    LLVMValueRef bad = LLVMBuildICmp(b, LLVMIntEQ, by, LLVMConstNull(type), "");
    if (op == LLVMSDiv || op == LLVMSRem) {
        LLVMValueRef least =
            LLVMConstInt(type, UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1), false);
        LLVMValueRef wraps =
            LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, by, LLVMConstAllOnes(type), ""),
                         LLVMBuildICmp(b, LLVMIntEQ, of, least, ""), "");
        bad = LLVMBuildOr(b, bad, wraps, "");
    }
    LLVMSetOperand(division, 0, of);
    LLVMSetOperand(division, 1, LLVMBuildSelect(b, bad, LLVMConstInt(type, 1, false), by, ""));
}

static LLVMValueRef copy_instruction(cut *c, cut_map *m, LLVMValueRef i) {
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef old = LLVMGetOperand(i, (unsigned)o);
        if (!LLVMIsABasicBlock(old))
            LLVMSetOperand(copy, (unsigned)o, mapped(c, m, old));
    }
    if (c->ahead && c->p->exits && piece_is_division(copy))
        piece_make_safe(c->b, copy);
    LLVMInsertIntoBuilder(c->b, copy);
    if (c->ahead) /* the program may not come to it */
        br_drop_promises(copy);
    map(m, i, copy);
    return copy;
}

/* Repeats a computation of the sweeps' blocks whose value a copy of P uses. Values from other
 * blocks are loaded from memory. */
static LLVMValueRef compute_again(cut *c, cut_map *m, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v) || mapped(c, m, v) != v)
        return v;
    int at = piece_number(c->p, LLVMGetInstructionParent(v));
    if (at < 0 || c->p->block[at].part != PART_SWEEPS)
        return v;
    int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    for (int i = 0; i < count; i++)
        compute_again(c, m, LLVMGetOperand(v, (unsigned)i));
    return copy_instruction(c, m, v);
}

static void compute_values_again(cut *c) {
    cut_map m = {.count = 0};
    for (int i = 0; i < c->nslots; i++) {
        if (!c->slot[i].value)
            continue;
        compute_again(c, &m, c->slot[i].value);
        LLVMBuildStore(c->b, mapped(c, &m, c->slot[i].value), c->slot[i].copy);
    }
    free_map(&m);
}

/* Where the copy of P goes on, in place of the start of the sweeps or the end of P. */
typedef struct cut_ends {
    LLVMBasicBlockRef sweeps; /* in place of the next step's sweeps */
    LLVMBasicBlockRef
        known;  /* where P ends by a condition known before the piece; NULL: it does not */
    bool other; /* P may also end by other conditions: then control goes where the program does */
} cut_ends;

static LLVMBasicBlockRef target(const cut *c, const cut_ends *to, int from, unsigned successor,
                                bool known) {
    const prep_pieces *p = c->p;
    int next = p->next[p->block[from].first + (int)successor];
    if (next == p->entry)
        return to->sweeps;
    if (!piece_ends(p, next))
        return c->copied[next];
    if (known)
        return to->known;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[from].b);
    return to->other ? LLVMGetSuccessor(end, successor) : NULL;
}

static void copy_branch(cut *c, const cut_ends *to, int k, const cut_map *m) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->p->block[k].b);
    if (LLVMGetNumSuccessors(end) == 1) {
        LLVMBuildBr(c->b, target(c, to, k, 0, true));
        return;
    }
    LLVMValueRef condition = LLVMGetCondition(end);
    bool known = c->counts && c->p->block[k].known;
    LLVMBasicBlockRef yes = target(c, to, k, 0, known), no = target(c, to, k, 1, known);
    if (yes && no)
        LLVMBuildCondBr(c->b, mapped(c, m, condition), yes, no);
    else
        LLVMBuildBr(c->b, yes ? yes : no);
}

/* A copy of the quiet blocks: the one of the first. */
static LLVMBasicBlockRef copy_quiet(cut *c, const cut_ends *to) {
    const prep_pieces *p = c->p;
    for (int k = 0; k < p->count; k++)
        c->copied[k] = piece_is_quiet(p, k) ? new_block(c) : NULL;
    for (int k = 0; k < p->count; k++) {
        cut_map m = {.count = 0};
        if (!c->copied[k])
            continue;
        go_to_end(c, c->copied[k]);
        LLVMValueRef i = LLVMGetFirstInstruction(p->block[k].b);
        for (; !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i))
            copy_instruction(c, &m, i);
        copy_branch(c, to, k, &m);
        free_map(&m);
    }
    return c->copied[p->end];
}

/* The loops */

static LLVMValueRef number(const cut *c, uint64_t n) {
    return LLVMConstInt(LLVMInt64TypeInContext(context_of(c)), n, false);
}

static LLVMValueRef add_one(cut *c, LLVMValueRef memory) {
    LLVMTypeRef type = LLVMInt64TypeInContext(context_of(c));
    LLVMValueRef sum =
        LLVMBuildNUWAdd(c->b, LLVMBuildLoad2(c->b, type, memory, ""), number(c, 1), "");
    LLVMBuildStore(c->b, sum, memory);
    return sum;
}

static void keep_values(cut *c) {
    for (int i = 0; i < c->nslots; i++) {
        cut_slot *s = &c->slot[i];
        if (!s->known)
            continue;
        LLVMValueRef v = LLVMBuildLoad2(c->b, LLVMGetAllocatedType(s->memory), s->copy, "");
        LLVMBuildStore(c->b, v, s->kept);
    }
}

/* Behind the last step, gives values what they were when steps were counted, so that no loop has to
 * hand them on. */
static LLVMBasicBlockRef restore_values(cut *c) {
    LLVMBasicBlockRef leave = new_block(c);
    go_to_end(c, leave);
    for (int i = 0; i < c->nslots; i++) {
        const cut_slot *s = &c->slot[i];
        if (!s->known)
            continue;
        LLVMValueRef v = LLVMBuildLoad2(c->b, LLVMGetAllocatedType(s->memory), s->kept, "");
        LLVMBuildStore(c->b, v, s->memory);
    }
    LLVMBuildBr(c->b, c->end);
    return leave;
}

/* In front of a piece: counts its steps. Returns the first block of that. */
static LLVMBasicBlockRef count_steps(cut *c) {
    LLVMBasicBlockRef first = new_block(c), head = new_block(c), done = new_block(c);
    c->steps = allocate(c, LLVMInt64TypeInContext(context_of(c)));
    c->made = allocate(c, LLVMInt64TypeInContext(context_of(c)));
    c->ahead = true;
    for (int i = 0; i < c->nslots; i++)
        c->slot[i].kept = allocate(c, LLVMGetAllocatedType(c->slot[i].memory));
    make_memory(c);
    go_to_end(c, first);
    copy_memory(c, false);
    LLVMBuildStore(c->b, number(c, 0), c->steps);
    LLVMBuildBr(c->b, head);
    cut_ends to = {head, done, false};
    LLVMBasicBlockRef quiet = copy_quiet(c, &to);
    go_to_end(c, head);
    LLVMValueRef n = add_one(c, c->steps);
    compute_values_again(c);
    keep_values(c);
    LLVMValueRef enough = LLVMBuildICmp(c->b, LLVMIntEQ, n, number(c, MAX_STEPS), "");
    LLVMBuildCondBr(c->b, enough, done, quiet);
    go_to_end(c, done);
    LLVMBuildStore(c->b, number(c, 0), c->made);
    LLVMBuildBr(c->b, c->entry);
    forget_memory(c);
    c->ahead = false;
    return first;
}

/* At the end of a block: tests whether that was the last step. */
static void end_piece(cut *c, LLVMBasicBlockRef at, LLVMBasicBlockRef end, LLVMBasicBlockRef next) {
    LLVMTypeRef type = LLVMInt64TypeInContext(context_of(c));
    go_to_end(c, at);
    LLVMValueRef made = add_one(c, c->made);
    LLVMValueRef n = LLVMBuildLoad2(c->b, type, c->steps, "");
    LLVMValueRef last = LLVMBuildICmp(c->b, LLVMIntEQ, made, n, "");
    LLVMBuildCondBr(c->b, last, end, next);
}

/* Makes the block that follows the sweeps. *back: a branch to the next step's sweeps. */
static LLVMBasicBlockRef continue_piece(cut *c, LLVMValueRef *back) {
    LLVMBasicBlockRef last = new_block(c);
    go_to_end(c, last);
    *back = LLVMBuildBr(c->b, c->entry);
    if (!c->counts || c->mixed) {
        cut_ends to = {last, NULL, true};
        LLVMBasicBlockRef quiet = copy_quiet(c, &to);
        if (!c->counts)
            return quiet;
        LLVMBasicBlockRef test = new_block(c);
        end_piece(c, test, c->end, quiet);
        return test;
    }
    LLVMBasicBlockRef first = new_block(c), test = new_block(c);
    make_memory(c);
    LLVMPositionBuilderBefore(c->b, *back);
    copy_memory(c, true);
    cut_ends to = {test, NULL, false};
    LLVMBasicBlockRef quiet = copy_quiet(c, &to);
    go_to_end(c, first);
    copy_memory(c, false);
    LLVMBuildBr(c->b, quiet);
    end_piece(c, test, restore_values(c), last);
    return first;
}

/* Leads edges to another block than before: those from sweeps, or those from all other blocks. */
static void redirect(const cut *c, bool sweeps, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    const prep_pieces *p = c->p;
    for (int k = 0; k < p->count; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[k].b);
        for (int s = 0; s < p->block[k].successors; s++)
            if ((p->block[k].part == PART_SWEEPS) == sweeps &&
                LLVMGetSuccessor(end, (unsigned)s) == from)
                LLVMSetSuccessor(end, (unsigned)s, to);
    }
}

static void cut_loop(cut *c) {
    LLVMValueRef back, latch = LLVMGetBasicBlockTerminator(c->p->block[c->p->latch].b);
    c->place = LLVMInstructionGetDebugLoc(latch);
    c->entry = c->p->block[c->p->entry].b;
    c->end = c->p->block[c->p->end].b;
    demote_values(c);
    demote_phis(c);
    LLVMBasicBlockRef first = c->counts ? count_steps(c) : NULL;
    LLVMBasicBlockRef next = continue_piece(c, &back);
    if (first)
        redirect(c, false, c->entry, first);
    redirect(c, true, c->end, next);
    br_copy_loop_properties(latch, back);
}

LLVMValueRef piece_behind_writes(LLVMBasicBlockRef b) {
    LLVMValueRef i = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(b));
    while (i && !br_may_write(i))
        i = LLVMGetPreviousInstruction(i);
    return i ? LLVMGetNextInstruction(i) : NULL;
}

/* Does control leave the sweeps from block k, which also stores? Then its branch is to have a block
 * of its own, which may be quiet. */
static bool leaves_and_stores(const prep_pieces *p, int k) {
    const piece_block *b = &p->block[k];
    bool leaves = false;
    for (int s = 0; s < b->successors; s++) {
        int next = p->next[b->first + s];
        leaves |= next != p->end && (next < 0 || p->block[next].part == PART_OUTPUT);
    }
    return b->part == PART_SWEEPS && !b->nested && b->writes && b->successors > 1 && leaves;
}

/* Where the sweeps go on behind their first block, if that block also leads to an output. NULL if
 * it does not, or has work of its own: it stays the first one then, whatever is behind it. */
static LLVMBasicBlockRef behind_test(const prep_pieces *p) {
    const piece_block *b = &p->block[p->entry];
    LLVMBasicBlockRef to = NULL;
    bool leaves = false;
    for (int s = 0; s < b->successors; s++) {
        int next = p->next[b->first + s];
        if (next < 0)
            continue;
        leaves |= p->block[next].part == PART_OUTPUT;
        if (p->block[next].part == PART_SWEEPS)
            to = p->block[next].b;
    }
    bool tests = b->successors == 2 && leaves && !b->writes;
    return tests && !piece_is_guard(p, p->entry) ? to : NULL;
}

/* Splits blocks, so that the sweeps begin in a block without phis behind the head of the loop and
 * behind tests for an output, and end in front of its latch, and in front of tests for an output.
 * False if that is so already. */
static bool split(const prep_pieces *p) {
    LLVMBasicBlockRef from = p->block[p->entry].b, to = behind_test(p);
    LLVMBasicBlockRef between = to ? br_join(&from, 1, to) : NULL;
    if (between) {
        LLVMMetadataRef place = LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(from));
        LLVMInstructionSetDebugLoc(LLVMGetBasicBlockTerminator(between), place);
        return true;
    }
    for (int k = 0; k < p->count; k++) {
        LLVMValueRef i = leaves_and_stores(p, k) ? piece_behind_writes(p->block[k].b) : NULL;
        if (!i)
            continue;
        br_split_before(i);
        return true;
    }
    if (p->end < 0) {
        br_split_before(LLVMGetBasicBlockTerminator(p->block[p->latch].b));
        return true;
    }
    LLVMBasicBlockRef entry = p->block[p->entry].b;
    LLVMValueRef i = host_first_after_phis(entry);
    if (p->entry != 0 && i == LLVMGetFirstInstruction(entry))
        return false;
    br_split_before(i);
    return true;
}

static prep_pieces *find_split(prep_shadow *s, LLVMBasicBlockRef head, bool rare) {
    prep_pieces *p = prep_find_pieces(s->f, s->function, br_loop_of(s->f, head), rare);
    while (p && split(p)) {
        prep_pieces_destroy(p);
        br_function_invalidate(s->f);
        p = prep_find_pieces(s->f, s->function, br_loop_of(s->f, head), rare);
    }
    return p;
}

/* Does a piece store a number in one place in each step, as the counter that outputs read? */
static bool stores_number(const prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = br_loop_of(s->f, head);
    LLVMBasicBlockRef b;
    bool stores = false;
    for (size_t k = 0; l && !stores && (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !stores;
             i = LLVMGetNextInstruction(i))
            stores = LLVMIsAStoreInst(i) && br_loop_of(s->f, b) == l &&
                     LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind &&
                     !host_in_loop(l, LLVMGetOperand(i, 1));
    return stores;
}

static LLVMBasicBlockRef cut_pieces(prep_shadow *s, LLVMBasicBlockRef head, bool rare) {
    cut c = {.p = find_split(s, head, rare)};
    if (!c.p)
        return NULL;
    prep_reread(c.p);
    c.b = LLVMCreateBuilderInContext(context_of(&c));
    c.copied = calloc((size_t)c.p->count, sizeof(LLVMBasicBlockRef));
    c.counts = c.p->counts;
    c.mixed = c.p->stops;
    cut_loop(&c);
    LLVMDisposeBuilder(c.b);
    free(c.copied);
    free(c.slot);
    prep_pieces_destroy(c.p);
    bool good = prep_run_passes(s->function, "mem2reg,adce,simplifycfg");
    br_function_invalidate(s->f);
    if (good && prep_has_block(s->function, c.entry) && stores_number(s, c.entry)) {
        good = prep_run_passes(s->function, "loop-mssa(licm)"); /* it is stored behind the piece */
        br_function_invalidate(s->f);
    }
    s->body = LLVMGetEntryBasicBlock(s->function);
    return good && prep_has_block(s->function, c.entry) ? c.entry : NULL;
}

LLVMBasicBlockRef prep_cut_pieces(prep_shadow *s, LLVMBasicBlockRef head) {
    return cut_pieces(s, head, false);
}

LLVMBasicBlockRef prep_cut_rare(prep_shadow *s, LLVMBasicBlockRef head) {
    return cut_pieces(s, head, true);
}
