/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A record for each region. It is found by the address of the region's description and by the
 * region's name, because a library with a region may be unloaded, and another one take its place. A
 * forked child starts without records: its parent reports what came before. The lock is the number
 * of the process that took it. If another process has it, it was taken before the fork, by a thread
 * that this process does not have.
 */
#include "runtime/report/summary.h"
#include "runtime/choose/learn.h"
#include "runtime/report/json.h"
#include "runtime/report/trace.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUCKETS = 256, REASONS = 4 };

typedef struct told {
    enum rt_reason reason; /* RT_OK: no reason */
    uint64_t times;
    char detail[160]; /* from the last time */
} told;

typedef struct record {
    struct record *next;    /* in its bucket */
    struct record *younger; /* the next one in the order of their first entries */
    char *where;            /* a copy */
    rt_entry run; /* the last entry that ran on a device, with the sums over all of them */
    uint64_t entries, ran;
    told why[REASONS];
} record;

static _Atomic(int) lock; /* of the variables below; 0: free */
static record *buckets[BUCKETS], *oldest, **youngest = &oldest;
static int owner; /* the process that the records belong to */
static int first; /* the process that entered a region first */

/* Adding */

static record *find(const rt_entry *e) {
    uint64_t hash = (uint64_t)(uintptr_t)e->region * 0x9E3779B97F4A7C15u;
    record **bucket = &buckets[hash >> 56], *r = *bucket;
    while (r && (r->run.region != e->region || strcmp(r->where, e->where) != 0))
        r = r->next;
    if (r)
        return r;
    r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->where = strdup(e->where);
    if (!r->where) {
        free(r);
        return NULL;
    }
    r->run.region = e->region;
    r->next = *bucket;
    *bucket = r;
    *youngest = r;
    youngest = &r->younger;
    return r;
}

static void add_reason(record *r, const rt_error *why) {
    told *t = r->why;
    while (t < r->why + REASONS - 1 && t->reason != RT_OK && t->reason != why->reason)
        t++;
    t->reason = why->reason;
    t->times++;
    snprintf(t->detail, sizeof t->detail, "%.159s", why->detail);
}

static void add(record *r, const rt_entry *e) {
    const rt_entry before = r->run;
    r->entries += !e->later;
    if (e->why) {
        add_reason(r, e->why);
        return;
    }
    r->run = *e;
    r->run.several_grids = before.several_grids ||
                           (r->ran > 0 && memcmp(before.extent, e->extent, sizeof e->extent) != 0);
    r->ran += !e->later;
    r->run.steps += before.steps;
    r->run.kernel_seconds += before.kernel_seconds;
    r->run.transfer_seconds += before.transfer_seconds;
    r->run.updates += before.updates;
    r->run.kept = (rt_kept){.saved = before.kept.saved + e->kept.saved};
    r->run.operations += before.operations;
    r->run.bytes += before.bytes;
}

static void take(void) {
    int process = (int)getpid(), before = atomic_load(&lock);
    while (before == process || !atomic_compare_exchange_weak(&lock, &before, process)) {
        sched_yield();
        before = atomic_load(&lock);
    }
    if (owner == process)
        return;
    owner = process;
    rt_trace_forget();
    memset(buckets, 0, sizeof buckets);
    oldest = NULL;
    youngest = &oldest;
}

static void give(void) {
    atomic_store(&lock, 0);
}

void rt_summary_add(const rt_entry *e) {
    take();
    record *r = find(e);
    if (r)
        add(r, e);
    if (r && rt_config_get()->report == RT_REPORT_TRACE)
        rt_trace_add(r->where, e->why ? rt_reason_sentence(e->why->reason) : NULL, e);
    give();
}

/* Telling */

static void say_reasons(const record *r, char *text, size_t room) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < REASONS && r->why[i].times > 0 && used < room; i++) {
        const told *t = &r->why[i];
        used += (size_t)snprintf(text + used, room - used, "%s", i ? "; " : "");
        if (used < room)
            used += rt_format_reason(text + used, room - used, t->reason, t->detail);
        if (r->entries > 1 && used < room)
            used += (size_t)snprintf(text + used, room - used, ", %" PRIu64 " time%s", t->times,
                                     t->times > 1 ? "s" : "");
    }
}

static void say(const record *r) {
    static char run[560], why[640]; /* static and used with the lock held: a stack may be small */
    run[0] = why[0] = 0;
    if (r->ran)
        rt_format_run(run, sizeof run, &r->run);
    if (r->ran < r->entries)
        say_reasons(r, why, sizeof why);
    rt_say("%s: %" PRIu64 " entr%s: %s%s%s%s", r->where, r->entries, r->entries == 1 ? "y" : "ies",
           run, run[0] && why[0] ? "; " : "", why[0] ? "original loops ran: " : "", why);
}

/* JSON */

static void write_original(FILE *f, const record *r) {
    fputs("      \"original_loops\": [", f);
    for (int i = 0; i < REASONS && r->why[i].times > 0; i++) {
        const told *t = &r->why[i];
        fprintf(f, "%s\n        {\"reason\": \"%s\", \"times\": %" PRIu64 ", \"sentence\": ",
                i ? "," : "", rt_reason_name(t->reason), t->times);
        rt_json_string(f, rt_reason_sentence(t->reason));
        fputs(", \"detail\": ", f);
        rt_json_string(f, t->detail);
        fputc('}', f);
    }
    fputs(r->why[0].times > 0 ? "\n      ]" : "]", f);
}

