/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows found through tables of pointers: see include/stencilopt/region.h.
 */
#ifndef STENCILRT_TABLES_H
#define STENCILRT_TABLES_H

#include "runtime/call/arrays.h"

/* A call after its tables were resolved. If the rows of all tables are evenly spaced, its origins
 * and strides are true addresses, and it has no tables. Otherwise they are addresses of the images,
 * and it has the tables. */
typedef struct rt_tables {
    const stencilrt_tables *given; /* or NULL */
    const stencilrt_call *call;
    stencilrt_call whole, *sweeps;
    void **origins;
    uint32_t norigins;
    int64_t *strides;
    stencilrt_table *entries; /* entries of the images that are used */
    stencilrt_tables images;
} rt_tables;

/* May the program read these bytes? False also where that is not known. Reads nothing. */
typedef bool rt_readable(uintptr_t lo, uintptr_t hi);

/* Call rt_validate first. Call rt_tables_free also after a failure. */
bool rt_tables_resolve(rt_tables *t, const stencilrt_region *region, const stencilrt_call *call,
                       rt_readable *readable, rt_error *why);
void rt_tables_free(rt_tables *t);
/* Uses addresses of the images, even if rows are evenly spaced. */
bool rt_tables_use_images(rt_tables *t, const stencilrt_region *region, const stencilrt_call *call,
                          rt_error *why);

/* Rows that a later step reads, which may not come: are their pointers there; is memory there
 * behind all of these pointers, as far as the next row, at the distance of each table's rows; or,
 * of one row (`id`: its table, plane and number), from `lo` to `hi`? Of other rows always. later.c
 */
bool rt_later_pointers_there(const stencilrt_tables *all);
bool rt_later_rows_there(const stencilrt_tables *all, const int64_t *distance,
                         rt_readable *readable);
bool rt_later_row_there(const stencilrt_tables *all, const int64_t id[3], uintptr_t lo,
                        uintptr_t hi);
/* Reads memory by a system call. False where nothing is mapped that may be read. later.c */
bool rt_try_to_read(void *to, const void *from, size_t bytes);

/* For rows that are not evenly spaced: a view that is part of a row, but was found without its
 * table, becomes a view of the table's image. True if there was one; the arrays must be made again.
 */
bool rt_tables_take_in(rt_tables *t, const rt_arrays *arrays);

/* Is no memory written that the loops read as a pointer or as a number? If rows are not evenly
 * spaced: does no row that is written share memory with another row or array? */
bool rt_tables_check_shape(const rt_tables *t, const rt_shape *shape, rt_error *why);
bool rt_tables_check_arrays(const rt_tables *t, const rt_arrays *arrays, rt_error *why);

#endif
