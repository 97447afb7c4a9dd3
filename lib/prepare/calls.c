/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop whose sweeps are functions of the program. LLVM puts small functions in the place of
 * their calls, and those that are called once. It leaves the calls of others, and the sweeps cannot
 * be seen together:
 *
 *     for (t = 0; t < T; t++) {            for (t = 0; t < T; t++) {
 *         update_h(g);             ->          the loops of update_h
 *         update_e(g);                         the loops of update_e
 *     }                                    }
 *
 * In a shadow the bodies take the place of the calls. This is legal for each function that LLVM may
 * inline. A function with a loop that reads and writes arrays, and does nothing else, makes a
 * sweep. So does one that calls such a function, or that moves arrays' memory. A function without
 * effects beyond memory may be called in a cell. A function that prints in some calls alone, as
 * where it begins with if (t % 100) return, makes an output of some steps: pieces.h.
 */
#include "prepare/calls.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/sequence.h"
#include "prepare/whole.h"

#include <stdlib.h>

enum {
    MAX_DEPTH = 4,                        /* calls in calls */
    MAX_LOOKS = ST_LIMIT(256, 16),        /* calls that a search looks at */
    MAX_CALLS = ST_LIMIT(256, 4),         /* that are replaced in a loop */
    MAX_WAY = 256,                        /* blocks on the ways past effects */
    MAX_LOOPS = 64,                       /* of a function that are looked at */
    MAX_SIZE = ST_LIMIT(40000, 400),      /* instructions that are added to a loop */
    MAX_FUNCTION = ST_LIMIT(20000, 4000), /* of a function */
};

/* What a function does. */
typedef struct made {
    bool sweeps;  /* it has a loop that loads and stores, and does nothing else */
    bool moves;   /* it moves arrays' memory (moved.h) */
    bool foreign; /* it has effects beyond memory that it stores to */
    bool quiet;   /* it has a way past all blocks with such effects */
    int size;     /* instructions */
} made;

/* The function that is called, if it may take the call's place. NULL also once as many calls were
 * looked at as a search may look at. */
static LLVMValueRef called(LLVMValueRef i, int *left) {
    if ((!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) || *left == 0 || host_calls(i, "llvm."))
        return NULL;
    LLVMValueRef callee = br_inlinable(i);
    *left -= callee != NULL;
    return callee;
}

/* Has the call effects beyond memory that it stores to, for all that its name tells? */
static bool is_foreign(LLVMValueRef i) {
    const char *name = host_callee_name(i);
    bool known = host_is_annotation(name) || host_is_operation(name) || host_is_copy(i) ||
                 host_is_array_assignment(i) || host_moves_allocation(i) || host_sets_errno(name) ||
                 host_allocates(name);
    return !known && br_may_write(i);
}

static bool is_access(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
}

/* Does the block load, store, and do nothing beyond? */
static bool is_plain(LLVMBasicBlockRef b, bool *loads, bool *stores, int *left) {
    bool plain = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && plain; i = LLVMGetNextInstruction(i)) {
        *loads |= LLVMIsALoadInst(i) != NULL;
        *stores |= LLVMIsAStoreInst(i) != NULL;
        plain = is_access(i) ? host_is_plain(i) : called(i, left) || !is_foreign(i);
    }
    return plain;
}

static bool is_sweep(br_loop l, int *left) {
    LLVMBasicBlockRef block;
    bool loads = false, stores = false, plain = true;
    for (size_t b = 0; plain && (block = br_loop_block(l, b)); b++)
        plain = is_plain(block, &loads, &stores, left);
    return plain && loads && stores;
}

static bool has_sweep(br_function *f, LLVMValueRef function, int *left) {
    br_loop loops[MAX_LOOPS];
    bool has = false;
    if (!br_may_loop(function))
        return false;
    br_function *other = br_function_open_other(f, function);
    size_t count = br_loops(other, loops, MAX_LOOPS);
    for (size_t i = 0; i < count && i < MAX_LOOPS && !has; i++)
        has = is_sweep(loops[i], left);
    br_function_close(other);
    return has;
}

static made look(br_function *f, LLVMValueRef function, int depth, int *left);

