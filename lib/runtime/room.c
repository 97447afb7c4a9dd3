/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Free memory of the host: room.h. Control groups are those of Linux (cgroups(7)), of version 1 or
 * 2. A limit holds for a group and all groups in it, so all groups above the process's own are
 * asked, too. In a container their path may lead nowhere; the container's own group is then the top
 * of what is mounted.
 */
#include "runtime/room.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PATH = 2048, TEXT = 8192 };

typedef struct version {
    const char *line; /* before the group's path, in /proc/self/cgroup */
    const char *mount, *most, *used, *idle;
} version;

/* `idle`: what files have in memory, and the kernel gives up for others. */
static const version versions[] = {
    {"0::", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file "}};

typedef struct reader {
    const char *root;
    char group[PATH], path[2 * PATH], text[TEXT], list[TEXT];
} reader;

/* Reads a file's first bytes. False if there is no such file. */
static bool read_file(const reader *r, char text[TEXT]) {
    int file = open(r->path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, TEXT - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = 0;
    return got > 0;
}

/* The number in a group's file, behind `word` at the beginning of a line. Infinity for "max", and
 * where there is no such file. */
static double number_in(reader *r, const version *v, const char *name, const char *word) {
    snprintf(r->path, sizeof r->path, "%s%s%s/%s", r->root, v->mount, r->group, name);
    if (!read_file(r, r->text))
        return INFINITY;
    const char *at = r->text;
    while (at && strncmp(at, word, strlen(word)) != 0)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    return at && at[strlen(word)] >= '0' && at[strlen(word)] <= '9'
               ? strtod(at + strlen(word), NULL)
               : INFINITY;
}

/* What the limit of r->group leaves. */
static double left_in_group(reader *r, const version *v) {
    double most = number_in(r, v, v->most, ""), used = number_in(r, v, v->used, "");
    double idle = number_in(r, v, "memory.stat", v->idle);
    if (isinf(most) || isinf(used))
        return INFINITY;
    used -= isinf(idle) ? 0 : fmin(idle, used);
    return most > used ? most - used : 0;
}

/* The process's group and those above. */
static double left_in_groups(reader *r, const version *v) {
    const char *line = strstr(r->list, v->line);
    double least = INFINITY;
    if (!line)
        return least;
    line += strlen(v->line);
    snprintf(r->group, sizeof r->group, "%.*s", (int)strcspn(line, "\n"), line);
    for (char *end = r->group + strlen(r->group); end; end = strrchr(r->group, '/')) {
        *end = 0;
        least = fmin(least, left_in_group(r, v));
    }
    return least;
}

/* What the limits leave of so many bytes. */
static double within_limits(reader *r, double room) {
    snprintf(r->path, sizeof r->path, "%s/proc/self/cgroup", r->root);
    bool told = read_file(r, r->list);
    for (int i = 0; i < 2 && told; i++)
        room = fmin(room, left_in_groups(r, &versions[i]));
    return room;
}

double rt_host_room(const char *root) {
    struct sysinfo info;
    reader *r = malloc(sizeof *r);
    if (!r || sysinfo(&info) != 0) {
        free(r);
        return 0;
    }
    r->root = root;
    double room = ((double)info.freeram + (double)info.bufferram) * info.mem_unit;
    room = within_limits(r, room);
    free(r);
    return room;
}
