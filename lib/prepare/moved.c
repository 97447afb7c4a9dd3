/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fortran's move_alloc in a time loop that swaps two allocatable arrays by a third one, which has
 * no memory of its own:
 *
 *     do t = 1, steps                      if (allocated(x) .and. allocated(y)) then
 *         call sweep(x, y)                     do t = 1, steps
 *         call move_alloc(x, z)                    call sweep(x, y)
 *         call move_alloc(y, x)    ->              the descriptors of x and y are exchanged
 *         call move_alloc(z, y)                end do
 *     end do                               else
 *                                              do t = 1, steps ... as it was ... end do
 *                                          end if
 *
 * flang calls its runtime for each of the three. A call frees what the array had that is assigned,
 * copies the descriptor, and takes the base address from the other array. Where x and y are
 * allocated in front of the loop, apart, and z is not, the calls free nothing, in any step: nothing
 * else in the loop writes the base addresses. Arrays of derived types have more to do, and stay as
 * they are.
 */
#include "prepare/moved.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/checks.h"
#include "prepare/descriptor.h"
#include "prepare/hoist.h"
#include "prepare/modes.h"
#include "prepare/sequence.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_BLOCKS = ST_LIMIT(512, 8),
    MAX_SWAPS = ST_LIMIT(16, 1), /* pairs of arrays */
    ARRAYS = 3,
    WORD = 8
};

/* Operands of the call: what is assigned, what is moved, and what else may be to do. */
enum { TO, FROM, DERIVED_TYPE };

/* Arrays 0 and 1 are swapped by array 2. */
typedef struct swap {
    LLVMValueRef call[ARRAYS], twin[ARRAYS], array[ARRAYS];
    bool empty; /* array 2 loses its base address in front of the calls */
    bool bare;  /* and nothing reads the rest of its descriptor */
    int rank;
    LLVMValueRef like; /* an access in the loop to a descriptor */
} swap;

typedef struct swaps {
    br_function *f;
    br_loop l;
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t blocks, count;
    swap swap[MAX_SWAPS];
    LLVMBuilderRef b;
} swaps;

static LLVMTypeRef word_type(LLVMValueRef array, int offset) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(array));
    return offset == DESC_BASE ? LLVMPointerTypeInContext(c, 0) : LLVMInt64TypeInContext(c);
}

static LLVMValueRef behind(LLVMBuilderRef b, LLVMValueRef array, int offset) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(array));
    LLVMValueRef by = LLVMConstInt(LLVMInt64TypeInContext(c), (unsigned long long)offset, false);
    return LLVMBuildGEP2(b, LLVMInt8TypeInContext(c), array, &by, 1, "");
}

/* Tells LLVM that the access is one to a descriptor, as another one tells. */
static LLVMValueRef tag(const swap *s, LLVMValueRef access) {
    unsigned kind = prep_alias_kind(LLVMTypeOf(s->array[0]));
    LLVMSetMetadata(access, kind, LLVMGetMetadata(s->like, kind));
    LLVMSetAlignment(access, 1);
    return access;
}

static LLVMValueRef load(const swap *s, LLVMBuilderRef b, int array, int offset, LLVMTypeRef type) {
    return tag(s, LLVMBuildLoad2(b, type, behind(b, s->array[array], offset), ""));
}

/* The calls */

static bool is_array(LLVMValueRef v) {
    LLVMValueRef base = host_base_of(v);
    return LLVMIsAAllocaInst(base) || LLVMIsAGlobalVariable(base) || LLVMIsAArgument(base);
}

static bool moves(LLVMValueRef i) {
    return host_moves_allocation(i) && LLVMIsNull(LLVMGetOperand(i, DERIVED_TYPE)) &&
           is_array(LLVMGetOperand(i, TO)) && is_array(LLVMGetOperand(i, FROM));
}

/* The next instruction in the block that has to do with memory. Between the calls nothing may look
 * at the arrays: each has another one's memory there, or none. */
