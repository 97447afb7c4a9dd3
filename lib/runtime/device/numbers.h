/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps low descriptor numbers taken while a driver opens its device, gives memory or loads code,
 * so that what the driver opens has high ones; see numbers.c.
 */
#ifndef STENCILRT_NUMBERS_H
#define STENCILRT_NUMBERS_H

/* Takes none where another thread has done so, whose numbers serve both. */
void rt_numbers_take(void);
/* What this thread took. */
void rt_numbers_release(void);
/* In a forked child, which has what any thread took. */
void rt_numbers_forked(void);

#endif
