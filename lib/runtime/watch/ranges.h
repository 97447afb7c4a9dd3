/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Address ranges that do not overlap, sorted, in memory of their own. No function here calls
 * malloc. A range is found by binary search.
 */
#ifndef STENCILRT_RANGES_H
#define STENCILRT_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rt_range {
    uintptr_t lo, hi;
    size_t offset; /* offset of `lo`, in the owner's count */
    void *owner;
    bool doubted; /* segments.c */
} rt_range;

/* The ranges are somewhere in the set's memory, with room at both ends: arrays that are allocated
 * one after the other often lie in rising or falling order. */
typedef struct rt_ranges {
    rt_range *at, *memory;
    size_t count, room;
} rt_ranges;

/* The first range that ends behind the address. `count` if there is none. */
size_t rt_ranges_after(const rt_ranges *set, uintptr_t address);
/* The range that has the address, or NULL. */
const rt_range *rt_ranges_find(const rt_ranges *set, uintptr_t address);
bool rt_ranges_meet(const rt_ranges *set, uintptr_t lo, uintptr_t hi);

/* Reserves memory for so many more, behind the last if the set is empty. False if the system has
 * none. */
bool rt_ranges_reserve(rt_ranges *set, size_t more);
/* Call rt_ranges_reserve before. */
void rt_ranges_insert(rt_ranges *set, rt_range range);
void rt_ranges_remove(rt_ranges *set, size_t first, size_t count);
/* If the address is inside a range, divides the range there. Call rt_ranges_reserve before. */
void rt_ranges_split(rt_ranges *set, uintptr_t address);
void rt_ranges_free(rt_ranges *set);

#endif
