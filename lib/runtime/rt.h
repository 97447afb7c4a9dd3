/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What all parts of the runtime share: errors, options, the guard of the caller's environment.
 *
 * The folders, each needing only those before it (tools/circles checks that):
 *
 * - the folder itself: rt.h; variables.h, the environment; descriptors.h; heap.h, memory without malloc
 * - call: what a region and a call say. Is it well formed (validate), which cells does it access
 *   (shape, arrays, rows, tables), which sums does it ask for?
 * - watch: page faults of the program on arrays that are elsewhere
 * - device: drivers (driver.h), opened devices with their memory and kernels, copies between rows
 * of the host and of the device (transfer), reductions over the cells (reduce)
 * - choose: is the device predicted to win (cost), did it (learn), which kernels make up the steps
 *   (schedule)?
 * - resident: arrays that stay on the device from one call to the next (held.h)
 * - report: what an entry did, as one line, or as part of the summary at exit
 * - run: stencilrt_run, the pipeline of all these; launches, parts of a call, several sweeps
 *
 * Convention: a function that can fail returns bool, true for success, and fills an rt_error.
 */
#ifndef STENCILRT_RT_H
#define STENCILRT_RT_H

#include "runtime/reasons.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rt_error {
    enum rt_reason reason;
    char detail[400]; /* what the driver said, which array, ...; may be empty */
} rt_error;

/* Fills `error` and returns false, so that `return rt_fail(...)` reads well. */
bool rt_fail(rt_error *error, enum rt_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum rt_choice { RT_CHOICE_AUTO, RT_CHOICE_CUDA, RT_CHOICE_HIP, RT_CHOICE_SIM, RT_CHOICE_OFF };

/* STENCILOPT_REPORT: nothing, a summary at exit, a line an entry, a JSON file at exit. */
enum rt_reporting { RT_REPORT_OFF, RT_REPORT_SUMMARY, RT_REPORT_EACH, RT_REPORT_JSON };

/* STENCILOPT_THREAD_TILES: where threads of cell kernels may have tiles, do they? */
enum rt_tiling { RT_TILES_AUTO, RT_TILES_ON, RT_TILES_OFF };

typedef struct rt_config {
    enum rt_choice device;
    bool device_unknown; /* STENCILOPT_DEVICE was none of the allowed values */
    enum rt_reporting report;
    const char *report_file; /* absolute; of RT_REPORT_JSON alone */
    bool resident;           /* STENCILOPT_RESIDENT: may arrays stay on the device between calls? */
    int64_t max_bt;   /* STENCILOPT_MAX_BT: the largest degree to use; 1: the cell kernel alone */
    int64_t chunk;    /* STENCILOPT_CHUNK: planes of a stream kernel's chunk; 0: chosen */
    int64_t progress; /* STENCILOPT_PROGRESS: seconds; 0: never */
    int64_t part;     /* STENCILOPT_PART: launches after which a part ends, unasked; 0: never */
    enum rt_tiling tiles;
    const char *libcuda; /* overrides of the libraries' paths, or NULL */
    const char *libhip;
    const char *libsim;
} rt_config;

/* The options from the environment, read once. Complains once on stderr of unknown values and of
 * unknown variables. */
bool rt_config_is_read(void);
const rt_config *rt_config_get(void);

/* dlopen, by an absolute path or by a name on the loader's path. A path that starts in the working
 * directory is refused: what is there is not known when the program is started. */
void *rt_library_open(const char *path, int flags, rt_error *why);

/* Writes one whole line to stderr. */
void rt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, and ends the process: for a device that failed with the only copy of an array. */
void rt_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Of thread-local variables that a handler may be the first to look at: with the C library's own
 * memory for them, not allocated then. */
#ifdef __GLIBC__
#define RT_THREAD_LOCAL_AT_START __attribute__((tls_model("initial-exec")))
#else
#define RT_THREAD_LOCAL_AT_START
#endif

/* What a library must leave as it found it. */
typedef struct rt_environment {
    int process;
    int error;
    int cancel_state, cancel_type;
    unsigned char float_state[64];
    sigset_t signals; /* that the program blocks */
} rt_environment;

/* Saves the caller's state, blocks the program's signals and cancellation, and sets the default
 * floating-point environment. False, and nothing is changed: this thread is inside already, so a
 * handler interrupted the runtime. */
bool rt_environment_enter(rt_environment *saved);
/* Needs that no lock is held. May not return: handlers run, and may leave by siglongjmp. */
void rt_environment_leave(const rt_environment *saved);
/* Is this thread between the two? */
bool rt_environment_is_entered(void);
/* This process, without a system call inside a call. */
int rt_environment_process(void);
/* May this thread be cancelled at any instruction of the program? */
bool rt_environment_cancels_at_once(void);
/* Would the original loops compute with the rounding that devices have, and without traps? */
bool rt_environment_is_default(void);
/* Would they flush denormal numbers to zero, as operands or results? */
bool rt_environment_flushes(void);

/* Threads started in between (ours, a driver's) never take the program's signals. */
void rt_signals_block(sigset_t *saved);
void rt_signals_restore(const sigset_t *saved);
/* Where the caller may wait for more than some milliseconds: signals that end or stop the process
 * by default, and have no handler, do so from now on, until rt_environment_leave. To ask for them
 * costs a microsecond, so short calls do not. */
void rt_signals_let_end(void);
/* Does a signal wait for which the program has a handler, and which it does not block itself? */
bool rt_signals_wait(void);

/* Bytes of this thread's stack that are left; 0: it runs on another one. The first call of a thread
 * takes malloc's lock. */
size_t rt_stack_left(void);
/* Before rt_stack_left: does a handler run on the stack, so far as can be told? `blocked`: signals
 * that the program blocks now. */
bool rt_stack_has_handler(const sigset_t *blocked);

/* On which the process may run. */
size_t rt_processors(void);
/* Calls work(context, begin, end) over parts of 0..count, in several threads where `bytes`, the
 * memory touched in all, is worth it. */
void rt_parallel(size_t count, size_t bytes, void (*work)(void *, size_t, size_t), void *context);

/* From now on, in this thread, it starts none: that takes malloc. */
void rt_parallel_never(void);

double rt_seconds(void);

#endif
