/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Processes and threads that are made by other calls than fork and pthread_create, programs that
 * execute others, and changes of the user. Promised: they find the arrays as the plain build's do.
 */
#include "trust.h"
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;
static char child_stack[1 << 20];

static void begin(void) {
    set_up();
    go(4);
}

static void end(void) {
    go(3);
    show_both();
}

static void wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    printf("status %x\n", status);
}

static void spawned(void) {
    static char *words[] = {"/bin/true", NULL};
    pid_t child;
    begin();
    for (int i = 0; i < 4; i++) {
        go(2);
        if (posix_spawn(&child, words[0], NULL, NULL, words, environ) == 0)
            wait_for(child);
    }
    end();
}

/* With the same memory. */
static int child_writes(void *unused) {
    (void)unused;
    a[70000] += 1;
    b[80000] = a[90000];
    return 3;
}

static int child_sweeps(void *unused) {
    (void)unused;
    go(2);
    return 4;
}

static void make(int (*run)(void *), int flags) {
    begin();
    wait_for(clone(run, child_stack + sizeof(child_stack), flags | SIGCHLD, NULL));
    end();
}

static void clone_with_the_memory(void) {
    make(child_writes, CLONE_VM);
}

static void clone_as_vfork(void) {
    make(child_writes, CLONE_VM | CLONE_VFORK);
}

static void clone_sweeps(void) {
    make(child_sweeps, 0);
}

static void vfork_sweeps(void) {
    begin();
    pid_t child = vfork();
    if (child == 0) {
        go(3);
        _exit(9);
    }
    wait_for(child);
    end();
}

/* Threads without the C library's knowledge, with the thread-local variables of their maker. */

static volatile int thread_number;
static float *own, *other;

static void make_thread(int (*run)(void *)) {
    thread_number = -1;
    clone(run, child_stack + sizeof(child_stack),
          CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
              CLONE_CHILD_CLEARTID,
          NULL, NULL, NULL, &thread_number);
}

static void bare_thread(void) {
    begin();
    make_thread(child_sweeps);
    while (thread_number)
        syscall(SYS_sched_yield);
    end();
}

static int sweeps_its_own(void *unused) {
    (void)unused;
    for (int t = 0; t < 6; t++) {
        sweep(CELLS, other, own);
        sweep(CELLS, own, other);
    }
    return 0;
}

static void bare_thread_beside(void) {
    begin();
    own = new_array(BYTES);
    other = new_array(BYTES);
    fill(own, CELLS);
    make_thread(sweeps_its_own);
    go(12);
    while (thread_number)
        syscall(SYS_sched_yield);
    show("own", own, BYTES);
    end();
}

/* Users */

static void gives_up_rights(void) {
    begin();
    if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
        puts("has none");
    prctl(PR_SET_DUMPABLE, 0);
    go(4);
    printf("%a\n", (double)(a[1234] + b[200000]));
    end();
}

/* Of this thread alone: setresuid(3) would change the user of all. */
static void *change_user(void *unused) {
    for (int i = 0; i < 20; i++) {
        syscall(SYS_setresuid, -1, 65534, -1);
        usleep(1000);
        syscall(SYS_setresuid, -1, 0, -1);
    }
    return unused;
}

static void thread_changes_user(void) {
    pthread_t thread;
    begin();
    pthread_create(&thread, NULL, change_user, NULL);
    for (int i = 0; i < 30; i++) {
        go(2);
        printf("%a\n", (double)a[i * 9000]);
    }
    pthread_join(thread, NULL);
    end();
}

/* The program again */

static void *execute(void *act) {
    char *words[] = {"again", act, NULL};
    setenv("AGAIN", "1", 1);
    execv("/proc/self/exe", words);
    exit(94);
}

static void executes_itself(void) {
    begin();
    if (!getenv("AGAIN"))
        execute("executes-itself");
    end();
}

static void thread_executes(void) {
    pthread_t thread;
    begin();
    if (getenv("AGAIN")) {
        end();
        return;
    }
    pthread_create(&thread, NULL, execute, "thread-executes");
    for (;;)
        go(2);
}

MAIN({"spawned", spawned}, {"clone-with-the-memory", clone_with_the_memory},
     {"clone-as-vfork", clone_as_vfork}, {"clone-sweeps", clone_sweeps},
     {"vfork-sweeps", vfork_sweeps}, {"bare-thread", bare_thread},
     {"bare-thread-beside", bare_thread_beside}, {"gives-up-rights", gives_up_rights},
     {"thread-changes-user", thread_changes_user}, {"executes-itself", executes_itself},
     {"thread-executes", thread_executes})
