/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel knows of its launch: numbers of threads and blocks, and the values computed of
 * them.
 */
#include "model/launch.h"

#include <stdlib.h>

st_launch *st_create_launch(void) {
    return calloc(1, sizeof(st_launch));
}

void st_destroy_launch(st_launch *l) {
    if (!l)
        return;
    free(l->bounds);
    free(l->conditions);
    free(l->needs);
    free(l->indices);
    free(l->grids);
    free(l->scalars);
    free(l->calls);
    free(l->values);
    free(l);
}

bool st_never_meet(poly origin, poly other_origin, const poly stride[], const poly other_stride[],
                   int rank, int64_t size) {
    int64_t record, between;
    poly ignored;
    if (!poly_is_int(stride[0], &record) || record <= size ||
        !poly_is_int(poly_sub(origin, other_origin), &between))
        return false;
    for (int d = 0; d < rank; d++)
        if (!poly_exact(stride[d], record, &ignored) ||
            !poly_exact(other_stride[d], record, &ignored))
            return false;
    between = (between % record + record) % record;
    return between >= size && record - between >= size;
}

const st_launch_value *st_value_of(const st_launch *l, br_scev atom) {
    for (int i = 0; i < l->nvalues; i++)
        if (l->values[i].atom == atom)
            return &l->values[i];
    return NULL;
}
