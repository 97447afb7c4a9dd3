/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values compared loosely: integers are taken not to wrap when they are extended, and max(1, n) is
 * taken for n. Only for assumptions that the runtime checks.
 */
#ifndef STENCILOPT_HOST_LOOSE_H
#define STENCILOPT_HOST_LOOSE_H

#include "algebra/poly.h"

poly host_loose(br_function *f, br_scev s);
/* Loosens each value in a polynomial. */
poly host_loosened(br_function *f, poly p);

#endif
