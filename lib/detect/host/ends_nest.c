/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What scenes say of a nest: which cells it writes, and what an access reads at the ends of the
 * loops, as a rule for each end. See ends.h.
 */
#include "detect/common/affine.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/ends.h"
#include "detect/host/loads.h"
#include "detect/host/region.h"
#include "detect/host/scene.h"

#include <string.h>

enum { MAX_SCENES = ST_LIMIT(729, 9), LOW = 0, HIGH = 1 };

static bool too_many_scenes(const host_region *r, int width) {
    int count = 1;
    for (int i = 0; i < r->axes; i++)
        count *= 2 * width + 1;
    return count > MAX_SCENES;
}

/* Cells that are written */

/* Does the store run in this scene? In all steps alike. */
static ends_truth stores(host_region *r, const host_scene *scene, LLVMBasicBlockRef block) {
    host_narrowed ignored = {.count = 0};
    host_query q = {.r = r, .scene = scene, .narrowed = &ignored};
    ends_truth first = ends_runs(&q, block);
    for (q.step = 1; q.step < r->period && first != ENDS_MAYBE; q.step++)
        first = ends_runs(&q, block) == first ? first : ENDS_MAYBE;
    return first;
}

/* Is the scene's iteration one of those that are left out? */
static bool is_left_out(const int left_out[][2], const host_scene *scene, int loop) {
    host_place place = scene->place[loop];
    return place != HOST_BETWEEN && scene->from[loop] < left_out[loop][place == HOST_END];
}

/* Counts the iterations at one end of a loop that write nothing, the other loops being between
 * their ends. */
static bool count_left_out(host_region *r, int width, int loop, int end, int *count) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(r->store);
    host_scene scene;
    *count = 0;
    ends_first_scene(r, width, &scene);
    scene.place[loop] = end == HIGH ? HOST_END : HOST_START;
    for (int i = 0; i < width; i++) {
        scene.from[loop] = i;
        ends_truth t = stores(r, &scene, block);
        if (t == ENDS_MAYBE)
            return false;
        *count = t == ENDS_NO ? i + 1 : *count;
    }
    return true;
}

/* With scenes of this width: all cells but a frame are written? */
static bool find_left_out(host_region *r, int width, int left_out[][2]) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(r->store);
    host_scene scene;
    int rank = r->axes;
    for (int i = 0; i < rank; i++)
        if (!count_left_out(r, width, i, LOW, &left_out[i][LOW]) ||
            !count_left_out(r, width, i, HIGH, &left_out[i][HIGH]))
            return false;
    ends_first_scene(r, width, &scene);
    do {
        bool writes = true;
        for (int i = 0; i < rank; i++)
            writes &= !is_left_out(left_out, &scene, i);
        if (stores(r, &scene, block) != (writes ? ENDS_YES : ENDS_NO))
            return false;
    } while (ends_next_scene(r, &scene));
    return true;
}

bool host_find_domain(host_region *r, st_refusal *why) {
    bool under =
        !br_dominates(r->f, LLVMGetInstructionParent(r->store), br_loop_latch(r->loops[0]));
    int left_out[ST_MAX_RANK][2];
    if (!r->partial && !under)
        return true;
    for (int width = 1; width <= ST_MAX_RADIUS && !too_many_scenes(r, width); width++) {
        if (!ends_extents(r) || !find_left_out(r, width, left_out))
            continue;
        memcpy(r->left_out, left_out, sizeof r->left_out);
        r->ends = width;
        r->partial = true;
        return ends_extents(r) && (ends_require(r) || st_refuse(why, ST_NO_NOT_AFFINE, NULL));
    }
    return under ? st_refuse(why, ST_NO_CONDITIONAL_STORE, NULL)
                 : st_refuse(why, ST_NO_CONTROL_FLOW, "an inner loop runs only under a condition");
}

bool host_always(host_region *r, LLVMBasicBlockRef block) {
    host_scene scene;
    bool always = true;
    if ((!host_is_masked(r, 0) && br_dominates(r->f, block, LLVMGetInstructionParent(r->store))) ||
        br_dominates(r->f, block, br_loop_latch(r->loops[0])))
        return true;
    if (!r->partial)
        return false;
    ends_first_scene(r, r->ends, &scene);
    do
        always = stores(r, &scene, block) == ENDS_YES;
    while (always && ends_next_scene(r, &scene));
    return always;
}

