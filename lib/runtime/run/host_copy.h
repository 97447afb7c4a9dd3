/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of the host for copies of arrays, and copying boxes between arrays there.
 */
#ifndef STENCILRT_HOST_COPY_H
#define STENCILRT_HOST_COPY_H

#include "runtime/call/shape.h"

/* Zeroed memory, or NULL. */
unsigned char *rt_host_reserve(size_t bytes);
/* Gives the memory its pages, by several threads. Otherwise whoever writes it first waits for them.
 */
void rt_host_populate(unsigned char *memory, size_t bytes);
void rt_host_release(unsigned char *memory, size_t bytes); /* memory may be NULL */

/* Copies the cells of the box in the buffer of this number. Both shapes have the same cells, and
 * may have other strides and origins. */
void rt_host_copy(const rt_shape *from, const rt_shape *to, uint32_t buffer, const rt_box *box);

#endif
