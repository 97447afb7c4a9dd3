/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What STENCILOPT_DEVICE=auto learns from what calls took. The cost model guesses, and takes for
 * granted that an array that stays on the device is not wanted elsewhere. Whether that is so, only
 * the program can tell.
 *
 * Each region has an account: what its calls on the device took, with what it took to bring home
 * arrays that it left there, less what the original loops would have taken. One that loses is given
 * up for a while, unless all of its arrays are on the device already. All that were given up are
 * tried again at the same time, for it may be that they pay only together.
 *
 * What may be lost is bounded: by a share of the program's time so far.
 */
#ifndef STENCILRT_LEARN_H
#define STENCILRT_LEARN_H

#include "runtime/choose/cost.h"

/* Its original loops are known to be about to run: for so many calls, of no more cell updates than
 * this one, nobody need ask, as long as no other array comes to stay on a device. True: this is such
 * a call. */
bool rt_learn_skips(const stencilrt_region *region, const stencilrt_call *call);
void rt_learn_skip(const stencilrt_region *region, const stencilrt_call *call, double host);

/* A call begins: ends the time of the original loops that this thread ran last, if any. */
void rt_learn_begins(void);
/* The original loops run now, and are predicted to take so many seconds. */
void rt_learn_declined(const stencilrt_region *region, double host);
/* The prediction for the original loops, if they are known to take less. */
double rt_learn_host(const stencilrt_region *region, double host);

/* May the call be run as if its arrays stayed on the device, though it may cost so many seconds
 * if they do not? */
bool rt_learn_may_try(const stencilrt_region *region, double risk);
/* Seconds that a call of a region that was given up takes on the device; 0: it was not. */
double rt_learn_expected(const stencilrt_region *region);
/* A call took `device` seconds there in place of `host`. `judged`: it ran there because that was
 * predicted to be faster, and not for the sake of arrays that were there. */
void rt_learn_ran(const stencilrt_region *region, double device, double host, bool judged);
/* An array that the region left on the device was looked at, which took so long. NULL: nobody's. */
void rt_learn_charge(const void *region, double seconds);

/* An array comes to stay on a device, or ceases to. */
void rt_learn_held(int more);

#endif
