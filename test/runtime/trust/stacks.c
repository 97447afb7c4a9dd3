/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads with the least stacks, whose first region is the program's first, or a later one.
 * Promised: a region needs no more stack than the least thread has.
 */
#include "trust.h"

static void *three_steps(void *unused) {
    go(3);
    return NULL;
}

static void sweep_on(size_t stack) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, three_steps, NULL))
        exit(92);
    pthread_join(thread, NULL);
}

static void first_region_on(size_t stack) {
    set_up();
    sweep_on(stack);
    show_both();
}

static void later_region_on(size_t stack) {
    set_up();
    go(2);
    sweep_on(stack);
    show_both();
    munmap(a, BYTES);
    munmap(b, BYTES);
    set_up();
    sweep_on(stack);
    show_both();
}

static char alternate[16 << 10];
static volatile sig_atomic_t done;
static float own[70000], other[70000];

static void sweep_in_handler(int number) {
    sweep(70000, other, own);
    done = 1;
}

static void region_on_an_alternate_stack(void) {
    set_up();
    fill(own, 70000);
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = sweep_in_handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    for (int k = 0; k < 5; k++) {
        go(2);
        raise(SIGUSR1);
    }
    printf("done %d\n", (int)done);
    show("handler's", other, sizeof(other));
    show_both();
}

static void first_16(void) {
    first_region_on(16 << 10);
}
static void first_32(void) {
    first_region_on(32 << 10);
}
static void first_64(void) {
    first_region_on(64 << 10);
}
static void first_256(void) {
    first_region_on(256 << 10);
}
static void later_16(void) {
    later_region_on(16 << 10);
}
static void later_32(void) {
    later_region_on(32 << 10);
}
static void later_64(void) {
    later_region_on(64 << 10);
}
static void later_256(void) {
    later_region_on(256 << 10);
}

MAIN({"first-16", first_16}, {"first-32", first_32}, {"first-64", first_64},
     {"first-256", first_256}, {"later-16", later_16}, {"later-32", later_32},
     {"later-64", later_64}, {"later-256", later_256},
     {"region-on-an-alternate-stack", region_on_an_alternate_stack})
