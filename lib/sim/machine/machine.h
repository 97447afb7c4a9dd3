/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The simulated machine: what compiled kernels and the library share at run time.
 *
 * A worker runs whole blocks, one after the other. A kernel that never synchronises is one
 * compiled loop over the threads of a block; else each thread is a fiber, and the lanes of a wave
 * and the waves of a block meet in wave.c. The first fields of sim_thread and sim_worker are read
 * by compiled code: lower.h names their offsets, and run.c asserts them.
 */
#ifndef STENCILSIM_MACHINE_H
#define STENCILSIM_MACHINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_MAX_THREADS = 1024, SIM_MAX_WAVE = 64, SIM_BARRIERS = 16, SIM_MESSAGE = 1024 };
enum { SIM_MAX_WAVES = SIM_MAX_THREADS / 32 };

/* The allocation last hit by one access site: address - low <= limit says it is hit again. */
typedef struct sim_cache {
    uint64_t low, limit;
} sim_cache;

typedef enum sim_access_kind { SIM_LOAD, SIM_STORE, SIM_ATOMIC, SIM_COPY } sim_access_kind;

/* What is known about one access or meeting point of the kernel when it is compiled. */
typedef struct sim_site {
    sim_access_kind kind;
    uint32_t bytes, element_bytes, alignment;
    char where[96]; /* ", at file:line" or empty */
} sim_site;

/* One static array in the scratchpad. */
typedef struct sim_array {
    char *name;
    uint32_t offset, bytes;
} sim_array;

typedef struct sim_range {
    uint64_t low, bytes;
    const char *label;
} sim_range;

/* Operations for which lanes of a wave meet. */
typedef enum sim_wave_op {
    SIM_SHFL_IDX,
    SIM_SHFL_UP,
    SIM_SHFL_DOWN,
    SIM_SHFL_BFLY,
    SIM_VOTE_ALL,
    SIM_VOTE_ANY,
    SIM_VOTE_UNI,
    SIM_BALLOT,
    SIM_MATCH_ANY,
    SIM_MATCH_ALL,
    SIM_ELECT,
    SIM_SYNC,
    SIM_ACTIVE,
    SIM_REDUX_ADD,
    SIM_REDUX_AND,
    SIM_REDUX_OR,
    SIM_REDUX_XOR,
    SIM_REDUX_MIN,
    SIM_REDUX_MAX,
    SIM_REDUX_UMIN,
    SIM_REDUX_UMAX,
    SIM_BPERMUTE,
    SIM_PERMUTE,
    SIM_DPP,
    SIM_READLANE,
    SIM_READFIRST,
    SIM_SWIZZLE,
    SIM_PERMLANE16,
    SIM_PERMLANEX16,
    SIM_PERMLANE64,
    SIM_SWAP16,
    SIM_SWAP32
} sim_wave_op;

typedef enum sim_barrier_kind {
    SIM_BARRIER_SYNC,
    SIM_BARRIER_POPC,
    SIM_BARRIER_AND,
    SIM_BARRIER_OR,
    SIM_BARRIER_ARRIVE,
    SIM_BARRIER_WAIT
} sim_barrier_kind;

/* An asynchronous copy on its way to the scratchpad. */
typedef struct sim_copy {
    uint64_t to, from;
    uint32_t bytes, source_bytes, group, site;
} sim_copy;

typedef struct sim_worker sim_worker;

typedef struct sim_thread {
    uint32_t id[3];
    uint32_t linear; /* x + y * ntid.x + z * ntid.x * ntid.y */
    sim_worker *worker;
    /* The rest is the library's own. */
    uint32_t lane, wave;
    void *stack_pointer;
    bool fresh;     /* its fiber has not been entered for this block yet */
    bool any_lanes; /* waits for the active lanes, not for those named in mask */
    sim_wave_op op;
    uint32_t site;
    uint32_t moment; /* of its accesses; races.c */
    uint64_t mask, operand[4], result, word_high;
    uint32_t barrier, arrived_phase[SIM_BARRIERS];
    sim_barrier_kind barrier_kind;
    sim_copy *copies;
    uint32_t ncopies, copies_room, copy_group;
} sim_thread;

/* For each wave of the block, the last of its moments that lie before something (races.c). */
typedef struct sim_clock {
    uint32_t before[SIM_MAX_WAVES];
} sim_clock;

