/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A table with an account for each region, and the loss of all regions together.
 *
 * The original loops are timed from the moment when a call declines to the moment when the thread's
 * next call begins. That is longer than the loops take. So it is used only to lower a prediction,
 * of the time and of the gain forgone.
 */
#include "runtime/choose/learn.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

/* While this is not 0, entry code asks for small nests as well. A nest that gains nothing by the
 * device may have to run there, because the arrays that it uses are there. */
__attribute__((visibility("default"))) atomic_int stencilrt_holding;

enum {
    ENTRIES = 1024, /* with more regions, some are forgotten */
    TRIALS = 4,  /* calls after which an account is judged; the uploads of the first do not count */
    WINDOW = 32, /* calls after which an account starts again */
    WARM_UP = 12,
    ALL_TRIALS = 24, /* calls of all regions before its account begins, and in it */
    MOST_SKIPPED = 1023,
};

/* Seconds to ask the runtime. A hundredth of the loops' time may be spent on asking. */
static const double ask = 3e-6, well_spent = 0.01;
/* The loss that is allowed: so many seconds, and a share of the time since the first call. */
static const double stake = 0.02, share = 0.01;
static const double shortest_wait = 0.25;
/* The loss that is allowed beside it, if so much was missed: seconds, and a share of the time. */
static const double most_missed = 0.1, missed_share = 0.03;

typedef struct account {
    const void *region;
    double ratio; /* the original loops' time divided by the prediction, at most 1 */
    double lost;  /* loss of the last `calls` calls; negative: a gain */
    double took;  /* seconds that these calls took on the device */
    unsigned calls;
    bool ran;          /* has a call run on a device? */
    unsigned given_up; /* the epoch in which the region was given up; 0: it was not */
    bool lost_once;    /* was it given up in any epoch? */
    unsigned skip, generation;
    double updates; /* cell updates of the largest call that is skipped */
} account;

