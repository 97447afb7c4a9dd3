/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a program's note is: a file of the user's cache, named by a hash of the program's path. The
 * note says that a GPU was worth opening (run/note.h). The entry code of programs asks before the
 * runtime is loaded, so nothing here calls the C library.
 */
#ifndef STENCILRT_NOTED_H
#define STENCILRT_NOTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NOTED_ROOM = 320 }; /* longer paths have no note */

typedef struct noted_text {
    char text[NOTED_ROOM];
    size_t used, folder; /* `folder`: the length of the folder's path */
} noted_text;

#ifdef __clang__ /* stub/entry.c says why */
#define NOTED static inline __attribute__((always_inline, no_builtin))
#else
#define NOTED static inline
#endif

NOTED void noted_add(noted_text *t, const char *text) {
    for (; *text && t->used < NOTED_ROOM - 1; text++)
        t->text[t->used++] = *text;
    t->text[t->used] = 0;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
NOTED uint64_t noted_hash(const char *bytes, size_t count) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

/* `cache`: XDG_CACHE_HOME, `home`: HOME; NULL if unset. `program`: the program's path. False if
 * there is no such folder, or if its path is too long. */
NOTED bool noted_place(noted_text *t, const char *cache, const char *home, const char *program,
                       size_t length) {
    uint64_t hash = noted_hash(program, length);
    bool own = cache && *cache == '/';
    t->used = 0;
    if (!own && (!home || *home != '/'))
        return false;
    noted_add(t, own ? cache : home);
    noted_add(t, own ? "/stencilopt" : "/.cache/stencilopt");
    t->folder = t->used;
    noted_add(t, "/");
    for (int digit = 15; digit >= 0 && t->used < NOTED_ROOM - 1; digit--)
        t->text[t->used++] = "0123456789abcdef"[hash >> 4 * digit & 15];
    t->text[t->used] = 0;
    return t->used < NOTED_ROOM - 5; /* room for ".new" and ".not" */
}

#endif