typedef struct sim_wave {
    uint64_t exist, ready, meeting, at_barrier, done;
    uint64_t looking; /* looked for a word of another block in vain, perhaps: words.c */
    sim_clock clock, granted; /* granted: also by barriers that its lanes are yet to leave */
    bool news;                /* the two differ */
} sim_wave;

typedef struct sim_barrier {
    uint32_t arrived, expected, phase, popc;
    sim_clock gathered, passed; /* in this phase; in the last one */
} sim_barrier;

/* What is known of a scratchpad byte. */
enum { SIM_BYTE_FREE, SIM_BYTE_WRITTEN, SIM_BYTE_COPYING, SIM_BYTE_GAP };
/* A word of four scratchpad bytes: its last write, with one bit for each byte written, and its
 * reads since all of it was written: a bit for each wave, and their latest moment. */
typedef struct sim_word {
    uint32_t moment; /* 0: never */
    uint16_t thread; /* linear */
    uint8_t wave, mask;
    uint32_t readers, latest_read;
} sim_word;

/* A wave's last read of such a word. */
typedef struct sim_read {
    uint32_t moment;
    uint16_t thread;
    uint8_t mask;
} sim_read;

struct stencilsim_module;
struct sim_kernel;

struct sim_worker {
    uint32_t ntid[3], ctaid[3], nctaid[3];
    uint32_t wave_size;
    char *scratchpad;
    sim_cache *caches;
    char *implicit_args; /* AMDGPU, code object version 5 */
    char *dispatch;      /* AMDGPU, the HSA dispatch packet */
    uint32_t dynamic_bytes, scratchpad_static;
    uint32_t reserved[2];
    /* The rest is the library's own. */
    const struct stencilsim_module *module;
    const struct sim_kernel *kernel;
    const void *const *args;
    const sim_range *ranges; /* all allocations, by address */
    size_t nranges;
    uint32_t nthreads, nwaves;
    sim_thread *current;
    sim_thread *threads;
    sim_wave waves[SIM_MAX_WAVES];
    sim_barrier barriers[SIM_BARRIERS];
    uint32_t scratchpad_bytes; /* of this launch */
    size_t scratchpad_room;
    char *scratchpad_map;           /* what is mapped: margins around the scratchpad */
    uint8_t *states, *first_states; /* a SIM_BYTE_ each; as a block starts */
    uint32_t latest, nwords;        /* latest moment of a thread */
    sim_word *words;
    sim_read *reads; /* of all words by the first wave, then by the next */
    char *stacks;
    size_t stack_threads, stack_bytes; /* bytes of each */
    void *scheduler_stack_pointer;
    void (*fiber_main)(void *thread);    /* where a fiber starts */
    bool ignore_unwritten, ignore_races; /* STENCILOPT_SIM_IGNORE=unwritten+races */
    bool fibers, faulted;
    bool together; /* with other blocks: a thread that looks for a word lets them go on */
    jmp_buf escape;
    char message[SIM_MESSAGE];
};

/* block.c */
void sim_run_block(sim_worker *worker);
/* Of a block that runs together with others: begins it, and runs it until it is done, or all its
 * threads wait for other blocks. True: it is done, or has faulted. */
void sim_begin_block(sim_worker *worker);
bool sim_continue_block(sim_worker *worker);

/* threads.c */
void sim_thread_wait(sim_thread *thread); /* returns when another thread has made it ready */
/* Removes the first lane from the wave's ready ones and runs it; *save: where the caller goes on.
 */
