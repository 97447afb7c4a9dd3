/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * a = b of allocatable arrays in Fortran, as flang calls its runtime for it:
 * _FortranAAssign(descriptor of a, descriptor of b, file, line). It allocates a anew if it does not
 * have the shape of b. If it does, and both are arrays without gaps, it copies the bytes. So a
 * memmove takes the call's place while detection looks at the loop. In front of the loop the
 * program checks that the shapes are equal; they stay equal in the loop.
 *
 * The descriptor of b is one that is written just for the call; what is written there tells its
 * fields: descriptor.h.
 */
#include "prepare/descriptor.h"
#include "prepare/hoist.h"

#include <stdlib.h>

/* What stands in place of the call */

typedef struct builder {
    prep_hoists *h;
    LLVMBuilderRef b;
    LLVMTypeRef i64, i32, pointer;
    LLVMValueRef call;
    int rank;
    int64_t element; /* bytes */
} builder;

/* The builder folds constants. */
static LLVMValueRef added(builder *w, LLVMValueRef i) {
    if (LLVMIsAInstruction(i))
        w->h->added[w->h->nadded++] = i;
    return i;
}

static bool is_added(const builder *w, LLVMValueRef i) {
    for (int k = 0; k < w->h->nadded; k++)
        if (w->h->added[k] == i)
            return true;
    return false;
}

static LLVMValueRef number(builder *w, int64_t n) {
    return LLVMConstInt(w->i64, (unsigned long long)n, true);
}

static LLVMValueRef load(builder *w, LLVMValueRef descriptor, int offset, LLVMTypeRef type) {
    LLVMValueRef by = number(w, offset);
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(type));
    LLVMValueRef at = added(w, LLVMBuildGEP2(w->b, byte, descriptor, &by, 1, ""));
    LLVMValueRef v = added(w, LLVMBuildLoad2(w->b, type, at, ""));
    LLVMSetAlignment(v, 1);
    return v;
}

/* Loads a field of dimension k. */
static LLVMValueRef load_of(builder *w, LLVMValueRef descriptor, int k, int field) {
    return load(w, descriptor, DESC_DIMENSIONS + k * DESC_DIMENSION + field, w->i64);
}

static void require(builder *w, LLVMValueRef a, LLVMValueRef b, bool differs) {
    LLVMValueRef difference = added(w, LLVMBuildSub(w->b, a, b, ""));
    w->h->equals[w->h->nequals++] = (prep_equal){difference, NULL, differs};
}

/* The bytes from an element to the next one in dimension k, if there are no gaps. For k = rank: the
 * array's bytes. */
static LLVMValueRef without_gaps(builder *w, LLVMValueRef descriptor, int k) {
    LLVMValueRef bytes = number(w, w->element);
    for (int i = 0; i < k; i++)
        bytes = added(w, LLVMBuildMul(w->b, bytes, load_of(w, descriptor, i, DESC_EXTENT), ""));
    return bytes;
}

/* Requires that the array has no gaps. Then each step that the loop reads is computed from the
 * extents, so that detection sees that length and steps belong together. */
static void compute_steps(builder *w, LLVMValueRef descriptor) {
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    LLVMValueRef at[ST_MAX_RANK];
    for (int k = 0; k < w->rank; k++) {
        at[k] = load_of(w, descriptor, k, DESC_STEP);
        require(w, at[k], without_gaps(w, descriptor, k), false);
    }
    size_t count = br_loop_blocks(w->h->scope, blocks, HOIST_MAX_BLOCKS);
    for (size_t b = 0; b < count && b < HOIST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            for (int k = 0; k < w->rank && LLVMIsALoadInst(i) && LLVMTypeOf(i) == w->i64; k++) {
                br_scev p = br_scev_of(w->h->f, LLVMGetOperand(i, 0));
                if (is_added(w, i) || w->h->nadded > HOIST_MAX_DETACHED / 2 ||
                    p != br_scev_of(w->h->f, LLVMGetOperand(at[k], 0)))
                    continue;
                LLVMPositionBuilderBefore(w->b, i);
                prep_replace_uses(w->h, i, without_gaps(w, descriptor, k));
            }
        }
    LLVMPositionBuilderBefore(w->b, w->call);
}

/* The descriptor from which all extents were read, each at its place; NULL: there is none. */
static LLVMValueRef descriptor_of(builder *w, const prep_descriptor *from) {
    LLVMValueRef extent = prep_extent(from, 0), by = number(w, -DESC_DIMENSIONS - DESC_EXTENT);
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(w->i64));
    if (!LLVMIsALoadInst(extent))
        return NULL;
    LLVMValueRef d = added(w, LLVMBuildGEP2(w->b, byte, LLVMGetOperand(extent, 0), &by, 1, ""));
    for (int k = 0; k < w->rank; k++) {
        LLVMValueRef own = load_of(w, d, k, DESC_EXTENT);
        extent = prep_extent(from, k);
        if (!LLVMIsALoadInst(extent) || !host_in_loop(w->h->scope, extent) ||
            br_scev_of(w->h->f, LLVMGetOperand(extent, 0)) !=
                br_scev_of(w->h->f, LLVMGetOperand(own, 0)))
            return NULL;
    }
    return d;
}

