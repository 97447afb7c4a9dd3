/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a thread does to the whole process, alone, while others sweep: descriptors and limits.
 */
#include "stress.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void sweep_some(struct thread *t, const long *number) {
    for (long k = 0; k < number[2]; k++)
        run_form(t, (int)number[0], number[1]);
}

/* With one thread the numbers of descriptors are those of the plain build. */
static void say_number(struct thread *t) {
    if (thread_count > 1)
        return;
    int got = open("/dev/null", O_RDWR);
    say(t, "descriptor %d\n", got);
    close(got);
}

void act_close(struct thread *t, const long *number) {
    pthread_rwlock_wrlock(&process_lock);
    if (number[3] & 1)
        syscall(SYS_close_range, 3, ~0U, 0);
    else
        for (int f = 3; f < 1100; f++)
            close(f);
    say_number(t);
    sweep_some(t, number);
    pthread_rwlock_unlock(&process_lock);
}

/* Over every number: what never gives a byte, or always zeros, or blocks who reads. */
void act_replace(struct thread *t, const long *number) {
    static const char *const paths[] = {"/dev/null", "/dev/zero", ""};
    const char *path = paths[number[3] % 3];
    int ends[2] = {-1, -1};
    pthread_rwlock_wrlock(&process_lock);
    if (*path)
        ends[0] = open(path, O_RDWR);
    else if (pipe(ends))
        give_up("pipe");
    for (int f = 3; f < 1100; f++)
        if (f != ends[0] && f != ends[1])
            dup2(ends[0], f);
    sweep_some(t, number);
    for (int f = 3; f < 1100; f++)
        close(f);
    say_number(t);
    pthread_rwlock_unlock(&process_lock);
}

void act_standard(struct thread *t, const long *number) {
    int kept[3];
    pthread_rwlock_wrlock(&process_lock);
    for (int f = 0; f < 3; f++) {
        kept[f] = fcntl(f, F_DUPFD, 200);
        close(f);
    }
    sweep_some(t, number);
    say_number(t);
    for (int f = 0; f < 3; f++) {
        dup2(kept[f], f);
        close(kept[f]);
    }
    pthread_rwlock_unlock(&process_lock);
}

static rlim_t pages_in_use(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        give_up("statm");
    fclose(file);
    return (rlim_t)pages * 4096;
}

/* Lowered to what is used, or less, and restored after some sweeps. Not for memory where other
 * threads allocate, or end, meanwhile: that fails in a plain build too, if less often. */
void act_limit(struct thread *t, const long *number) {
    static const int limits[] = {RLIMIT_AS,    RLIMIT_DATA,  RLIMIT_NOFILE,
                                 RLIMIT_NPROC, RLIMIT_STACK, RLIMIT_MEMLOCK};
    int which = limits[number[3] % 6];
    struct rlimit before, low;
    if (thread_count > 1 && (which == RLIMIT_AS || which == RLIMIT_DATA))
        which = RLIMIT_NOFILE;
    pthread_rwlock_wrlock(&process_lock);
    getrlimit(which, &before);
    low = before;
    low.rlim_cur = which == RLIMIT_AS ? pages_in_use() : number[3] % 4 == 0 ? 0 : 3;
    if (which == RLIMIT_STACK)
        low.rlim_cur = 64 << 10;
    setrlimit(which, &low);
    sweep_some(t, number);
    setrlimit(which, &before);
    pthread_rwlock_unlock(&process_lock);
}
