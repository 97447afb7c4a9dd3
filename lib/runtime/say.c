/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that every part of the runtime uses: errors, lines on standard error, the end of the
 * process, the time.
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

/* Makes one call of write(2), so that lines of several threads do not mix. The line has memory of
 * its own. The stack may be small, and a thread that waits for the runtime may hold malloc's lock.
 */
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
    /* A driver's message may have several lines, a report has one. */
    for (size_t i = 0; i < used; i++)
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    line[used++] = '\n';
    ssize_t written = length < 0 ? 0 : write(STDERR_FILENO, line, used);
    (void)written;
    munmap(line, ROOM);
}

/* Another thread that waits for its pages may hold a lock of malloc or stdio. So neither is used.
 */
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
