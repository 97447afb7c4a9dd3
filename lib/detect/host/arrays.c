/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that the sweeps of a time step are known to use, by base pointer: the strides of their
 * dimensions, and names of one letter where the compiler keeps none.
 */
#include "detect/common/affine.h"
#include "detect/host/access.h"
#include "detect/host/region.h"

#include <stdlib.h>
#include <string.h>

const host_array *host_known_array(const host_steps *s, LLVMValueRef base) {
    for (size_t i = 0; i < s->narrays; i++)
        if (base && s->arrays[i].base == base)
            return &s->arrays[i];
    return NULL;
}

void host_know_array(host_steps *s, LLVMValueRef base, st_type type, uint32_t flat,
                     const poly stride[]) {
    if (!base || flat || host_known_array(s, base))
        return;
    s->arrays = realloc(s->arrays, (s->narrays + 1) * sizeof *s->arrays);
    host_array *a = &s->arrays[s->narrays++];
    a->base = base;
    a->type = type;
    memcpy(a->stride, stride, sizeof a->stride);
}

/* Is it the distance, up or down in memory? */
static bool is_distance(const host_steps *s, poly known, poly stride) {
    return poly_equal(known, stride) ||
           (known && stride && poly_is_zero(poly_add(known, stride)) && s->apart);
}

int host_known_dimension(const host_steps *s, const host_array *first, poly stride) {
    for (int d = 1; first && d < s->rank; d++)
        if (is_distance(s, first->stride[d], stride))
            return d;
    for (size_t i = 0; i < s->narrays && !first; i++)
        for (int d = 1; d < s->rank; d++)
            if (is_distance(s, s->arrays[i].stride[d], stride))
                return d;
    return -1;
}

char host_array_letter(host_steps *s, LLVMValueRef base) {
    size_t i = 0;
    while (i < s->nbases && (!base || s->bases[i] != base))
        i++;
    if (i == s->nbases) {
        s->bases = realloc(s->bases, (i + 1) * sizeof *s->bases);
        s->bases[s->nbases++] = base;
    }
    return (char)('A' + i % 26);
}

/* Do two grids of sweeps have other distances along a dimension that both sweeps walk? */
static bool differ(const host_region *a, int32_t x, const host_region *b, int32_t y) {
    uint32_t both = ~(a->stencil->flat | b->stencil->flat);
    bool other = false;
    for (int d = 1; d < a->steps->rank; d++) {
        poly one = a->grids[x].stride[d], two = b->grids[y].stride[d];
        other |= (both >> d & 1) && !is_distance(a->steps, one, two);
    }
    return other;
}

/* Do two grids begin a few cells from each other? Fields in one piece of memory do not. */
static bool begin_near(const host_region *a, int32_t x, const host_region *b, int32_t y) {
    enum { FEW = 2 * ST_MAX_RADIUS };
    const host_grid *one = &a->grids[x], *two = &b->grids[y];
    st_type type = a->stencil->grids[x].type;
    int32_t k[ST_MAX_RANK];
    return host_offset_from(a, two->origin[0], one->origin[0], one->stride, type, FEW, k) ||
           host_offset_from(b, one->origin[0], two->origin[0], two->stride, type, FEW, k);
}

/* Has this sweep a grid of the array that another one writes, with other distances? */
static bool meets_otherwise(const host_region *r, const host_region *writer, int32_t written) {
    LLVMValueRef base = host_base_pointer(writer->grids[written].origin[0]);
    bool meets = false;
    for (int32_t g = 0; g < (int32_t)r->stencil->ngrids && base; g++)
        meets |= host_base_pointer(r->grids[g].origin[0]) == base &&
                 differ(r, g, writer, written) && begin_near(r, g, writer, written);
    return meets;
}

const host_region *host_walks_otherwise(const host_steps *s) {
    for (int i = 0; i < s->count && s->apart; i++)
        for (int k = 0; k < s->count; k++) {
            const st_stencil *w = s->sweeps[k]->stencil;
            for (int32_t g = 0; w && g < (int32_t)w->ngrids; g++)
                if ((st_writes(w, g, 0) || st_writes(w, g, 1)) &&
                    meets_otherwise(s->sweeps[i], s->sweeps[k], g))
                    return s->sweeps[i];
        }
    return NULL;
}
