/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps low descriptor numbers taken while a driver is opened, so that what the driver opens has
 * high ones; see numbers.c.
 */
#ifndef STENCILRT_NUMBERS_H
#define STENCILRT_NUMBERS_H

/* The caller opens one device at a time. */
void rt_numbers_take(void);
/* Also in a forked child, which may have inherited them. */
void rt_numbers_release(void);

#endif
