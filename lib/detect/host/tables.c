/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows that are found through tables: a[i] of T **a, and a[k][i] of T ***a, whose planes have
 * tables of their own. Where rows are is known only when the program runs. The compiler takes them
 * to lie evenly spaced in an image of the table. Stand-ins are used for the addresses in it: one
 * for where row number 0 of each table is, and one each for the distances of rows and of planes,
 * which all tables have in common. The runtime puts true addresses in their place: see
 * include/stencilopt/region.h.
 * For that it is told which pointers the program reads in any case; it reads no others. Those that
 * one of several sweeps reads under a condition must be among them.
 *
 * Tables are told apart by where their pointer number 0 is. The number of a pointer that moves with
 * a loop is, in its first iteration, an integer. That of another one may also be a run-time value,
 * such as the last row's; where indices are brought back at the ends of loops, it is an integer, or
 * one less or more than a loop's iterations.
 */
#include "detect/host/tables.h"
#include "detect/common/affine.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/loads.h"
#include "detect/host/region.h"
#include "detect/host/resolver.h"
#include "detect/host/scene.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTER = 8, MOST_STEP = 4096, FARTHEST = 64, PLANES = 0, ROWS = 1 };

host_tables *host_tables_of(host_region *r) {
    return r->steps ? &r->steps->tables : &r->tables;
}

static bool refuse(const host_query *q) {
    return host_not_affine(q, "it uses a pointer read in the loop that is none of a table of rows");
}

static bool refuse_many(const host_query *q) {
    return host_not_affine(q, "it uses too many values read in the loop");
}

/* Numbers of pointers */

static bool is_step(int64_t bytes) {
    return bytes >= POINTER && bytes <= MOST_STEP && bytes % POINTER == 0;
}

/* The one loop along which an address moves, by one pointer of a table an iteration: by `step`
 * bytes. -1: no loop; -2: the address moves otherwise. */
static int loop_of(const host_region *r, const host_affine *at, int64_t *step) {
    int found = -1;
    for (int i = 0; i < HOST_MAX_LOOPS; i++) {
        if (poly_is_zero(at->step[i]))
            continue;
        if (found >= 0 || i >= r->axes || (i == 0 && !r->steps) ||
            !poly_is_int(at->step[i], step) || !is_step(*step))
            return -2;
        found = i;
    }
    return found;
}

/* By how many bytes a pointer that the loop reads moves; 0: it does not move so. */
static int64_t step_of_load(const host_region *r, LLVMValueRef load) {
    int64_t by = 0;
    if (!LLVMIsALoadInst(load) || LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMPointerTypeKind)
        return 0;
    br_scev at = br_scev_of(r->f, LLVMGetOperand(load, 0));
    bool moves = br_scev_kind(at) == BR_ADDREC && br_scev_count(at) == 2 &&
                 br_scev_int(br_scev_operand(at, 1), &by) && is_step(by);
    return moves ? by : 0;
}

/* The distance of the pointers of tables that the region's loops walk, where that is one for all;
 * else that of pointers side by side. */
static int64_t usual_step(const host_region *r) {
    LLVMBasicBlockRef b;
    int64_t found = 0;
    for (size_t k = 0; (b = br_loop_block(r->outer, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            int64_t by = step_of_load(r, i);
            if (by && found && by != found)
                return POINTER;
            found = by ? by : found;
        }
    return found ? found : POINTER;
}

/* From the end of which loop is the number so far? */
static bool find_end(const host_region *r, poly number, host_rows *rows) {
    for (int i = 0; i < r->axes; i++) {
        poly last = poly_int(r->f, 1);
        last = poly_sub(r->extent[i], last);
        last = poly_sub(number, last);
        if (!poly_is_int(last, &rows->low))
            continue;
        *rows = (host_rows){i, HOST_END, rows->low, rows->low, 0};
        return true;
    }
    return false;
}

static poly constant_of(poly p) {
    poly c = NULL;
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].degree == 0)
            c = poly_term_as(p, i, poly_terms(p)[i].factor);
    return c;
}

/* A row at a place that does not change in the nest. */
static bool find_fixed(host_tables *all, poly number, host_rows *rows) {
    poly constant = constant_of(number), rest = poly_sub(number, constant);
    int64_t n;
    if (!poly_is_int(constant, &n) || !poly_is_known(rest))
        return false;
    *rows = (host_rows){0, HOST_START, n, n, 0};
    if (poly_is_zero(rest))
        return true;
    while (rows->fixed < all->nfixed && !poly_equal(all->fixed[rows->fixed], rest))
        rows->fixed++;
    if (rows->fixed == HOST_MAX_FIXED_ROWS)
        return false;
    if (rows->fixed == all->nfixed) {
        all->fixed = realloc(all->fixed, ((size_t)all->nfixed + 1) * sizeof rest);
        all->fixed[all->nfixed++] = rest;
    }
    rows->fixed++;
    return true;
}

