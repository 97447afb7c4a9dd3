/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Notes about this program itself: written, found, withdrawn; and places where none can be.
 */
#include "runtime/run/note.h"
#include "runtime/noted.h"
#include "runtime/variables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failures;

static void expect(bool is, bool wanted, const char *what) {
    if (is != wanted) {
        printf("%s: %d\n", what, is);
        failures++;
    }
}

bool rt_caller_is_trusted(void) {
    return true;
}

/* As if the program's file were another one: a note may be written again. */
static void forget(const char *cache, const char *home) {
    noted_text t;
    char path[NOTED_ROOM];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || !noted_place(&t, cache, home, path, (size_t)length))
        return;
    noted_add(&t, ".not");
    unlink(t.text);
}

/* One place: may a note be there? */
static void try(const char *cache, const char *home, bool may) {
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("HOME", home, 1);
    forget(cache, home);
    expect(rt_note_is_there(), false, cache);
    rt_note_write();
    expect(rt_note_is_there(), may, cache);
    rt_note_write();
    expect(rt_note_is_there(), may, cache);
    rt_note_withdraw();
    expect(rt_note_is_there(), false, cache);
    rt_note_write(); /* withdrawn for good */
    expect(rt_note_is_there(), false, cache);
    rt_note_withdraw();
}

/* The bytes that a note has, and others in its place. */
static void damage(const char *cache) {
    noted_text t;
    char path[NOTED_ROOM];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    setenv("XDG_CACHE_HOME", cache, 1);
    forget(cache, NULL);
    rt_note_write();
    expect(length > 0 && noted_place(&t, cache, NULL, path, (size_t)length), true, "place");
    expect(rt_note_is_there(), true, "note");
    FILE *f = fopen(t.text, "a");
    expect(f && fputs("more", f) >= 0 && fclose(f) == 0, true, "damage");
    expect(rt_note_is_there(), false, "damaged");
    expect(truncate(t.text, 10) == 0 && !rt_note_is_there(), true, "cut");
    rt_note_withdraw();
    expect(access(t.text, F_OK) == 0, false, "withdrawn");
}

int main(void) {
    char folder[] = "/tmp/rt-note-XXXXXX", cache[64], deep[64], file[64], command[64];
    char longest[2 * NOTED_ROOM];
    if (!mkdtemp(folder))
        return 1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(deep, sizeof deep, "%s/none/none", folder);
    snprintf(file, sizeof file, "%s/file", folder);
    memset(longest, 'a', sizeof longest);
    longest[0] = '/';
    longest[sizeof longest - 1] = 0;
    FILE *f = fopen(file, "w");
    expect(f && fclose(f) == 0, true, "file");
    try(cache, "", true);
    try("", folder, true);
    try("relative", folder, true);
    try("relative", "relative", false);
    try(deep, "", false);
    try(file, folder, false);
    try(longest, folder, false);
    damage(cache);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    expect(system(command) == 0, true, command);
    printf("%d failures\n", failures);
    return failures > 0;
}
