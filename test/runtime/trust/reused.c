/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses that one thread leaves, and another one has at once, before the runtime has been told.
 * Memory beside an array on the device is registered with it, so the kernel tells of it. Promised:
 * what the plain build finds.
 *
 * mremap gives two messages, that memory was moved and that its old place is unmapped. Between them
 * the thread must get a processor. Here it gets a busy one.
 */
#include "trust.h"
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>

enum { OWN = 64 * 4096, BESIDE = 240 * 4096, BLOCK = OWN + BESIDE, ROUNDS = 40 };
enum { BORDER = 512 * 4096 };

static cpu_set_t allowed;
static sem_t begin, busy, done;
static char *left, *elsewhere;
static size_t left_bytes;
static long given; /* rounds in which the address was free in time */

static long cells_in(size_t bytes) {
    return (long)(bytes / sizeof(float));
}

/* The first or the second of those that the program may use; the only one if there is one. */
static void stay_on(int which, int policy) {
    struct sched_param none = {0};
    cpu_set_t one;
    int processor = -1;
    for (which %= CPU_COUNT(&allowed); which >= 0; which--)
        while (!CPU_ISSET(++processor, &allowed))
            ;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof(one), &one);
    sched_setscheduler(0, policy, &none);
}

/* Keeps the other thread from going on for a moment. */
static void *be_busy(void *unused) {
    stay_on(0, SCHED_OTHER);
    for (long round = 0;; round++) {
        sem_wait(&busy);
        usleep((useconds_t)(5 + round % 10 * 6));
        for (double start = now(); now() - start < 0.006;)
            ;
    }
    return unused;
}

static float *between_borders(size_t bytes) {
    char *room = mmap(NULL, bytes + 2 * BORDER, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(room + BORDER, bytes, PROT_READ | PROT_WRITE);
    return (float *)(room + BORDER);
}

static void back_and_forth(float *to, float *from) {
    for (int i = 0; i < 2; i++) {
        sweep(cells_in(OWN), to, from);
        sweep(cells_in(OWN), from, to);
    }
}

/* Two arrays, and memory after the first one. */
static float *first, *second;

/* Its arrays stay on the device. Then it leaves one of them, or the memory after the first one. */
static void *leave_memory(void *unused) {
    for (;;) {
        stay_on(0, SCHED_OTHER);
        sem_wait(&begin);
        back_and_forth(second, first);
        sem_post(&done);
        sem_wait(&begin);
        stay_on(0, SCHED_IDLE);
        sem_post(&busy);
        if (mremap(left, left_bytes, left_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) !=
            elsewhere)
            exit(92);
        sem_post(&done);
    }
    return unused;
}

static void leave_on_device(void) {
    first = between_borders(BLOCK);
    second = between_borders(OWN);
    fill(first, cells_in(OWN));
    fill(second, cells_in(OWN));
    memset((char *)first + OWN, 1, BESIDE);
    sem_post(&begin);
    sem_wait(&done);
}

/* The first array as well, or the memory after it. */
static void choose(bool array) {
    left = (char *)first + (array ? 0 : OWN);
    left_bytes = array ? OWN : BESIDE;
    elsewhere = (char *)new_array(left_bytes);
}

/* The addresses as soon as they are free; NULL if that takes long. */
static char *take(size_t bytes) {
    char *got = MAP_FAILED;
    sem_post(&begin);
    for (double start = now(); got == MAP_FAILED && now() - start < 0.02;)
        got =
            mmap(left, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    given += got != MAP_FAILED;
    return got == MAP_FAILED ? NULL : got;
}

static uint64_t give_back(float *x, float *y) {
    sem_wait(&done);
    uint64_t hash = hash_of(x, OWN) ^ 3 * hash_of(elsewhere, left_bytes);
    if (left != (char *)first)
        hash ^= 5 * hash_of(first, OWN);
    munmap(x, OWN);
    munmap(y, OWN);
    munmap(elsewhere, left_bytes);
    munmap((char *)first - BORDER, BLOCK + 2 * BORDER);
    munmap((char *)second - BORDER, OWN + 2 * BORDER);
    return hash;
}

static uint64_t moved_there(bool array) {
    float *x = new_array(OWN), *y = new_array(OWN);
    fill(x, cells_in(OWN));
    fill(y, cells_in(OWN));
    leave_on_device();
    back_and_forth(y, x);
    choose(array);
    char *to = take(OWN);
    if (to && mremap(x, OWN, OWN, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to)
        x = (float *)to;
    return give_back(x, y);
}

static uint64_t new_there(bool array) {
    float *y = new_array(OWN);
    leave_on_device();
    choose(array);
    float *x = (float *)take(OWN);
    if (!x || mprotect(x, OWN, PROT_READ | PROT_WRITE) != 0)
        x = new_array(OWN);
    fill(x, cells_in(OWN));
    fill(y, cells_in(OWN));
    back_and_forth(y, x);
    return give_back(x, y);
}

static void many_times(uint64_t (*round)(bool), bool array) {
    pthread_t thread;
    sem_init(&begin, 0, 0);
    sem_init(&busy, 0, 0);
    sem_init(&done, 0, 0);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    float *x = new_array(OWN), *y = new_array(OWN);
    back_and_forth(y, x); /* starts the runtime's threads, which stay on no processor */
    pthread_create(&thread, NULL, leave_memory, NULL);
    pthread_create(&thread, NULL, be_busy, NULL);
    stay_on(1, SCHED_OTHER);
    for (int i = 0; i < ROUNDS; i++) {
        random_state = 77 + (uint32_t)i;
        printf("%016llx\n", (unsigned long long)round(array));
    }
    fflush(stdout);
    fprintf(stderr, "%ld of %d in time\n", given, ROUNDS);
}

static void moved_beside_an_array(void) {
    many_times(moved_there, false);
}

static void moved_to_another_ones_place(void) {
    many_times(moved_there, true);
}

static void new_beside_an_array(void) {
    many_times(new_there, false);
}

static void new_at_another_ones_place(void) {
    many_times(new_there, true);
}

MAIN({"moved-beside-an-array", moved_beside_an_array},
     {"moved-to-another-one's-place", moved_to_another_ones_place},
     {"new-beside-an-array", new_beside_an_array},
     {"new-at-another-one's-place", new_at_another_ones_place})