/* Pointers from `first` on, so many bytes apart: which ones of a table are they? */
static bool find_rows(const host_query *q, const host_affine *at, poly first, int64_t step,
                      host_rows *rows, poly *number) {
    host_region *r = q->r;
    int64_t n, by = step, margin = q->scene ? q->scene->width : 0;
    int loop = loop_of(r, at, &by);
    poly away = poly_sub(at->base, first);
    if (loop < -1 || by != step || !poly_is_known(away) || !poly_exact(away, step, number))
        return false;
    bool is_int = poly_is_int(*number, &n) && llabs(n) <= FARTHEST;
    if (loop >= 0) {
        *rows = (host_rows){loop, HOST_BETWEEN, n + margin, n - margin, 0};
        return is_int;
    }
    if (q->scene && !is_int)
        return find_end(r, *number, rows);
    return find_fixed(host_tables_of(r), *number, rows);
}

/* Tables */

/* Where a table begins of which this pointer is read: less a multiple of the pointers' distance,
 * or, of one that does not move, at its base pointer, if that is known. */
static poly start_of(const host_region *r, const host_affine *at, int64_t *step) {
    LLVMValueRef base = host_base_pointer(at->base);
    bool moves = loop_of(r, at, step) >= 0;
    int64_t n, within = 0;
    if (!moves)
        *step = usual_step(r);
    poly constant = constant_of(at->base);
    if (poly_is_int(constant, &n))
        within = (n % *step + *step) % *step;
    poly first =
        base && !moves ? poly_atom(r->f, br_scev_of(r->f, base)) : poly_sub(at->base, constant);
    poly more = poly_int(r->f, within);
    return poly_add(first, more);
}

/* A pointer that is read: of a table of planes, `outer` is where that of the plane is read. */
typedef struct pointer_read {
    host_affine at, outer;
    bool planes, unsure;
    host_rows rows[2];
    poly number[2];
} pointer_read;

static bool is_of(const host_query *q, const host_table *t, pointer_read *p) {
    const host_affine *first = p->planes ? &p->outer : &p->at;
    int which = p->planes ? PLANES : ROWS;
    return t->planes == p->planes &&
           find_rows(q, first, t->base, t->step[which], &p->rows[which], &p->number[which]) &&
           (!p->planes ||
            find_rows(q, &p->at, t->skip, t->step[ROWS], &p->rows[ROWS], &p->number[ROWS]));
}

/* Names the grid of the rows after the table. */
static void name_rows(const host_table *t, char *name, size_t size) {
    LLVMValueRef base = host_base_pointer(t->base);
    size_t length;
    const char *own = base ? LLVMGetValueName2(base, &length) : "";
    snprintf(name, size, "%.40s%s", own, *own ? ".rows" : "");
}

static LLVMValueRef distance(host_region *r, host_tables *all, int which, LLVMValueRef load) {
    LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
    if (!all->distance[which])
        all->distance[which] = host_stand_in(r->function, type, "distance");
    return all->distance[which];
}

static int add_table(const host_query *q, pointer_read *p, LLVMValueRef load) {
    host_region *r = q->r;
    host_tables *all = host_tables_of(r);
    host_table t = {.planes = p->planes, .step = {POINTER, POINTER}};
    char name[64];
    if (p->planes)
        t.skip = start_of(r, &p->at, &t.step[ROWS]);
    t.base = start_of(r, p->planes ? &p->outer : &p->at, &t.step[p->planes ? PLANES : ROWS]);
    if (!is_of(q, &t, p)) {
        refuse(q);
        return -1;
    }
    if (all->count == HOST_MAX_TABLES) {
        refuse_many(q);
        return -1;
    }
    name_rows(&t, name, sizeof name);
    t.rows = host_stand_in(r->function, LLVMTypeOf(load), name);
    all->table = realloc(all->table, ((size_t)all->count + 1) * sizeof t);
    all->table[all->count] = t;
    return all->count++;
}

/* Which table, and which of its pointers: in *p. */
static int find_table(const host_query *q, pointer_read *p, LLVMValueRef load) {
    host_region *r = q->r;
    const host_tables *all = host_tables_of(r);
    for (int i = 0; i < all->count; i++)
        if (is_of(q, &all->table[i], p))
            return i;
    return add_table(q, p, load);
}

/* Are pointers of b among those of a, or next to them? Between two ranges with a gap there may be
 * pointers to nowhere. */
static bool meets(const host_rows *a, const host_rows *b) {
    return a->loop == b->loop && a->from == b->from && a->fixed == b->fixed &&
           b->low >= a->low - 1 && b->high <= a->high + 1;
}

static void widen(host_rows *a, const host_rows *b) {
    a->low = b->low < a->low ? b->low : a->low;
    a->high = b->high > a->high ? b->high : a->high;
}