static void write_run(FILE *f, const record *r) {
    const rt_entry *e = &r->run;
    fputs(",\n      \"device\": {\"driver\": ", f);
    rt_json_string(f, e->driver);
    fputs(", \"name\": ", f);
    rt_json_string(f, e->device);
    fprintf(f, ", \"bytes_per_second\": %.6g},\n      \"grid\": [", e->bandwidth);
    for (uint32_t d = 0; d < e->rank; d++)
        fprintf(f, "%s%" PRId64, d ? ", " : "", e->extent[d]);
    fprintf(f,
            "],\n      \"several_grids\": %s,\n      \"steps\": %" PRId64
            ",\n      \"sweeps_per_step\": %u,\n      \"bt\": %u,\n",
            e->several_grids ? "true" : "false", e->steps, e->sweeps ? e->sweeps : 1,
            e->bt ? e->bt : 1);
    if (e->bt > 0) {
        fputs("      \"tile\": ", f);
        rt_json_string(f, e->tile);
        fputs(",\n", f);
    }
    if (e->split.slabs > 0)
        fprintf(f, "      \"slabs\": %" PRId64 ",\n      \"passes\": %" PRId64 ",\n",
                e->split.slabs, e->split.passes);
    if (e->split.lanes > 1)
        fprintf(f, "      \"devices\": %u,\n", e->split.lanes);
    if (e->split.devices > 0)
        fprintf(f, "      \"devices\": %u,\n      \"bytes_exchanged\": %.17g,\n", e->split.devices,
                e->split.sent);
    fprintf(f,
            "      \"kernel_seconds\": %.9g,\n      \"transfer_seconds\": %.9g,\n"
            "      \"cell_updates\": %.17g,\n      \"gcells_per_second\": %.6g,\n"
            "      \"operations\": %.17g,\n      \"bytes_unblocked\": %.17g,\n"
            "      \"bytes_not_copied\": %.17g",
            e->kernel_seconds, e->transfer_seconds, e->updates, rt_rate(e), e->operations, e->bytes,
            e->kept.saved);
}

static void write_record(FILE *f, const record *r) {
    fputs("    {\n      \"where\": ", f);
    rt_json_string(f, r->where);
    fprintf(f, ",\n      \"entries\": %" PRIu64 ",\n      \"on_device\": %" PRIu64 ",\n",
            r->entries, r->ran);
    write_original(f, r);
    if (r->ran)
        write_run(f, r);
    fputs("\n    }", f);
}

/* What auto chose, and what it took. Nothing if no call of it ran on a device. */
static void say_choices(void) {
    rt_learnt all = rt_learn_all();
    if (all.host > 0 && (int)getpid() == first)
        rt_say(
            "auto: on the device about %.3f ms, with the ways of arrays back; the original loops "
            "would have taken about %.3f ms; regions given up: %" PRIu64
            " times, all together: %" PRIu64 " times",
            1e3 * all.device, 1e3 * all.host, all.given_up, all.rests);
}

static void write_choices(FILE *f) {
    rt_learnt all = rt_learn_all();
    if (all.host > 0)
        fprintf(f,
                "  \"auto\": {\"device_seconds\": %.9g, \"original_seconds\": %.9g, "
                "\"given_up\": %" PRIu64 ", \"rests\": %" PRIu64 "},\n",
                all.device, all.host, all.given_up, all.rests);
}

static void write_report(FILE *f) {
    fprintf(f, "{\n  \"format\": \"stencilopt-report-1\",\n  \"process\": %d,\n", (int)getpid());
    if (rt_devices_opening() > 0)
        fprintf(f, "  \"opening_seconds\": %.9g,\n", rt_devices_opening());
    write_choices(f);
    fputs("  \"regions\": [", f);
    for (const record *r = oldest; r; r = r->younger) {
        fputs(r == oldest ? "\n" : ",\n", f);
        write_record(f, r);
    }
    fputs(oldest ? "\n  ]\n}\n" : "]\n}\n", f);
}

static void write_file(const char *path) {
    bool trace = rt_config_get()->report == RT_REPORT_TRACE;
    FILE *f = fopen(path, "we");
    bool good = f != NULL;
    if (f) {
        if (trace)
            rt_trace_write(f);
        else
            write_report(f);
        good = !ferror(f);
        good = fclose(f) == 0 && good;
    }
    if (!good)
        rt_say("STENCILOPT_REPORT=%s:%s: the file cannot be written: %s", trace ? "trace" : "json",
               path, strerror(errno));
}

/* A child that entered regions writes its own file. */
static void tell_json(const char *path) {
    static char own[PATH_MAX + 16];
    if (owner == first)
        write_file(path);
    else if (snprintf(own, sizeof own, "%s.%d", path, owner) < (int)sizeof own)
        write_file(own);
}

/* Signals are blocked: a handler that entered a region would wait for the lock of its own thread.
 * Numbers are written as in C, whatever the program's language is. */
static void tell(void) {
    const rt_config *config = rt_config_get();
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t programs = plain ? uselocale(plain) : (locale_t)0;
    sigset_t signals;
    rt_signals_block(&signals);
    take();
    if (config->report == RT_REPORT_SUMMARY)
        for (const record *r = oldest; r; r = r->younger)
            say(r);
    if (config->report == RT_REPORT_SUMMARY || config->report == RT_REPORT_EACH)
        say_choices();
    else if (oldest || owner == first)
        tell_json(config->report_file);
    give();
    rt_signals_restore(&signals);
    if (plain) {
        uselocale(programs);
        freelocale(plain);
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void begin(void) {
    first = (int)getpid();
    atexit(tell);
}

void rt_summary_begin(void) {
    pthread_once(&once, begin);
}
