/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sum of floats in the program's order, computed in parallel.
 *
 * As long as a sum stays between two powers of two, all numbers that it can be are the same
 * distance u apart. To add a number then moves the sum by a multiple of u, which depends on the
 * addend and, where that lies halfway between two multiples, on whether the sum is an even
 * multiple. So the device adds up each tile of the addends twice, from an even and from an odd
 * multiple of u between the powers of two where the sum is expected to be. The CPU then walks over
 * the tiles: it takes the distance by which the device's sum moved, from the start of like parity,
 * if neither this sum nor the program's comes to a power of two on the way. Else it adds up the
 * tile's numbers itself.
 *
 * What is expected: the device adds up each tile from 0, and the CPU adds these sums. A wrong guess
 * costs time, and never a bit. A tile of zeros alone changes no sum: where the sum is in no such
 * span, as at the beginning, the device shows that by its sums from 0 and the number next to it.
 */
#include "runtime/device/ordered.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_TILE = 64,
    MOST_TILES = 1 << 15,
    LEAST_TILES = 64,
    MOST_FETCHED = 64, /* tiles that are fetched together */
    MOST_LATE = 32,    /* tiles that are fetched one by one, before others are guessed */
    ROUNDS = 8         /* of guesses */
};

/* Between two neighbouring powers of two, excluded, that the sum lies between: where the device's
 * sums start there. */
typedef struct span {
    double low, high, even, odd; /* even 0: there is none */
} span;

typedef struct walk {
    const rt_ordered *o;
    int64_t tile, tiles; /* numbers of a tile; how many tiles */
    double *apart;       /* each tile's sum by itself */
    unsigned char *starts, *sums, *fetched;
    int32_t which[MOST_FETCHED]; /* tiles that are fetched */
    int nfetched;
    double sum; /* the program's, so far */
    span span;  /* the sum's; none before the first tile */
    uint32_t kernel;
} walk;

/* Numbers in memory */

static double number_at(const walk *w, const void *array, int64_t i) {
    float f;
    double d;
    if (w->o->size == sizeof d) {
        memcpy(&d, (const char *)array + i * (int64_t)sizeof d, sizeof d);
        return d;
    }
    memcpy(&f, (const char *)array + i * (int64_t)sizeof f, sizeof f);
    return (double)f;
}

static void put_number(const walk *w, void *array, int64_t i, double d) {
    float f = (float)d;
    if (w->o->size == sizeof d)
        memcpy((char *)array + i * (int64_t)sizeof d, &d, sizeof d);
    else
        memcpy((char *)array + i * (int64_t)sizeof f, &f, sizeof f);
}

/* Adds numbers one after the other. */
static void add_numbers(walk *w, const void *array, int64_t count) {
    float f = (float)w->sum, of;
    double d = w->sum, od;
    const char *at = array;
    for (int64_t i = 0; i < count && w->o->size == sizeof f; i++) {
        memcpy(&of, at + i * (int64_t)sizeof of, sizeof of);
        f += of;
    }
    for (int64_t i = 0; i < count && w->o->size == sizeof d; i++) {
        memcpy(&od, at + i * (int64_t)sizeof od, sizeof od);
        d += od;
    }
    w->sum = w->o->size == sizeof f ? (double)f : d;
}

/* Copies and launches */

static bool fetch(const walk *w, uint64_t from, void *to, size_t bytes, rt_error *why) {
    rt_copy copy = rt_copy_bytes(from, to, bytes);
    return w->o->device->driver->download(w->o->device->handle, &copy, why);
}

static int64_t numbers_of(const walk *w, int64_t tile) {
    int64_t left = w->o->count - tile * w->tile;
    return left < w->tile ? left : w->tile;
}

/* Adds up all tiles from their starts, and fetches what comes out. */
static bool add_tiles(const walk *w, const rt_block *memory, rt_error *why) {
    const rt_device *device = w->o->device;
    const stencilrt_kernel *k = &w->o->region->kernels[w->kernel];
    size_t bytes = (size_t)w->tiles * w->o->size;
    uint64_t values[] = {w->o->addends, memory->address, memory->address + bytes,
                         (uint64_t)w->o->count, (uint64_t)w->tile};
    void *args[] = {&values[0], &values[1], &values[2], &values[3], &values[4]};
    const size_t sizes[] = {8, 8, 8, 8, 8};
    rt_launch launch = {.kernel = w->kernel,
                        .grid = {(uint32_t)((w->tiles + k->block[0] - 1) / k->block[0]), 1, 1},
                        .block = {k->block[0], 1, 1},
                        .args = args,
                        .arg_sizes = sizes,
                        .nargs = 5};
    rt_copy starts = rt_copy_bytes(memory->address, w->starts, bytes);
    return device->driver->upload(device->handle, &starts, why) &&
           device->driver->launch(device->handle, w->o->module, &launch, why) &&
           fetch(w, memory->address + bytes, w->sums, STENCILRT_SUMS * bytes, why) &&
           rt_device_pass(w->o->device, why);
}