static LLVMValueRef next_access(LLVMValueRef i) {
    do
        i = LLVMGetNextInstruction(i);
    while (i && !br_may_write(i) && !LLVMIsALoadInst(i) && !LLVMIsACallInst(i));
    return i;
}

/* Are these calls the three that swap two arrays? */
static bool match(swap *s, LLVMValueRef first) {
    *s = (swap){.call = {first}};
    for (int k = 1; k < ARRAYS; k++) {
        s->call[k] = next_access(s->call[k - 1]);
        if (!s->call[k] || !moves(s->call[k]))
            return false;
    }
    s->array[0] = LLVMGetOperand(first, FROM);
    s->array[1] = LLVMGetOperand(s->call[1], FROM);
    s->array[2] = LLVMGetOperand(first, TO);
    return LLVMGetOperand(s->call[1], TO) == s->array[0] &&
           LLVMGetOperand(s->call[2], TO) == s->array[1] &&
           LLVMGetOperand(s->call[2], FROM) == s->array[2] && s->array[0] != s->array[1] &&
           s->array[0] != s->array[2] && s->array[1] != s->array[2];
}

/* Is the third array's base address set to null in the block, with nothing behind it that may
 * write it? */
static bool is_emptied(const swap *s) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(s->call[0]);
    bool empty = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != s->call[0];
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef to = br_may_write(i) ? host_written(i) : NULL;
        if (to && LLVMIsAStoreInst(i) && to == s->array[2])
            empty = LLVMIsNull(LLVMGetOperand(i, 0));
        else if (br_may_write(i) && !host_is_annotation(host_callee_name(i)))
            empty &= to && host_base_of(to) == s->array[2] && to != s->array[2];
    }
    return empty;
}

/* Is no more than the base address loaded from the descriptor, `offset` bytes in front of p? */
static bool is_bare(LLVMValueRef p, int64_t offset) {
    bool bare = true;
    for (LLVMUseRef u = LLVMGetFirstUse(p); u && bare; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        int64_t to;
        if (LLVMIsAGetElementPtrInst(user))
            bare = br_base_and_offset(user, &to) && is_bare(user, to);
        else if (LLVMIsALoadInst(user))
            bare = offset == DESC_BASE && LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind;
        else
            bare = host_written(user) == p || moves(user) ||
                   host_is_annotation(host_callee_name(user));
    }
    return bare;
}

/* The offset of a load in one of the two descriptors; -1: it is none. */
static int64_t offset_in(const swap *s, LLVMValueRef i) {
    int64_t offset, own;
    for (int k = 0; k < 2 && LLVMIsALoadInst(i); k++)
        if (br_base_and_offset(LLVMGetOperand(i, 0), &offset) ==
            br_base_and_offset(s->array[k], &own))
            return offset - own;
    return -1;
}

/* As a variable's type tells, or else by the last dimension that is looked at. */
static int find_rank(const swaps *m, const swap *s) {
    int64_t rank = 0;
    for (int k = 0; k < ARRAYS && rank == 0; k++)
        rank = prep_rank_of(s->array[k]);
    for (size_t b = 0; b < m->blocks && LLVMIsAArgument(s->array[0]) && rank < ST_MAX_RANK; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->own[b]); i;
             i = LLVMGetNextInstruction(i)) {
            int64_t last = (offset_in(s, i) - DESC_DIMENSIONS) / DESC_DIMENSION + 1;
            rank = offset_in(s, i) >= DESC_DIMENSIONS && last > rank ? last : rank;
        }
    return rank > ST_MAX_RANK ? 0 : (int)rank;
}

/* Does a load say that it is one of a descriptor of the arrays? */
static bool is_like(const swap *s, LLVMValueRef i) {
    return offset_in(s, i) == DESC_BASE && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
           LLVMGetMetadata(i, prep_alias_kind(LLVMTypeOf(i)));
}

static LLVMValueRef find_like(const swaps *m, const swap *s) {
    for (size_t b = 0; b < m->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->own[b]); i; i = LLVMGetNextInstruction(i))
            if (is_like(s, i))
                return i;
    return NULL;
}

