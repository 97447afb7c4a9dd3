/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows found through tables of pointers: see include/stencilopt/region.h.
 */
#ifndef STENCILRT_TABLES_H
#define STENCILRT_TABLES_H

#include "runtime/call/arrays.h"

/* A call whose origins and strides are true addresses, and which has no tables, if the rows of all
 * of them are evenly spaced; else those of the images, and the tables. */
typedef struct rt_tables {
    const stencilrt_tables *given; /* or NULL */
    const stencilrt_call *call;
    stencilrt_call whole, *sweeps;
    void **origins;
    uint32_t norigins;
    int64_t *strides;
    stencilrt_table *entries; /* of the images that are used */
    stencilrt_tables images;
} rt_tables;

/* Needs rt_validate. rt_tables_free also after a failure. */
bool rt_tables_resolve(rt_tables *t, const stencilrt_region *region, const stencilrt_call *call,
                       rt_error *why);
void rt_tables_free(rt_tables *t);
/* Uses the addresses of the images, however the rows lie. */
bool rt_tables_use_images(rt_tables *t, const stencilrt_region *region, const stencilrt_call *call,
                          rt_error *why);

/* Where rows are not evenly spaced: views that are parts of a row, found without its table, become
 * views of its image. True: some did, and the arrays are to be made anew. */
bool rt_tables_take_in(rt_tables *t, const rt_arrays *arrays);

/* Is nothing written that the loops read as a pointer or a number; and, where rows are not evenly
 * spaced, does none that is written share memory with another row or array? */
bool rt_tables_check_shape(const rt_tables *t, const rt_shape *shape, rt_error *why);
bool rt_tables_check_arrays(const rt_tables *t, const rt_arrays *arrays, rt_error *why);

#endif
