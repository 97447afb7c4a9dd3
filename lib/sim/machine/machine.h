/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The simulated machine: what compiled kernels and the library share at run time.
 *
 * A worker runs whole blocks, one after the other. A kernel that never synchronises is one compiled
 * loop over the threads of a block. In other kernels each thread is a fiber; wave.c has the places
 * where lanes of a wave, or waves of a block, meet. Compiled code reads the first fields of
 * sim_thread and sim_worker. lower.h names their offsets, and run.c asserts them.
 */
#ifndef STENCILSIM_MACHINE_H
#define STENCILSIM_MACHINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_MAX_THREADS = 1024, SIM_BARRIERS = 16, SIM_MESSAGE = 1024 };
enum { SIM_MAX_WAVES = SIM_MAX_THREADS / 32 };

/* What lanes get where a manual leaves a value undefined: a NaN as a float, and far outside any
 * grid as an index. */
#define SIM_LOUD 0x7fbadbad7fbadbadull

/* The allocation that an access site hit last. An address with `address - low <= limit` hits it
 * again. */
typedef struct sim_cache {
    uint64_t low, limit;
} sim_cache;

typedef enum sim_access_kind { SIM_LOAD, SIM_STORE, SIM_ATOMIC, SIM_COPY } sim_access_kind;

/* What the compiler knows of one access of the kernel, or of one place where threads meet. */
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

/* The operations of a wave for which its lanes meet. */
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

/* One shuffle of all lanes of a warp, or two one after the other. All operands but the values are
 * constants. */
typedef struct sim_shuffle {
    struct sim_exchange {
        sim_wave_op op;
        uint32_t b, c;
    } first, second;
    bool two;
    uint8_t from[2][32]; /* the lane from which each lane gets its value */
} sim_shuffle;

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
    /* The library alone uses the fields from here on. */
    uint32_t lane, wave;
    bool any_lanes; /* it waits for the active lanes, not for those named in `mask` */
    sim_wave_op op;
    uint32_t site;
    uint32_t moment; /* of the thread's accesses from now on; races.c */
    uint64_t mask, operand[4], result, word_high;
    uint32_t barrier, arrived_phase[SIM_BARRIERS];
    sim_barrier_kind barrier_kind;
    sim_copy *copies;
    uint32_t ncopies, copies_room, copy_group;
} sim_thread;

/* For each wave of the block, the last of its moments that lies before something else; races.c. */
typedef struct sim_clock {
    uint32_t before[SIM_MAX_WAVES];
} sim_clock;

typedef struct sim_wave {
    sim_thread *threads;
    /* Where each lane goes on. NULL: its fiber was not entered yet for this block. */
    void *stack_pointers[64];
    uint64_t exist, ready, meeting, at_barrier, done;
    uint64_t looking; /* lanes that may have looked in vain for a word of another block: words.c */
    /* In shuffle.c: which shuffle all lanes of `meeting` wait at, what lanes gave and what they
     * get. */
    uint32_t shuffle;
    uint64_t at_large; /* lanes that came by a shuffle, and wait as at any other operation */
    uint64_t given[32], got[32]; /* the second shuffle's values in the high halves */
    /* `granted` also has what barriers grant to lanes that have not left the barrier yet. */
    sim_clock clock, granted;
    bool news;           /* `granted` has something that `clock` does not have */
    bool moments_differ; /* those of its lanes may */
} sim_wave;

typedef struct sim_barrier {
    uint32_t arrived, expected, phase, popc;
    /* `gathered` is of this phase, `passed` of the last one. */
    sim_clock gathered, passed;
} sim_barrier;

/* The state of a byte of scratchpad. */
enum { SIM_BYTE_FREE, SIM_BYTE_WRITTEN, SIM_BYTE_COPYING, SIM_BYTE_GAP };
/* A word of four bytes of scratchpad. Its last write, with a bit for each byte written. Its reads
 * since all four bytes were written: a bit for each wave, and the latest moment of these reads. */
typedef struct sim_word {
    uint32_t moment; /* 0: never */
    uint16_t thread; /* linear number */
    uint8_t wave, mask;
    uint32_t readers, latest_read;
} sim_word;

/* The last read of a word by one wave. */
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
    /* The library alone uses the fields from here on. */
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
    uint32_t scratchpad_bytes; /* the size for this launch */
    size_t scratchpad_room;
    char *scratchpad_map; /* the mapping: the scratchpad, with margins around it */
    /* A SIM_BYTE_ value for each byte: now, and as a block starts. */
    uint8_t *states, *first_states;
    uint32_t latest, nwords; /* `latest`: the latest moment of any thread */
    sim_word *words;
    sim_read *reads; /* the first wave's reads of all words, then the second wave's, and so on */
    char *stacks;
    size_t stack_threads, stack_bytes; /* `stack_bytes` is the size of one stack */
    void *scheduler_stack_pointer;
    void (*fiber_main)(void *thread);    /* where a fiber starts */
    bool ignore_unwritten, ignore_races; /* STENCILOPT_SIM_IGNORE=unwritten+races */
    bool fibers, faulted;
    /* It runs together with other blocks: a thread that looks for a word lets them run. */
    bool together;
    jmp_buf escape;
    char message[SIM_MESSAGE];
};

