/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What all parts of the runtime share: errors, options, the guard of the caller's environment.
 *
 * The folders, in order. Each uses only those before it, which tools/circles checks.
 *
 * - the folder itself: rt.h; variables.h, the environment; rank.h, ranks of MPI; descriptors.h;
 * heap.h, memory without malloc
 * - slab: a grid cut into slabs of rows, and passes of steps
 * - call: what a region and a call say. Are they well formed (validate), which cells are accessed
 *   (shape, arrays, rows, tables), which sums are wanted (sum)?
 * - watch: page faults of the program on arrays that are elsewhere
 * - device: drivers (driver.h), opened devices with their memory and kernels, copies between rows
 *   of the host and of the device (transfer), reductions over the cells (reduce)
 * - choose: is the device predicted to be faster (cost), was it (learn), which kernels make up the
 *   steps (schedule)?
 * - resident: arrays that stay on the device from one call to the next (held.h)
 * - report: what an entry did, as one line, or as part of the summary at exit
 * - run: stencilrt_run, which uses all of these; launches, parts of a call, several sweeps
 *
 * Convention: a function that can fail returns bool, true for success, and fills an rt_error.
 */
#ifndef STENCILRT_RT_H
#define STENCILRT_RT_H

#include "runtime/rank.h"
#include "runtime/reasons.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rt_error {
    enum rt_reason reason;
    char detail[400]; /* details, such as the driver's message or the array; may be empty */
} rt_error;