static void add_move(builder *w, LLVMValueRef to, const prep_descriptor *from) {
    LLVMValueRef base = load(w, to, DESC_BASE, w->pointer), source = descriptor_of(w, from);
    LLVMValueRef kind = added(w, LLVMBuildZExt(w->b, load(w, to, DESC_RANK, w->i32), w->i64, ""));
    int64_t expected = w->rank | (from->type & 0xff) << 8 | DESC_ALLOCATABLE << 16;
    require(w, added(w, LLVMBuildPtrToInt(w->b, base, w->i64, "")), number(w, 0), true);
    require(w, kind, number(w, expected), false);
    require(w, load(w, to, DESC_ELEMENT, w->i64), number(w, w->element), false);
    for (int k = 0; k < w->rank; k++) {
        require(w, prep_step(from, k), without_gaps(w, to, k), false);
        require(w, prep_extent(from, k), load_of(w, to, k, DESC_EXTENT), false);
    }
    compute_steps(w, to);
    if (source)
        compute_steps(w, source);
    LLVMValueRef bytes = without_gaps(w, to, w->rank);
    added(w, LLVMBuildMemMove(w->b, base, 1, prep_field(from, DESC_BASE), 1, bytes));
}

/* Takes an instruction out while the loop is looked at. A detached store uses no values: its
 * operands are poison. */
static void detach(prep_hoists *h, LLVMValueRef i) {
    for (int k = 0; LLVMIsAStoreInst(i) && k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        prep_replace_use(h, i, (unsigned)k, v, LLVMGetPoison(LLVMTypeOf(v)));
    }
    h->detached[h->ndetached++] = (prep_detached){i, LLVMGetNextInstruction(i)};
    LLVMInstructionRemoveFromParent(i);
}

static void replace(prep_hoists *h, LLVMValueRef call, const prep_descriptor *from) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));
    builder w = {.h = h,
                 .b = LLVMCreateBuilderInContext(c),
                 .call = call,
                 .rank = from->rank,
                 .element = from->element};
    w.i64 = LLVMInt64TypeInContext(c);
    w.i32 = LLVMInt32TypeInContext(c);
    w.pointer = LLVMPointerTypeInContext(c, 0);
    LLVMPositionBuilderBefore(w.b, call);
    add_move(&w, LLVMGetOperand(call, 0), from);
    LLVMDisposeBuilder(w.b);
    for (int i = 0; i < DESC_SIZE; i++)
        if (from->field[i])
            detach(h, from->field[i]);
    for (int i = 0; i < from->nmarkers; i++)
        detach(h, from->marker[i]);
    detach(h, call);
}

/* Is it known in front of the loop that a has a descriptor, and where? */
static bool is_suitable(const prep_hoists *h, LLVMValueRef call) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    LLVMValueRef to = LLVMGetOperand(call, 0);
    return prep_always_passed(h->f, h->scope, block) && !host_in_loop(h->scope, to);
}

void prep_detach_assignments(prep_hoists *h) {
    enum { MOST = 4 };
    LLVMBasicBlockRef blocks[HOIST_MAX_BLOCKS];
    LLVMValueRef calls[MOST];
    int ncalls = 0;
    size_t count = br_loop_blocks(h->scope, blocks, HOIST_MAX_BLOCKS);
    for (size_t b = 0; b < count && b < HOIST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (host_is_array_assignment(i) && is_suitable(h, i) && ncalls < MOST)
                calls[ncalls++] = i;
    if (ncalls) {
        h->detached = malloc(HOIST_MAX_DETACHED * sizeof *h->detached);
        h->added = malloc(HOIST_MAX_DETACHED * sizeof *h->added);
    }
    for (int i = 0; i < ncalls; i++) {
        prep_descriptor from;
        if (prep_read_descriptor(&from, h->f, h->scope, calls[i], 1) && !from.attribute)
            replace(h, calls[i], &from);
    }
    if (h->ndetached)
        br_scev_forget(h->f);
}

bool prep_read_assignments(prep_hoists *h) {
    for (int i = 0; i < h->nequals; i++) {
        prep_equal *e = &h->equals[i];
        e->difference = br_scev_of(h->f, e->instruction);
        if (!br_scev_invariant(h->f, e->difference, h->scope))
            return false;
    }
    return true;
}

void prep_attach_assignments(prep_hoists *h) {
    if (!h->ndetached)
        return;
    LLVMValueRef move =
        LLVMGetNamedFunction(LLVMGetGlobalParent(h->function), "llvm.memmove.p0.p0.i64");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(h->function)));
    while (h->ndetached > 0) {
        const prep_detached *d = &h->detached[--h->ndetached];
        LLVMPositionBuilderBefore(b, d->next);
        LLVMSetCurrentDebugLocation2(b, NULL);
        LLVMInsertIntoBuilder(b, d->instruction);
    }
    while (h->nadded > 0)
        LLVMInstructionEraseFromParent(h->added[--h->nadded]);
    if (move && !LLVMGetFirstUse(move))
        LLVMDeleteFunction(move);
    LLVMDisposeBuilder(b);
}
