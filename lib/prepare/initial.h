/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * GPU kernels whose neighbours are listed in constant memory: __constant__ int dx[] = {1, -1, ...}.
 * The host may write such tables, so the compiler must read them. Mostly they keep their initial
 * values. With these, neighbours are known.
 */
#ifndef STENCILOPT_INITIAL_H
#define STENCILOPT_INITIAL_H

#include "bridge/bridge.h"
#include "prepare/shadow.h"

/* Makes a shadow of the kernel with the initial values of the tables that addresses depend on, in
 * which loops over neighbours are unrolled. False: there are no such tables, or entries that are
 * not known. */
bool prep_take_initial(prep_shadow *s, br_function *f, LLVMValueRef function);
/* Puts a test in front of the shadow: if the tables of the kernel `function` have other values, its
 * own body runs. */
void prep_test_initial(prep_shadow *s, LLVMValueRef function);

#endif
