/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that the sweeps of a time step are known to use, by base pointer: the strides of their
 * dimensions, and names of one letter where the compiler keeps none.
 */
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
