/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Programs that close, replace, count and use up file descriptors. Promised: the numbers that
 * open() gives are the plain build's, and closing all of them loses no result.
 */
#include "trust.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static void close_range_of_all(void) {
    set_up();
    go(4);
    syscall(SYS_close_range, 3, ~0U, 0);
    show_both();
    go(3);
    show_both();
}

/* A daemon's loop; what the program opens next gets the numbers that were closed. */
static void close_each(void) {
    set_up();
    go(4);
    for (int f = 3; f < 65536; f++)
        close(f);
    int ends[2];
    if (pipe(ends) || write(ends[1], "hello world 12345", 17) != 17)
        exit(92);
    usleep(200000);
    char text[32] = {0};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    printf("pipe %d %d, ", ends[0], ends[1]);
    long got = read(ends[0], text, sizeof(text));
    printf("read %ld %s\n", got, text);
    show_both();
    go(3);
    show_both();
}

static void replace_all(void) {
    set_up();
    go(4);
    int zero = open("/dev/zero", O_RDONLY);
    for (int f = 3; f < 1024; f++)
        if (f != zero)
            dup2(zero, f);
    show_both();
    go(3);
    show_both();
}

/* Blocks those who read from it. */
static void replace_all_by_a_pipe(void) {
    set_up();
    go(4);
    int ends[2];
    if (pipe(ends))
        exit(92);
    for (int f = 3; f < 1024; f++)
        if (f != ends[0] && f != ends[1])
            dup2(ends[0], f);
    show_both();
    go(3);
    show_both();
}

static void first_free_number(void) {
    set_up();
    close(0);
    go(4);
    printf("descriptor %d\n", open("/dev/null", O_RDONLY));
    show("a", a, BYTES);
}

/* A shell's redirection: 0 to 2 closed, and later restored. */
static void standard_ones_closed_and_restored(void) {
    set_up();
    int kept[3];
    for (int f = 0; f < 3; f++) {
        kept[f] = fcntl(f, F_DUPFD, 100);
        close(f);
    }
    go(4);
    int got = open("/dev/null", O_WRONLY);
    for (int f = 0; f < 3; f++)
        dup2(kept[f], f);
    printf("descriptor %d\n", got);
    go(3);
    show_both();
}

static void started_without_standard_ones(void) {
    int kept = fcntl(1, F_DUPFD, 100);
    for (int f = 0; f < 3; f++)
        close(f);
    set_up();
    go(4);
    for (int f = 0; f < 3; f++)
        dprintf(kept, "descriptor %d\n", open("/dev/null", O_RDWR));
    dprintf(kept, "a %016llx\n", (unsigned long long)hash_of(a, BYTES));
}

static void new_descriptors_follow_each_other(void) {
    int before = open("/dev/null", O_RDONLY);
    set_up();
    go(4);
    for (int k = 0; k < 4; k++)
        printf("descriptor %d\n", open("/dev/null", O_RDONLY) - before);
    show("a", a, BYTES);
}

/* What a child of exec gets. */
static void nothing_is_inherited(void) {
    set_up();
    go(4);
    fflush(stdout);
    execl("/bin/sh", "sh", "-c", "ls /proc/self/fd | wc -l", NULL);
}

static void lowest_limit(void) {
    set_up();
    go(4);
    struct rlimit limit = {3, 3};
    setrlimit(RLIMIT_NOFILE, &limit);
    go(3);
    show_both();
}

static void table_full_from_the_start(void) {
    set_up();
    struct rlimit limit = {64, 64};
    setrlimit(RLIMIT_NOFILE, &limit);
    int count = 0;
    while (open("/dev/null", O_RDONLY) >= 0)
        count++;
    go(4);
    printf("opened %d\n", count);
    show_both();
}

MAIN({"close-range-of-all", close_range_of_all}, {"close-each", close_each},
     {"replace-all", replace_all}, {"replace-all-by-a-pipe", replace_all_by_a_pipe},
     {"first-free-number", first_free_number},
     {"standard-ones-closed-and-restored", standard_ones_closed_and_restored},
     {"started-without-standard-ones", started_without_standard_ones},
     {"new-descriptors-follow-each-other", new_descriptors_follow_each_other},
     {"nothing-is-inherited", nothing_is_inherited}, {"lowest-limit", lowest_limit},
     {"table-full-from-the-start", table_full_from_the_start})