static bool is_within(const host_rows *a, const host_rows *b) {
    return a->loop == b->loop && a->from == b->from && a->fixed == b->fixed && a->low >= b->low &&
           a->high <= b->high;
}

/* Does a sweep read the pointers in its first step that it reads in a later one? */
static bool is_read_before(const host_table_use *later, const host_table_use *first) {
    return later->table == first->table && later->sweep == first->sweep && first->step == 0 &&
           (later->unsure || !first->unsure) &&
           is_within(&later->rows[PLANES], &first->rows[PLANES]) &&
           is_within(&later->rows[ROWS], &first->rows[ROWS]);
}

/* Ranges of the same loops are one, of rows or of planes, if the other is the same. */
static bool joins(host_table_use *u, const host_table_use *v) {
    bool same = u->table == v->table && u->sweep == v->sweep && u->step == v->step &&
                u->unsure == v->unsure;
    int differs = -1;
    for (int i = 0; i < 2 && same; i++) {
        bool equal = u->rows[i].low == v->rows[i].low && u->rows[i].high == v->rows[i].high;
        same = meets(&u->rows[i], &v->rows[i]) && (equal || differs < 0);
        differs = equal ? differs : i;
    }
    if (same && differs >= 0)
        widen(&u->rows[differs], &v->rows[differs]);
    return same;
}

static bool add_use(const host_query *q, int table, const pointer_read *p) {
    host_region *r = q->r;
    host_tables *all = host_tables_of(r);
    host_table_use use = {table, r->number, q->step, p->unsure, {p->rows[PLANES], p->rows[ROWS]}};
    for (int i = 0; i < all->nuses; i++)
        if (is_read_before(&use, &all->use[i]) || joins(&all->use[i], &use))
            return true;
    if (all->nuses == HOST_MAX_TABLE_USES)
        return refuse_many(q);
    all->use = realloc(all->use, ((size_t)all->nuses + 1) * sizeof use);
    all->use[all->nuses++] = use;
    return true;
}

static bool is_row(const host_region *r, LLVMValueRef load) {
    return LLVMIsALoadInst(load) && host_in_loop(r->outer, load) &&
           LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind && host_moves(r, load);
}

/* The load that an address is some bytes from, if it is of such a pointer. */
static LLVMValueRef plane_of(const host_region *r, br_scev address) {
    LLVMValueRef v = br_scev_kind(address) == BR_UNKNOWN ? br_scev_value(address) : NULL;
    if (v)
        return is_row(r, v) ? v : NULL;
    enum br_scev_kind kind = br_scev_kind(address);
    for (size_t i = 0; i < br_scev_count(address) && (kind == BR_ADD || kind == BR_ADDREC); i++) {
        v = br_scev_is_pointer(br_scev_operand(address, i))
                ? plane_of(r, br_scev_operand(address, i))
                : NULL;
        if (v)
            return v;
    }
    return NULL;
}

static bool is_read(const host_query *q, LLVMValueRef load) {
    host_region *r = q->r;
    return host_is_always_read(r, load) ||
           (q->scene && q->scene->decide->runs(q, LLVMGetInstructionParent(load)) == ENDS_YES);
}

/* A table of planes is taken for one if nothing of the address moves but the two indices. */
static bool read_pointer(const host_query *q, LLVMValueRef load, pointer_read *p) {
    host_region *r = q->r;
    br_scev address = br_scev_of(r->f, LLVMGetOperand(load, 0));
    LLVMValueRef plane = q->opaque ? NULL : plane_of(r, address);
    *p = (pointer_read){.planes = plane != NULL, .number = {NULL, NULL}};
    p->unsure = !is_read(q, load) || (plane && !is_read(q, plane));
    if (p->unsure && !r->steps)
        return host_not_affine(q, "it uses a value read under a condition");
    host_query within = *q;
    within.opaque = plane;
    bool good = host_evaluate(&within, address, &p->at);
    if (!good || !plane)
        return good;
    poly start = poly_atom(r->f, br_scev_of(r->f, plane));
    p->at.base = poly_sub(p->at.base, start);
    return host_evaluate(q, br_scev_of(r->f, LLVMGetOperand(plane, 0)), &p->outer);
}

static bool add_rows(const host_query *q, const pointer_read *p, int which, LLVMValueRef load,
                     host_affine *out) {
    host_region *r = q->r;
    host_affine apart;
    host_query first = *q;
    first.step = 0;
    LLVMValueRef v = distance(r, host_tables_of(r), which, load);
    if (!host_evaluate(&first, br_scev_of(r->f, v), &apart))
        return false;
    poly away = poly_mul(p->number[which], apart.base);
    out->base = poly_add(out->base, away);
    if (p->rows[which].from == HOST_BETWEEN)
        out->step[p->rows[which].loop] = poly_add(out->step[p->rows[which].loop], apart.base);
    return true;
}

