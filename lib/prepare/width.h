/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * GPU kernels that are told how far their neighbourhood reaches: the radius of a stencil, or the
 * width of a mask. Their loops over neighbours have as many iterations as an argument says. For a
 * given value of the argument they can be unrolled (unroll.h).
 */
#ifndef STENCILOPT_WIDTH_H
#define STENCILOPT_WIDTH_H

#include "bridge/bridge.h"
#include "prepare/shadow.h"

enum { WIDTH_MAX_ARGUMENTS = 2, WIDTH_MAX_VALUES = 5 };

typedef struct prep_width {
    unsigned
        arguments[WIDTH_MAX_ARGUMENTS]; /* numbers of integer arguments; all have the same value */
    unsigned count;
    int values[WIDTH_MAX_VALUES]; /* usual values of them */
    int nvalues;
    bool computed; /* the program computes numbers of them first, as `w / 2` where w may be negative
                    */
    bool windows;  /* they are how far windows reach, whose bounds are brought into the grid */
} prep_width;

/* Finds the arguments that the iterations of the loops over neighbours depend on. False: there are
 * none, or the iterations depend on something else, too. */
bool prep_find_width(prep_width *w, br_function *f, LLVMValueRef function);
/* Makes a shadow of the kernel for one value of the arguments, in which the loops over neighbours
 * are unrolled. False: not all of them can be. */
bool prep_fix_width(prep_shadow *s, br_function *f, const prep_width *w, int value);
/* Puts a test in front of the shadow: with other values of the arguments the kernel's own body
 * runs. */
void prep_test_width(prep_shadow *s, const prep_width *w, int value);

/* Between the files of this folder: does the program halve the number, as one does with the width
 * of a mask? */
bool width_is_halved(LLVMValueRef v);

#endif
