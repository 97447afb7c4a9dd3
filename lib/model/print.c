/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The text of a Stencil, for people and for tests. One item a line:
 *
 *   stencil in jacobi.c:12 (jacobi): rank 2, time loop
 *     grid A: f32, 2 buffers, halo x -1..1 y -1..1
 *     reads A[0]: (0,-1) (-1,0) (1,0) (0,1)
 *     writes A[+1]
 *     = fmul(fadd(A[0](0,-1), A[0](0,1)), 0.25)
 *
 * Of several sweeps in a time step, a line for the whole and then each of them likewise. A grid's
 * name says which array it is in: sweeps count cells from their own domains' starts.
 *
 * Offsets are x first. Expressions longer than a line go on; a node used more than once is named
 * by an assignment before its first use.
 */
#include "model/stencil.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const int_predicates[] = {"eq",  "ne",  "ugt", "uge", "ult",
                                             "ule", "sgt", "sge", "slt", "sle"};
static const char *const float_predicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                               "one",   "ord", "uno", "ueq", "ugt", "uge",
                                               "ult",   "ule", "une", "true"};

/* (-1,0); or (<-1,0>): with the rule of the low face along x, and of the high one along y. */
static void print_cell(const st_stencil *s, const st_access *a, FILE *out) {
    for (int d = 0; d < s->rank; d++)
        fprintf(out, "%c%s%" PRId32 "%s", d ? ',' : '(', a->faces & ST_FACE(d, 0) ? "<" : "",
                a->offset[d], a->faces & ST_FACE(d, 1) ? ">" : "");
    fputc(')', out);
}

static void print_constant(const st_node *n, FILE *out) {
    if (n->type == ST_F32) {
        uint32_t bits = (uint32_t)n->bits;
        float f;
        memcpy(&f, &bits, sizeof f);
        fprintf(out, "%.9g", (double)f);
    } else if (n->type == ST_F64) {
        double d;
        memcpy(&d, &n->bits, sizeof d);
        fprintf(out, "%.17g", d);
    } else {
        int shift = n->type == ST_I1 ? 0 : 64 - 8 * (int)st_type_size((st_type)n->type);
        fprintf(out, "%" PRId64, (int64_t)(n->bits << shift) >> shift);
    }
}

static void print_level(int32_t level, FILE *out) {
    fprintf(out, level > 0 ? "[+%" PRId32 "]" : "[%" PRId32 "]", level);
}

typedef struct printer {
    const st_stencil *s;
    FILE *out;
    uint32_t *uses;
    bool *named;
} printer;

static void print_node(printer *p, int32_t number);

static void print_operation(printer *p, const st_node *n) {
    fputs(st_is_call(n) ? p->s->calls[n->index].name : st_ops[n->op].text, p->out);
    if (n->op == ST_ICMP)
        fprintf(p->out, ".%s", int_predicates[n->predicate - 32]);
    if (n->op == ST_FCMP)
        fprintf(p->out, ".%s", float_predicates[n->predicate]);
    if (n->op >= ST_TRUNC && n->op <= ST_BITCAST)
        fprintf(p->out, ".%s", st_type_name((st_type)n->type));
    fputc('(', p->out);
    for (int i = 0; i < st_ops[n->op].arity; i++) {
        if (i)
            fputs(", ", p->out);
        print_node(p, n->args[i]);
    }
    fputc(')', p->out);
}

static void print_node(printer *p, int32_t number) {
    const st_stencil *s = p->s;
    const st_node *n = &s->nodes[number];
    const st_access *a;
    if (p->named[number]) {
        fprintf(p->out, "%%%" PRId32, number);
        return;
    }
    switch (n->op) {
    case ST_CONST:
        print_constant(n, p->out);
        break;
    case ST_ACCESS:
        a = &s->accesses[n->index];
        fputs(s->grids[a->grid].name, p->out);
        print_level(a->level, p->out);
        print_cell(s, a, p->out);
        break;
    case ST_COORD:
        fputc("xyz"[n->index], p->out);
        break;
    case ST_SCALAR:
        fprintf(p->out, "s%" PRId32, n->index);
        break;
    default:
        print_operation(p, n);
    }
}

static void print_grid(const st_stencil *s, int32_t number, FILE *out) {
    const st_grid *g = &s->grids[number];
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
    fprintf(out, "  grid %s: %s, %" PRIu32 " buffer%s", g->name, st_type_name(g->type), g->buffers,
            g->buffers > 1 ? "s" : "");
    st_halo(s, number, low, high);
    fputs(", halo", out);
    for (int d = 0; d < s->rank; d++)
        fprintf(out, " %c %" PRId32 "..%" PRId32, "xyz"[d], low[d], high[d]);
    for (int d = 0; d < s->rank; d++)
        if (g->broadcast >> d & 1)
            fprintf(out, ", constant along %c", "xyz"[d]);
    if (g->apart)
        fprintf(out, ", cells %" PRIu32 " elements apart", g->apart);
    if (g->advance)
        fprintf(out, ", %" PRId32 " further each step", g->advance);
    if (g->along)
        fprintf(out, ", one further along %c each step", "xyz"[g->along - 1]);
    if (g->before)
        fputs(g->unwritten ? ", cells that the sweep does not write" : ", as before the sweep", out);
    fputc('\n', out);
}

