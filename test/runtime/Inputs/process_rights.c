/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program may do with its own process while its arrays are on a device: each mode holds
 * two arrays, does something legal, and prints what it sees. A build without the plugin prints the
 * same.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 40000, BYTES = N * 4, WHOLE = (BYTES + 4095) / 4096 * 4096 };

static float *a, *b;

__attribute__((noinline)) static void sweep(long n, float *restrict to,
                                            const float *restrict from) {
    for (long i = 1; i < n - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

static float *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? abort(), NULL : memory;
}

static void fill(float *x, unsigned seed) {
    for (int i = 0; i < N; i++)
        x[i] = (float)((i * 37u + seed * 11u) % 1000) / 7;
}

static void show(const char *what, const float *x, size_t bytes) {
    const unsigned char *at = (const unsigned char *)x;
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    printf("%s %016llx\n", what, (unsigned long long)hash);
    fflush(stdout);
}

static void steps(int count) {
    for (int i = 0; i < count; i++) {
        float *to = b;
        sweep(N, b, a);
        b = a;
        a = to;
    }
}

static void show_both(void) {
    show("a", a, BYTES);
    show("b", b, BYTES);
}

/* Descriptors */

static void close_range_of_all(void) {
    syscall(SYS_close_range, 3, ~0u, 0);
}

static void replace_all(void) {
    int zero = open("/dev/zero", O_RDONLY);
    for (int i = 3; i < 1024; i++)
        if (i != zero)
            dup2(zero, i);
    close_range_of_all();
}

/* What comes in through a pipe is for the program alone. */
static void reuse_all(void) {
    int ends[2];
    char text[16] = "";
    for (int i = 3; i < 1024; i++)
        close(i);
    if (pipe(ends) != 0 || write(ends[1], "for me", 6) != 6)
        abort();
    usleep(50000);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    printf("%zd %s\n", read(ends[0], text, sizeof text), text);
    close(ends[0]);
    close(ends[1]);
}

static void count_descriptors(void) {
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    while (readdir(all))
        count++;
    closedir(all);
    printf("%d descriptors\n", count);
}

/* The reading end of a pipe ends when the program's own writing end does. */
static void end_pipe(void) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        abort();
    steps(3);
    close(ends[1]);
    printf("%zd\n", read(ends[0], &byte, 1));
    close(ends[0]);
}

/* Allocators: a thread that looks may hold their locks. */

static volatile int handled;
static volatile float seen;

static void look(int number) {
    (void)number;
    seen = ((volatile float *)a)[20000] + ((volatile float *)b)[20000];
    handled++;
}

static void look_in_malloc(void) {
    signal(SIGPROF, look);
    for (unsigned k = 0; k < 40; k++) {
        struct itimerval soon = {{0, 0}, {0, 300}};
        int before = handled;
        steps(3);
        setitimer(ITIMER_PROF, &soon, NULL);
        while (handled == before) {
            void *blocks[20];
            for (unsigned i = 0; i < 20; i++)
                blocks[i] = malloc(1100 + (i * i * 57 + k * 31) % 4000);
            for (unsigned i = 0; i < 20; i++)
                free(blocks[i * 7 % 20]);
        }
    }
}

/* Forks */

pid_t _Fork(void);

static void in_child(pid_t child, void (*work)(void)) {
    if (child == 0) {
        work();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void fork_plainly(void) {
    in_child(fork(), show_both);
}

static void fork_without_handlers(void) {
    in_child(_Fork(), show_both);
}

static void fork_again(void) {
    a[7] = 1;
    in_child(_Fork(), show_both);
    show_both();
}

static void fork_without_handlers_twice(void) {
    in_child(_Fork(), fork_again);
}

static void move_and_discard(void) {
    float *there = map(2 * WHOLE);
    madvise((char *)a + 40960, 8192, MADV_DONTNEED);
    munmap((char *)b + 8192, 4096);
    a = mremap(a, WHOLE, WHOLE, MREMAP_MAYMOVE | MREMAP_FIXED, there);
    show("a", a, BYTES);
    show("b", b + 4096, BYTES - 16384);
}

static void child_moves_arrays(void) {
    in_child(_Fork(), move_and_discard);
}

/* The array is in two mappings, of which one may not be written. */
static void fork_in_two_mappings(void) {
    mprotect((char *)a + 40960, WHOLE - 40960, PROT_READ);
    in_child(_Fork(), show_both);
    mprotect((char *)a + 40960, WHOLE - 40960, PROT_READ | PROT_WRITE);
}

/* The child moves its array while pages come. */
static void move_at_once(void) {
    float *there = map(2 * WHOLE);
    a = mremap(a, WHOLE, WHOLE, MREMAP_MAYMOVE | MREMAP_FIXED, there);
    show("a", a, BYTES);
}

static void children_move_arrays(void) {
    for (int i = 0; i < 30; i++) {
        in_child(_Fork(), move_at_once);
        steps(2);
    }
}

/* The parent goes on at once; the child sees what was. */
static void parent_goes_on(void) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        abort();
    pid_t child = _Fork();
    if (child == 0) {
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0 ? (show_both(), 0) : 1);
    }
    steps(3);
    a[5] = 9;
    close(ends[0]);
    close(ends[1]);
    waitpid(child, NULL, 0);
}

