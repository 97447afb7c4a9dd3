/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a kernel's threads come to their cells, on one line, in CUDA's names:
 *
 *   kernel: blocks; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < nx-1; y = ...
 *   kernel: flat index; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n; y = i/n, y < m
 *   kernel: blocks; x = ...; y = ...; z = iteration of the loop, z >= 0, z < nz-2
 */
#include "detect/kernel/kernel.h"

#include <inttypes.h>
#include <string.h>

static void print_value(br_scev s, FILE *out) {
    size_t length;
    if (br_scev_kind(s) != BR_UNKNOWN) {
        fputs("(...)", out);
        return;
    }
    LLVMValueRef v = br_scev_value(s);
    const char *name = LLVMGetValueName2(v, &length);
    if (length) {
        fputs(name, out);
    } else if (LLVMIsAArgument(v)) {
        fprintf(out, "argument%u", tg_argument_number(v));
    } else {
        fputs("(...)", out);
    }
}

static void print_atom(const kernel_region *k, br_scev atom, FILE *out) {
    const kernel_root *r = kernel_root_of(k->values, atom);
    for (int d = 0; d < ST_MAX_RANK; d++)
        for (int size = 0; size < 2; size++)
            if (atom == k->values->sizes[size][d]) {
                fprintf(out, "%s.%c", size ? "gridDim" : "blockDim", "xyz"[d]);
                return;
            }
    if (!r)
        print_value(atom, out);
    else if (r->role == KERNEL_ITERATION)
        fputs("iteration", out);
    else if (r->role == KERNEL_QUOTIENT || r->role == KERNEL_EXCESS)
        fputs(r->role == KERNEL_QUOTIENT ? "quotient" : "choice", out);
    else
        fprintf(out, "%s.%c", r->role == KERNEL_BLOCK ? "blockIdx" : "threadIdx", "xyz"[r->dim]);
}

static void print_term(const kernel_region *k, const poly_term *t, bool first, FILE *out) {
    int64_t factor = t->factor;
    if (!first || factor < 0)
        fputs(factor < 0 ? "-" : "+", out);
    uint64_t size = factor < 0 ? -(uint64_t)factor : (uint64_t)factor;
    if (size != 1 || t->degree == 0)
        fprintf(out, "%" PRIu64 "%s", size, t->degree ? "*" : "");
    for (int i = 0; i < t->degree; i++) {
        fputs(i ? "*" : "", out);
        print_atom(k, t->atoms[i], out);
    }
}

static int rank(const void *values, br_scev atom) {
    return kernel_rank(values, atom);
}

static void print_poly(const kernel_region *k, poly p, FILE *out) {
    const poly_term *terms = poly_ranked(p, rank, k->values);
    for (int i = 0; i < poly_count(p); i++)
        print_term(k, &terms[i], i == 0, out);
    if (poly_count(p) == 0)
        fputc('0', out);
}

static void print_divisor(const kernel_region *k, poly p, FILE *out) {
    bool simple =
        poly_count(p) == 1 && poly_terms(p)[0].degree + (poly_terms(p)[0].factor != 1) <= 1;
    fputs(simple ? "" : "(", out);
    print_poly(k, p, out);
    fputs(simple ? "" : ")", out);
}

/* `, x >= 1, x < n-1` */
static void print_bounds(const kernel_region *k, int axis, char name, FILE *out) {
    static const kernel_relation order[] = {KERNEL_AT_LEAST, KERNEL_BELOW, KERNEL_NOT};
    static const char *const texts[] = {">=", "<", "!="};
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < k->nbounds; i++)
            if (k->bounds[i].axis == axis && k->bounds[i].relation == order[o]) {
                fprintf(out, ", %c %s ", name, texts[o]);
                print_poly(k, k->bounds[i].limit, out);
            }
}

/* `, clamp below 0, wrap above n-1 by n`: where accesses follow the stencil's boundary rules. */
static void print_faces(const kernel_region *k, int axis, FILE *out) {
    for (int side = 0; side < 2; side++) {
        const kernel_face *f = &k->faces[axis][side];
        if (f->rule == ST_NO_RULE)
            continue;
        fprintf(out, ", %s %s ", st_rule_name(f->rule), side ? "above" : "below");
        print_poly(k, f->limit, out);
        if (f->rule == ST_WRAP) {
            fputs(" by ", out);
            print_poly(k, f->period, out);
        }
    }
}

static bool is_march(const kernel_region *k, const kernel_axis *a) {
    const kernel_root *r = kernel_root_of(k->values, a->lead);
    return r && r->role == KERNEL_ITERATION;
}

static void print_axis(const kernel_region *k, int number, char name, FILE *out) {
    const kernel_axis *a = &k->axes[number];
    fprintf(out, "; %c = ", name);
    if (is_march(k, a) && !k->part && k->cells == 1) {
        fputs("iteration of the loop", out);
    } else if (poly_is_zero(a->extent) && a->quotient < 0) {
        print_poly(k, a->value, out);
    } else {
        fputc('i', out);
        if (a->quotient >= 0) {
            fputc('/', out);
            print_divisor(k, k->values->roots[a->quotient].divisor, out);
        }
        if (!poly_is_zero(a->extent)) {
            fputc('%', out);
            print_divisor(k, a->extent, out);
        }
    }
    print_bounds(k, number, name, out);
    print_faces(k, number, out);
}

void kernel_print(const kernel_region *k, FILE *out) {
    int64_t apart;
    fprintf(out, "kernel: %s", k->shape == KERNEL_FLAT ? "flat index" : "blocks");
    if (k->stride_loop)
        fputs(k->other_stride_loop ? ", grid-stride loops" : ", grid-stride loop", out);
    if (k->cells > 1) {
        fprintf(out, ", %" PRId64 " cells a thread", k->cells);
        bool neighbours = poly_is_int(k->apart, &apart) && apart == 1;
        fputs(neighbours ? "" : " every ", out);
        if (!neighbours)
            print_poly(k, k->apart, out);
    }
    if (k->rows_assumed)
        fputs(", rows by neighbours alone", out);
    if (k->may_overlap)
        fputs(", arrays may overlap", out);
    if (k->shape == KERNEL_FLAT) {
        fputs("; i = ", out);
        print_poly(k, k->flat, out);
        print_bounds(k, -1, 'i', out);
    }
    for (int d = 0; d < k->naxes; d++)
        for (int i = 0; i < k->naxes; i++)
            if (k->dim_of_axis[i] == d)
                print_axis(k, i, "xyz"[d], out);
    for (int i = 0; i < k->values->nneeds; i++) {
        fputs(i ? ", " : "; if ", out);
        print_poly(k, k->values->needs[i], out);
        fputs(" >= 0", out);
    }
    fputc('\n', out);
}
