/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Children that hash arrays, or sweep them, and report through a pipe and an exit code.
 */
#include "stress.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
pid_t _Fork(void);

struct report {
    uint64_t hash[ARRAYS];
};

static void read_report(struct thread *t, int from, pid_t child) {
    struct report report;
    int status = -1;
    memset(&report, 0, sizeof(report));
    for (size_t at = 0; at < sizeof(report);) {
        ssize_t some = read(from, (char *)&report + at, sizeof(report) - at);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            break;
        at += (size_t)some;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    uint64_t all = 0;
    for (int i = 0; i < ARRAYS; i++)
        all = all * 31 + report.hash[i];
    say(t, "child %x %016llx\n", status, (unsigned long long)all);
}

static void report_arrays(struct thread *t, int to) {
    struct report report;
    for (int i = 0; i < ARRAYS; i++)
        report.hash[i] = hash_cells(t, t->array[i].base);
    if (write(to, &report, sizeof(report)) != (ssize_t)sizeof(report))
        _exit(1);
}

static _Noreturn void be_child(struct thread *t, const long *number, int to) {
    report_arrays(t, to);
    if (number[3] & 2) {
        for (long k = 0; k < number[2]; k++)
            run_form(t, (int)number[0], number[1]);
        _exit((int)(hash_cells(t, t->order[0]) & 63));
    }
    _exit(7);
}

void act_fork(struct thread *t, const long *number) {
    int ends[2];
    pthread_rwlock_rdlock(&process_lock);
    if (pipe(ends))
        give_up("pipe");
    pid_t child = number[3] & 1 ? _Fork() : fork();
    if (child < 0)
        give_up("fork");
    if (child == 0) {
        block_signals(true);
        be_child(t, number, ends[1]);
    }
    close(ends[1]);
    read_report(t, ends[0], child);
    close(ends[0]);
    pthread_rwlock_unlock(&process_lock);
}

/* By posix_spawn or vfork: this program again, which sweeps arrays of its own. */
void act_spawn(struct thread *t, const long *number) {
    int ends[2];
    pid_t child;
    char program[] = "/proc/self/exe", word[] = "child", *words[] = {program, word, NULL};
    posix_spawn_file_actions_t actions;
    pthread_rwlock_rdlock(&process_lock);
    if (pipe(ends))
        give_up("pipe");
    if (number[3] & 1) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        if (posix_spawn(&child, program, &actions, NULL, words, environ))
            give_up("posix_spawn");
        posix_spawn_file_actions_destroy(&actions);
    } else {
        child = vfork();
        if (child == 0) {
            dup2(ends[1], 1);
            execv(program, words);
            _exit(127);
        }
    }
    close(ends[1]);
    read_report(t, ends[0], child);
    close(ends[0]);
    pthread_rwlock_unlock(&process_lock);
}

int child_main(void) {
    struct thread *t = &threads[0];
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    t->family = &families[0];
    t->shape = (struct shape){40, t->family->rank > 1 ? 40 : 1, t->family->rank > 2 ? 12 : 1, 48};
    if (t->family->rank == 1)
        t->shape.nx = 20000, t->shape.pitch = 20008;
    t->bytes = (size_t)(t->shape.pitch * t->shape.ny * t->shape.nz) * t->family->size;
    t->random = 99;
    for (int i = 0; i < ARRAYS; i++)
        t->array[i] = allocate(t, i, "mmap");
    fill_all(t);
    for (int form = 0; form < 3; form++)
        run_form(t, form, 2);
    report_arrays(t, 1);
    return 5;
}
