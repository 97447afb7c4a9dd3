/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The passes of a call that is cut into slabs (slab/cut.h), one after the other. The call may run
 * in parts (part.h).
 */
#ifndef STENCILRT_PASS_H
#define STENCILRT_PASS_H

#include "runtime/report/report.h"
#include "runtime/run/part.h"
#include "runtime/slab/cut.h"

typedef struct rt_passes {
    const rt_cut *cut;
    rt_rest *rest;       /* the steps that are left */
    rt_part *part;       /* of the program */
    int64_t made, count; /* steps and passes so far */
    /* Loops that stop by themselves make passes until one of them says so; `took` is then the
     * number of its steps. */
    bool open, stopped;
    int64_t took;
} rt_passes;

/* Makes a pass of so many steps. `goes_on`: another one follows. Otherwise all buffers are left as
 * the program leaves them. */
typedef bool rt_pass(void *context, int64_t steps, bool goes_on, rt_error *why);

/* Makes all passes; or a part of them, and a last one. */
bool rt_passes_make(rt_passes *p, rt_device *device, rt_pass *pass, void *context, rt_error *why);

/* Of passes through the device: rows cross the link through page-locked chunks, which threads fill
 * and empty, with so many bytes a second. What passes leave to each other is page-locked itself
 * (rt_group_lock), which is faster, one way or both ways at once; to lock it takes so many seconds
 * a byte. A slab takes so many seconds beside that and kernels. Measured beside H200s. */
#define RT_PASS_LINK 20e9
#define RT_PASS_LOCKED 47e9
#define RT_PASS_BOTH 32e9
#define RT_PASS_LOCK 5e-11
#define RT_PASS_SLAB 1e-3
/* Seconds that it takes to bring rows of `in` bytes to the device, in one of several passes of
 * which each stores `out` bytes for the next one. `rate`: RT_PASS_LOCKED or RT_PASS_BOTH. */
static inline double rt_pass_in(double in, double out, double rate) {
    double again = in < out ? in : out;
    return again / rate + (in - again) / RT_PASS_LINK;
}
/* Fewer devices are taken where they are not expected to be slower than by this factor. */
#define RT_PASS_WORTH 1.05

/* Shows progress if that is due: in the pass that is made, so many steps' work is done. `all`: the
 * steps of the call; 0: not known. */
void rt_passes_show(rt_passes *p, int64_t done, int64_t all);

/* Tells of a call that passed through the device since `start`, with so many seconds of kernels. */
void rt_passes_tell(const rt_passes *p, double start, double kernels, rt_outcome *outcome);

#endif
