/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads /proc/self/task/N/status and the mappings, in a thread of the service, whose descriptors
 * are no program's. Threads that the runtime or a driver has started block what the runtime blocks
 * while it starts them: a set of signals that no program has reason to block. A thread of the
 * program that is inside the runtime blocks it, too; such threads are counted.
 */
#include "runtime/watch/census.h"
#include "runtime/rt.h"
#include "runtime/watch/service.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct question {
    uint64_t own;
    int self;
    const char *why;
} question;

typedef struct entry { /* struct linux_dirent64 */
    uint64_t inode;
    int64_t offset;
    unsigned short bytes;
    unsigned char type;
    char name[];
} entry;

/* The signals that the thread blocks. False if it has ended. */
static bool find_blocked(const char *thread, uint64_t *blocked) {
    static char text[4096]; /* only one thread asks */
    static const char key[] = "\nSigBlk:";
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    bool ended = got < 0 && (errno == ENOENT || errno == ESRCH);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = 0;
    const char *line = strstr(text, key);
    *blocked = line ? strtoull(line + sizeof key - 1, NULL, 16) : 0;
    return !ended;
}

/* The C library lets no program block signal 32, and blocks it while a thread begins or ends. */
static bool is_known(const question *q, const char *thread) {
    enum { INTERNAL = 32 };
    uint64_t blocked;
    return atoi(thread) == q->self || !find_blocked(thread, &blocked) || blocked == q->own ||
           (blocked >> (INTERNAL - 1) & 1);
}

static bool threads_are_known(const question *q) {
    static char list[4096];
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool known = folder >= 0;
    long got = 0;
    while (known && (got = syscall(SYS_getdents64, folder, list, sizeof list)) > 0)
        for (long at = 0; at < got && known;) {
            const entry *e = (const entry *)(const void *)(list + at);
            known = e->name[0] == '.' || is_known(q, e->name);
            at += e->bytes;
        }
    if (folder >= 0)
        close(folder);
    return known && got == 0;
}

#define REFUSED(text) "userfaultfd for system calls is not permitted, and the program " text

static const char several_threads[] = REFUSED("has several threads");

static void serve_census(void *context) {
    question *q = context;
    if (!threads_are_known(q))
        q->why = several_threads;
    else if (rt_maps_are_shared())
        q->why = REFUSED("shares memory with other processes");
}

const char *rt_census_refusal(uint64_t own) {
    question q = {.own = own, .self = (int)syscall(SYS_gettid)};
    uint64_t before, after;
    int inside = rt_environment_inside(&before);
    rt_service_call(serve_census, &q);
    bool alone = inside == 1 && rt_environment_inside(&after) == 1 && before == after;
    return q.why || alone ? q.why : several_threads;
}
