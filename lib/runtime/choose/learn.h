/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What STENCILOPT_DEVICE=auto learns from the time that calls took. The cost model guesses. It also
 * assumes that an array on the device is not used elsewhere, which only the program's run can show.
 *
 * Each region has an account. Its calls on the device add what they took, and what it took to copy
 * home the arrays that they left there; what the original loops would have taken is subtracted. A
 * region that loses is given up for a while, unless all its arrays are on the device already. All
 * regions that were given up are tried again at the same time, because they may pay only together.
 *
 * The whole process has an account, too: all calls but the first one of each region and some more,
 * which bring arrays to the device, and all ways home. If it loses, all regions rest.
 *
 * The loss of tries is limited to a share of the program's time so far. Arrays are large where
 * loops take long. So before the first tries tell more, they may also lose what the device would
 * have gained meanwhile, up to a limit.
 */
#ifndef STENCILRT_LEARN_H
#define STENCILRT_LEARN_H

#include "runtime/choose/cost.h"

/* Calls that need not ask, because their original loops will surely run. rt_learn_skip: a number of
 * calls, of at most as many cell updates as this one, as long as no other array comes to stay on a
 * device. rt_learn_skips: is this such a call? */
bool rt_learn_skips(const stencilrt_region *region, const stencilrt_call *call);
void rt_learn_skip(const stencilrt_region *region, const stencilrt_call *call, double host);

/* To be called when a call begins. Ends the time of the original loops that this thread ran last,
 * if any. */
void rt_learn_begins(void);
/* The original loops run now. By the model alone they take `host` seconds. With what is known
 * `expected` is expected, of which the device would have gained `gain`; with arrays that stay there
 * it would have taken `stays` (0: they cannot stay). */
void rt_learn_declined(const stencilrt_region *region, double host, double expected, double gain,
                       double stays);
/* A call declines only because its kernels, or the device, are not ready yet. Until the next call,
 * arrays come home for its original loops. That tells nothing of the program. */
void rt_learn_not_ready(void);
bool rt_learn_waits(void);
/* Returns the prediction `host`, or less, if the original loops are known to take less. */
double rt_learn_host(const stencilrt_region *region, double host);

/* Seconds that the device would have gained so far, beside the gains that were told, if the arrays
 * of declined calls had been there. */
double rt_learn_missed(void);
/* An earlier run gained by arrays that stay: tries are worth what they may lose. */
void rt_learn_expect(void);
/* May the call run as if its arrays stayed on the device? If they do not stay, this costs `risk`
 * seconds. */
bool rt_learn_may_try(const stencilrt_region *region, double risk);
/* Did all regions together lose time? Then original loops run for a while. */
bool rt_learn_rests(void);
/* Seconds that a call of a region takes on the device, if the region was given up; otherwise 0. */
double rt_learn_expected(const stencilrt_region *region);
/* A call took `device` seconds on the device; its original loops would have taken `host`. `judged`:
 * it ran there because that was predicted to be faster, not because arrays were there. */
void rt_learn_ran(const stencilrt_region *region, double device, double host, bool judged);
/* For the report: the same of any call, with what was paid once. */
void rt_learn_count(double device, double host);
/* The program looked at an array that the region left on the device. Bringing it home took so many
 * seconds. NULL: no region left it. */
void rt_learn_charge(const void *region, double seconds);

/* What was chosen so far, and what it took. */
typedef struct rt_learnt {
    double device;     /* seconds on the device, and of bringing arrays home */
    double host;       /* seconds that the original loops would have taken instead */
    uint64_t given_up; /* how often a region was given up */
    uint64_t rests;    /* how often all were, for a while */
} rt_learnt;

rt_learnt rt_learn_all(void);

/* One array more (1) or less (-1) stays on a device. */
void rt_learn_held(int more);

#endif
