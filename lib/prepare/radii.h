/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loop nests that are told how far their neighbourhood reaches: versions for usual radii and
 * widths.
 */
#ifndef STENCILOPT_RADII_H
#define STENCILOPT_RADII_H

#include "prepare/shadow.h"

typedef struct prep_radius {
    LLVMBasicBlockRef head; /* of the outermost loop */
    LLVMValueRef key;       /* the number by which its loops over neighbours are counted */
    const int *values;      /* usual ones */
    int nvalues;
} prep_radius;

/* Finds the outermost loop with number `number` among those whose loops over neighbours make as
 * many iterations as one number says, which is known in front of the loop. False: there are not so
 * many. */
bool prep_find_radius(prep_radius *r, br_function *f, LLVMValueRef function, int number);
/* Makes a shadow in which that loop has a copy for one value of the number, with its loops over
 * neighbours unrolled. False: there is none. */
bool prep_fix_radius(prep_shadow *s, br_function *f, int number, int value);

#endif
