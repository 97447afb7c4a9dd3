/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What every part of the runtime uses: errors, lines on standard error, the end of the process, the
 * time.
 */
#include "runtime/rt.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

bool rt_fail(rt_error *error, enum rt_reason reason, const char *format, ...) {
    va_list arguments;
    error->reason = reason;
    va_start(arguments, format);
    vsnprintf(error->detail, sizeof error->detail, format, arguments);
    va_end(arguments);
    return false;
}

/* One write(2), so that lines of several threads do not mix. The line has memory of its own, for
 * the stack may be small, and malloc's lock may be what somebody waits with. */
void rt_say(const char *format, ...) {
    enum { ROOM = 1200 };
    static const char prefix[] = "stencilopt: ";
    size_t used = sizeof prefix - 1;
    char *line = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (line == MAP_FAILED)
        return;
    memcpy(line, prefix, used);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line + used, ROOM - used - 1, format, arguments);
    va_end(arguments);
    used += length > 0 ? (size_t)length : 0;
    if (used > ROOM - 2)
        used = ROOM - 2;
    /* What a driver says may span lines; a report is one. */
    for (size_t i = 0; i < used; i++)
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    line[used++] = '\n';
    ssize_t written = length < 0 ? 0 : write(STDERR_FILENO, line, used);
    (void)written;
    munmap(line, ROOM);
}

/* Another thread may wait for its pages with a lock of malloc or stdio, so neither is used. */
void rt_die(const char *format, ...) {
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    rt_say("%s", words);
    abort();
}

double rt_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
