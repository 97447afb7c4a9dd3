/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Between the files that find out how indices are brought back into the grid: kernel/faces.c,
 * kernel/rules.c and kernel/ends.c.
 */
#ifndef STENCILOPT_KERNEL_FACES_H
#define STENCILOPT_KERNEL_FACES_H

#include "detect/kernel/stages.h"

enum { LOW, HIGH };

/* From cells outside to those that are read instead. */
typedef struct kernel_way_back {
    bool used, single; /* only one cell is outside */
    poly edge;         /* the axis's last value inside */
    poly shift;        /* of the address, outside */
} kernel_way_back;

bool kernel_refuse_face(kernel_region *k, const char *detail);
bool kernel_require(kernel_region *k, poly p); /* a need, or refused */
/* The cells beyond `edge`, if that is a number. */
bool kernel_count_beyond(const kernel_region *k, int axis, int side, poly edge, int64_t *count);
/* Is no cell beyond `edge`, or only where a need is not met? `*fixed`: the answer holds without any
 * need. */
bool kernel_ends_at(kernel_region *k, int axis, int side, poly edge, bool *fixed);
/* Finds the rule of a face, and that the access follows it. */
bool kernel_set_rule(kernel_region *k, int axis, int side, poly stride, const kernel_way_back *b,
                     st_access *access);

#endif
