/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device memory: the list of allocations, and the slow path of checked accesses. Allocations lie
 * far apart in the address space, so that a wrong index does not hit another allocation.
 */
#include "sim/machine/loaded.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct allocation {
    char *map, *memory, *label;
    size_t map_bytes, bytes;
} allocation;

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static allocation *registry; /* by address: each launch asks for all */
static size_t registry_count, registry_room;

enum { LEAST_GUARD = 1 << 20 };

/* How many allocations lie before the address. */
static size_t registry_before(const char *memory) {
    size_t low = 0, high = registry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (registry[middle].memory < memory)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool registry_add(const allocation *a) {
    if (registry_count == registry_room) {
        size_t room = registry_room ? 2 * registry_room : 32;
        allocation *grown = realloc(registry, room * sizeof *grown);
        if (!grown)
            return false;
        registry = grown;
        registry_room = room;
    }
    size_t at = registry_before(a->memory);
    memmove(&registry[at + 1], &registry[at], (registry_count++ - at) * sizeof *registry);
    registry[at] = *a;
    return true;
}

/* Freed memory that the next allocation of its size gets: pages that are there need no faults. */
enum { SPARE = 8, MOST_SPARE = 3 * (4 << 20) /* bytes of one, with its guards */ };
static struct {
    char *map;
    size_t bytes;
} spare[SPARE];
static unsigned next_spare;

static char *take_spare(size_t bytes) {
    char *map = NULL;
    pthread_mutex_lock(&registry_lock);
    for (unsigned i = 0; i < SPARE && !map; ++i)
        if (spare[i].map && spare[i].bytes == bytes) {
            map = spare[i].map;
            spare[i].map = NULL;
        }
    pthread_mutex_unlock(&registry_lock);
    return map;
}

/* The spare memory in whose place this is goes back to the system. */
static void make_spare(char *map, size_t bytes) {
    if (bytes > MOST_SPARE) {
        munmap(map, bytes);
        return;
    }
    unsigned at = next_spare++ % SPARE;
    if (spare[at].map)
        munmap(spare[at].map, spare[at].bytes);
    spare[at].map = map;
    spare[at].bytes = bytes;
}

static void release_spare(void) {
    pthread_mutex_lock(&registry_lock);
    for (unsigned i = 0; i < SPARE; ++i) {
        if (spare[i].map)
            munmap(spare[i].map, spare[i].bytes);
        spare[i].map = NULL;
    }
    pthread_mutex_unlock(&registry_lock);
}

/* Maps memory with guards around it. A short body gets its pages now: a fault for each takes
 * longer. */
static char *map_apart(size_t body, size_t guard) {
    enum { SHORT = 4 << 20 };
    size_t bytes = body + 2 * guard;
    char *map = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    if (mprotect(map + guard, body, PROT_READ | PROT_WRITE) != 0) {
        munmap(map, bytes);
        return NULL;
    }
    if (body <= SHORT)
        madvise(map + guard, body, MADV_POPULATE_WRITE);
    return map;
}

void *stencilsim_alloc(size_t bytes, const char *label) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body = ((bytes ? bytes : 1) + page - 1) / page * page;
    size_t guard = body > LEAST_GUARD ? body : LEAST_GUARD;
    if (body < bytes || guard > SIZE_MAX / 4 || body > SIZE_MAX / 4)
        return NULL;
    allocation a = {.bytes = bytes, .map_bytes = body + 2 * guard};
    a.map = take_spare(a.map_bytes);
    if (!a.map)
        a.map = map_apart(body, guard);
    if (!a.map) {
        release_spare();
        a.map = map_apart(body, guard);
    }
    if (!a.map)
        return NULL;
    a.memory = a.map + guard;
    a.label = strdup(label ? label : "allocation");
    pthread_mutex_lock(&registry_lock);
    bool ok = a.label && registry_add(&a);
    pthread_mutex_unlock(&registry_lock);
    if (ok)
        return a.memory;
    free(a.label);
    munmap(a.map, a.map_bytes);
    return NULL;
}

void stencilsim_free(void *memory) {
    pthread_mutex_lock(&registry_lock);
    size_t at = registry_before(memory);
    if (at < registry_count && registry[at].memory == memory) {
        make_spare(registry[at].map, registry[at].map_bytes);
        free(registry[at].label);
        memmove(&registry[at], &registry[at + 1], (--registry_count - at) * sizeof *registry);
    }
    pthread_mutex_unlock(&registry_lock);
}

static void insert(sim_range *ranges, size_t count, const sim_range *range) {
    size_t at = count;
    for (; at > 0 && ranges[at - 1].low > range->low; at--)
        ranges[at] = ranges[at - 1];
    ranges[at] = *range;
}

