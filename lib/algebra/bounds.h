/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bounds of polynomials. The atoms are integers that do not wrap, and ScalarEvolution knows a range
 * of each.
 */
#ifndef STENCILOPT_BOUNDS_H
#define STENCILOPT_BOUNDS_H

#include "algebra/poly.h"

typedef struct poly_bounds {
    __int128 low, high;
} poly_bounds;

/* Sets *out to the bounds of p. Returns false if nothing useful is known: an atom is wider than 64
 * bits, or the bounds are beyond 2^62. */
bool poly_bound(br_function *f, poly p, poly_bounds *out);
/* Sets *from to bounds of `*from + by * n`, for all n from 0 to the unsigned number `count`, while
 * control is in the loop. Returns false as poly_bound does. */
bool poly_bound_steps(br_function *f, br_loop l, br_scev count, poly by, poly_bounds *from);

#endif
