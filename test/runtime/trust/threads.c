/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads with arrays of their own. Promised: none waits for another one's region, and what the
 * program may do with one thread it may do still.
 */
#include "trust.h"
#include <dirent.h>
#include <errno.h>
#include <sched.h>

static double region_began, region_took;

static void *long_region(void *unused) {
    float *own = new_array(BYTES), *other = new_array(BYTES);
    fill(own, CELLS);
    fill(other, CELLS);
    region_began = now();
    heat(CELLS, 1000, other, own);
    region_took = now() - region_began;
    return own;
}

/* In the plain build the read takes no time. */
static void reads_do_not_wait_for_regions(void) {
    set_up();
    go(4);
    pthread_t thread;
    pthread_create(&thread, NULL, long_region, NULL);
    usleep(100000);
    double start = now();
    volatile float cell = a[5000];
    double took = now() - start;
    void *own;
    pthread_join(thread, &own);
    printf("%a, waited: %d\n", (double)cell, took > 0.05 && took > (region_took - 0.1) / 2);
    show("thread's", own, BYTES);
    show("a", a, BYTES);
}

static void *own_arrays(void *unused) {
    float *own = new_array(BYTES), *other = new_array(BYTES);
    for (long i = 0; i < CELLS; i++)
        own[i] = other[i] = (float)(i % 1009);
    for (int t = 0; t < 30; t++) {
        sweep(CELLS, other, own);
        sweep(CELLS, own, other);
        if (t % 7 == 3)
            own[t * 1000] += 1;
    }
    uint64_t *hash = malloc(sizeof(*hash));
    *hash = hash_of(own, BYTES);
    munmap(own, BYTES);
    munmap(other, BYTES);
    return hash;
}

static void arrays_of_eight_threads(void) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, own_arrays, NULL);
    for (int i = 0; i < 8; i++) {
        uint64_t *hash;
        pthread_join(threads[i], (void **)&hash);
        printf("%016llx\n", (unsigned long long)*hash);
        free(hash);
    }
}

/* Calls that the kernel refuses to processes with several threads, or that act on one. */
static void calls_of_single_threaded_programs(void) {
    set_up();
    go(4);
    int status = unshare(CLONE_NEWUSER);
    printf("unshare(CLONE_NEWUSER) %d %s\n", status, status ? strerror(errno) : "");
    printf("unshare(CLONE_NEWNS) %d\n", unshare(CLONE_NEWNS));
    printf("setuid %d\n", setuid(65534));
    show("a", a, BYTES);
}

static void number_of_threads(void) {
    set_up();
    go(4);
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    while (readdir(tasks))
        count++;
    printf("threads %d\n", count - 2);
}

MAIN({"reads-do-not-wait-for-regions", reads_do_not_wait_for_regions},
     {"arrays-of-eight-threads", arrays_of_eight_threads},
     {"calls-of-single-threaded-programs", calls_of_single_threaded_programs},
     {"number-of-threads", number_of_threads})
