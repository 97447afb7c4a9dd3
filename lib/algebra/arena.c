/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The memory of polynomials, and the hash tables that find an atom, a product or a sum. A function
 * has one arena. The arena is freed with the function's analyses.
 */
#include "algebra/arena.h"

#include <stdlib.h>
#include <string.h>

/* Memory */

enum { CHUNK_BYTES = 16000 };

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} chunk;

/* A product of atoms. The atoms' numbers follow the struct in memory: see arena_numbers. */
typedef struct product {
    uint64_t hash;
    int degree;
    br_scev atoms[];
} product;

typedef struct seen {
    br_scev atom;
    uint32_t number;
} seen;

/* A hash table of pointers; NULL is a free place. `room` is a power of two, or 0. */
typedef struct table {
    const void **at;
    size_t count, room;
} table;

struct poly_arena {
    chunk *chunks;
    table atoms, products, sums;
};

void *arena_allocate(poly_arena *arena, size_t size) {
    chunk *c = arena->chunks;
    size = (size + 15) & ~(size_t)15;
    if (!c || c->size - c->used < size) {
        size_t bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        c = malloc(sizeof *c + bytes);
        *c = (chunk){.next = arena->chunks, .size = bytes};
        arena->chunks = c;
    }
    c->used += size;
    return c->bytes + c->used - size;
}

static void release(void *kept) {
    poly_arena *arena = kept;
    while (arena->chunks) {
        chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    free(arena->atoms.at);
    free(arena->products.at);
    free(arena->sums.at);
    free(arena);
}

poly_arena *arena_of(br_function *f) {
    poly_arena *arena = br_function_kept(f);
    if (!arena) {
        arena = calloc(1, sizeof *arena);
        br_function_keep(f, arena, release);
    }
    return arena;
}

/* Hash tables */

static uint64_t mix(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

static uint64_t hash_of_address(const void *p) {
    return mix(0, (uint64_t)(uintptr_t)p);
}

static void insert(table *t, const void *entry, uint64_t hash) {
    size_t at = hash & (t->room - 1);
    while (t->at[at])
        at = (at + 1) & (t->room - 1);
    t->at[at] = entry;
    t->count++;
}

/* Makes room for one more entry. `hash` computes an entry's hash. */
static void make_room(table *t, uint64_t (*hash)(const void *entry)) {
    table old = *t;
    if (2 * old.count < old.room)
        return;
    t->room = old.room ? 2 * old.room : 64;
    t->at = calloc(t->room, sizeof *t->at);
    t->count = 0;
    for (size_t i = 0; i < old.room; i++)
        if (old.at[i])
            insert(t, old.at[i], hash(old.at[i]));
    free(old.at);
}

/* Atoms */

static uint64_t hash_of_seen(const void *entry) {
    return hash_of_address(((const seen *)entry)->atom);
}

/* The number of an atom: how many the arena saw before it. */
static uint32_t number_of(poly_arena *arena, br_scev atom) {
    table *t = &arena->atoms;
    make_room(t, hash_of_seen);
    size_t at = hash_of_address(atom) & (t->room - 1);
    for (const seen *s; (s = t->at[at]); at = (at + 1) & (t->room - 1))
        if (s->atom == atom)
            return s->number;
    seen *s = arena_allocate(arena, sizeof *s);
    *s = (seen){atom, (uint32_t)t->count};
    insert(t, s, hash_of_address(atom));
    return s->number;
}

/* Products */

static uint64_t hash_of_product(const void *entry) {
    return ((const product *)entry)->hash;
}

const br_scev *arena_product(poly_arena *arena, const br_scev *atoms, int degree) {
    table *t = &arena->products;
    size_t bytes = (size_t)degree * sizeof *atoms;
    uint64_t hash = (uint64_t)degree;
    make_room(t, hash_of_product);
    for (int i = 0; i < degree; i++)
        hash = mix(hash, (uint64_t)(uintptr_t)atoms[i]);
    size_t at = hash & (t->room - 1);
    for (const product *p; (p = t->at[at]); at = (at + 1) & (t->room - 1))
        if (p->hash == hash && p->degree == degree &&
            (bytes == 0 || !memcmp(p->atoms, atoms, bytes)))
            return p->atoms;
    product *p = arena_allocate(arena, sizeof *p + bytes + (size_t)degree * sizeof(uint32_t));
    *p = (product){.hash = hash, .degree = degree};
    if (degree > 0)
        memcpy(p->atoms, atoms, bytes);
    uint32_t *numbers = (uint32_t *)(p->atoms + degree);
    for (int i = 0; i < degree; i++)
        numbers[i] = number_of(arena, atoms[i]);
    insert(t, p, hash);
    return p->atoms;
}

/* Sums */

static uint64_t hash_of_sum(const void *entry) {
    return ((poly)entry)->hash;
}

static bool has_terms(poly p, const poly_term *terms, int count) {
    if (p->count != count)
        return false;
    for (int i = 0; i < count; i++)
        if (p->terms[i].factor != terms[i].factor || p->terms[i].atoms != terms[i].atoms)
            return false;
    return true;
}

poly arena_sum(poly_arena *arena, const poly_term *terms, int count) {
    table *t = &arena->sums;
    uint64_t hash = 0;
    if (count == 0)
        return NULL;
    make_room(t, hash_of_sum);
    for (int i = 0; i < count; i++)
        hash = mix(mix(hash, (uint64_t)terms[i].factor), (uint64_t)(uintptr_t)terms[i].atoms);
    size_t at = hash & (t->room - 1);
    for (poly p; (p = t->at[at]); at = (at + 1) & (t->room - 1))
        if (p->hash == hash && has_terms(p, terms, count))
            return p;
    struct poly_sum *p = arena_allocate(arena, sizeof *p + (size_t)count * sizeof *terms);
    *p = (struct poly_sum){.arena = arena, .count = count, .known = true, .hash = hash};
    memcpy(p->terms, terms, (size_t)count * sizeof *terms);
    insert(t, p, hash);
    return p;
}
