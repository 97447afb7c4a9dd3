/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a loop's iterations hand on: see handed.c.
 */
#ifndef STENCILOPT_HANDED_H
#define STENCILOPT_HANDED_H

#include "bridge/bridge.h"

/* Does the loop hand on nothing but counters, and maxima, minima and sums that come out the same in
 * any order of the iterations? */
bool prep_hands_on_in_any_order(br_function *f, br_loop l);

#endif
