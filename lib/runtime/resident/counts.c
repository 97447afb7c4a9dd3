/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Counts what held arrays saved. Any thread may count.
 */
#include "runtime/resident/counts.h"
#include "runtime/rt.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic(uint64_t) counts[RT_COUNTED];

void rt_count(enum rt_counted what, uint64_t number) {
    atomic_fetch_add(&counts[what], number);
}

static double megabytes(enum rt_counted what) {
    return 1e-6 * (double)atomic_load(&counts[what]);
}

void rt_counts_report(void) {
    uint64_t entries = atomic_load(&counts[RT_COUNT_ENTRIES]);
    uint64_t parts = atomic_load(&counts[RT_COUNT_PARTS]);
    char few[60] = "", moved[80] = "";
    if (parts > 0)
        snprintf(few, sizeof few, ", %" PRIu64 " at a few pages", parts);
    if (megabytes(RT_COUNT_BACK) + megabytes(RT_COUNT_THERE) > 0)
        snprintf(moved, sizeof moved, "; of parts %.3f MB copied back, %.3f MB there",
                 megabytes(RT_COUNT_BACK), megabytes(RT_COUNT_THERE));
    if (entries > 0)
        rt_say("arrays kept on the device: %" PRIu64 " times, %.1f MB not copied; %" PRIu64
               " looks%s, %.1f MB brought back%s",
               entries, megabytes(RT_COUNT_SAVED), atomic_load(&counts[RT_COUNT_LOOKS]), few,
               megabytes(RT_COUNT_FETCHED), moved);
}
