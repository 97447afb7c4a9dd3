// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reenter [thread | handler | jump | cancel]: regions that come up while the runtime is being loaded, or
// before. The runtime is reenter-runtime.c, whose constructor calls `during`.
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N = 1 << 17 };
static int a[N], b[N], in_thread[N], c[N], d[N];

static void say(const char *text) {
    ssize_t written = write(1, text, strlen(text));
    (void)written;
}

__attribute__((noinline)) static void sweep(int n, int *restrict to, const int *restrict from) {
    for (int i = 1; i < n - 1; i++)
        to[i] = from[i - 1] + from[i + 1];
}

static void handler(int signal) {
    say(signal == SIGSEGV ? "SIGSEGV: " : signal == SIGALRM ? "SIGALRM: " : "SIGUSR1: ");
    sweep(N, d, c);
    say(d[5] == 10 ? "ok\n" : "wrong\n");
}

static void *other(void *unused) {
    (void)unused;
    sweep(N, in_thread, a);
    say("thread: done\n");
    return NULL;
}

/* A thread that waited for the one that loads the runtime would never be done here. */
static int with_thread, cancels;
static pthread_t to_cancel;
__attribute__((visibility("default"))) void during(void) {
    pthread_t thread;
    if (with_thread) {
        pthread_create(&thread, NULL, other, NULL);
        pthread_join(thread, NULL);
        return;
    }
    if (cancels) {
        pthread_cancel(to_cancel);
        return;
    }
    raise(SIGALRM);
    raise(SIGSEGV);
}

static jmp_buf back;

/* Its frame is gone afterwards, but the signal stays blocked. */
static void jump(int signal) {
    (void)signal;
    longjmp(back, 1);
}

static void *cancelled(void *unused) {
    to_cancel = pthread_self();
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    return other(unused);
}

static void cancel_in_load(void) {
    pthread_t thread;
    void *result;
    cancels = 1;
    pthread_create(&thread, NULL, cancelled, NULL);
    pthread_join(thread, &result);
    say(result == PTHREAD_CANCELED ? "thread: cancelled\n" : "thread: wrong\n");
}

/* Before anything has loaded the runtime. */
static void before(const char *what) {
    with_thread = !strcmp(what, "thread");
    if (!strcmp(what, "handler")) {
        signal(SIGUSR1, handler);
        raise(SIGUSR1);
    }
    if (!strcmp(what, "cancel"))
        cancel_in_load();
    if (!strcmp(what, "jump")) {
        signal(SIGUSR1, jump);
        if (!setjmp(back))
            raise(SIGUSR1);
    }
}

int main(int argc, char **argv) {
    sigset_t blocked;
    for (int i = 0; i < N; i++)
        a[i] = c[i] = i;
    signal(SIGALRM, handler);
    signal(SIGSEGV, handler);
    before(argc > 1 ? argv[1] : "");
    errno = 77;
    sweep(N, b, a);
    int number = errno;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    say(number == 77 ? "errno kept\n" : "errno lost\n");
    say(sigismember(&blocked, SIGALRM) ? "signals blocked\n" : "signals free\n");
    int good = 1;
    for (int i = 1; i < N - 1; i++)
        good &= b[i] == 2 * i && (!with_thread || in_thread[i] == 2 * i);
    say(good ? "main: ok\n" : "main: wrong\n");
}