void sim_run_lane(sim_worker *worker, sim_wave *wave, void **save);
/* Runs the next ready lane of the thread's wave, or the scheduler where there is none. */
void sim_hand_over(sim_thread *thread, void **save);
_Noreturn void sim_fault(sim_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Where a deadlock is the fault: the message alone. */
void sim_set_message(sim_worker *worker, const sim_thread *thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool sim_in_stacks(const sim_worker *worker, uint64_t address);
bool sim_threads_allocate(sim_worker *worker);
void sim_threads_release(sim_worker *worker);

/* Of functions that never return: AddressSanitizer would look for the thread's own stack. */
#ifdef __SANITIZE_ADDRESS__
#define SIM_ON_FIBER __attribute__((no_sanitize_address))
#else
#define SIM_ON_FIBER
#endif

/* fiber.c */
void *sim_fiber_create(char *stack, size_t bytes, void (*entry)(void *), void *argument);
void sim_fiber_switch(void **save, void *load);

/* wave.c */
void sim_wave_settle(sim_worker *worker, sim_wave *wave);
void sim_report_deadlock(sim_worker *worker);
/* wave_eval.c: results of an operation for the lanes of `group`, all of which wait with it. */
void sim_wave_eval(sim_worker *worker, sim_wave *wave, uint64_t group);
const char *sim_wave_op_name(sim_wave_op op);

/* memory.c */
/* A snapshot of all allocations and of `extra`, by address, for the time of a launch; free it. */
sim_range *sim_registry_snapshot(const sim_range *extra, size_t nextra, size_t *count);
void sim_check_global(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site,
                      sim_cache *cache);

/* scratchpad.c: checks and marks; the copies of a thread. */
bool sim_in_scratchpad(const sim_worker *worker, uint64_t address);
void sim_scratchpad_access(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site,
                           sim_access_kind kind);
bool sim_scratchpad_allocate(sim_worker *worker); /* as the launch wants it */
void sim_scratchpad_release(sim_worker *worker);
void sim_scratchpad_reset(sim_worker *worker); /* for a new block */
/* scratchpad_fault.c. other: the linear number of the thread that `what` races with, or UINT32_MAX
 * where none does. */
_Noreturn void sim_scratchpad_fault(sim_thread *thread, uint32_t offset, const char *what,
                                    uint32_t other, const sim_site *site);
_Noreturn void sim_scratchpad_fault_outside(sim_thread *thread, uint64_t address, uint64_t bytes,
                                            const sim_site *site, sim_access_kind kind);

/* races.c: the order of accesses to the scratchpad. */
void sim_races_arrive(sim_thread *thread, sim_barrier *barrier);
void sim_races_complete(sim_barrier *barrier); /* its phase ends */
void sim_races_grant(sim_worker *worker, sim_wave *wave, const sim_barrier *barrier);
void sim_races_receive(sim_thread *thread); /* what its wave was granted */
void sim_races_read(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site);
void sim_races_write(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site);
void sim_races_allocate(sim_worker *worker); /* for its scratchpad_bytes: words, reads */
void sim_races_release(sim_worker *worker);
void sim_races_reset(sim_worker *worker); /* for a new block */

/* Called by compiled code. */
sim_thread *stencilsim_rt_thread(void);
void stencilsim_rt_access(sim_thread *thread, uint64_t address, uint32_t site);
void stencilsim_rt_scratchpad(sim_thread *thread, uint64_t address, uint32_t site);
void stencilsim_rt_store_scratchpad(sim_thread *thread, uint64_t address, uint32_t site,
                                    uint64_t value);
void stencilsim_rt_range(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site,
                         uint32_t is_store);
uint64_t stencilsim_rt_wave(sim_thread *thread, uint32_t op, uint32_t site, uint64_t mask,
                            uint64_t a, uint64_t b, uint64_t c, uint64_t d);
uint32_t stencilsim_rt_barrier(sim_thread *thread, uint32_t kind, uint32_t id, uint32_t count,
                               uint32_t predicate, uint32_t site);
void stencilsim_rt_copy(sim_thread *thread, uint64_t to, uint64_t from, uint32_t bytes,
                        uint32_t source_bytes, uint32_t site);
void stencilsim_rt_copy_commit(sim_thread *thread);
void stencilsim_rt_copy_wait(sim_thread *thread, uint32_t groups);
void stencilsim_rt_trap(sim_thread *thread, uint32_t site);
void stencilsim_rt_word_store(sim_thread *thread, uint64_t address, uint64_t low, uint64_t high,
                              uint32_t site);
uint64_t stencilsim_rt_word_load(sim_thread *thread, uint64_t address, uint32_t on, uint64_t low,
                                 uint64_t high, uint32_t site);
uint64_t stencilsim_rt_word_high(sim_thread *thread);
uint32_t stencilsim_rt_is_scratchpad(sim_thread *thread, uint64_t address);
uint32_t stencilsim_rt_is_global(sim_thread *thread, uint64_t address);

#endif
