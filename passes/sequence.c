/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps one after the other without a time loop, as sweep(a, b); sweep(b, a); sweep(a, b) once
 * they are inlined, or a time loop of few steps that LLVM unrolled: taken for the one step of a
 * time loop, so that arrays are copied once. In a copy of the function a loop of one iteration is
 * put around nests that follow one another; if they then are a region together, that is the
 * function's body until the region is offloaded.
 */
#include "passes.h"

#include "detect/host/host.h"
#include "offload/offload.h"

#include <stdlib.h>

enum { MAX_NESTS = 32, MAX_REGION = 256, MAX_HOPS = 3 };

/* Nests of which each is a sweep by itself, by their outermost loops' heads. */
typedef struct nests {
    LLVMBasicBlockRef head[MAX_NESTS];
    int count;
} nests;

typedef struct sequence {
    LLVMBasicBlockRef from, to, blocks[MAX_REGION]; /* between the two */
    size_t count;
    int nests;
} sequence;

static bool contains(const sequence *s, LLVMBasicBlockRef b) {
    bool in = false;
    for (size_t i = 0; i < s->count; i++)
        in |= s->blocks[i] == b;
    return in;
}

host_region *pass_detect(pass_seen *seen, br_function *f, LLVMValueRef function, br_loop l,
                         bool math) {
    for (int i = 0; i < seen->count; i++)
        if (seen->innermost[i] == l) {
            host_region *found = seen->region[i];
            seen->region[i] = seen->region[--seen->count];
            seen->innermost[i] = seen->innermost[seen->count];
            return found;
        }
    return host_detect(f, function, l, math);
}

void pass_forget_seen(pass_seen *seen) {
    while (seen->count > 0)
        host_region_destroy(seen->region[--seen->count]);
}

/* `seen` gets what is seen of them. */
static void find_nests(br_function *f, LLVMValueRef function, bool math, nests *n,
                       pass_seen *seen) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    count = host_candidates(f, loops, count);
    for (size_t i = 0; count > 1 && i < count && n->count < MAX_NESTS; i++) {
        if (offload_done(loops[i]))
            continue;
        host_region *r = host_detect(f, function, loops[i], math);
        if (r->stencil && !r->time && !br_loop_parent(r->outer))
            n->head[n->count++] = br_loop_header(r->outer);
        if (seen->count < PASS_MAX_SEEN) {
            seen->innermost[seen->count] = loops[i];
            seen->region[seen->count++] = r;
        } else {
            host_region_destroy(r);
        }
    }
    free(loops);
}

static br_loop loop_at(br_function *f, LLVMBasicBlockRef head) {
    br_loop l = br_loop_of(f, head);
    return l && br_loop_header(l) == head ? l : NULL;
}

/* The one block from which control comes into the loop; or NULL. */
static LLVMBasicBlockRef entering_block(LLVMValueRef function, br_loop l) {
    LLVMBasicBlockRef only = NULL, b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; !br_loop_contains(l, b) && i < LLVMGetNumSuccessors(end); i++) {
            if (LLVMGetSuccessor(end, i) != br_loop_header(l))
                continue;
            if (only && only != b)
                return NULL;
            only = b;
        }
    }
    return only;
}

/* Does control get from the end of `from` to `to`, whatever way, and into the blocks between from
 * nowhere else? */
static bool find_blocks(sequence *s, LLVMValueRef function) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->from);
    s->count = 0;
    for (size_t next = 0;; next++) {
        unsigned successors = LLVMGetNumSuccessors(end);
        for (unsigned i = 0; i < successors; i++) {
            LLVMBasicBlockRef b = LLVMGetSuccessor(end, i);
            if (b == s->to || contains(s, b))
                continue;
            if (b == s->from || s->count == MAX_REGION)
                return false;
            s->blocks[s->count++] = b;
        }
        if (successors == 0)
            return false;
        if (next == s->count)
            break;
        end = LLVMGetBasicBlockTerminator(s->blocks[next]);
    }
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; b != s->from && !contains(s, b) && i < LLVMGetNumSuccessors(end); i++)
            if (contains(s, LLVMGetSuccessor(end, i)))
                return false;
    }
    return true;
}

/* The nests in it; 0 if there are other loops. */
static int count_nests(br_function *f, const sequence *s, const nests *n) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    int found = 0, all = 0;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        if (br_loop_parent(loops[i]) || !contains(s, br_loop_header(loops[i])))
            continue;
        all++;
        for (int k = 0; k < n->count; k++)
            found += n->head[k] == br_loop_header(loops[i]);
    }
    free(loops);
    return found == all ? found : 0;
}