static account accounts[ENTRIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double debt, started, epoch_ends, missed;
static unsigned epoch = 1;
static rt_learnt all;
/* All regions together: what they lost since the account began. Until `rests`, original loops run.
 */
static struct {
    double lost, took, rests;
    unsigned warm, calls;
} process;
static atomic_uint generation;

static _Thread_local struct {
    const stencilrt_region *region;
    double since, predicted, expected, gain, stays;
} original RT_THREAD_LOCAL_AT_START;

/* Takes the lock. In a forked child it may be taken for good. */
static bool take(void) {
    return pthread_mutex_trylock(&lock) == 0;
}

static void give(void) {
    pthread_mutex_unlock(&lock);
}

/* The caller has the lock. */
static account *find(const void *region) {
    uint64_t hash = (uint64_t)(uintptr_t)region * 0x9E3779B97F4A7C15u;
    account *a = &accounts[hash >> 54];
    if (a->region != region)
        *a = (account){.region = region, .ratio = 1};
    return a;
}

/* Cell updates of a call; of several sweeps, those of the largest. */
static double count_updates(const stencilrt_call *call) {
    return (double)call->steps * (double)call->extent[0] * (double)call->extent[1] *
           (double)call->extent[2];
}

bool rt_learn_skips(const stencilrt_region *region, const stencilrt_call *call) {
    if (!take())
        return false;
    account *a = find(region);
    bool skips = a->skip > 0 && a->generation == atomic_load(&generation) &&
                 count_updates(call) <= a->updates;
    a->skip = skips ? a->skip - 1 : 0;
    give();
    return skips;
}

void rt_learn_skip(const stencilrt_region *region, const stencilrt_call *call, double host) {
    double calls = host > 0 ? ask / (well_spent * host) : 0;
    if (!take())
        return;
    account *a = find(region);
    a->skip = (unsigned)fmin(calls, MOST_SKIPPED);
    a->generation = atomic_load(&generation);
    a->updates = count_updates(call);
    give();
}

/* What arrays on the device would have gained of a declined call, whose loops took at most `took`.
 */
static double count_missed(double took) {
    double loops = fmin(took, original.predicted);
    return original.stays > 0 ? fmax(0, loops - original.stays - fmax(0, original.gain)) : 0;
}

/* Of the thread that declined last; a thread of the runtime asks. */
static atomic_bool waits;

void rt_learn_not_ready(void) {
    atomic_store_explicit(&waits, true, memory_order_relaxed);
}

bool rt_learn_waits(void) {
    return atomic_load_explicit(&waits, memory_order_relaxed);
}

void rt_learn_begins(void) {
    if (rt_learn_waits())
        atomic_store_explicit(&waits, false, memory_order_relaxed);
    const stencilrt_region *region = original.region;
    original.region = NULL;
    if (!region || original.predicted <= 0)
        return;
    double took = rt_seconds() - original.since;
    if (original.gain > 0 && took < original.expected)
        rt_cost_not_forgone(fmin(original.gain, original.expected - took));
    if (!take())
        return;
    account *a = find(region);
    a->ratio = fmin(a->ratio, took / original.predicted);
    missed += count_missed(took);
    give();
}

void rt_learn_declined(const stencilrt_region *region, double host, double expected, double gain,
                       double stays) {
    original.region = region;
    original.predicted = host;
    original.expected = expected;
    original.gain = gain;
    original.stays = stays;
    original.since = rt_seconds();
}

double rt_learn_host(const stencilrt_region *region, double host) {
    double ratio = 1;
    if (take()) {
        ratio = find(region)->ratio;
        give();
    }
    return host * ratio;
}

/* The caller has the lock. Regions that were given up are tried again all at once. */
static bool is_given_up(const account *a, double now) {
    if (epoch_ends > 0 && now > epoch_ends) {
        epoch++;
        epoch_ends = 0;
    }
    return a->given_up == epoch;
}

bool rt_learn_may_try(const stencilrt_region *region, double risk) {
    double now = rt_seconds();
    if (!take())
        return true;
    started = started > 0 ? started : now;
    account *a = find(region);
    double since = now - started, more = fmin(missed, fmax(most_missed, missed_share * since));
    more = a->lost_once ? 0 : more; /* it has shown what it would gain */
    bool may = !is_given_up(a, now) && debt + risk <= stake + share * since + more;
    give();
    return may;
}

void rt_learn_expect(void) {
    if (!take())
        return;
    missed = most_missed;
    give();
}

double rt_learn_missed(void) {
    double seconds = 0;
    if (take()) {
        seconds = missed;
        give();
    }
    return seconds;
}

double rt_learn_expected(const stencilrt_region *region) {
    double seconds = 0;
    if (!take())
        return 0;
    const account *a = find(region);
    if (is_given_up(a, rt_seconds()) && a->calls > 0)
        seconds = a->took / a->calls;
    give();
    return seconds;
}

/* The caller has the lock. The more was lost, the longer the region is given up. */
static void judge(account *a, double now) {
    if (a->calls > TRIALS && a->lost > 0 && a->given_up != epoch) {
        double wait = fmax(shortest_wait, debt / share);
        a->given_up = epoch;
        a->lost_once = true;
        all.given_up++;
        missed = 0;
        epoch_ends = fmax(epoch_ends, now + wait);
    } else if (a->calls > WINDOW && a->lost <= 0) {
        a->calls = 1;
        a->lost = a->took = 0;
    }
}

/* The caller has the lock. A region that pays by itself may lose with others: it runs on the device
 * because arrays are there, which come home for another. */
static void judge_process(double now) {
    static const double little = 0.005, part = 0.1;
    if (process.calls < ALL_TRIALS)
        return;
    if (process.lost > little + part * process.took) {
        process.rests = now + fmax(shortest_wait, debt / share);
        process.warm = 0;
        all.rests++;
    } else if (process.lost > 0 || process.calls < 4 * ALL_TRIALS) {
        return;
    }
    process.calls = 0;
    process.lost = process.took = 0;
}

bool rt_learn_rests(void) {
    double now = rt_seconds();
    if (!take())
        return false;
    bool rests = now < process.rests;
    give();
    return rests;
}

static void book(account *a, double seconds) {
    a->took += seconds;
    a->lost += seconds;
    process.took += seconds;
    process.lost += seconds;
    all.device += seconds;
    debt = fmax(0, debt + seconds);
}

void rt_learn_ran(const stencilrt_region *region, double device, double host, bool judged) {
    double now = rt_seconds();
    if (!take())
        return;
    account *a = find(region);
    if (a->given_up != 0 && !is_given_up(a, now)) {
        a->given_up = a->calls = 0;
        a->lost = a->took = 0;
    }
    debt = fmax(0, debt + device - host);
    if (judged) {
        a->lost += a->calls > 0 ? device - host : 0;
        a->took += device;
        a->calls++;
        judge(a, now);
    }
    if (a->ran && process.warm == WARM_UP) {
        process.lost += device - host;
        process.took += device;
        process.calls++;
        judge_process(now);
    } else if (a->ran && ++process.warm == WARM_UP) {
        process.lost = process.took = 0;
    }
    a->ran = true;
    give();
}

void rt_learn_count(double device, double host) {
    if (!take())
        return;
    all.device += device;
    all.host += host;
    give();
}

void rt_learn_charge(const void *region, double seconds) {
    if (!region || !take())
        return;
    book(find(region), seconds);
    give();
}

rt_learnt rt_learn_all(void) {
    rt_learnt copy = {0};
    if (take()) {
        copy = all;
        give();
    }
    return copy;
}

void rt_learn_held(int more) {
    atomic_fetch_add(&stencilrt_holding, more);
    if (more > 0)
        atomic_fetch_add(&generation, 1);
}
