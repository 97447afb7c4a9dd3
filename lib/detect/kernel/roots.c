/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The numbers of a kernel: made and freed; the roots of polynomials, the values in which threads
 * differ; and what must be at least 0 when the kernel runs.
 */
#include "detect/kernel/index.h"

#include <stdlib.h>

kernel_values *kernel_values_create(br_function *f, LLVMValueRef function,
                                    kernel_resolver *const *resolvers) {
    kernel_values *v = calloc(1, sizeof *v);
    v->f = f;
    v->function = function;
    v->resolvers = resolvers;
    v->roots = calloc(KERNEL_MAX_ROOTS, sizeof *v->roots);
    return v;
}

void kernel_values_destroy(kernel_values *v) {
    if (!v)
        return;
    free(v->roots);
    free(v->narrow);
    free(v);
}

kernel_role kernel_role_of(LLVMValueRef v, int *dim) {
    static const kernel_role roles[] = {[TG_THREAD] = KERNEL_THREAD,
                                        [TG_BLOCK] = KERNEL_BLOCK,
                                        [TG_BLOCK_SIZE] = KERNEL_BLOCK_SIZE,
                                        [TG_BLOCK_COUNT] = KERNEL_GRID_SIZE};
    tg_launch_value value;
    return tg_reads_launch(v, &value, dim) ? roles[value] : KERNEL_NO_ROLE;
}

br_scev kernel_root_atom(const kernel_root *r) {
    return (br_scev)(void *)(uintptr_t)r;
}

/* The kernel's first instruction that reads this size of the grid; NULL: there is none. */
static LLVMValueRef reads_grid_size(const kernel_values *v, int dim) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v->function);
    int of;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (kernel_role_of(i, &of) == KERNEL_GRID_SIZE && of == dim)
                return i;
    return NULL;
}

/* If the kernel does not read it, the atom is no expression of LLVM's, and stands in sums of ours
 * alone: never in an address, nor in what the kernel compares with. */
br_scev kernel_grid_size(kernel_values *v, int dim) {
    br_scev *size = &v->sizes[1][dim];
    LLVMValueRef read = *size ? NULL : reads_grid_size(v, dim);
    if (!*size)
        *size = read ? br_scev_of(v->f, read) : (br_scev)(void *)size;
    return *size;
}

bool kernel_is_value(const kernel_values *v, br_scev atom) {
    bool own = kernel_root_of(v, atom) != NULL;
    for (int dim = 0; dim < ST_MAX_RANK; dim++)
        own = own || (const void *)atom == &v->sizes[1][dim];
    return !own;
}

kernel_root *kernel_root_of(const kernel_values *v, br_scev atom) {
    for (int i = 0; i < v->nroots; i++)
        if ((const void *)atom == &v->roots[i])
            return &v->roots[i];
    return NULL;
}

kernel_root *kernel_add_root(const kernel_query *q, kernel_role role) {
    kernel_values *v = q->values;
    if (v->nroots == KERNEL_MAX_ROOTS) {
        st_refuse(q->why, ST_NO_KERNEL_TOO_BIG, "128 thread numbers, loops, divisions and choices");
        return NULL;
    }
    kernel_root *r = &v->roots[v->nroots++];
    r->role = role;
    return r;
}

bool kernel_has_root(poly p, br_scev atom) {
    for (int i = 0; i < poly_count(p); i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++)
            if (poly_terms(p)[i].atoms[a] == atom)
                return true;
    return false;
}

bool kernel_has_launch_size(const kernel_values *v, poly p) {
    bool has = false;
    for (int i = 0; i < 2 * ST_MAX_RANK; i++) {
        br_scev size = v->sizes[i / ST_MAX_RANK][i % ST_MAX_RANK];
        has |= size && kernel_has_root(p, size);
    }
    return has;
}

bool kernel_varies(const kernel_values *v, poly p) {
    for (int i = 0; i < poly_count(p); i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++)
            if (kernel_root_of(v, poly_terms(p)[i].atoms[a]))
                return true;
    return false;
}

/* The number of an instruction in its function. */
static int place_of(LLVMValueRef v) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(here));
    int number = 0;
    for (; b != here; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            number++;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != v; i = LLVMGetNextInstruction(i))
        number++;
    return number;
}

/* Roots before other values, and these as the kernel has them: an order that does not depend on
 * where in memory they are. */
int kernel_rank(const kernel_values *values, br_scev atom) {
    const kernel_root *r = kernel_root_of(values, atom);
    if (r)
        return r->role * ST_MAX_RANK + r->dim;
    for (int i = 0; i < 2 * ST_MAX_RANK; i++)
        if (atom == values->sizes[i / ST_MAX_RANK][i % ST_MAX_RANK])
            return 100 + i;
    LLVMValueRef v = br_scev_kind(atom) == BR_UNKNOWN ? br_scev_value(atom) : NULL;
    for (unsigned i = 0; v && i < LLVMCountParams(values->function); i++)
        if (LLVMGetParam(values->function, i) == v)
            return 200 + (int)i;
    return 100000 + (v && LLVMIsAInstruction(v) ? place_of(v) : 0);
}

bool kernel_need(kernel_values *v, poly p) {
    int64_t number;
    if (!poly_is_known(p) || poly_is_int(p, &number))
        return poly_is_known(p) && number >= 0;
    if (kernel_varies(v, p)) /* nobody can know it where the kernel starts */
        return false;
    for (int i = 0; i < v->nneeds; i++) {
        poly more = poly_sub(p, v->needs[i]);
        if (!poly_is_int(more, &number))
            continue;
        if (number < 0) /* it says what the other does, and more */
            v->needs[i] = p;
        return true;
    }
    if (v->nneeds == KERNEL_MAX_NEEDS)
        return false;
    v->needs[v->nneeds++] = p;
    return true;
}
