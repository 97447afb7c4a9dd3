/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The values that a stencil's grids and scalars refer to, of loop nests and of kernels.
 */
#ifndef STENCILOPT_COMMON_GRIDS_H
#define STENCILOPT_COMMON_GRIDS_H

#include "algebra/poly.h"
#include "detect/common/limits.h"

typedef struct host_grid {
    poly origin[ST_MAX_BUFFERS]; /* address of cell (0,0,0), a buffer each */
    poly stride[ST_MAX_RANK]; /* bytes, x first. Of a grid that moves on, also along that dimension
                               */
    bool loose;               /* cell (0,0,0) is no more than the first cell read */
} host_grid;

typedef struct host_scalar {
    LLVMValueRef value; /* or NULL: start + step * time step */
    poly start, step;
    bool followed; /* the scalar is computed in the time loop, for each step */
} host_scalar;

#endif
