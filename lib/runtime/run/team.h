/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Devices that share a grid, each with a slab of it (slab/cut.h). One thread queues the work of
 * all. After a pass each device sends the rows that its neighbours have in their margins. Devices
 * wait for each other's marks, and the CPU for none of this; it only waits until few passes are
 * queued.
 *
 * A pass in each device's queue 0:  the neighbours' RT_MARK_SENT, and its own
 *                                   launches; RT_MARK_EDGES
 * and in its queue 1:               RT_MARK_EDGES of the neighbours, and its own
 *                                   copies to the neighbours; RT_MARK_SENT
 *
 * RT_MARK_EDGES may also be set in queue 1, by launches of the rows that neighbours wait for
 * (launch.h). Copies write to margins when all launches that read or write them are done.
 */
#ifndef STENCILRT_TEAM_H
#define STENCILRT_TEAM_H

#include "runtime/report/report.h"
#include "runtime/run/group.h"
#include "runtime/run/pass.h"

/* What a member of the team does. Its device is the current one. */
typedef struct rt_team_work {
    /* Finds out what the member uses of the call's arrays (team->members). NULL: none of them stays
     * on the devices. */
    bool (*describe)(void *context, unsigned member, rt_error *why);
    /* Allocates memory for the member's slab, and fills it. */
    bool (*upload)(void *context, unsigned member, rt_error *why);
    /* To be called before the first pass, for the last pass and for the first one: makes a
     * schedule. */
    bool (*plan)(void *context, unsigned member, int64_t steps, bool goes_on, rt_error *why);
    /* Queues launches, and RT_MARK_EDGES. */
    bool (*launch)(void *context, unsigned member, int64_t steps, bool goes_on, rt_error *why);
    /* For steps that ask the program, or that reduce; NULL otherwise. `ask` comes before a pass, of
     * which it may make one of fewer steps. `join` comes after the launches of steps that reduce,
     * for each member in turn, and then `decide`. */
    bool (*ask)(void *context, int64_t *steps, rt_error *why);
    bool (*join)(void *context, unsigned member, rt_error *why);
    bool (*decide)(void *context, rt_error *why);
    /* Queues copies to the neighbours. */
    bool (*send)(void *context, unsigned member, rt_error *why);
    bool (*wait)(void *context, unsigned member, rt_error *why); /* until launches are done */
    /* The launches are done, or have failed: returns results to arrays that stay. NULL if none
     * stays. */
    bool (*settle)(void *context, unsigned member, bool results, rt_error *why);
    /* Copies other results to memory of the host; and from there to the program's arrays. */
    bool (*stage)(void *context, unsigned member, rt_error *why);
    void (*write_back)(void *context, unsigned member);
    void (*end)(void *context, unsigned member); /* also after a failure */
} rt_team_work;

typedef struct rt_team {
    rt_group group;
    rt_cut cut;
    rt_passes passes;
    bool marked[RT_MARKS]; /* the marks that devices have set */
    bool goes_on;          /* another pass follows the one in hand */
    int64_t first, end;    /* the steps of the pass that are launched */
    bool reduces, decides; /* do steps reduce? does each of them decide about the next one? */
    bool began;            /* all is where the first pass needs it */
    double sent;           /* bytes that devices exchanged */
    rt_uses *uses;         /* of the whole call; set by rt_team_run */
    rt_members members;    /* and of the members */
    rt_block *blocks;      /* of the whole's uses: they have none */
    const rt_team_work *work;
    void *context;
} rt_team;

/* Seconds and bytes a second, for rt_cut_cost. Measured on 8 GPUs with NVLink, which send to both
 * sides at once. */
static const double rt_team_bandwidth = 250e9;
static const double rt_team_pass = 10e-6; /* launches that wait for what other devices send */
static const double rt_team_queue = 30e-6, rt_team_launch = 4e-6; /* of the CPU */

/* Opens the devices that may share a grid with this one. False if there are none. */
bool rt_team_open(rt_team *team, rt_device *device, rt_error *why);
/* Runs a call of the part's region. Set before: cut, work, context, passes.cut and .part. `uses`:
 * those of the whole call, whose arrays may stay on the devices; none, if no array may stay. */
bool rt_team_run(rt_team *team, const stencilrt_call *call, rt_uses *uses, rt_outcome *outcome,
                 rt_error *why);
/* The member whose rows come before those of this one, or after them; -1: there is none. */
int rt_team_before(const rt_team *team, unsigned member);
int rt_team_after(const rt_team *team, unsigned member);
/* Copies to a member next to this one. */
bool rt_team_send(rt_team *team, unsigned from, uint64_t source, unsigned to, uint64_t target,
                  size_t bytes, rt_error *why);

#endif