bool host_row(const host_query *q, LLVMValueRef load, host_affine *out) {
    host_region *r = q->r;
    pointer_read p;
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(load, 0))) != 0)
        return refuse(q);
    if (!read_pointer(q, load, &p))
        return false;
    int table = find_table(q, &p, load);
    if (table < 0 || !add_use(q, table, &p))
        return false;
    *out = (host_affine){
        .base = poly_atom(r->f, br_scev_of(r->f, host_tables_of(r)->table[table].rows))};
    return (!p.planes || add_rows(q, &p, PLANES, load, out)) && add_rows(q, &p, ROWS, load, out);
}

/* Rows that a loop carries on: up = here; here = down; down = a[i + 1] */

enum { LONGEST_CHAIN = 2 * ST_MAX_RADIUS };

/* The number of the loop at whose head the phi is; -1: none. */
static int loop_at(const host_region *r, LLVMValueRef phi) {
    int found = -1;
    for (int i = 0; i < r->axes && LLVMCountIncoming(phi) == 2; i++)
        if (br_loop_header(r->loops[i]) == LLVMGetInstructionParent(phi))
            found = i;
    return found;
}

/* Loaded before the region, is it there still when that starts? */
static bool is_just_before(const host_region *r, LLVMValueRef load) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(load)), i = load;
    if (host_in_loop(r->outer, load))
        return true;
    while (i != end && !LLVMIsAStoreInst(i) && !LLVMIsACallInst(i) && !LLVMIsAFenceInst(i) &&
           !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i))
        i = LLVMGetNextInstruction(i);
    return i == end && LLVMGetNumSuccessors(end) == 1 &&
           LLVMGetSuccessor(end, 0) == br_loop_header(r->outer);
}

/* Is what enters the loop the row that would have been read so many iterations before its first? */
static bool enters_as(const host_query *q, LLVMValueRef entry, const host_affine *row, int l,
                      int before) {
    host_region *r = q->r;
    host_affine at;
    bool is_row = LLVMIsALoadInst(entry) && !LLVMGetVolatile(entry) && is_just_before(r, entry) &&
                  LLVMGetTypeKind(LLVMTypeOf(entry)) == LLVMPointerTypeKind &&
                  host_row(q, entry, &at);
    if (!is_row || !poly_is_zero(at.step[l]))
        return false;
    poly back = poly_scale(row->step[l], -before), must = poly_add(row->base, back);
    bool same = poly_equal(at.base, must);
    for (int i = 0; i < HOST_MAX_LOOPS && same; i++)
        same = i == l || poly_equal(at.step[i], row->step[i]);
    return same;
}

static bool carried_row(const host_query *q, LLVMValueRef phi, host_affine *out) {
    host_region *r = q->r;
    host_query tentative = *q;
    LLVMValueRef chain[LONGEST_CHAIN], v = phi;
    int length = 0, l = -1;
    tentative.why = NULL;
    if (!LLVMIsAPHINode(phi) || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMPointerTypeKind ||
        r->form || q->scene || r->twin || (l = loop_at(r, phi)) < 0)
        return false;
    while (LLVMIsAPHINode(v) && loop_at(r, v) == l && length < LONGEST_CHAIN) {
        chain[length++] = v;
        v = host_incoming(v, r->loops[l], true);
    }
    bool good = is_row(r, v) && host_row(&tentative, v, out) && !poly_is_zero(out->step[l]);
    for (int i = 0; i < length && good; i++)
        good =
            enters_as(&tentative, host_incoming(chain[i], r->loops[l], false), out, l, length - i);
    if (!good)
        return false;
    poly back = poly_scale(out->step[l], -length);
    out->base = poly_add(out->base, back);
    return true;
}

host_answer host_row_value(void *region, const host_query *q, LLVMValueRef v, host_affine *out) {
    (void)region;
    return carried_row(q, v, out) ? HOST_KNOWN : HOST_UNKNOWN;
}

/* Forgetting */

void host_forget_table_uses(host_region *r) {
    host_tables *all = host_tables_of(r);
    int kept = 0;
    for (int i = 0; i < all->nuses; i++)
        if (r->steps && all->use[i].sweep != r->number)
            all->use[kept++] = all->use[i];
    all->nuses = kept;
    if (!r->steps)
        host_forget_tables(all);
}

void host_forget_tables(host_tables *t) {
    for (int i = 0; i < t->count; i++)
        if (t->table[i].rows)
            LLVMInstructionEraseFromParent(t->table[i].rows);
    for (int i = 0; i < 2; i++)
        if (t->distance[i])
            LLVMInstructionEraseFromParent(t->distance[i]);
    free(t->table);
    free(t->use);
    free(t->fixed);
    *t = (host_tables){0};
}
