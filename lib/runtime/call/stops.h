/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a call's time loop ends: by a condition that the program computes after each step, or after a
 * number of steps that is known when the call begins.
 */
#ifndef STENCILRT_STOPS_H
#define STENCILRT_STOPS_H

#include "runtime/rt.h"
#include "stencilopt/region.h"
#include <errno.h>

/* `check` is that of a call, and may be NULL. */
static inline bool rt_ends_by_condition(const stencilrt_check *check) {
    return check && check->ends;
}

/* Calls the program's `ends`, which may call functions of <math.h> that set errno. */
static inline int rt_ask_ends(const stencilrt_check *check, int64_t step) {
    errno = 0;
    int exit = check->ends(check->context, step, check->values);
    rt_environment_note_error(errno);
    return exit;
}

/* The same of `between`. */
static inline void rt_tell_between(const stencilrt_check *check, int64_t step) {
    errno = 0;
    check->between(check->context, step, check->values);
    rt_environment_note_error(errno);
}

#endif
