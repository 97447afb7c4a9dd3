/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sorted array of address ranges in mapped memory, which grows without malloc.
 */
#include "runtime/watch/ranges.h"
#include <string.h>
#include <sys/mman.h>

enum { FIRST_ROOM = 2048 /* 80 KiB */, FENCE = 64 << 10 /* the largest page */ };

size_t rt_ranges_after(const rt_ranges *set, uintptr_t address) {
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->at[middle].hi > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const rt_range *rt_ranges_find(const rt_ranges *set, uintptr_t address) {
    size_t i = rt_ranges_after(set, address);
    return i < set->count && set->at[i].lo <= address ? &set->at[i] : NULL;
}

bool rt_ranges_meet(const rt_ranges *set, uintptr_t lo, uintptr_t hi) {
    size_t i = rt_ranges_after(set, lo);
    return i < set->count && set->at[i].lo < hi;
}

/* Maps memory between two pages without access. So it never merges with a mapping of the program's
 * that may be watched. A look at it would make the thread that looks wait for itself. */
static void *map_apart(size_t bytes) {
    unsigned char *memory =
        mmap(NULL, bytes + 2 * FENCE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (mprotect(memory + FENCE, bytes, PROT_READ | PROT_WRITE) == 0)
        return memory + FENCE;
    munmap(memory, bytes + 2 * FENCE);
    return NULL;
}

static void unmap_apart(void *memory, size_t bytes) {
    munmap((unsigned char *)memory - FENCE, bytes + 2 * FENCE);
}

bool rt_ranges_reserve(rt_ranges *set, size_t more) {
    size_t room = set->room ? set->room : FIRST_ROOM, need = set->count + more;
    if (need <= set->room)
        return true;
    while (room < need)
        room *= 2;
    rt_range *grown = map_apart(room * sizeof *grown);
    if (!grown)
        return false;
    rt_range *at = set->count > 0 ? grown + (room - set->count) / 2 : grown;
    if (set->count > 0)
        memcpy(at, set->at, set->count * sizeof *at);
    if (set->memory)
        unmap_apart(set->memory, set->room * sizeof *set->memory);
    set->memory = grown;
    set->at = at;
    set->room = room;
    return true;
}

/* Moves those in front or those behind, whichever are fewer, if there is room at their end. */
void rt_ranges_insert(rt_ranges *set, rt_range range) {
    size_t i = rt_ranges_after(set, range.lo), behind = set->count - i;
    if (set->count == 0)
        set->at = set->memory + set->room / 2;
    bool front = set->at > set->memory, back = set->at + set->count < set->memory + set->room;
    if (front && (i < behind || !back)) {
        memmove(set->at - 1, set->at, i * sizeof *set->at);
        set->at--;
    } else {
        memmove(&set->at[i + 1], &set->at[i], behind * sizeof *set->at);
    }
    set->at[i] = range;
    set->count++;
}

void rt_ranges_remove(rt_ranges *set, size_t first, size_t count) {
    size_t behind = set->count - first - count;
    if (first < behind) {
        memmove(set->at + count, set->at, first * sizeof *set->at);
        set->at += count;
    } else {
        memmove(&set->at[first], &set->at[first + count], behind * sizeof *set->at);
    }
    set->count -= count;
}

void rt_ranges_split(rt_ranges *set, uintptr_t address) {
    const rt_range *whole = rt_ranges_find(set, address);
    if (!whole || whole->lo == address)
        return;
    rt_range rest = *whole;
    set->at[whole - set->at].hi = address;
    rest.offset += address - rest.lo;
    rest.lo = address;
    rt_ranges_insert(set, rest);
}

void rt_ranges_free(rt_ranges *set) {
    if (set->memory)
        unmap_apart(set->memory, set->room * sizeof *set->memory);
    *set = (rt_ranges){0};
}
