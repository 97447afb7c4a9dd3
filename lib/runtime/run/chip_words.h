/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The memory through which blocks of resident kernels exchange words.
 */
#ifndef STENCILRT_CHIP_WORDS_H
#define STENCILRT_CHIP_WORDS_H

#include "runtime/device/device.h"

/* Fills the words so that none has the number of an exchange. The numbers are from 1 to 2^31 - 1.
 */
bool rt_chip_words_allocate(rt_device *device, size_t bytes, rt_block *words, rt_error *why);
/* When all launches are done: did all blocks get the words that they waited for? If not, later
 * calls do without such kernels. */
bool rt_chip_words_came(rt_device *device, const rt_block *words, rt_error *why);

#endif
