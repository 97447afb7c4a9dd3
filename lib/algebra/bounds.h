/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bounds of polynomials in integers that do not wrap, from the ranges that ScalarEvolution knows of
 * their atoms.
 */
#ifndef STENCILOPT_BOUNDS_H
#define STENCILOPT_BOUNDS_H

#include "algebra/poly.h"

typedef struct poly_bounds {
    __int128 low, high;
} poly_bounds;

/* False if nothing useful is known: an atom is no number of 64 bits, or the bounds are beyond
 * 2^62. */
bool poly_bound(br_function *f, poly p, poly_bounds *out);
/* Likewise of `from + by * n` for n of 0 .. count, an unsigned number, where control is in the
 * loop. */
bool poly_bound_steps(br_function *f, br_loop l, br_scev count, poly by, poly_bounds *from);

#endif
