/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes, updates and erases the progress line on the terminal.
 */
#include "runtime/report/progress.h"
#include "runtime/rt.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double interval = 0.25;

enum { MOST = 250 };        /* the most characters of a line */
static atomic_bool taken;   /* a region uses the variables below */
static char line[2 * MOST]; /* static, because the stack may be small */
static size_t width;        /* characters of the line on the terminal */

void rt_progress_begin(rt_progress *p, double now) {
    const rt_config *c = rt_config_get();
    bool told = c->report == RT_REPORT_SUMMARY || c->report == RT_REPORT_EACH;
    if (p->began > 0 || !told || c->progress == 0)
        return;
    p->began = now;
    p->next = now + (double)c->progress;
}

bool rt_progress_is_due(const rt_progress *p) {
    return p->next > 0 && rt_seconds() >= p->next;
}

/* Is standard error a terminal that this process may write to? If it is not the controlling
 * terminal, its process group is unknown. */
static bool has_terminal(void) {
    pid_t group = isatty(STDERR_FILENO) ? tcgetpgrp(STDERR_FILENO) : 0;
    return group < 0 || group == getpgrp();
}

/* The characters that fit into one line of the terminal. A wrapped line could not be overwritten.
 */
static size_t room(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 79;
    return size.ws_col - 1 < MOST ? size.ws_col - 1u : MOST;
}

/* Writes `used` characters of the line over the line before. It begins with \r. The cursor is left
 * at the start, so that the program's next output does not follow the line. */
static void write_line(size_t used) {
    size_t text = used - 1;
    while (used <= width)
        line[used++] = ' ';
    line[used++] = '\r';
    width = text;
    ssize_t written = write(STDERR_FILENO, line, used);
    (void)written;
}

static size_t add_time(size_t used, double seconds) {
    static const struct {
        double most, unit;
        const char *name;
    } units[] = {{600, 1, "s"}, {36000, 60, "min"}, {1e15, 3600, "h"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (seconds < units[i].most) {
            int64_t count = (int64_t)(seconds / units[i].unit + 0.5);
            return used + (size_t)snprintf(line + used, sizeof line - used, ", %" PRId64 " %s left",
                                           count, units[i].name);
        }
    return used;
}

void rt_progress_show(rt_progress *p, const char *where, int64_t done, int64_t steps) {
    double now = rt_seconds();
    p->next = now + interval;
    if (done <= 0 || !has_terminal() || (!p->shown && atomic_exchange(&taken, true)))
        return;
    p->shown = true;
    size_t used =
        (size_t)snprintf(line, sizeof line, "\rstencilopt: %.300s: %" PRId64, where, done);
    if (steps > 0)
        used += (size_t)snprintf(line + used, sizeof line - used, " of %" PRId64, steps);
    used += (size_t)snprintf(line + used, sizeof line - used, " steps");
    if (steps >= done)
        used = add_time(used, (now - p->began) / (double)done * (double)(steps - done));
    size_t most = room() + 1;
    write_line(used < most ? used : most);
}

void rt_progress_erase(rt_progress *p) {
    if (!p->shown)
        return;
    line[0] = '\r';
    write_line(1);
    p->shown = false;
    atomic_store(&taken, false);
}
