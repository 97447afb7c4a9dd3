/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * lib/runtime/room.c: folders with the files that Linux has for control groups, of both versions,
 * in the process's own group and in those above.
 */
#include "runtime/room.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/rt-room-XXXXXX";
static int failures;

/* Writes a file, and makes the folders that it is in. */
static void put(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = strchr(path + strlen(root) + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *f = fopen(path, "w");
    if (!f)
        abort();
    fputs(text, f);
    fclose(f);
}

static void expect(double most, const char *what) {
    double room = rt_host_room(root), machine = rt_host_room("");
    if (room == most || (most > machine && room > 0 && room <= most))
        return;
    failures++;
    printf("%s: %.0f, not %.0f\n", what, room, most);
}

static void clear(void) {
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'/*", root);
    if (system(command) != 0)
        abort();
}

static void check_second_version(void) {
    put("proc/self/cgroup", "0::/a/b\n");
    expect(1e18, "no files");
    put("sys/fs/cgroup/a/b/memory.max", "max\n");
    put("sys/fs/cgroup/a/b/memory.current", "1000\n");
    expect(1e18, "no limit");
    put("sys/fs/cgroup/a/memory.max", "6000\n");
    put("sys/fs/cgroup/a/memory.current", "1500\n");
    expect(4500, "the limit of the group above");
    put("sys/fs/cgroup/a/b/memory.max", "5000\n");
    expect(4000, "the limit of the group");
    put("sys/fs/cgroup/a/b/memory.stat", "anon 9\ninactive_file 600\nactive_file 8\n");
    expect(4500, "files that the kernel gives up");
    put("sys/fs/cgroup/memory.max", "3000\n"); /* as a container sees its own group */
    put("sys/fs/cgroup/memory.current", "5000\n");
    expect(0, "more is used than is allowed");
    clear();
}

static void check_first_version(void) {
    put("proc/self/cgroup", "9:name=systemd:/x\n4:memory:/job/7\n1:cpu:/\n0::/\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "777\n");
    expect(1e18, "no limit");
    put("sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "8000\n");
    put("sys/fs/cgroup/memory/job/7/memory.usage_in_bytes", "3000\n");
    put("sys/fs/cgroup/memory/job/7/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
    expect(5500, "the limit of the group");
    clear();
}

int main(void) {
    if (!mkdtemp(root))
        abort();
    expect(1e18, "no groups");
    check_second_version();
    check_first_version();
    rmdir(root);
    printf("%d failures\n", failures);
    return failures > 0;
}