static bool is_outside(const swaps *m, const swap *s) {
    bool outside = true;
    for (int k = 0; k < ARRAYS; k++)
        outside = outside && !host_in_loop(m->l, s->array[k]);
    return outside;
}

/* Finds the swaps that each step makes. False: there are none, or too many. */
static bool find(swaps *m) {
    for (size_t b = 0; b < m->blocks; b++) {
        if (br_loop_of(m->f, m->own[b]) != m->l)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->own[b]); i;
             i = LLVMGetNextInstruction(i)) {
            swap s;
            if (!moves(i) || !match(&s, i) || !is_outside(m, &s))
                continue;
            s.rank = find_rank(m, &s);
            s.like = find_like(m, &s);
            s.empty = is_emptied(&s);
            s.bare = s.empty && LLVMIsAAllocaInst(s.array[2]) && is_bare(s.array[2], 0);
            if (s.rank == 0 || !s.like || !prep_is_passed(m->f, m->l, m->own[b]))
                continue;
            if (m->count == MAX_SWAPS)
                return false;
            m->swap[m->count++] = s;
            i = s.call[ARRAYS - 1];
        }
    }
    return m->count > 0;
}

static bool describe(swaps *m, br_function *f, br_loop l) {
    m->f = f;
    m->l = l;
    m->blocks = br_loop_blocks(l, m->own, MAX_BLOCKS);
    return m->blocks <= MAX_BLOCKS && br_loop_latch(l) && find(m);
}

bool prep_has_moved(br_function *f, br_loop l) {
    swaps *m = calloc(1, sizeof *m);
    bool has = describe(m, f, l);
    free(m);
    return has;
}

/* What else may write the base addresses */

static bool is_own_call(const swaps *m, LLVMValueRef i) {
    bool own = false;
    for (size_t k = 0; k < m->count; k++)
        for (int c = 0; c < ARRAYS; c++)
            own |= m->swap[k].call[c] == i;
    return own;
}

/* Does it write or free what a third array has? That is nothing behind the swap. */
static bool is_of_third(const swaps *m, LLVMValueRef i) {
    LLVMValueRef to = host_written(i);
    if (!strcmp(host_callee_name(i), "free") && LLVMIsALoadInst(LLVMGetOperand(i, 0)))
        to = LLVMGetOperand(LLVMGetOperand(i, 0), 0);
    bool is = false;
    for (size_t k = 0; to && k < m->count && !is; k++)
        is = m->swap[k].empty && host_base_of(to) == m->swap[k].array[2];
    return is;
}

static bool is_changed(const swaps *m, LLVMValueRef base) {
    for (size_t b = 0; b < m->blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->own[b]); i; i = LLVMGetNextInstruction(i))
            if (br_may_write(i) && !is_own_call(m, i) && !is_of_third(m, i) &&
                !host_is_annotation(host_callee_name(i)) && !host_writes_errno_alone(i, base) &&
                br_may_ever_change(m->f, i, base))
                return true;
    return false;
}

/* The condition in front */

static LLVMValueRef both(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y) {
    return x ? LLVMBuildAnd(b, x, y, "") : y;
}

/* Has the array memory, and are its descriptor's dimensions all that it has? */
static LLVMValueRef emit_allocated(const swap *s, LLVMBuilderRef b, int array, LLVMValueRef base) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(base)));
    LLVMValueRef is = LLVMBuildIsNotNull(b, base, "");
    LLVMValueRef rank = load(s, b, array, DESC_RANK, byte);
    LLVMValueRef more = load(s, b, array, DESC_MORE, byte);
    is = both(b, is,
              LLVMBuildICmp(b, LLVMIntEQ, rank,
                            LLVMConstInt(byte, (unsigned long long)s->rank, false), ""));
    return both(b, is, LLVMBuildIsNull(b, more, ""));
}