/* block.c */
void sim_run_block(sim_worker *worker);
/* For a block that runs together with others. sim_begin_block begins it. sim_continue_block runs it
 * until it is done, or until all its threads wait for other blocks. True: the block is done, or has
 * faulted. */
void sim_begin_block(sim_worker *worker);
bool sim_continue_block(sim_worker *worker);

/* threads.c */
void sim_thread_wait(sim_thread *thread); /* returns when another thread has made it ready */
/* The place where a thread goes on that was not entered yet. */
void *sim_thread_enter(sim_thread *thread);
_Noreturn void sim_fault(sim_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets the message alone, where a deadlock is the fault. */
void sim_set_message(sim_worker *worker, const sim_thread *thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool sim_in_stacks(const sim_worker *worker, uint64_t address);
bool sim_threads_allocate(sim_worker *worker);
void sim_threads_release(sim_worker *worker);

/* Marks functions that never return. AddressSanitizer would look for the thread's own stack in
 * them. */
#ifdef __SANITIZE_ADDRESS__
#define SIM_ON_FIBER __attribute__((no_sanitize_address))
#else
#define SIM_ON_FIBER
#endif

/* fiber.c */
void *sim_fiber_create(char *stack, size_t bytes, void (*entry)(void *), void *argument);
void sim_fiber_switch(void **save, void *load);

/* Removes the first lane from the wave's ready lanes and runs it. *save gets the place where the
 * caller goes on. */
static inline void sim_run_lane(sim_worker *worker, sim_wave *wave, void **save) {
    unsigned lane = (unsigned)__builtin_ctzll(wave->ready);
    wave->ready &= wave->ready - 1;
    void *to = wave->stack_pointers[lane];
    worker->current = &wave->threads[lane];
    sim_fiber_switch(save, to ? to : sim_thread_enter(worker->current));
}

/* Runs the next ready lane of the thread's wave; the scheduler if there is none. */
static inline void sim_hand_over(sim_thread *thread, void **save) {
    sim_worker *worker = thread->worker;
    sim_wave *wave = &worker->waves[thread->wave];
    if (wave->ready)
        sim_run_lane(worker, wave, save);
    else
        sim_fiber_switch(save, worker->scheduler_stack_pointer);
}

/* The lane from which the lane gets its value in a shuffle with the operands b and c: PTX ISA,
 * shfl.sync. `*inside` gets the operation's predicate. */
uint32_t sim_shuffle_source(sim_wave_op op, uint32_t b, uint32_t c, uint32_t lane, bool *inside);

/* wave.c */
/* Orders what these lanes did before what any of them does from now on. */
void sim_wave_order(sim_wave *wave, uint64_t group);
void sim_wave_settle(sim_worker *worker, sim_wave *wave);
void sim_report_deadlock(sim_worker *worker);
/* wave_eval.c: gives the lanes of `group` the operation's results. All of them wait at this
 * operation. */
void sim_wave_eval(sim_worker *worker, sim_wave *wave, uint64_t group);
const char *sim_wave_op_name(sim_wave_op op);

/* memory.c */
/* All allocations and `extra`, sorted by address, as they are now. A launch uses it; the caller
 * frees it. */
sim_range *sim_registry_snapshot(const sim_range *extra, size_t nextra, size_t *count);
void sim_check_global(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site,
                      sim_cache *cache);

/* scratchpad.c: checks and marks of accesses; the asynchronous copies of a thread. */
bool sim_in_scratchpad(const sim_worker *worker, uint64_t address);
void sim_scratchpad_access(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site,
                           sim_access_kind kind);
bool sim_scratchpad_allocate(sim_worker *worker); /* with the size that the launch has */
void sim_scratchpad_release(sim_worker *worker);
void sim_scratchpad_reset(sim_worker *worker); /* for a new block */
/* In scratchpad_fault.c. `other` is the linear number of the thread that the access `what` races
 * with; UINT32_MAX if the fault is no race. */
_Noreturn void sim_scratchpad_fault(sim_thread *thread, uint32_t offset, const char *what,
                                    uint32_t other, const sim_site *site);
_Noreturn void sim_scratchpad_fault_outside(sim_thread *thread, uint64_t address, uint64_t bytes,
                                            const sim_site *site, sim_access_kind kind);

/* races.c: the order of accesses to the scratchpad. */
void sim_races_arrive(sim_thread *thread, sim_barrier *barrier);
void sim_races_complete(sim_barrier *barrier); /* the barrier's phase ends */
void sim_races_grant(sim_worker *worker, sim_wave *wave, const sim_barrier *barrier);
void sim_races_receive(sim_thread *thread); /* the thread takes what barriers granted to its wave */
void sim_races_read(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site);
void sim_races_write(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site);
void sim_races_allocate(sim_worker *worker); /* allocates words and reads for scratchpad_bytes */
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
uint64_t stencilsim_rt_shuffle(sim_thread *thread, uint32_t number, uint32_t site, uint64_t values);
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