/* The longest one that starts with this nest. */
static bool find_sequence(br_function *f, LLVMValueRef function, const nests *n, int first,
                          sequence *best) {
    br_loop l = loop_at(f, n->head[first]);
    sequence *s = calloc(1, sizeof *s);
    s->from = l ? entering_block(function, l) : NULL;
    best->nests = 0;
    for (int k = 0; k < n->count && s->from; k++) {
        br_loop last = k == first ? NULL : loop_at(f, n->head[k]);
        s->to = last ? br_loop_exit_block(last) : NULL;
        for (int hop = 0; s->to && hop < MAX_HOPS; hop++) {
            s->nests = find_blocks(s, function) ? count_nests(f, s, n) : 0;
            if (s->nests > best->nests)
                *best = *s;
            LLVMValueRef end = LLVMGetBasicBlockTerminator(s->to);
            s->to = LLVMGetNumSuccessors(end) == 1 ? LLVMGetSuccessor(end, 0) : NULL;
        }
    }
    free(s);
    return best->nests > 1;
}

/* Is an array used in two of them? */
static bool shares(const host_steps *s) {
    size_t grids = 0;
    for (int i = 0; i < s->count; i++)
        grids += s->sweeps[i]->stencil->ngrids;
    return s->nbases < grids;
}

/* Are the nests a region now? */
static bool is_region(br_function *f, LLVMValueRef function, bool math, br_loop once) {
    br_loop inner[MAX_NESTS], l = br_loop_children(once, inner, MAX_NESTS) ? inner[0] : NULL, child;
    while (l && br_loop_children(l, &child, 1))
        l = child;
    host_region *r = l ? host_detect(f, function, l, math) : NULL;
    bool good = r && r->stencil && r->time;
    host_region_destroy(r);
    if (good || !l)
        return good;
    host_steps *s = host_detect_steps(f, function, once, math);
    good = s && s->reason == ST_OK && s->count > 1 && shares(s);
    host_steps_destroy(s);
    return good;
}

static LLVMValueRef wrap(br_function *f, LLVMValueRef function, bool math, sequence *s) {
    LLVMValueRef back = br_wrap(s->from, s->blocks, s->count, s->to);
    br_function_invalidate(f);
    br_loop once = back ? loop_at(f, LLVMGetSuccessor(back, 0)) : NULL;
    return once && is_region(f, function, math, once) ? back : NULL;
}

/* The same blocks of the function's copy. */
static void translate(sequence *s, br_function *copy) {
    s->from = br_function_copied(copy, s->from);
    s->to = br_function_copied(copy, s->to);
    for (size_t i = 0; i < s->count; i++)
        s->blocks[i] = br_function_copied(copy, s->blocks[i]);
}

/* The copy, if it is of use, takes the function's place. */
static LLVMValueRef wrap_first(br_function *f, LLVMValueRef function, bool math, int *first,
                               pass_seen *seen) {
    sequence *s = calloc(1, sizeof *s);
    LLVMValueRef unwrapped, back = NULL;
    br_function *copy = NULL;
    nests n = {.count = 0};
    pass_forget_seen(seen);
    find_nests(f, function, math, &n, seen);
    bool several = n.count > 1 && *first < n.count - 1 && br_may_copy(function);
    for (; several && *first < n.count && !copy; ++*first)
        if (find_sequence(f, function, &n, *first, s)) {
            pass_forget_seen(seen); /* and its stand-ins, which would be copied */
            copy = br_function_copy(f, &unwrapped);
        }
    if (copy) {
        translate(s, copy);
        back = wrap(copy, unwrapped, math, s);
        if (back)
            br_function_adopt(copy, LLVMGetEntryBasicBlock(unwrapped));
        br_function_erase(copy);
    }
    *first = copy && !back ? *first : MAX_NESTS;
    free(s);
    return back;
}

LLVMValueRef pass_wrap_sweeps(br_function *f, LLVMValueRef function, bool math, pass_seen *seen) {
    enum { MAX_COPIES = 4 };
    LLVMValueRef back = NULL;
    for (int first = 0, tries = 0; !back && first < MAX_NESTS && tries < MAX_COPIES; tries++)
        back = wrap_first(f, function, math, &first, seen);
    if (back)
        br_function_invalidate(f);
    return back;
}

void pass_unwrap(br_function *f, LLVMValueRef back) {
    LLVMBasicBlockRef latch = LLVMGetInstructionParent(back), to = LLVMGetSuccessor(back, 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(back)));
    LLVMInstructionEraseFromParent(back);
    LLVMPositionBuilderAtEnd(b, latch);
    LLVMBuildBr(b, to);
    LLVMDisposeBuilder(b);
    br_function_invalidate(f);
}