/* Spans */

/* The number next to it, away from 0. */
static double next_number(const walk *w, double v) {
    return w->o->size == sizeof(double) ? nextafter(v, 2 * v)
                                        : (double)nextafterf((float)v, 2 * (float)v);
}

static bool is_within(const span *s, double v) {
    return v > s->low && v < s->high;
}

/* The span of a number, if that is no power of two. The numbers of a span are normal ones. */
static span span_of(const walk *w, double v) {
    int exponent;
    double least = w->o->size == sizeof(double) ? 0x1p-1022 : 0x1p-126;
    if (!(fabs(v) > least) || isinf(v))
        return (span){.even = 0};
    frexp(v, &exponent);
    double power = ldexp(1, exponent - 1), even = copysign(1.5 * power, v);
    return (span){.low = v < 0 ? -2 * power : power,
                  .high = v < 0 ? -power : 2 * power,
                  .even = even,
                  .odd = next_number(w, even)};
}

/* Guesses */

/* The starts of tiles from this one on. How many have one; the first others will be fetched. */
static int64_t guess_starts(walk *w, int64_t first) {
    double sum = w->sum;
    int64_t guessed = 0;
    span s = span_of(w, sum);
    w->nfetched = 0;
    for (int64_t t = first; t < w->tiles; t++) {
        double next = sum + w->apart[t];
        bool stays = is_within(&s, sum) && is_within(&s, next), known = stays || w->apart[t] == 0;
        put_number(w, w->starts, t, stays ? s.even : 0);
        guessed += known;
        if (!known && w->nfetched < MOST_FETCHED)
            w->which[w->nfetched++] = (int32_t)t;
        if (!stays)
            s = span_of(w, next);
        sum = next;
    }
    return guessed;
}

static unsigned char *fetched_at(const walk *w, int i) {
    return w->fetched + (size_t)i * (size_t)w->tile * w->o->size;
}

static bool fetch_tile(const walk *w, int64_t tile, int i, rt_error *why) {
    uint64_t from = w->o->addends + (uint64_t)(tile * w->tile) * w->o->size;
    return fetch(w, from, fetched_at(w, i), (size_t)numbers_of(w, tile) * w->o->size, why);
}

static bool fetch_tiles(const walk *w, rt_error *why) {
    bool ok = true;
    for (int i = 0; i < w->nfetched && ok; i++)
        ok = fetch_tile(w, w->which[i], i, why);
    return ok;
}

/* The walk */

/* Is the sum an odd multiple of the distance of two numbers of its span? */
static bool is_odd(const walk *w) {
    float f = (float)w->sum;
    uint32_t narrow;
    uint64_t wide;
    memcpy(&narrow, &f, sizeof narrow);
    memcpy(&wide, &w->sum, sizeof wide);
    return (w->o->size == sizeof f ? narrow : wide) & 1;
}

/* The device started at 0. Are all numbers of the tile zeros? Else one of its sums, from 0 and from
 * the number next to it, had become less than 0 or more than that number. */
static bool has_zeros(const walk *w, int64_t t) {
    double next = w->o->size == sizeof(double) ? 0x1p-1074 : 0x1p-149;
    return number_at(w, w->sums, STENCILRT_EVEN * w->tiles + t) == 0 &&
           number_at(w, w->sums, STENCILRT_LEAST * w->tiles + t) == 0 &&
           number_at(w, w->sums, STENCILRT_MOST * w->tiles + t) == next;
}

/* Adds a tile by what the device made of it; false: that does not tell. */
static bool skip_tile(walk *w, int64_t t) {
    double even = number_at(w, w->starts, t);
    if (!is_within(&w->span, w->sum))
        w->span = span_of(w, w->sum);
    const span *s = &w->span;
    if (even == 0)
        return has_zeros(w, t) && !(w->sum == 0 && signbit(w->sum)); /* -0 + 0 is 0 */
    if (even != s->even)
        return false;
    bool odd = is_odd(w);
    double moved = w->sum - (odd ? s->odd : even);
    double least = number_at(w, w->sums, STENCILRT_LEAST * w->tiles + t);
    double most = number_at(w, w->sums, STENCILRT_MOST * w->tiles + t);
    double to = number_at(w, w->sums, (odd ? STENCILRT_ODD : STENCILRT_EVEN) * w->tiles + t);
    if (!(least > s->low && most < s->high && least + moved > s->low && most + moved < s->high &&
          to == to))
        return false;
    w->sum = to + moved;
    return true;
}

