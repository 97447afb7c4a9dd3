/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays whose memory ends, moves or grows in other ways than by munmap, and programs that end in
 * other ways than by exit. Promised: what comes to the memory next is not taken for the array, and
 * who runs at the end finds the array's values.
 */
#include "trust.h"
#include <malloc.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>

enum { THREADS = 12, AT_ONCE = 3 };
static uint64_t hashes[THREADS];

static void begin(void) {
    set_up();
    go(4);
}

static void end(void) {
    go(3);
    show_both();
}

static void work(float *x, float *y, uint32_t seed) {
    random_state = seed + 7;
    fill(x, CELLS);
    fill(y, CELLS);
    for (int t = 0; t < 4; t++) {
        sweep(CELLS, y, x);
        sweep(CELLS, x, y);
    }
}

static void run_threads(void *(*run)(void *)) {
    pthread_t threads[AT_ONCE];
    for (long k = 0; k < THREADS; k += AT_ONCE) {
        for (long i = 0; i < AT_ONCE; i++)
            pthread_create(&threads[i], NULL, run, &hashes[k + i]);
        for (long i = 0; i < AT_ONCE; i++)
            pthread_join(threads[i], NULL);
    }
    for (int k = 0; k < THREADS; k++)
        printf("%016llx\n", (unsigned long long)hashes[k]);
}

/* The C library gives the stack of a thread that has ended to the next one. One thread draws
 * numbers at a time. */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;

static void *works_on_its_stack(void *hash) {
    float x[CELLS], y[CELLS];
    pthread_mutex_lock(&drawing);
    work(x, y, 1);
    pthread_mutex_unlock(&drawing);
    *(uint64_t *)hash = hash_of(x, BYTES);
    return NULL;
}

static void on_stacks_of_threads(void) {
    run_threads(works_on_its_stack);
}

static _Thread_local float local_x[CELLS], local_y[CELLS];

/* Every second thread leaves its array as it is. */
static void *works_on_its_variables(void *hash) {
    pthread_mutex_lock(&drawing);
    work(local_x, local_y, 2);
    pthread_mutex_unlock(&drawing);
    if ((uint64_t *)hash - hashes & 1)
        *(uint64_t *)hash = hash_of(local_x, BYTES);
    return NULL;
}

static void thread_local_arrays(void) {
    run_threads(works_on_its_variables);
}

/* Blocks of malloc's heap, which shrinks. */
static void heap_is_trimmed(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 28);
    mallopt(M_TRIM_THRESHOLD, 4096);
    for (uint32_t i = 0; i < 8; i++) {
        float *x = malloc(BYTES), *y = malloc(BYTES);
        work(x, y, i);
        if (i % 3 == 0)
            show("x", x, BYTES);
        free(y);
        free(x);
        malloc_trim(0);
    }
}

static float *grow(float *x, size_t bytes, size_t more) {
    x = realloc(x, bytes + more);
    memset((char *)x + bytes, 0, more);
    return x;
}

static void reallocated(void) {
    size_t bytes = BYTES, more = 40000;
    float *x = malloc(bytes), *y = malloc(bytes);
    work(x, y, 3);
    for (int i = 0; i < 8; i++) {
        x = grow(x, bytes, more);
        y = grow(y, bytes, more);
        bytes += more;
        sweep((long)(bytes / sizeof(float)), y, x);
        sweep((long)(bytes / sizeof(float)), x, y);
    }
    show("x", x, bytes);
    show("y", y, bytes);
}

static void mapped_again(void) {
    for (int i = 0; i < 6; i++) {
        begin();
        munmap(a, BYTES);
        float *again =
            mmap(a, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        printf("%a\n", (double)again[1000]);
        sweep(CELLS, again, b);
        printf("%a\n", (double)again[2000]);
        munmap(again, BYTES);
        munmap(b, BYTES);
    }
}

/* The old addresses stay, with zeros. */
static void moved_and_kept(void) {
    begin();
    float *old = a;
    void *moved = mremap(a, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
    if (moved == MAP_FAILED)
        exit(92);
    a = moved;
    printf("%a\n", (double)old[5000]);
    go(3);
    show("old", old, BYTES);
    end();
}

static void sealed(void) {
    enum { MSEAL = 462 };
    begin();
    printf("%ld\n", syscall(MSEAL, (uintptr_t)a, (BYTES + 4095) & ~4095ul, 0));
    end();
}

/* Sweeps on a stack of the program's, which is left in between. */
static ucontext_t here, there;

static void sweep_and_leave(void) {
    go(3);
    swapcontext(&there, &here);
    go(3);
}

static void contexts(void) {
    begin();
    getcontext(&there);
    there.uc_stack.ss_size = 1 << 20;
    there.uc_stack.ss_sp = new_array(there.uc_stack.ss_size);
    there.uc_link = &here;
    makecontext(&there, sweep_and_leave, 0);
    swapcontext(&here, &there);
    go(2);
    swapcontext(&here, &there);
    end();
}

static void no_more_address_space(void) {
    long pages = 0;
    begin();
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        exit(92);
    fclose(file);
    struct rlimit limit = {(rlim_t)pages * 4096, (rlim_t)pages * 4096};
    setrlimit(RLIMIT_AS, &limit);
    for (long i = 0; i < CELLS; i += 5000)
        a[i] += b[i];
    end();
}

/* Ends */

static void at_end(void) {
    show_both();
    end();
}

static void quick_exit_runs_handlers(void) {
    at_quick_exit(at_end);
    begin();
    quick_exit(5);
}

static void with_status(int status, void *array) {
    printf("%d %a\n", status, (double)((float *)array)[150000]);
    at_end();
}

static void on_exit_runs_handlers(void) {
    set_up();
    on_exit(with_status, a);
    go(4);
    exit(6);
}

static bool destructor_works;

__attribute__((destructor)) static void destroy(void) {
    if (destructor_works)
        at_end();
}

static void destructors_sweep(void) {
    destructor_works = true;
    begin();
}

static void on_abort(int signal) {
    (void)signal;
    at_end();
    _exit(8);
}

static void abort_is_handled(void) {
    handle(SIGABRT, on_abort);
    begin();
    abort();
}

MAIN({"on-stacks-of-threads", on_stacks_of_threads}, {"thread-local-arrays", thread_local_arrays},
     {"heap-is-trimmed", heap_is_trimmed}, {"reallocated", reallocated},
     {"mapped-again", mapped_again}, {"moved-and-kept", moved_and_kept}, {"sealed", sealed},
     {"contexts", contexts}, {"no-more-address-space", no_more_address_space},
     {"quick-exit-runs-handlers", quick_exit_runs_handlers},
     {"on-exit-runs-handlers", on_exit_runs_handlers}, {"destructors-sweep", destructors_sweep},
     {"abort-is-handled", abort_is_handled})