static void fork_with_no_descriptor_left(void) {
    struct rlimit none;
    getrlimit(RLIMIT_NOFILE, &none);
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    in_child(_Fork(), show_both);
}

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void lock_mine(void) {
    pthread_mutex_lock(&mine);
}

static void unlock_mine(void) {
    pthread_mutex_unlock(&mine);
}

static void *sweep_with_lock(void *unused) {
    float *x = map(BYTES), *y = map(BYTES);
    fill(x, 3);
    while (!stop) {
        lock_mine();
        sweep(N, y, x);
        sweep(N, x, y);
        unlock_mine();
        usleep(100);
    }
    return unused;
}

/* Handlers of the program that take a lock which another thread has around its loop nests. */
static void fork_beside_handlers(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sweep_with_lock, NULL);
    for (int i = 0; i < 12; i++) {
        steps(2);
        in_child(i % 2 ? _Fork() : fork(), show_both);
    }
    stop = 1;
    pthread_join(thread, NULL);
}

/* Limits and filters that come later */

static void limit_memory(void) {
    struct rlimit little = {30 << 20, 30 << 20};
    setrlimit(RLIMIT_AS, &little);
    setrlimit(RLIMIT_DATA, &little);
}

/* For all threads. */
static void refuse_ioctl(void) {
    struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}

/* Memory */

static void grow(void) {
    a = mremap(a, WHOLE, 2 * WHOLE, MREMAP_MAYMOVE);
    printf("%d\n", a != MAP_FAILED);
    show("a", a, 2 * WHOLE);
}

static void move_away(void) {
    float *there = map(WHOLE);
    a = mremap(a, WHOLE, WHOLE, MREMAP_MAYMOVE | MREMAP_FIXED, there);
    printf("%d\n", a != MAP_FAILED);
}

/* What the kernel reads for another process does not wait for a page: it fails, or is right. */
static void read_own_memory(void) {
    static float copy[N];
    int memory = open("/proc/self/mem", O_RDONLY);
    ssize_t got = pread(memory, copy, BYTES, (off_t)(uintptr_t)a);
    printf("%d\n", got != BYTES || !memcmp(copy, a, BYTES));
    close(memory);
}

/* This one waits. */
static void read_as_another_process(void) {
    static float copy[N];
    struct iovec to = {copy, BYTES}, from = {a, BYTES};
    printf("%zd\n", process_vm_readv(getpid(), &to, 1, &from, 1, 0));
    show("copy", copy, BYTES);
}

static void nothing(void) {}

/* CPU seconds for sweeps over so many new arrays. */
static double hold(int count) {
    enum { CELLS = 34000 };
    float **all = (float **)map((size_t)count * sizeof *all);
    double sum = 0;
    clock_t start = clock();
    for (int i = 0; i < count; i++) {
        all[i] = malloc(CELLS * sizeof **all);
        memset(all[i], 0, CELLS * sizeof **all);
        all[i][i] = (float)i;
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i + 1 < count; i += 2)
            sweep(CELLS, all[i + 1], all[i]);
    for (int i = 0; i < count; i++)
        sum += all[i][i / 2 * 2 + 1];
    printf("%g\n", sum);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Four times as many arrays take about four times as long, not sixteen times. */
static void many(void) {
    double few = hold(400), more = hold(1600);
    printf("%d\n", more < 9 * few + 0.2);
}

static const struct {
    const char *name;
    void (*work)(void);
} modes[] = {{"close-range", close_range_of_all},
             {"replace", replace_all},
             {"reuse", reuse_all},
             {"count", count_descriptors},
             {"pipe", end_pipe},
             {"malloc", look_in_malloc},
             {"fork", fork_plainly},
             {"_Fork", fork_without_handlers},
             {"_Fork-twice", fork_without_handlers_twice},
             {"child-moves", child_moves_arrays},
             {"children-move", children_move_arrays},
             {"fork-in-two", fork_in_two_mappings},
             {"parent-goes-on", parent_goes_on},
             {"fork-no-descriptor", fork_with_no_descriptor_left},
             {"fork-handlers", fork_beside_handlers},
             {"memory-limit", limit_memory},
             {"filter", refuse_ioctl},
             {"grow", grow},
             {"move", move_away},
             {"read-memory", read_own_memory},
             {"process-vm", read_as_another_process},
             {"exit", nothing},
             {"many", many}};

int main(int count, char **words) {
    alarm(120);
    pthread_atfork(lock_mine, unlock_mine, unlock_mine);
    a = map(WHOLE);
    b = map(WHOLE);
    fill(a, 1);
    fill(b, 2);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (count > 1 && strcmp(words[1], modes[i].name))
            continue;
        steps(4);
        modes[i].work();
        show_both();
        steps(3);
        show_both();
        return 0;
    }
    return 2;
}
