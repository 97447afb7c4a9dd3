/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that each step stores, and that outputs use: see reread.c.
 */
#ifndef STENCILOPT_REREAD_H
#define STENCILOPT_REREAD_H

#include "prepare/pieces.h"

/* Of a loop whose sweeps have an end: outputs load what the sweeps have stored. */
void prep_reread(const prep_pieces *p);

#endif
