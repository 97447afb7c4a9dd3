/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies, in the host's memory, of the arrays that a call writes. Passes read and write them; the
 * program's arrays are written when nothing can fail any more.
 */
#ifndef STENCILRT_SHADOW_H
#define STENCILRT_SHADOW_H

#include "runtime/call/shape.h"

typedef struct rt_shadow {
    const rt_shape *whole;
    stencilrt_call call; /* that of the whole shape, with the copies in place of the arrays */
    void **origins;
    int64_t *strides;
    rt_shape shape; /* of that call */
    unsigned char *memory;
    size_t bytes, again; /* all, and those at the beginning that several passes read and write */
} rt_shadow;

/* Copies what the steps read before they write it; or, if the first pass reads the program's
 * arrays, of that only what no step writes. `call`: the whole shape's, perhaps with other scalars.
 * Call rt_shadow_end also after a failure. */
bool rt_shadow_begin(rt_shadow *s, const rt_shape *whole, const stencilrt_call *call,
                     bool first_reads_arrays, rt_error *why);
/* Copies all results to the program's arrays. Cannot fail. */
void rt_shadow_write(const rt_shadow *s);
void rt_shadow_end(rt_shadow *s);

#endif