/* Adds a tile's numbers. *late: they have not been fetched. */
static bool add_tile(walk *w, int64_t t, bool *late, rt_error *why) {
    int i = 0;
    while (i < w->nfetched && w->which[i] != t)
        i++;
    *late = i == w->nfetched;
    if (*late && (!fetch_tile(w, t, MOST_FETCHED, why) || !rt_device_pass(w->o->device, why)))
        return false;
    add_numbers(w, fetched_at(w, *late ? MOST_FETCHED : i), numbers_of(w, t));
    return true;
}

/* From tile *t on, until too many tiles had to be fetched one by one. */
static bool walk_on(walk *w, int64_t *t, rt_error *why) {
    bool ok = true, late;
    for (int added = 0; ok && *t < w->tiles && added < MOST_LATE; ++*t) {
        if (skip_tile(w, *t))
            continue;
        ok = add_tile(w, *t, &late, why);
        added += late;
    }
    return ok;
}

/* All numbers from a tile on, by the CPU alone. */
static bool add_rest(walk *w, int64_t t, rt_error *why) {
    int64_t i = t * w->tile, room = (int64_t)(w->o->bytes / w->o->size), n;
    bool ok = true;
    for (; ok && i < w->o->count; i += n) {
        n = w->o->count - i < room ? w->o->count - i : room;
        ok = fetch(w, w->o->addends + (uint64_t)i * w->o->size, w->o->room, (size_t)n * w->o->size,
                   why) &&
             rt_device_pass(w->o->device, why);
        if (ok)
            add_numbers(w, w->o->room, n);
    }
    return ok;
}

/* The sum of each tile by itself. */
static bool add_apart(walk *w, const rt_block *memory, rt_error *why) {
    for (int64_t t = 0; t < w->tiles; t++)
        put_number(w, w->starts, t, 0);
    if (!add_tiles(w, memory, why))
        return false;
    for (int64_t t = 0; t < w->tiles; t++)
        w->apart[t] = number_at(w, w->sums, STENCILRT_EVEN * w->tiles + t);
    return true;
}

static bool walk_tiles(walk *w, const rt_block *memory, rt_error *why) {
    int64_t t = 0;
    bool ok = add_apart(w, memory, why);
    for (int round = 0; ok && round < ROUNDS && t < w->tiles; round++) {
        if (guess_starts(w, t) < (w->tiles - t) / 2)
            break;
        ok = fetch_tiles(w, why) && add_tiles(w, memory, why) && walk_on(w, &t, why);
    }
    return ok && add_rest(w, t, why);
}

/* Puts what the walk needs into the room. False: it is too small. */
static bool make_room(walk *w) {
    size_t tiles = (size_t)w->tiles, size = w->o->size;
    w->apart = (double *)(void *)w->o->room;
    w->starts = w->o->room + tiles * sizeof *w->apart;
    w->sums = w->starts + tiles * size;
    w->fetched = w->sums + STENCILRT_SUMS * tiles * size;
    unsigned char *end = fetched_at(w, MOST_FETCHED + 1);
    return (size_t)(end - w->o->room) <= w->o->bytes;
}

static bool find_kernel(walk *w) {
    const stencilrt_region *r = w->o->region;
    w->kernel = r->nsweeps;
    while (w->kernel < r->nkernels && (r->kernels[w->kernel].kind != STENCILRT_ADDING ||
                                       r->kernels[w->kernel].tiles != w->o->size))
        w->kernel++;
    return w->kernel < r->nkernels;
}

bool rt_ordered_sum(const rt_ordered *o, uint64_t *value, rt_error *why) {
    walk w = {.o = o};
    rt_block memory = {.address = 0};
    w.tile = (o->count + MOST_TILES - 1) / MOST_TILES;
    w.tile = w.tile < LEAST_TILE ? LEAST_TILE : w.tile;
    w.tiles = (o->count + w.tile - 1) / w.tile;
    w.sum = number_at(&w, value, 0);
    bool walks = w.tiles >= LEAST_TILES && find_kernel(&w) && make_room(&w);
    bool ok = !walks || rt_device_alloc(o->device, (1 + STENCILRT_SUMS) * (size_t)w.tiles * o->size,
                                        &memory, why);
    ok = ok && (walks ? walk_tiles(&w, &memory, why) : add_rest(&w, 0, why));
    rt_device_free(o->device, &memory);
    *value = 0;
    put_number(&w, value, 0, w.sum);
    return ok;
}
