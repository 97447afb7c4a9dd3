/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A note is one line, which is compared as a whole. It is written under another name and then
 * renamed, so nobody reads half of it.
 */
#include "runtime/run/note.h"

#include "runtime/noted.h"
#include "runtime/variables.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 128 };

static const char program[] = "/proc/self/exe";

__attribute__((noinline)) /* a stack frame of its own */
static bool
find_place(noted_text *t) {
    char path[NOTED_ROOM];
    ssize_t length = readlink(program, path, sizeof path);
    return length > 0 && length < (ssize_t)sizeof path && rt_caller_is_trusted() &&
           noted_place(t, secure_getenv("XDG_CACHE_HOME"), secure_getenv("HOME"), path,
                       (size_t)length);
}

/* Returns the line's length; 0: the program's file cannot be looked at. */
static int make_line(char line[LINE]) {
    struct stat s;
    if (stat(program, &s) != 0)
        return 0;
    return snprintf(line, LINE, "stencilopt 1: a GPU pays for %lld bytes of %lld.%09ld\n",
                    (long long)s.st_size, (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

/* Is the line of this program in the file? An open does not wait, whatever is in its place. */
static bool has_line(const char *path) {
    char line[LINE], found[LINE];
    int length = make_line(line);
    int file = length > 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    ssize_t got = file >= 0 ? read(file, found, sizeof found) : -1;
    if (file >= 0)
        close(file);
    return length > 0 && got == length && !memcmp(line, found, (size_t)length);
}

bool rt_note_is_there(void) {
    noted_text t;
    return find_place(&t) && has_line(t.text);
}

/* The user's cache and the folder in it; only the user may look there. */
static void make_folders(noted_text *t) {
    char *end = t->text + t->folder, *above = end;
    while (above > t->text && *--above != '/')
        ;
    *above = 0;
    mkdir(t->text, 0700);
    *above = '/';
    *end = 0;
    mkdir(t->text, 0700);
    *end = '/';
}

void rt_note_write(void) {
    noted_text t, other;
    char line[LINE];
    int length = make_line(line);
    if (length <= 0 || !find_place(&t))
        return;
    other = t;
    noted_add(&other, ".not");
    if (has_line(other.text))
        return;
    make_folders(&t);
    other = t;
    noted_add(&other, ".new");
    unlink(other.text);
    int file = open(other.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    bool good = write(file, line, (size_t)length) == length;
    good = close(file) == 0 && good;
    if (!good || rename(other.text, t.text) != 0)
        unlink(other.text);
}

void rt_note_withdraw(void) {
    noted_text t, other;
    if (!find_place(&t))
        return;
    other = t;
    noted_add(&other, ".not");
    if (rename(t.text, other.text) != 0)
        unlink(t.text);
}