/* NULL: something else may write the base addresses. */
static LLVMValueRef emit_condition(const swaps *m, LLVMValueRef in_front) {
    LLVMValueRef all = NULL;
    LLVMPositionBuilderBefore(m->b, in_front);
    for (size_t k = 0; k < m->count; k++) {
        const swap *s = &m->swap[k];
        LLVMValueRef base[ARRAYS];
        for (int i = 0; i < ARRAYS; i++) {
            base[i] = load(s, m->b, i, DESC_BASE, word_type(s->array[i], DESC_BASE));
            if ((i < 2 || !s->empty) && is_changed(m, base[i]))
                return NULL;
        }
        all = both(m->b, all, emit_allocated(s, m->b, 0, base[0]));
        all = both(m->b, all, emit_allocated(s, m->b, 1, base[1]));
        all = both(m->b, all, LLVMBuildICmp(m->b, LLVMIntNE, base[0], base[1], ""));
        if (!s->empty)
            all = both(m->b, all, LLVMBuildIsNull(m->b, base[2], ""));
    }
    return all;
}

/* The change */

static void find_twins(swaps *m) {
    for (size_t k = 0; k < m->count; k++)
        for (int c = 0; c < ARRAYS; c++)
            m->swap[k].twin[c] = br_twin_of(m->own, m->blocks, m->copy, m->swap[k].call[c]);
}

static void swap_words(const swap *s, LLVMBuilderRef b) {
    int end = DESC_DIMENSIONS + s->rank * DESC_DIMENSION;
    LLVMPositionBuilderBefore(b, s->twin[0]);
    for (int at = 0; at < end; at += WORD) {
        LLVMTypeRef type = word_type(s->array[0], at);
        LLVMValueRef x = load(s, b, 0, at, type), y = load(s, b, 1, at, type);
        LLVMValueRef z = at == DESC_BASE ? LLVMConstNull(type) : x;
        tag(s, LLVMBuildStore(b, y, behind(b, s->array[0], at)));
        tag(s, LLVMBuildStore(b, x, behind(b, s->array[1], at)));
        if (!s->bare || at == DESC_BASE)
            tag(s, LLVMBuildStore(b, z, behind(b, s->array[2], at)));
    }
}

/* What nothing reads of the third array is not written. */
static void drop_stores(const swaps *m, const swap *s) {
    for (size_t b = 0; b < m->blocks && s->bare; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(m->copy[b]), next; i; i = next) {
            LLVMValueRef to = host_written(i);
            int64_t offset;
            next = LLVMGetNextInstruction(i);
            if (to && br_base_and_offset(to, &offset) == s->array[2] && offset > DESC_BASE)
                LLVMInstructionEraseFromParent(i);
        }
}

/* The calls return that all went well. */
static void drop_calls(const swap *s) {
    for (int c = 0; c < ARRAYS; c++) {
        LLVMReplaceAllUsesWith(s->twin[c], LLVMConstNull(LLVMTypeOf(s->twin[c])));
        LLVMInstructionEraseFromParent(s->twin[c]);
    }
}

static LLVMBasicBlockRef change(swaps *m, prep_shadow *s, LLVMBasicBlockRef head) {
    LLVMBasicBlockRef before;
    size_t outs;
    br_loop l = prep_prepared_loop(s->f, head, &before);
    if (!l || !describe(m, s->f, l))
        return NULL;
    LLVMValueRef in_front = LLVMGetBasicBlockTerminator(before);
    prep_place(in_front, l);
    LLVMValueRef allocated = emit_condition(m, in_front);
    if (!allocated)
        return NULL;
    br_twin(before, m->own, m->blocks, LLVMBuildFreeze(m->b, allocated, ""), m->copy, NULL, 0,
            &outs);
    find_twins(m);
    for (size_t k = 0; k < m->count; k++) {
        swap_words(&m->swap[k], m->b);
        drop_calls(&m->swap[k]);
        drop_stores(m, &m->swap[k]);
    }
    prep_set_guarded(l);
    return prep_simplify(s, m->copy[0]) ? m->copy[0] : NULL;
}

LLVMBasicBlockRef prep_swap_moved(prep_shadow *s, LLVMBasicBlockRef head) {
    swaps *m = calloc(1, sizeof *m);
    m->b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    head = change(m, s, head);
    LLVMDisposeBuilder(m->b);
    free(m);
    return head;
}
