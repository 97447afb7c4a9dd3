/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps one after the other without a time loop, as the one step of a time loop: see
 * prepare/sequence.h. And what was seen of nests on the way to them.
 */
#include "offload.h"

#include <stdlib.h>

host_region *seen_detect(offload *o, br_loop innermost) {
    seen_nests *seen = &o->seen;
    for (int i = 0; i < seen->count; i++)
        if (seen->innermost[i] == innermost) {
            host_region *found = seen->region[i];
            seen->region[i] = seen->region[--seen->count];
            seen->innermost[i] = seen->innermost[seen->count];
            return found;
        }
    return host_detect(o->f, o->function, innermost, o->math);
}

void seen_forget(offload *o) {
    while (o->seen.count > 0)
        host_region_destroy(o->seen.region[--o->seen.count]);
}

static void add_seen(seen_nests *seen, br_loop innermost, host_region *r) {
    if (seen->count == MAX_SEEN) {
        host_region_destroy(r);
        return;
    }
    seen->innermost[seen->count] = innermost;
    seen->region[seen->count++] = r;
}

/* Nests of which each is a sweep by itself. o->seen gets what is seen of all. */
static void find_nests(offload *o, prep_nests *n) {
    size_t count = br_loops(o->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    count = host_candidates(o->f, loops, count);
    for (size_t i = 0; count > 1 && i < count && n->count < PREP_MAX_NESTS; i++) {
        if (offload_done(loops[i]))
            continue;
        host_region *r = host_detect(o->f, o->function, loops[i], o->math);
        if (r->stencil && !r->time && !br_loop_parent(r->outer))
            n->head[n->count++] = br_loop_header(r->outer);
        add_seen(&o->seen, loops[i], r);
    }
    free(loops);
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
    br_loop inner[PREP_MAX_NESTS],
        l = br_loop_children(once, inner, PREP_MAX_NESTS) ? inner[0] : NULL, child;
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

/* The loop around the sequence, if that is a region then: the shadow is the function's body. */
static LLVMValueRef wrap_in_shadow(offload *o, const prep_sequence *s, prep_shadow *in) {
    LLVMValueRef back = prep_wrap(s, in);
    br_loop once = back ? prep_loop_at(in->f, LLVMGetSuccessor(back, 0)) : NULL;
    if (!once || !is_region(in->f, in->function, o->math, once))
        return NULL;
    prep_adopt_shadow(in, o->f);
    return back;
}

LLVMValueRef sequence_wrap(offload *o) {
    enum { MAX_SHADOWS = 4 };
    LLVMValueRef back = NULL;
    bool more = true;
    for (int first = 0, tries = 0; !back && more && tries < MAX_SHADOWS; tries++) {
        prep_shadow shadow;
        prep_nests n = {.count = 0};
        seen_forget(o);
        find_nests(o, &n);
        bool several = n.count > 1 && first < n.count - 1 && br_may_copy(o->function);
        prep_sequence *s = several ? prep_next_sequence(o->f, o->function, &n, &first) : NULL;
        more = s != NULL;
        if (s)
            seen_forget(o); /* and its stand-ins, which would be copied */
        if (s && prep_make_shadow(&shadow, o->f)) {
            back = wrap_in_shadow(o, s, &shadow);
            prep_drop_shadow(&shadow);
        }
        free(s);
    }
    return back;
}
