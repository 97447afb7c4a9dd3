/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef RT_TEST_PARTS_H
#define RT_TEST_PARTS_H

#include "world.h"

/* What a region does on a device. */
bool test_regions(int count); /* every region, `count` layouts each */
bool test_large(int count);   /* more bytes than the chunks hold */
bool test_split(int count);   /* more blocks than a launch may have */
bool test_threads(int count);
bool test_streams(int count);  /* stream kernels: 0 to `count` steps */
bool test_launches(int count); /* prints how many launches some steps take */
bool test_estimates(int count);
bool test_speed(int count);  /* big plain arrays, `count` runs: for the reports; checks nothing */
bool test_report(int count); /* one run, for its line on stderr */

/* When a region must not run, and what must stay as it was. */
bool test_decline(int count);
bool test_other_version(int count);
bool test_never(int count);    /* whatever the device: all decline */
bool test_for_good(int count); /* the same, and need not be asked again */
bool test_fork(int count);
bool test_quiet(int count);  /* errno, floating point, signals, current context */
bool test_faults(int count); /* the stub fails its k-th call, for each k */
bool test_memory(int count); /* STUBGPU_MEMORY=300000: too little for some, enough for others */
bool test_auto(int first);   /* STENCILOPT_DEVICE=auto */
bool test_opening(int exits);
bool test_beside(int exits);
bool test_rests(int count);
bool test_auto_grows(int count);
bool test_both(int count);   /* a region with code for both makers' GPUs */
bool test_images(int count); /* which image is loaded */
bool test_packed(int count); /* compressed images: `count` 0 where zstd is not there */
bool test_code_objects(int count);
bool test_bytes(int count);  /* how much is copied */
bool test_sweeps(int count); /* a region of several sweeps */
bool test_tables(int count); /* rows found through tables */
bool test_sweep_faults(int count); /* the same, each call failing once */
bool test_random(int count);    /* calls fail at random: `count` seeds */
bool test_alarm(int count);     /* a signal every half millisecond */
bool test_fork_busy(int count); /* `count` forks while two threads run regions */
bool test_stray(int count); /* a kernel with a fault: sim must find it */

typedef struct failure {
    bool sticky; /* all later calls fail too */
    int code;
} failure;

/* Twice in a child process, for each k: `run` with the driver's k-th call failing. It says whether
 * arrays were right, or ends the process. */
bool fail_each_call(const char *name, bool (*run)(const void *what), const void *what, failure f);

/* A failed check prints itself. */
#define CHECK(condition)                                                                           \
    ((condition) ? true : (printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), false))

/* Makes a world, runs it, frees it. */
bool run_once(const stencilrt_region *region, const layout *layout, int must_run);

#endif
