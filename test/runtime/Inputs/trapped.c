/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program could see of a trap of its system calls, and what its system calls see of its
 * arrays, between sweeps. "threads", "shares", "masks": programs whose calls cannot be trapped.
 */
#include "resident.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 300 };
static const size_t bytes = sizeof(float) * N * N;
static float *a, *b;

static void go(int pairs) {
    for (int i = 0; i < pairs; i++) {
        sweep(N, b, a);
        sweep(N, a, b);
    }
}

static uint32_t sum_of(const void *memory, size_t size) {
    const unsigned char *c = memory;
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + c[i];
    return sum;
}

static void show(const char *what) {
    printf("%s %08x %08x\n", what, sum_of(a, bytes), sum_of(b, bytes));
}

static int scratch_file(void) {
    char name[] = "trapped-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    return file;
}

/* From an array to a file and back: write, pwrite, writev, read, pread, readv. */
static void files(void) {
    int file = scratch_file();
    float *copy = malloc(bytes);
    struct iovec whole = {a, bytes}, back = {copy, bytes};
    go(3);
    printf("write %zd\n", write(file, b, bytes));
    go(3);
    printf("pwrite %zd\n", pwrite(file, a + N, bytes - N * sizeof(float), (off_t)bytes));
    go(3);
    lseek(file, (off_t)(2 * bytes), SEEK_SET);
    printf("writev %zd\n", writev(file, &whole, 1));
    lseek(file, 0, SEEK_SET);
    for (int i = 0; i < 3; i++) {
        go(2);
        printf("readv %zd %08x\n", readv(file, &back, 1), sum_of(copy, bytes));
    }
    go(3);
    printf("pread %zd\n", pread(file, a, bytes, 0));
    go(3);
    lseek(file, 0, SEEK_SET);
    printf("read %zd\n", read(file, b + 5 * N, 40 * N));
    show("files");
    go(3);
    printf("random %zd\n", getrandom(a + N * N / 2, 64, 0));
    memset(a + N * N / 2, 0, 64);
    show("random");
    close(file);
    free(copy);
}

static volatile sig_atomic_t ticks;
static volatile float seen;

static void tick(int signal) {
    (void)signal;
    seen += a[N + 1] + b[N + 1];
    ticks++;
    getppid();
}

/* Handlers that look at arrays, make system calls and return. */
static void handlers(void) {
    struct sigaction action = {.sa_handler = tick}, old;
    struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, &old);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 30; i++)
        go(1);
    while (ticks < 3)
        usleep(100);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    printf("handlers %d\n", ticks >= 3);
}

/* The program's own settings, while arrays may be on the device. */
static void settings(void) {
    struct sigaction now;
    stack_t stack;
    sigset_t blocked;
    go(3);
    sigaction(SIGSYS, NULL, &now);
    go(3);
    sigaltstack(NULL, &stack);
    go(3);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    printf("settings %d %d %d\n", now.sa_handler == SIG_DFL, stack.ss_flags == SS_DISABLE,
           sigisemptyset(&blocked));
}

static void *read_all(void *out) {
    *(uint32_t *)out = sum_of(a, bytes);
    return NULL;
}

static void others(void) {
    pthread_t thread;
    uint32_t sum = 0;
    int status = 0;
    go(3);
    pid_t child = fork();
    if (child == 0)
        _exit((int)(sum_of(b, bytes) & 127));
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status) == (int)(sum_of(b, bytes) & 127));
    go(3);
    child = (pid_t)syscall(SYS_fork);
    if (child == 0)
        _exit((int)(sum_of(a, bytes) & 127));
    waitpid(child, &status, 0);
    printf("bare child %d\n", WEXITSTATUS(status) == (int)(sum_of(a, bytes) & 127));
    go(3);
    pthread_create(&thread, NULL, read_all, &sum);
    pthread_join(thread, NULL);
    printf("thread %08x\n", sum);
    go(3);
    float *moved = mremap(a, bytes, 2 * bytes, MREMAP_MAYMOVE);
    a = moved != MAP_FAILED ? moved : a;
    printf("moved %d\n", moved != MAP_FAILED);
    go(3);
    madvise(b, bytes, MADV_DONTNEED);
    go(3);
    printf("system %d\n", system("exit 7") >> 8);
    go(3);
    errno = 77;
    go(1);
    printf("errno %d\n", errno);
}

static volatile int stop;

static void *wait_for_stop(void *unused) {
    while (!stop)
        usleep(1000);
    return unused;
}

static void with_threads(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_stop, NULL);
    go(10);
    stop = 1;
    pthread_join(thread, NULL);
}

static void with_shared_memory(void) {
    int file = scratch_file();
    ftruncate(file, 4096);
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    go(10);
}

static void with_full_masks(void) {
    struct sigaction action = {.sa_handler = tick};
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    go(10);
}

static float *new_array(void) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "all";
    a = new_array();
    b = new_array();
    for (size_t i = 0; i < bytes / sizeof *a; i++)
        a[i] = b[i] = (float)(i * 7919 % 1000) / 1000;
    if (!strcmp(mode, "threads"))
        with_threads();
    else if (!strcmp(mode, "shares"))
        with_shared_memory();
    else if (!strcmp(mode, "masks"))
        with_full_masks();
    else
        files(), handlers(), settings(), others();
    show(mode);
    return 0;
}