/* Fills `error` and returns false, for use as `return rt_fail(...)`. */
bool rt_fail(rt_error *error, enum rt_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum rt_choice { RT_CHOICE_AUTO, RT_CHOICE_CUDA, RT_CHOICE_HIP, RT_CHOICE_SIM, RT_CHOICE_OFF };

/* STENCILOPT_REPORT: nothing, a summary at exit, a line for each entry, or a file at exit: JSON, or
 * a trace. */
enum rt_reporting {
    RT_REPORT_OFF,
    RT_REPORT_SUMMARY,
    RT_REPORT_EACH,
    RT_REPORT_JSON,
    RT_REPORT_TRACE
};

/* STENCILOPT_THREAD_TILES: may a thread of a cell kernel compute a tile of cells? */
enum rt_tiling { RT_TILES_AUTO, RT_TILES_ON, RT_TILES_OFF };

/* The most devices of a driver that are used. */
enum { RT_MOST_DEVICES = 8 };

typedef struct rt_config {
    enum rt_choice device;
    /* STENCILOPT_DEVICES: how many devices may share a grid, at most; and the numbers that their
     * driver gives them. The first one runs what is not shared. */
    unsigned devices, numbers[RT_MOST_DEVICES];
    unsigned shares[RT_MOST_DEVICES]; /* STENCILOPT_SHARES: of these devices; 0: not given */
    rt_rank rank;        /* which device the process takes; not where STENCILOPT_DEVICES is set */
    int64_t sim_devices; /* STENCILOPT_SIM_DEVICES */
    bool device_unknown; /* STENCILOPT_DEVICE has no allowed value */
    enum rt_reporting report;
    const char *report_file; /* an absolute path; for RT_REPORT_JSON and _TRACE only */
    bool resident;           /* STENCILOPT_RESIDENT: may arrays stay on the device between calls? */
    int64_t max_bt; /* STENCILOPT_MAX_BT: the largest degree to use; 1: only the cell kernel */
    int64_t chunk; /* STENCILOPT_CHUNK: planes of a stream kernel's chunk; 0: the runtime chooses */
    int64_t progress; /* STENCILOPT_PROGRESS: seconds between reports; 0: no reports */
    int64_t memory;   /* STENCILOPT_DEVICE_MEMORY: most bytes on a device; INT64_MAX: no limit */
    int64_t part; /* STENCILOPT_PART: launches after which a part ends in any case; 0: no limit */
    enum rt_tiling tiles;
    const struct profile *profile; /* STENCILOPT_PROFILE, or NULL */
    const char *libcuda;           /* overrides of the libraries' paths, or NULL */
    const char *libhip;
    const char *libsim;
} rt_config;

/* Reads the options from the environment, once. Warns on stderr, once, of unknown values and
 * variables. */
bool rt_config_is_read(void);
const rt_config *rt_config_get(void);

/* dlopen by an absolute path, or by a name on the loader's path. A path that begins with the
 * working directory is refused: nobody knows what will be there when the program runs. */
void *rt_library_open(const char *path, int flags, rt_error *why);

/* Writes one whole line to stderr. */
void rt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* As rt_say, and ends the process. For a device that failed with the only copy of an array. */
void rt_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* For thread-local variables that a handler may be the first to read: their memory is the C
 * library's own, and is not allocated at that moment. */
#ifdef __GLIBC__
#define RT_THREAD_LOCAL_AT_START __attribute__((tls_model("initial-exec")))
#else
#define RT_THREAD_LOCAL_AT_START
#endif

/* The caller's state, which a library must restore. */
typedef struct rt_environment {
    int process;
    int error;
    int cancel_state, cancel_type;
    unsigned char float_state[64];
    sigset_t signals; /* the signals that the program blocks */
} rt_environment;

/* Saves the caller's state, blocks the program's signals and cancellation, and sets the default
 * floating-point environment. False if this thread is inside already, because a handler interrupted
 * the runtime; nothing is changed then. */
bool rt_environment_enter(rt_environment *saved);
/* The caller must hold no lock. This may not return: handlers run, and may leave by siglongjmp. */
void rt_environment_leave(const rt_environment *saved);
/* Inside a call: the program's own code has run and left this in errno, which was 0. */
void rt_environment_note_error(int error);
/* Is this thread between rt_environment_enter and rt_environment_leave? */
bool rt_environment_is_entered(void);
/* The number of this process. Inside a call this makes no system call. */
int rt_environment_process(void);
/* Threads of the program that are inside, or in a handler of a fork or of the exit. While a thread
 * is inside, it blocks the signals that the runtime's own threads block. *changes counts how often
 * the number has changed. */
void rt_environment_count(int threads);
int rt_environment_inside(uint64_t *changes);
/* What is called first when the thread enters a call, and last when it leaves one: leave() restores
 * the signals (watch/guard.h). NULL: nothing. */
typedef struct rt_trap {
    void (*enter)(void);
    void (*leave)(const sigset_t *signals);
} rt_trap;
void rt_environment_set_trap(const rt_trap *trap);
/* Inside a call: does the program block the signal? */
bool rt_environment_blocks(int signal);
/* May this thread be cancelled at any instruction of the program? */
bool rt_environment_cancels_at_once(void);
/* Would the original loops round as devices do, and without traps? */
bool rt_environment_is_default(void);
/* Would the original loops flush denormal numbers to zero, as operands or as results? */
bool rt_environment_flushes(void);

/* Blocks all signals. Threads that are started until they are restored, by the runtime or by a
 * driver, then never take the program's signals. */
void rt_signals_block(sigset_t *saved);
void rt_signals_restore(const sigset_t *saved);
/* To be called where the caller may wait for more than some milliseconds. From now on, until
 * rt_environment_leave, a signal that has no handler and ends or stops the process by default does
 * so. The call takes a microsecond, so short calls leave it out. */
void rt_signals_let_end(void);
/* Is a signal pending that has a handler, and that the program does not block itself? */
bool rt_signals_wait(void);
/* Has the program a handler of accesses that its rights to memory do not allow? */
bool rt_signals_handle_faults(void);

/* The bytes of this thread's stack that are left. 0: the thread runs on another stack. The first
 * call of a thread takes malloc's lock. */
size_t rt_stack_left(void);
/* The end of this thread's stack, if it has the address and rt_stack_left has been called;
 * otherwise 0. */
uintptr_t rt_stack_end(uintptr_t address);
/* To be called before rt_stack_left: does a handler run on the stack, as far as one can tell?
 * `blocked`: the signals that the program blocks now. */
bool rt_stack_has_handler(const sigset_t *blocked);

/* The number of processors on which the process may run. */
size_t rt_processors(void);
/* Calls work(context, begin, end) for parts of 0..count. Uses several threads if `bytes`, the
 * memory that all parts touch, is enough to pay for them. */
void rt_parallel(size_t count, size_t bytes, void (*work)(void *, size_t, size_t), void *context);

/* The threads that copy so many bytes best. */
enum { RT_MOST_THREADS = 8 }; /* 8 threads copy faster than a PCIe gen5 x16 link */
size_t rt_parallel_threads(size_t bytes);
/* Starts a thread with a small stack that takes no signals. */
bool rt_thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* From now on rt_parallel starts no threads when this thread calls it, because starting threads
 * uses malloc. */
void rt_parallel_never(void);

double rt_seconds(void);

#endif
