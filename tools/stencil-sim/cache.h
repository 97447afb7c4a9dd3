/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One cache: sets of lines, the least recently used line of a set leaves first.
 */
#ifndef STENCIL_SIM_CACHE_H
#define STENCIL_SIM_CACHE_H

#include "target/caches.h"

typedef struct cache_entry cache_entry;

typedef struct cache {
    uint32_t nlines, nsets, ways;
    cache_entry *entries;             /* a set's lie together; the set's list is in order of use */
    uint32_t *newest, *oldest, *used; /* of each set */
    uint32_t *buckets, bucket_mask;   /* finds an entry by its line */
} cache;

/* The level's bytes must be a multiple of line * ways. False where memory runs out. */
bool cache_init(cache *c, const caches_level *level);
void cache_free(cache *c);

/* Is the line here? If so it is now the one used last. `line`: an address / the bytes of a line. */
bool cache_touch(cache *c, uint64_t line);

/* Brings in a line that is not here. */
void cache_bring(cache *c, uint64_t line);

/* A number that stays with a line as long as it is here, first 0: bits of its parts. NULL: it is not
 * here. */
uint32_t *cache_parts(const cache *c, uint64_t line);

/* Calls `visit` for each line that is here. */
void cache_each(const cache *c, void (*visit)(void *context, uint64_t line), void *context);

#endif
