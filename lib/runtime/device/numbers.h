/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps low descriptor numbers taken while a driver is opened, so that what the driver opens has
 * high ones; see numbers.c.
 */
#ifndef STENCILRT_NUMBERS_H
#define STENCILRT_NUMBERS_H

/* One thread at a time takes them; another waits until they are released. */
void rt_numbers_take(void);
void rt_numbers_release(void);
/* In a forked child, which may have inherited them. */
void rt_numbers_drop_in_child(void);

#endif