sim_range *sim_registry_snapshot(const sim_range *extra, size_t nextra, size_t *count) {
    pthread_mutex_lock(&registry_lock);
    sim_range *ranges = malloc((registry_count + nextra + 1) * sizeof *ranges);
    *count = 0;
    for (size_t i = 0; ranges && i < registry_count; ++i)
        ranges[(*count)++] = (sim_range){(uint64_t)(uintptr_t)registry[i].memory, registry[i].bytes,
                                         registry[i].label};
    pthread_mutex_unlock(&registry_lock);
    for (size_t i = 0; ranges && i < nextra; ++i)
        if (extra[i].bytes)
            insert(ranges, (*count)++, &extra[i]);
    return ranges;
}

/* The last range that starts at or before the address, or NULL. */
static const sim_range *range_before(const sim_worker *worker, uint64_t address) {
    size_t low = 0, high = worker->nranges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (worker->ranges[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &worker->ranges[low - 1] : NULL;
}

static const sim_range *nearest_range(const sim_worker *worker, uint64_t address) {
    const sim_range *before = range_before(worker, address);
    const sim_range *after = before ? before + 1 : worker->ranges;
    if (after >= worker->ranges + worker->nranges)
        return before;
    if (!before)
        return after;
    uint64_t end = before->low + before->bytes;
    return address - (address < end ? address : end) <= after->low - address ? before : after;
}

_Noreturn static void fault_outside(sim_thread *thread, uint64_t address, uint64_t bytes,
                                    const sim_site *site) {
    static const char *const verbs[] = {"load", "store", "atomic access", "asynchronous copy"};
    const char *verb = verbs[site->kind];
    unsigned long long size = bytes;
    if (address < 65536)
        sim_fault(thread, "null pointer: %s of %llu bytes at address 0x%llx%s", verb, size,
                  (unsigned long long)address, site->where);
    const sim_range *range = nearest_range(thread->worker, address);
    if (!range)
        sim_fault(thread, "%s of %llu bytes at address 0x%llx; nothing is allocated%s", verb, size,
                  (unsigned long long)address, site->where);
    int64_t offset = (int64_t)(address - range->low), element = site->element_bytes;
    if (offset % element)
        element = 1;
    const char *unit = element == 1 && site->element_bytes != 1 ? "byte" : "element";
    sim_fault(thread, "%s: %s of %llu bytes at index %lld (%s), %llu %ss long%s", range->label,
              verb, size, (long long)(offset / element), unit,
              (unsigned long long)(range->bytes / (uint64_t)element), unit, site->where);
}

static bool in_own_stack(const sim_worker *worker, uint64_t address) {
    static _Thread_local uint64_t low, bytes;
    if (sim_in_stacks(worker, address))
        return true;
    if (!bytes) {
        pthread_attr_t attributes;
        void *base;
        size_t size;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &base, &size);
            pthread_attr_destroy(&attributes);
            low = (uint64_t)(uintptr_t)base;
            bytes = size;
        }
    }
    return address - low < bytes;
}

static void observe(const sim_thread *thread, const sim_range *range, uint64_t address,
                    uint64_t bytes, uint32_t site_number) {
    const sim_worker *worker = thread->worker;
    const stencilsim_module *module = worker->module;
    sim_access_kind kind = module->sites[site_number].kind;
    stencilsim_access access = {.thread = thread->linear,
                                .place = site_number,
                                .kind = kind == SIM_STORE    ? STENCILSIM_STORE
                                        : kind == SIM_ATOMIC ? STENCILSIM_ATOMIC
                                                             : STENCILSIM_LOAD,
                                .bytes = bytes,
                                .buffer = range->label,
                                .buffer_bytes = range->bytes,
                                .offset = address - range->low};
    memcpy(access.block, worker->ctaid, sizeof access.block);
    module->observer(module->observer_context, &access);
}

/* Does an aligned vector load take some bytes of the range and some behind it? No device can fault
 * on such a load, for all its bytes are in one page. */
static bool is_at_end(const sim_range *range, uint64_t address, uint64_t bytes,
                      const sim_site *site) {
    return range && site->kind == SIM_LOAD && site->bytes > site->element_bytes && bytes <= 16 &&
           address % bytes == 0 && address - range->low < range->bytes;
}

/* While a run is observed, no site's cache is filled. Then every access comes here. */
void sim_check_global(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site_number,
                      sim_cache *cache) {
    const sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[site_number];
    const sim_range *range = range_before(worker, address);
    if (!range || bytes > range->bytes || address - range->low > range->bytes - bytes) {
        if (is_at_end(range, address, bytes, site))
            return;
        /* A private variable, accessed through a generic pointer. */
        if (in_own_stack(worker, address))
            return;
        fault_outside(thread, address, bytes, site);
    }
    if (site->bytes > site->element_bytes && address % site->alignment)
        sim_fault(thread, "%s: misaligned access of %llu bytes at byte %llu, alignment %u%s",
                  range->label, (unsigned long long)bytes,
                  (unsigned long long)(address - range->low), site->alignment, site->where);
    if (worker->module->observer)
        observe(thread, range, address, bytes, site_number);
    else if (cache)
        *cache = (sim_cache){range->low, range->bytes - bytes};
}

uint32_t stencilsim_rt_is_global(sim_thread *thread, uint64_t address) {
    const sim_range *range = range_before(thread->worker, address);
    return range && address - range->low < range->bytes;
}
