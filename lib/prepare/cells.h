/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cells of arrays that LLVM keeps in values from step to step: see cells.c.
 */
#ifndef STENCILOPT_CELLS_H
#define STENCILOPT_CELLS_H

#include "prepare/shadow.h"

/* Does a time loop perhaps keep a cell in a value, which a nest starts from? */
bool prep_has_cells(br_function *f, br_loop l);
/* Has the loop with this head, in the shadow, load and store such cells again. The head; or
 * NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_restore_cells(prep_shadow *s, LLVMBasicBlockRef head);

#endif
