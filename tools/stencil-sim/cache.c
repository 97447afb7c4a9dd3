/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A set-associative cache that replaces the least recently used line.
 */
#include "cache.h"

#include <stdlib.h>

enum { NONE = -1 };
static const uint32_t none = (uint32_t)NONE;

struct cache_entry {
    uint64_t line;
    uint32_t newer, older; /* in its set */
    uint32_t chain;        /* in its bucket */
    uint32_t parts;        /* see cache_parts */
};

bool cache_init(cache *c, const caches_level *level) {
    uint32_t nlines = (uint32_t)(level->bytes / level->line), buckets = 1;
    uint32_t ways = level->ways ? level->ways : nlines;
    while (buckets < nlines)
        buckets *= 2;
    *c =
        (cache){.nlines = nlines, .nsets = nlines / ways, .ways = ways, .bucket_mask = buckets - 1};
    c->entries = malloc(nlines * sizeof *c->entries);
    c->newest = malloc(c->nsets * sizeof *c->newest);
    c->oldest = malloc(c->nsets * sizeof *c->oldest);
    c->used = calloc(c->nsets, sizeof *c->used);
    c->buckets = malloc(buckets * sizeof *c->buckets);
    if (!c->entries || !c->newest || !c->oldest || !c->used || !c->buckets)
        return false;
    for (uint32_t s = 0; s < c->nsets; ++s)
        c->newest[s] = c->oldest[s] = none;
    for (uint32_t b = 0; b < buckets; ++b)
        c->buckets[b] = none;
    return true;
}

void cache_free(cache *c) {
    free(c->entries);
    free(c->newest);
    free(c->oldest);
    free(c->used);
    free(c->buckets);
}

static uint32_t *bucket_of(const cache *c, uint64_t line) {
    return &c->buckets[(line * 0x9e3779b97f4a7c15ull >> 32) & c->bucket_mask];
}

static void unlink_entry(cache *c, uint32_t set, uint32_t e) {
    const cache_entry *entry = &c->entries[e];
    *(entry->newer == none ? &c->newest[set] : &c->entries[entry->newer].older) = entry->older;
    *(entry->older == none ? &c->oldest[set] : &c->entries[entry->older].newer) = entry->newer;
}

static void make_newest(cache *c, uint32_t set, uint32_t e) {
    cache_entry *entry = &c->entries[e];
    entry->newer = none;
    entry->older = c->newest[set];
    *(entry->older == none ? &c->oldest[set] : &c->entries[entry->older].newer) = e;
    c->newest[set] = e;
}

static uint32_t find(const cache *c, uint64_t line) {
    uint32_t e = *bucket_of(c, line);
    while (e != none && c->entries[e].line != line)
        e = c->entries[e].chain;
    return e;
}

uint32_t *cache_parts(const cache *c, uint64_t line) {
    uint32_t e = find(c, line);
    return e == none ? NULL : &c->entries[e].parts;
}

bool cache_touch(cache *c, uint64_t line) {
    uint32_t e = find(c, line), set = (uint32_t)(line % c->nsets);
    if (e == none)
        return false;
    unlink_entry(c, set, e);
    make_newest(c, set, e);
    return true;
}

static uint32_t evict_oldest(cache *c, uint32_t set) {
    uint32_t e = c->oldest[set];
    uint32_t *link = bucket_of(c, c->entries[e].line);
    while (*link != e)
        link = &c->entries[*link].chain;
    *link = c->entries[e].chain;
    unlink_entry(c, set, e);
    return e;
}

void cache_bring(cache *c, uint64_t line) {
    uint32_t set = (uint32_t)(line % c->nsets);
    uint32_t e = c->used[set] < c->ways ? set * c->ways + c->used[set]++ : evict_oldest(c, set);
    uint32_t *bucket = bucket_of(c, line);
    c->entries[e].line = line;
    c->entries[e].chain = *bucket;
    c->entries[e].parts = 0;
    *bucket = e;
    make_newest(c, set, e);
}

void cache_each(const cache *c, void (*visit)(void *context, uint64_t line), void *context) {
    for (uint32_t s = 0; s < c->nsets; ++s)
        for (uint32_t e = s * c->ways; e < s * c->ways + c->used[s]; ++e)
            visit(context, c->entries[e].line);
}
