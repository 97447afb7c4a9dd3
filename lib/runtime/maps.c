/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an address range is, by /proc/self/maps (proc_pid_maps(5)). Left out are
 *   - what other processes or files may change, and what is not plain memory;
 *   - stacks: the runtime itself may come to run on them;
 *   - where malloc keeps small blocks, for it copies them, in realloc, with a lock held that the
 *     runtime may be waiting for: the heap, and further arenas of glibc, which begin at multiples
 *     of 64 MiB. Large blocks are mappings of their own.
 */
#include "watch.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 16 << 10 };
static const uintptr_t arena = (uintptr_t)64 << 20;
static const uintptr_t guard = (uintptr_t)64 << 10; /* a stack's, at most */

typedef struct mapping {
    uintptr_t lo, hi;
    char access[8], name[32];
    unsigned long inode;
} mapping;

static bool parse(const char *line, mapping *m) {
    m->name[0] = 0;
    return sscanf(line, "%lx-%lx %7s %*x %*s %lu %31s", &m->lo, &m->hi, m->access, &m->inode,
                  m->name) >= 4;
}

/* Calls see(m, context) for each mapping until it says so. */
static void each_mapping(bool (*see)(const mapping *, void *), void *context) {
    char *text = malloc(PIECE + 1); /* a thread's stack may be as small */
    size_t used = 0;
    ssize_t got;
    bool more = true;
    int file = text ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;
    while (more && file >= 0 && (got = read(file, text + used, PIECE - used)) > 0) {
        char *line = text, *end;
        used += (size_t)got;
        text[used] = 0;
        for (; more && (end = strchr(line, '\n')); line = end + 1) {
            mapping m;
            *end = 0;
            more = !parse(line, &m) || see(&m, context);
        }
        used = (size_t)(text + used - line);
        memmove(text, line, used);
    }
    if (file >= 0)
        close(file);
    free(text);
}

typedef struct search {
    uintptr_t lo, hi, before; /* end of a guard below */
    bool good;
} search;

static bool is_anonymous(const mapping *m) {
    return !strcmp(m->access, "rw-p") && m->inode == 0 &&
           (m->name[0] == 0 || !strncmp(m->name, "[anon:", 6));
}

static bool see(const mapping *m, void *context) {
    search *s = context;
    if (m->hi <= s->lo) {
        bool guards = !strncmp(m->access, "---", 3) && m->hi - m->lo <= guard;
        s->before = guards ? m->hi : 0;
        return true;
    }
    bool guarded = s->before == m->lo; /* as stacks are */
    s->good = m->lo <= s->lo && s->hi <= m->hi && is_anonymous(m) && !guarded && m->lo % arena != 0;
    return false;
}

static bool is_my_stack(uintptr_t lo, uintptr_t hi) {
    pthread_attr_t attributes;
    void *base = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return true;
    pthread_attr_getstack(&attributes, &base, &bytes);
    pthread_attr_destroy(&attributes);
    return lo < (uintptr_t)base + bytes && (uintptr_t)base < hi;
}

bool rt_watch_suits(uintptr_t lo, uintptr_t hi) {
    search s = {.lo = lo, .hi = hi};
    each_mapping(see, &s);
    return s.good && !is_my_stack(lo, hi);
}