static bool one_runs(host_region *r, const host_scene *scene, int32_t access) {
    for (int i = 0; i < r->match.nskipped; i++)
        if (r->match.skipped_access[i] == access &&
            stores(r, scene, LLVMGetInstructionParent(r->match.skipped[i])) == ENDS_YES)
            return true;
    return false;
}

bool host_never_skipped(host_region *r, int32_t access) {
    host_scene scene;
    bool always = r->ends > 0;
    if (!always)
        return false;
    ends_first_scene(r, r->ends, &scene);
    do
        always = one_runs(r, &scene, access);
    while (always && ends_next_scene(r, &scene));
    return always;
}

/* Accesses */

/* The address in the scene. */
static bool address(host_region *r, const host_scene *scene, LLVMValueRef pointer, int step,
                    host_affine *at, host_narrowed *narrowed) {
    host_query q = {.r = r, .step = step, .scene = scene, .narrowed = narrowed}; /* tentative */
    narrowed->count = 0;
    return host_evaluate(&q, br_scev_of(r->f, pointer), at);
}

bool host_end_address(host_region *r, LLVMValueRef pointer, host_affine at[]) {
    host_narrowed ignored;
    int width = r->ends > 0 ? r->ends : 1;
    for (; width <= ST_MAX_RADIUS && !too_many_scenes(r, width); width++) {
        host_scene between;
        bool good = ends_extents(r);
        ends_first_scene(r, width, &between);
        for (int s = 0; s < r->period && good; s++)
            good = address(r, &between, pointer, s, &at[s], &ignored) &&
                   (!r->time || poly_is_zero(at[s].step[r->nloops - 1]));
        if (!good)
            continue;
        r->ends = width;
        return true;
    }
    return false;
}

/* An access whose ends are looked at. */
typedef struct end_access {
    host_region *r;
    LLVMBasicBlockRef block; /* of the load, or the store */
    LLVMValueRef pointer;
    const host_affine *at; /* between the ends, for each step */
    const poly *stride;
    st_access *access;
    st_rule rule[ST_MAX_RANK][2];
} end_access;

/* The cell that a rule gives, `beyond` cells from the end. */
static poly brought_back(br_function *f, st_rule rule, int end, int beyond, poly extent) {
    poly low = NULL, last = poly_plus(f, extent, -1), cells = poly_int(f, beyond);
    switch (rule) {
    case ST_CLAMP:
        return end == LOW ? low : last;
    case ST_MIRROR:
        return end == LOW ? cells : poly_sub(last, cells);
    case ST_SYMMETRIC:
        cells = poly_int(f, beyond - 1);
        return end == LOW ? cells : poly_sub(last, cells);
    case ST_WRAP:
        if (end == LOW)
            return poly_sub(extent, cells);
        return poly_int(f, beyond - 1);
    default:
        return end == LOW ? poly_sub(low, cells) : poly_add(last, cells);
    }
}

/* How many cells is the access beyond an end, in the scene? */
static int cells_beyond(const end_access *e, const host_scene *scene, int loop) {
    int32_t offset = e->access->offset[e->r->dim_of_loop[loop]];
    if (scene->place[loop] == HOST_BETWEEN || poly_is_zero(e->stride[e->r->dim_of_loop[loop]]))
        return 0;
    int beyond = scene->place[loop] == HOST_START ? -offset : offset;
    return beyond > scene->from[loop] ? beyond - scene->from[loop] : 0;
}

/* The cell along a loop that the rules give. */
static poly cell_along(const end_access *e, const host_scene *scene, int loop) {
    int d = e->r->dim_of_loop[loop], beyond = cells_beyond(e, scene, loop);
    int end = scene->place[loop] == HOST_END ? HIGH : LOW;
    if (beyond)
        return brought_back(e->r->f, e->rule[d][end], end, beyond, e->r->extent[loop]);
    poly at = poly_int(e->r->f, e->access->offset[d]);
    if (scene->place[loop] == HOST_START) {
        poly from = poly_int(e->r->f, scene->from[loop]);
        return poly_add(at, from);
    }
    if (scene->place[loop] == HOST_END) {
        poly less = poly_int(e->r->f, 1 + scene->from[loop]);
        at = poly_sub(at, less);
        return poly_add(at, e->r->extent[loop]);
    }
    return at;
}

