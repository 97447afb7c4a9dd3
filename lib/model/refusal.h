/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why a stage does not go on: one of the reasons of model/reasons.def, and what its sentence needs.
 */
#ifndef STENCILOPT_REFUSAL_H
#define STENCILOPT_REFUSAL_H

#include "model/stencil.h"

enum { ST_DETAIL = 400 }; /* characters */

typedef struct st_refusal {
    st_reason reason; /* ST_OK: it was not refused */
    char detail[ST_DETAIL];
} st_refusal;

/* Sets the refusal and returns false, for callers that refuse at once. `detail` may be NULL. `out`
 * may be NULL, too: then the question is tentative, and its refusal says nothing. */
bool st_refuse(st_refusal *out, st_reason reason, const char *detail);

#endif
