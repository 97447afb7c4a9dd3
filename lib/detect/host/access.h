/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From addresses to grids, levels and offsets. Reads: addresses, what sweeps before knew of arrays.
 * Hands on: the stencil's grids and accesses, and where each grid is.
 */
#ifndef STENCILOPT_HOST_ACCESS_H
#define STENCILOPT_HOST_ACCESS_H

#include "detect/common/affine.h"
#include "detect/common/grids.h"

struct host_region;
struct host_steps;

/* A known array: its base pointer, and the distances of its rows and of its planes. 0: the distance
 * is not known. */
typedef struct host_array {
    LLVMValueRef base;
    st_type type;
    poly stride[ST_MAX_RANK];
} host_array;

/* at = origin + sum of k[d] * stride[d], |k[d]| at most `limit`? The contiguous step counts along x
 * even where the grid does not extend along x: w[0], w[1]. */
bool host_offset_from(const struct host_region *r, poly at, poly origin, const poly stride[],
                      st_type type, int limit, int32_t k[ST_MAX_RANK]);
/* Are the cells of a kernel's array several elements apart along x, as those of one component of
 * records are? */
bool host_is_apart(const struct host_region *r, const poly stride[], st_type type);
/* Where to put cell (0,0,0) of a grid first seen at `at`: beside the cell written if the two
 * arrays are indexed alike, so that offsets mean the same in both; else (false) at the access
 * itself. */
bool host_choose_origin(struct host_region *r, const host_affine at[], const poly stride[],
                        st_type type, poly origin[]);
/* Are cells so far away, by offsets, that no iteration of a loop along some dimension comes to
 * them, as those of another array behind the one written, in one of Fortran's common blocks? */
bool host_lies_beyond(const struct host_region *r, const int32_t offset[ST_MAX_RANK]);
bool host_store_grid(struct host_region *r);
/* Another store of the sweep: its grid becomes *access, at offset 0. */
bool host_also_store(struct host_region *r, LLVMValueRef store, st_access *access);
bool host_access(struct host_region *r, LLVMValueRef pointer, const host_affine at[], st_type type,
                 bool conditional, int32_t *access);
/* The element that the iteration before reads at `at`. The first iteration reads its own instead:
 * what comes before that may be no memory. Not of an array that is written. */
bool host_access_before(struct host_region *r, const host_affine at[], st_type type,
                        int32_t *access);
/* Does the address move from one step of the period to another? */
bool host_takes_turns(const struct host_region *r, const host_affine at[]);
/* The grid, and level, that has cell (0,0,0) at `at`. False: there is none yet. */
bool host_find_grid(struct host_region *r, const host_affine at[], st_type type,
                    const poly stride[], st_access *access);
/* A new grid with its cell (0,0,0) at `at`. */
int32_t host_grid_at(struct host_region *r, const host_affine at[], st_type type,
                     const poly stride[], int level);
/* Is the address that of a cell of the written grid, in any of its buffers? */
bool host_in_store_grid(struct host_region *r, const host_affine at[]);
bool host_store_grid_copied(struct host_region *r);
bool host_store_grid_of_two(struct host_region *first, struct host_region *second);
/* Does the statement read the array it writes only where earlier iterations of the outermost loop
 * wrote? */
bool host_keeps_history(struct host_region *r);

/* The known array that has this base pointer; NULL if there is none. */
const host_array *host_known_array(const struct host_steps *s, LLVMValueRef base);
void host_know_array(struct host_steps *s, LLVMValueRef base, st_type type, uint32_t flat,
                     const poly stride[]);
/* Along which dimension does a known array (`first`, or any) have cells so far apart? Or -1. */
int host_known_dimension(const struct host_steps *s, const host_array *first, poly stride);
/* The first sweep that accesses an array at other distances than one that writes it, as one over
 * every other cell and one over all cells do; or NULL. The runtime keeps an array in one layout. */
const struct host_region *host_walks_otherwise(const struct host_steps *s);
/* parity.c. Is the cell, of a grid that the sweep writes, one of another colour than those that it
 * writes, so that no iteration writes it? It is read by the load that is looked at (r->match.load).
 */
bool host_is_other_colour(const struct host_region *r, const st_access *access);
/* Cells that one sweep accesses for all cells of one colour, and another sweep for all others, are
 * surely memory: nothing else needs to tell. False: of a sweep in place over cells of one colour,
 * no sweep of the step tells that of the others. */
bool host_join_colours(struct host_steps *s);
/* before.c. Is the cell, of a grid that the sweep writes, one that only a later iteration writes,
 * or none does? Then it is read as it was before the sweep. */
bool host_is_read_before(const struct host_region *r, const st_access *access);
/* The grid for such reads of this grid's array; -1: there is none yet. */
int32_t host_grid_before(const struct host_region *r, int32_t of);
enum { HOST_MAX_BEFORE = 32 }; /* grids that stencilrt_region.before tells */
/* dimensions.c. Refuses a store that the loops do not walk. */
bool host_refuse_walk(struct host_region *r, LLVMValueRef store);
/* Of one of several sweeps: finds r->dim_of_loop. */
bool host_find_dimensions(struct host_region *r, st_type type);
/* Of a kernel: the dimension of axis number i, x being number `x`. */
int host_dimension_of(const struct host_region *r, int i, int x);
/* upwards.c. Counts the cells of a sweep in the direction in which other sweeps of the step count
 * them. */
void host_count_upwards(struct host_region *r);
/* The letter that names an array in messages. */
char host_array_letter(struct host_steps *s, LLVMValueRef base); /* a name of one letter */

#endif
