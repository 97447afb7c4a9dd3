/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The memory through which the blocks of a resident kernel exchange words, and the arguments that
 * all launches of such kernels have.
 */
#ifndef STENCILRT_RUN_WORDS_H
#define STENCILRT_RUN_WORDS_H

#include "runtime/choose/schedule.h"

/* Allocates the words: rt_chip_bytes. They are filled so that no word has the number of an
 * exchange. The numbers are from 1 to 2^31 - 1. */
bool rt_words_allocate(rt_device *device, size_t bytes, rt_block *words, rt_error *why);
/* Did all blocks get the words that they waited for? If not, later calls do without. The answer is
 * fetched to `room`, page-locked memory. It is there when the device has come so far. */
bool rt_words_ask(rt_device *device, const rt_block *words, uint32_t *room, rt_error *why);
bool rt_words_came(rt_device *device, const uint32_t *room, rt_error *why);
/* Both, when all launches are done. True if there are no words. */
bool rt_words_are_complete(rt_device *device, const rt_block *words, rt_error *why);

/* What a launch of a resident kernel says of tiles, rounds and words. */
typedef struct rt_chip_arguments {
    const rt_chip *chip;
    int64_t steps, epoch;
    uint64_t patience, words;
} rt_chip_arguments;

uint64_t rt_chip_argument(const rt_chip_arguments *a, const stencilrt_parameter *p);

#endif
