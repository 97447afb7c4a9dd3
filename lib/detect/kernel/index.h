/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The numbers of a kernel: addresses, indices and what comparisons compare, as polynomials.
 *
 * A polynomial is over roots, the values in which threads differ (thread and block numbers,
 * iterations of loops, quotients of a flat index, choices), and over values that are the same for
 * all threads. A remainder is written x - x / n * n, so that `i % n`, `i - (i / n) * n` and linear
 * indices are the same polynomials.
 *
 * Reads: ScalarEvolution, and resolvers about what it does not look into. Hands on: polynomials,
 * the roots in them, the narrow integers taken as exact, and what must be at least 0.
 */
#ifndef STENCILOPT_KERNEL_INDEX_H
#define STENCILOPT_KERNEL_INDEX_H

#include "algebra/poly.h"
#include "detect/common/limits.h"
#include "model/fixed_limits.h"
#include "model/refusal.h"
#include "target/uniform.h"

enum {
    KERNEL_MAX_ROOTS = ST_LIMIT(128, 8),
    KERNEL_MAX_NARROW = ST_LIMIT(1024, 6),
    KERNEL_MAX_NEEDS = ST_LIMIT(32, 3)
};

typedef enum kernel_role {
    KERNEL_THREAD,     /* threadIdx */
    KERNEL_BLOCK,      /* blockIdx */
    KERNEL_BLOCK_SIZE, /* blockDim: the same for all threads, and so no root */
    KERNEL_GRID_SIZE,  /* gridDim, in blocks: likewise */
    KERNEL_ITERATION,  /* of a loop, from 0 */
    KERNEL_QUOTIENT,   /* numerator / divisor, rounded down */
    KERNEL_EXCESS,     /* `excess` where the test holds, else 0: of an index that is chosen */
    KERNEL_NO_ROLE
} kernel_role;

/* The test of an EXCESS: is left less than right? */
typedef struct kernel_test {
    poly left, right;
    bool equal;       /* are they equal? */
    bool negated;     /* is the answer negated? */
    bool is_unsigned; /* what is compared must not be negative, or it says something else */
} kernel_test;

/* In polynomials a root's own address stands for it: no br_scev function may see that. */
typedef struct kernel_root {
    kernel_role role;
    int dim;                 /* of thread and block numbers */
    br_loop loop;            /* of iterations */
    poly numerator, divisor; /* of quotients */
    bool truncated;          /* the program rounds towards 0, and the numerator may be negative */
    kernel_test test;        /* of an excess */
    poly excess;
} kernel_root;

/* What is assumed of conditions by which an address is chosen: see choice.c. */
typedef struct kernel_assumed {
    LLVMValueRef conditions[HOST_MAX_CHOICES];
    bool holds[HOST_MAX_CHOICES];
    int count;
} kernel_assumed;

/* Which conditions by which an index is chosen are to be assumed, rather than make an excess: none,
 * those that are no comparison of indices, or all. */
typedef enum kernel_choosing {
    KERNEL_ASSUME_NONE,
    KERNEL_ASSUME_VALUES,
    KERNEL_ASSUME_ALL
} kernel_choosing;

/* An integer of fewer than 64 bits that was taken for what its operations give without wrapping:
 * a signed number of its type, or an unsigned one. The kernel's own conditions and addresses are
 * of such values, and none else; those of leaves (thread numbers, arguments) are exact anyway. */
typedef struct kernel_narrow {
    br_scev value;
    bool is_signed;
    kernel_assumed under; /* what it was taken to be under */
} kernel_narrow;

typedef struct kernel_query kernel_query;
typedef enum kernel_answer { KERNEL_UNKNOWN, KERNEL_KNOWN, KERNEL_REFUSED } kernel_answer;
/* Knows one kind of what the evaluator does not look into; it may ask the evaluator in turn. */
typedef kernel_answer kernel_resolver(const kernel_query *q, br_scev s, poly *out);

/* What all questions about one kernel share. */
typedef struct kernel_values {
    br_function *f;
    LLVMValueRef function;
    kernel_resolver *const *resolvers; /* ends with NULL */
    kernel_root *roots;                /* KERNEL_MAX_ROOTS of them: none moves */
    int nroots;
    br_scev sizes[2][ST_MAX_RANK]; /* the first values of KERNEL_BLOCK_SIZE and _GRID_SIZE */
    bool takes_exact;              /* nobody checks narrow integers: `narrow` stays empty */
    kernel_narrow *narrow;
    int nnarrow;
    poly needs[KERNEL_MAX_NEEDS]; /* at least 0, or cells are other ones than the model says */
    int nneeds;
    kernel_assumed assumed;
    kernel_choosing choosing;
    LLVMValueRef wanted; /* the first condition that is to be assumed and is not; or NULL */
    int depth, work;     /* of kernel_poly */
} kernel_values;

struct kernel_query {
    kernel_values *values;
    st_refusal *why; /* NULL: the question is tentative, a refusal says nothing */
};

/* roots.c */
kernel_values *kernel_values_create(br_function *f, LLVMValueRef function,
                                    kernel_resolver *const *resolvers);
void kernel_values_destroy(kernel_values *v);
kernel_role kernel_role_of(LLVMValueRef v, int *dim);
br_scev kernel_root_atom(const kernel_root *r);
/* The number of blocks along dim. It may be an address of its own, as a root is: the program need
 * not read it. */
br_scev kernel_grid_size(kernel_values *v, int dim);
/* Is the atom an expression of LLVM's, and no root or size that stands for itself? */
bool kernel_is_value(const kernel_values *v, br_scev atom);
/* The root that an atom stands for, or NULL. */
kernel_root *kernel_root_of(const kernel_values *v, br_scev atom);
kernel_root *kernel_add_root(const kernel_query *q, kernel_role role); /* NULL: too many */
bool kernel_has_root(poly p, br_scev atom);
/* Is the number of threads of a launch or of a block in it? */
bool kernel_has_launch_size(const kernel_values *v, poly p);
bool kernel_varies(const kernel_values *v, poly p); /* is there a root in it? */
/* Roots before other values, and these as the kernel has them. */
int kernel_rank(const kernel_values *v, br_scev atom);
/* Notes that the model holds only where p is at least 0. False if p never is. */
bool kernel_need(kernel_values *v, poly p);

/* divide.c: rounded down; `floors`: so does the program, also what is negative. */
bool kernel_quotient(const kernel_query *q, poly numerator, poly divisor, bool floors, poly *out);
bool kernel_remainder(const kernel_query *q, poly numerator, poly divisor, bool floors, poly *out);

/* index.c: the evaluator. */
bool kernel_poly(const kernel_query *q, br_scev s, poly *out);
/* The value as an unsigned number of its type. If the type is narrow, it is the sum modulo 2^bits.
 */
bool kernel_number(const kernel_query *q, br_scev s, poly *out);
bool kernel_note_narrow(const kernel_query *q, br_scev s, bool is_signed);
/* An operand of an instruction that ScalarEvolution does not look into, as an exact number. */
bool kernel_operand(const kernel_query *q, LLVMValueRef v, bool is_signed, poly *out);
bool kernel_refuse_index(const kernel_query *q, const char *detail);

/* choice.c: condition ? yes : no, minima and maxima, comparisons, and where branches join. */
kernel_resolver kernel_choice;
/* A condition that is not assumed yet and that `choosing` says is to be, by which v is chosen; or
 * NULL. */
LLVMValueRef kernel_next_choice(const kernel_query *q, LLVMValueRef v, kernel_choosing choosing);

#endif