static bool same_steps(const end_access *e, const host_scene *scene, const host_affine *a) {
    bool same = true;
    for (int i = 0; i < HOST_MAX_LOOPS && same; i++) {
        bool moves = i < e->r->axes && scene->place[i] == HOST_BETWEEN;
        same = moves ? poly_equal(a->step[i], e->stride[e->r->dim_of_loop[i]])
                     : poly_is_zero(a->step[i]);
    }
    return same;
}

/* Does the program read in the scene what the rules say, or not read at all? */
static bool agrees(const end_access *e, const host_scene *scene) {
    host_region *r = e->r;
    for (int s = 0; s < r->period; s++) {
        host_affine is;
        poly must = e->at[s].base;
        host_narrowed ignored = {.count = 0};
        host_query q = {.r = r, .step = s, .scene = scene, .narrowed = &ignored};
        if (ends_runs(&q, e->block) == ENDS_NO)
            continue;
        if (!address(r, scene, e->pointer, s, &is, &ignored) || !same_steps(e, scene, &is))
            return false;
        for (int i = 0; i < r->axes; i++) {
            int d = r->dim_of_loop[i];
            poly offset = poly_int(r->f, e->access->offset[d]), cell = cell_along(e, scene, i);
            poly moved = poly_sub(cell, offset);
            moved = poly_mul(moved, e->stride[d]);
            must = poly_add(must, moved);
        }
        if (!poly_equal(must, is.base))
            return false;
    }
    return true;
}

/* Do access and rules agree at one end of one loop, the other loops being between their ends? */
static bool agrees_at(const end_access *e, int loop, int end) {
    host_scene scene;
    bool agree = true;
    ends_first_scene(e->r, e->r->ends, &scene);
    scene.place[loop] = end == HIGH ? HOST_END : HOST_START;
    for (int i = 0; i < e->r->ends && agree; i++) {
        scene.from[loop] = i;
        agree = agrees(e, &scene);
    }
    return agree;
}

static const st_rule all_rules[] = {ST_NO_RULE, ST_CLAMP, ST_MIRROR, ST_SYMMETRIC, ST_WRAP};
enum { RULES = sizeof all_rules / sizeof *all_rules };

static bool find_rule(end_access *e, int loop, int end) {
    int d = e->r->dim_of_loop[loop];
    uint8_t *known = &e->r->stencil->boundary[d][end];
    int32_t offset = e->access->offset[d];
    if ((end == LOW ? offset >= 0 : offset <= 0) || poly_is_zero(e->stride[d]))
        return true;
    bool conditional = e->access->conditional;
    for (size_t i = conditional; i < RULES; i++) {
        st_rule rule = e->rule[d][end] = all_rules[i];
        if ((rule && *known && *known != rule) || !agrees_at(e, loop, end))
            continue;
        if (rule && (end == LOW ? -offset : offset) > e->r->ends)
            return false;
        *known = rule ? (uint8_t)rule : *known;
        e->access->faces |= rule ? ST_FACE(d, end) : 0;
        return true;
    }
    return false;
}

/* Requires the range of an index between the ends, at the cell that is read. */
static bool require_index(const end_access *e, const host_narrowed *n, int number) {
    host_region *r = e->r;
    host_query q = {.r = r};
    host_affine index = n->at[number].index;
    for (int i = 0; i < r->axes; i++) {
        int d = r->dim_of_loop[i];
        poly back = poly_scale(index.step[i], -e->access->offset[d]);
        bool brought = e->access->faces & (ST_FACE(d, LOW) | ST_FACE(d, HIGH));
        index.base = brought ? poly_add(index.base, back) : index.base;
    }
    return host_add_range(&q, &index, n->at[number].bits, n->at[number].is_signed);
}

