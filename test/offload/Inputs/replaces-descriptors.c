// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread replaces and closes all descriptors again and again while another enters the program's first region.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 1 << 17, NUMBERS = 6 };
static int a[N], b[N];
static atomic_int rounds, ends;

__attribute__((noinline)) static void sweep(int n, int *restrict to, const int *restrict from) {
    for (int i = 1; i < n - 1; i++)
        to[i] = from[i - 1] + from[i + 1];
}

static void *replace(void *file) {
    while (!atomic_load(&ends)) {
        for (int f = 3; f < NUMBERS; f++)
            dup2(*(int *)file, f);
        for (int f = 3; f < NUMBERS; f++)
            close(f);
        atomic_fetch_add(&rounds, 1);
    }
    return NULL;
}

int main(void) {
    int file = fcntl(open("/dev/zero", O_RDWR), F_DUPFD, NUMBERS), good = 1;
    pthread_t thread;
    for (int i = 0; i < N; i++)
        a[i] = i;
    if (file < 0 || pthread_create(&thread, NULL, replace, &file) != 0)
        return 1;
    while (atomic_load(&rounds) < 2)
        usleep(100);
    sweep(N, b, a);
    atomic_store(&ends, 1);
    pthread_join(thread, NULL);
    for (int i = 1; i < N - 1; i++)
        good &= b[i] == 2 * i;
    puts(good ? "ok" : "wrong");
}
