/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps low descriptor numbers taken while a driver opens its device, allocates memory or loads
 * code. Descriptors that the driver opens then have high numbers; see numbers.c.
 */
#ifndef STENCILRT_NUMBERS_H
#define STENCILRT_NUMBERS_H

/* Takes the numbers. If another thread has taken them, that serves both threads. */
void rt_numbers_take(void);
/* The last of several threads releases them. */
void rt_numbers_release(void);
/* For a forked child, which has all numbers that any thread took. */
void rt_numbers_forked(void);

#endif