/* An index of a narrow type is what it is at the cell that is read, and that is one of the grid. */
static bool require_narrowed(end_access *e) {
    host_region *r = e->r;
    host_scene between;
    host_affine ignored;
    host_narrowed narrowed;
    ends_first_scene(r, r->ends, &between);
    for (int s = 0; s < r->period; s++) {
        if (!address(r, &between, e->pointer, s, &ignored, &narrowed))
            return false;
        for (int i = 0; i < narrowed.count; i++)
            if (!require_index(e, &narrowed, i))
                return false;
    }
    return true;
}

/* Do access and rules agree wherever the loops are? */
static bool agrees_everywhere(const end_access *e) {
    host_scene scene;
    bool agree = true;
    ends_first_scene(e->r, e->r->ends, &scene);
    do
        agree = agrees(e, &scene);
    while (agree && ends_next_scene(e->r, &scene));
    return agree;
}

bool host_set_ends(host_region *r, LLVMValueRef load, const host_affine at[], const poly stride[],
                   st_access *access) {
    end_access e = {r,
                    LLVMGetInstructionParent(load),
                    LLVMGetOperand(load, 0),
                    at,
                    stride,
                    access,
                    {{ST_NO_RULE}}};
    for (int d = 0; d < ST_MAX_RANK; d++)
        r->match.beyond |= access->offset[d] != 0;
    for (int i = 0; i < r->axes; i++)
        if (!find_rule(&e, i, LOW) || !find_rule(&e, i, HIGH))
            return host_refuse(r, ST_NO_BOUNDARY, NULL);
    return (agrees_everywhere(&e) && require_narrowed(&e) && ends_require(r)) ||
           host_refuse(r, ST_NO_BOUNDARY, NULL);
}

/* An access of which no dimension is known yet: each loop walks its own, until end_alone. */
typedef struct lone_access {
    end_access e;
    st_access here;
    poly stride[ST_MAX_RANK];
    int known[ST_MAX_RANK]; /* the region's dim_of_loop */
} lone_access;

static bool begin_alone(lone_access *a, host_region *r, LLVMValueRef access, unsigned operand,
                        host_affine at[]) {
    *a = (lone_access){.e = {.r = r,
                             .block = LLVMGetInstructionParent(access),
                             .pointer = LLVMGetOperand(access, operand),
                             .at = at,
                             .stride = a->stride,
                             .access = &a->here},
                       .here = {.where = -1}};
    memcpy(a->known, r->dim_of_loop, sizeof a->known);
    if (r->form || r->axes == 0 || !host_end_address(r, a->e.pointer, at))
        return false;
    for (int i = 0; i < r->axes; i++) {
        r->dim_of_loop[i] = i;
        a->stride[i] = at[0].step[i];
    }
    return true;
}

static void end_alone(const lone_access *a) {
    memcpy(a->e.r->dim_of_loop, a->known, sizeof a->known);
}

bool host_end_store(host_region *r, LLVMValueRef store, host_affine at[]) {
    lone_access a;
    bool agree =
        begin_alone(&a, r, store, 1, at) && agrees_everywhere(&a.e) && require_narrowed(&a.e);
    end_alone(&a);
    return agree && ends_require(r);
}

/* Is there a rule by which the access is right at the end? */
static bool has_rule(end_access *e, int loop, int end) {
    bool has = false;
    for (size_t i = 0; i < RULES && !has; i++) {
        e->rule[loop][end] = all_rules[i];
        has = agrees_at(e, loop, end);
    }
    return has;
}

/* How far away is the cell that the load reads? The least distance that a rule explains. */
static bool find_distance(end_access *e, int loop) {
    int32_t *offset = &e->access->offset[loop];
    for (int k = 0; k <= 2 * e->r->ends; k++) {
        *offset = k % 2 ? -(k + 1) / 2 : k / 2;
        if (has_rule(e, loop, LOW) && has_rule(e, loop, HIGH))
            return true;
    }
    return false;
}

bool host_end_load(host_region *r, LLVMValueRef load, host_affine at[]) {
    lone_access a;
    bool found = begin_alone(&a, r, load, 0, at);
    for (int i = 0; i < r->axes && found; i++)
        found = find_distance(&a.e, i);
    end_alone(&a);
    for (int s = 0; s < r->period && found; s++)
        for (int i = 0; i < r->axes; i++)
            at[s].base = poly_sub(at[s].base, poly_scale(a.stride[i], a.here.offset[i]));
    return found;
}