/* Has the block no effect beyond memory? */
static bool is_quiet(br_function *f, LLVMBasicBlockRef b, int depth, int *left) {
    bool quiet = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && quiet; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = called(i, left);
        made m = {.quiet = !is_foreign(i)};
        if (callee && depth > 0)
            m = look(f, callee, depth - 1, left);
        quiet = is_access(i) ? host_is_plain(i) : m.quiet;
    }
    return quiet;
}

/* Does control get from the start to a return through quiet blocks alone? */
static bool has_quiet_way(br_function *f, LLVMValueRef function, int depth, int *left) {
    LLVMBasicBlockRef seen[MAX_WAY] = {LLVMGetEntryBasicBlock(function)};
    size_t count = 1;
    for (size_t next = 0; next < count; next++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        if (!is_quiet(f, seen[next], depth, left))
            continue;
        if (LLVMIsAReturnInst(end))
            return true;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            if (count < MAX_WAY && !host_lists_block(seen, count, to))
                seen[count++] = to;
        }
    }
    return false;
}

static made look(br_function *f, LLVMValueRef function, int depth, int *left) {
    made m = {.sweeps = has_sweep(f, function, left)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && m.size <= MAX_FUNCTION;
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = called(i, left);
            m.size++;
            if (callee && depth > 0) {
                made c = look(f, callee, depth - 1, left);
                m.sweeps |= c.sweeps;
                m.moves |= c.moves;
                m.foreign |= c.foreign;
                m.size += c.size;
            } else {
                m.moves |= host_moves_allocation(i);
                m.foreign |= is_access(i) ? !host_is_plain(i) : is_foreign(i);
            }
        }
    m.quiet = !m.foreign || has_quiet_way(f, function, depth, left);
    return m;
}

/* Is a call to be replaced by this function? cells: whatever does not make an output in each step
 * is. */
static bool is_wanted(const made *m, bool cells) {
    return m->size <= MAX_FUNCTION && (m->sweeps || m->moves || (cells && m->quiet));
}

/* Calls of a loop that are to be replaced. */
typedef struct found {
    LLVMValueRef calls[MAX_CALLS];
    size_t count;
    int size; /* instructions that they add */
} found;

/* Adds the call, if it is to be replaced. */
static void add_call(br_function *f, found *c, LLVMValueRef call, bool cells, int *left) {
    LLVMValueRef callee = called(call, left);
    made m = {.size = 0};
    if (callee)
        m = look(f, callee, MAX_DEPTH, left);
    if (!callee || !is_wanted(&m, cells))
        return;
    c->calls[c->count++] = call;
    c->size += m.size;
}

/* The first calls in the loop to replace, up to most. */
static void find_calls(br_function *f, br_loop l, bool cells, size_t most, found *c) {
    LLVMBasicBlockRef block;
    int left = MAX_LOOKS;
    c->count = 0;
    c->size = 0;
    for (size_t b = 0; (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && c->count < most;
             i = LLVMGetNextInstruction(i))
            add_call(f, c, i, cells, &left);
}

bool prep_calls_sweeps(br_function *f, br_loop l) {
    found c;
    find_calls(f, l, false, 1, &c);
    return c.count > 0;
}

static bool inline_found(const found *c) {
    bool good = true;
    for (size_t i = 0; i < c->count && good; i++)
        good = br_inline(c->calls[i]);
    return good;
}

/* False: there are too many calls, or one cannot be replaced. All calls that are there are replaced
 * before the loop is looked at again, for those that came in with them. */
static bool inline_all(prep_shadow *s, LLVMBasicBlockRef head) {
    int all = 0;
    found c;
    for (size_t n = 0; n < MAX_CALLS;) {
        br_loop l = prep_loop_at(s->f, head);
        if (!l)
            return false;
        find_calls(s->f, l, true, MAX_CALLS - n, &c);
        if (c.count == 0)
            return true;
        if (all + c.size > MAX_SIZE || !inline_found(&c))
            return false;
        n += c.count;
        all += c.size;
        br_function_invalidate(s->f);
    }
    return false;
}

LLVMBasicBlockRef prep_inline_calls(prep_shadow *s, LLVMBasicBlockRef head) {
    bool good = inline_all(s, head) && prep_clean_up(s->function);
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    if (good)
        prep_mend(s->f);
    return good && prep_has_block(s->function, head) ? head : NULL;
}
