/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the time loop rotates. Reads: the phis at the head of the time loop. Hands on: the period
 * after which buffers have the same roles, and resolvers for values that rotate.
 */
#ifndef STENCILOPT_HOST_ROTATE_H
#define STENCILOPT_HOST_ROTATE_H

#include "detect/host/resolver.h"

/* Pointers that the time loop rotates: ring[i] in one step is ring[(i + 1) mod length] in the
 * next; start[i] is ring[i] in step 0. */
typedef struct host_ring {
    int length;
    LLVMValueRef phi[ST_MAX_BUFFERS], start[ST_MAX_BUFFERS];
} host_ring;

struct host_region;

/* Sets the period, and the rings. */
void host_find_rings(struct host_region *r); /* ring.c */
/* The ring that the value is in, at number *at; or NULL. */
const host_ring *host_ring_of(const struct host_region *r, LLVMValueRef v, int *at);
bool host_rotates(const struct host_region *r, LLVMValueRef v); /* is v a pointer of a ring, or a
                                                                 * number that is the same in every
                                                                 * step? */
/* The value of a pointer of a ring, or of a number that goes with them, in a step of the period. */
host_resolver host_ring_value;
/* The value in a step of the period of a number that the time loop carries round. toggle.c */
bool host_toggle(const struct host_region *r, LLVMValueRef v, int step, int64_t *value);
host_resolver host_toggle_value;
/* After how many steps such numbers repeat; 0 if there are none. */
int host_toggle_period(const struct host_region *r);
/* The divisor of t % 3. Does the time loop have such a number? turn.c */
enum { HOST_TURN = 3 };
bool host_has_turn(const struct host_region *r);
/* Values of t % 3 and t % 2 ? a : b in a step of the period; expressions 3 * (t / 3) and t % 2. */
host_resolver host_turning_value, host_alternating_value;
host_expression host_whole_turns, host_parity;

#endif
