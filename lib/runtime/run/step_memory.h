/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The arrays and memory of launches of whole steps.
 */
#ifndef STENCILRT_RUN_STEP_MEMORY_H
#define STENCILRT_RUN_STEP_MEMORY_H

#include "runtime/run/steps.h"

static inline const rt_whole_array *array_at(const rt_steps *s, uint32_t number) {
    return &s->arrays->whole.arrays[number];
}

static inline bool takes_turns(const rt_whole_array *w) {
    return w->of[1] != UINT32_MAX;
}

static inline bool stays(const rt_steps *s, uint32_t number) {
    return rt_uses_held(s->uses, number);
}

/* The layout in which launches see the array. */
static inline const rt_grid *wide(const rt_steps *s, uint32_t number) {
    return &s->arrays->whole.wide[number];
}

/* The block that launches read or write. */
static inline rt_block *block_of(const rt_steps *s, uint32_t number) {
    return stays(s, number) ? &s->copies[number] : &s->blocks[number];
}

/* Moves back from the copies what launches wrote to the arrays that stay on the device, when so
 * many steps are made. */
bool rt_steps_move_back(const rt_steps *s, rt_device *device, int64_t made, rt_error *why);

#endif