/* boundary x clamp..clamp y none..none: nothing if there are no rules. */
static void print_boundary(const st_stencil *s, FILE *out) {
    bool any = false;
    for (int d = 0; d < s->rank; d++)
        any |= s->boundary[d][0] || s->boundary[d][1];
    if (!any)
        return;
    fputs("  boundary", out);
    for (int d = 0; d < s->rank; d++)
        fprintf(out, " %c %s..%s", "xyz"[d], st_rule_name((st_rule)s->boundary[d][0]),
                st_rule_name((st_rule)s->boundary[d][1]));
    fputc('\n', out);
}

/* The accesses of one grid and level, on one line, led by its first. */
static void print_reads(const st_stencil *s, size_t first, FILE *out) {
    const st_access *a = &s->accesses[first];
    for (size_t i = 0; i < first; i++)
        if (s->accesses[i].grid == a->grid && s->accesses[i].level == a->level)
            return;
    fprintf(out, "  reads %s", s->grids[a->grid].name);
    print_level(a->level, out);
    fputc(':', out);
    for (size_t i = first; i < s->naccesses; i++) {
        if (s->accesses[i].grid != a->grid || s->accesses[i].level != a->level)
            continue;
        fputc(' ', out);
        print_cell(s, &s->accesses[i], out);
        if (s->accesses[i].conditional)
            fputc('?', out);
    }
    fputc('\n', out);
}

static void print_written(const st_stencil *s, int32_t grid, int32_t level, FILE *out) {
    fprintf(out, "  writes %s", s->grids[grid].name);
    print_level(level, out);
    fputc('\n', out);
}

/* With several statements, also prints where each one's value goes. */
static void print_expression(const st_stencil *s, FILE *out) {
    printer p = {s, out, calloc(s->nnodes, sizeof(uint32_t)), calloc(s->nnodes, sizeof(bool))};
    for (size_t i = 0; i < s->nnodes; i++)
        for (int k = 0; k < 3; k++)
            if (s->nodes[i].args[k] >= 0)
                p.uses[s->nodes[i].args[k]]++;
    for (size_t i = 0; i < s->nnodes; i++) {
        if (st_ops[s->nodes[i].op].cls == ST_LEAF || p.uses[i] < 2)
            continue;
        fprintf(out, "  %%%zu = ", i);
        print_node(&p, (int32_t)i);
        fputc('\n', out);
        p.named[i] = true;
    }
    for (size_t i = 0; i <= s->nalso && !s->stores_nothing; i++) {
        const st_store *more = i > 0 ? &s->also[i - 1] : NULL;
        if (s->nalso > 0)
            print_written(s, more ? more->grid : s->store_grid, more ? more->level : s->store_level,
                          out);
        fputs("  = ", out);
        print_node(&p, more ? more->root : s->root);
        fputc('\n', out);
    }
    for (size_t i = 0; i < s->nreductions; i++) {
        const st_reduction *r = &s->reductions[i];
        st_type type = (st_type)s->nodes[r->root].type;
        bool is_unsigned = r->op < ST_REDUCE_SUM && !st_type_is_float(type) && !r->is_signed;
        fprintf(out, "  %s%s of %s = ", is_unsigned ? "unsigned " : "", st_reduce_name(r->op),
                st_type_name(type));
        print_node(&p, r->root);
        fputc('\n', out);
    }
    free(p.uses);
    free(p.named);
}

static void print_body(const st_stencil *s, FILE *out) {
    for (size_t i = 0; i < s->ngrids; i++)
        print_grid(s, (int32_t)i, out);
    print_boundary(s, out);
    for (size_t i = 0; i < s->nscalars; i++)
        fprintf(out, "  scalar s%zu: %s%s\n", i, st_type_name(s->scalars[i].type),
                s->scalars[i].stepped    ? ", advances each step"
                : s->scalars[i].late     ? ", computed in each step of what is reduced before"
                : s->scalars[i].followed ? ", computed for each step"
                                         : "");
    for (size_t i = 0; i < s->naccesses; i++)
        print_reads(s, i, out);
    if (s->nalso == 0 && !s->stores_nothing)
        print_written(s, s->store_grid, s->store_level, out);
    print_expression(s, out);
}

void st_print(const st_stencil *s, FILE *out) {
    fprintf(out, "stencil in %s: rank %d, %s\n", s->where, s->rank,
            s->timed ? "time loop" : "one sweep");
    print_body(s, out);
}

void st_print_sweep(const st_stencil *s, size_t number, FILE *out) {
    fprintf(out, " sweep %zu: %s", number, s->flat == (1u << s->rank) - 1 ? "one cell" : "along");
    for (int d = 0; d < s->rank; d++)
        if (!(s->flat >> d & 1))
            fprintf(out, " %c", "xyz"[d]);
    if (s->every)
        fprintf(out, ", every %u steps from step %u", s->every, s->phase);
    fputs(s->together ? ", in the loops of the sweep before\n" : "\n", out);
    print_body(s, out);
}
