/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Roots: the values in which threads differ, of which polynomials are made.
 */
#include "detect/kernel/region.h"

kernel_role kernel_role_of(LLVMValueRef v, int *dim) {
    static const kernel_role roles[] = {[TG_THREAD] = KERNEL_THREAD,
                                        [TG_BLOCK] = KERNEL_BLOCK,
                                        [TG_BLOCK_SIZE] = KERNEL_BLOCK_SIZE,
                                        [TG_BLOCK_COUNT] = KERNEL_GRID_SIZE};
    tg_launch_value value;
    return tg_reads_launch(v, &value, dim) ? roles[value] : KERNEL_NO_ROLE;
}

br_scev kernel_root_atom(kernel_root *r) {
    return (br_scev)(void *)r;
}

kernel_root *kernel_root_of(const kernel_region *k, br_scev atom) {
    for (int i = 0; i < k->nroots; i++)
        if ((const void *)atom == &k->roots[i])
            return (kernel_root *)&k->roots[i];
    return NULL;
}

kernel_root *kernel_add_root(kernel_region *k, kernel_role role) {
    if (k->nroots == KERNEL_MAX_ROOTS) {
        kernel_refuse(k, ST_NO_TOO_BIG, "128 thread numbers, loops, divisions and choices");
        return NULL;
    }
    kernel_root *r = &k->roots[k->nroots++];
    r->role = role;
    return r;
}

bool kernel_strides(const kernel_region *k, br_loop l) {
    return l && (l == k->stride_loop || l == k->other_stride_loop);
}

bool kernel_has_root(poly p, br_scev atom) {
    for (int i = 0; i < poly_count(p); i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++)
            if (poly_terms(p)[i].atoms[a] == atom)
                return true;
    return false;
}

bool kernel_varies(const kernel_region *k, poly p) {
    for (int i = 0; i < poly_count(p); i++)
        for (int a = 0; a < poly_terms(p)[i].degree; a++)
            if (kernel_root_of(k, poly_terms(p)[i].atoms[a]))
                return true;
    return false;
}
