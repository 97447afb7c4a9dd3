/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-cc, stencil-c++ and stencil-fc: clang, clang++ and flang with the plugin. They find the
 * plugin by where they are themselves, of several the one for the compiler's LLVM, add it to the
 * command line, and become the compiler. All words of the user are the compiler's.
 *
 * A compiler cache keeps what a command line made. Two things that are not on it change what is
 * made: the plugin's bytes and the options in the environment. The plugin's hash is in this
 * program (STENCIL_KEY), so that the program changes with the plugin, and caches take a compiler
 * that changed for another one. The environment's options are refused under ccache, which does not
 * see them. With STENCILOPT_LAUNCHER=ccache this program runs the cache instead, and then these
 * options become words of the command line.
 */
#include "key.h"

#include "stencilopt/version.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { STATUS_NOT_FOUND = 127 };

static const char *const names[] = {
#define OPTION(id, name, fallback, allowed, help) name,
#include "options/options.def"
};
enum { COUNT = sizeof names / sizeof *names };

static _Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs(STENCIL_NAME ": ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(STATUS_NOT_FOUND);
}

static void *need(void *memory) {
    if (!memory)
        fail("out of memory");
    return memory;
}

static char *join(const char *a, const char *b, const char *c) {
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *all = need(malloc(size));
    snprintf(all, size, "%s%s%s", a, b, c);
    return all;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Files */

/* The folder that holds this program, links followed; it ends in a slash. Not by /proc, which a
 * chroot may lack: the kernel also tells by which path it started the program. */
static const char *own_folder(void) {
    static char path[PATH_MAX];
    const char *started = (const char *)getauxval(AT_EXECFN);
    if (!started || !realpath(started, path))
        fail("cannot find where this program is: %s", strerror(errno));
    strrchr(path, '/')[1] = 0;
    return path;
}

/* Of a file in the tree: its path, without dots and links, so that a cache's key and a compiler's
 * messages name one file; NULL if there is none. */
static char *in_tree(const char *place) {
    char *path = join(own_folder(), place, ""), *whole = realpath(path, NULL);
    free(path);
    return whole;
}

/* The plugin for another LLVM than this program was built with; NULL also where the user names one.
 */
static char *plugin_for(unsigned llvm) {
    char place[256];
    if (environment("STENCILOPT_PLUGIN"))
        return NULL;
    snprintf(place, sizeof place, STENCIL_PLUGINS "/llvm-%u/libstencilopt.so", llvm);
    return in_tree(place);
}

/* The one that the user names, or the one that this program was built with. */
static const char *own_plugin(void) {
    const char *named = environment("STENCILOPT_PLUGIN");
    if (named) {
        if (access(named, R_OK))
            fail("STENCILOPT_PLUGIN names '%s', which is no file", named);
        return named;
    }
    const char *const places[] = {STENCIL_PLUGIN_INSTALLED, STENCIL_PLUGIN_BUILT};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = in_tree(places[i]);
        if (path)
            return path;
    }
    fail("no plugin at %s%s; install StencilOpt again, or name the plugin in STENCILOPT_PLUGIN",
         own_folder(), places[0]);
}

static char *on_path(const char *name) {
    const char *next = getenv("PATH");
    for (next = next ? next : "/usr/bin:/bin"; *next;) {
        size_t length = strcspn(next, ":");
        char *path = need(malloc(length + strlen(name) + 3));
        sprintf(path, "%.*s/%s", length ? (int)length : 1, length ? next : ".", name);
        if (!access(path, X_OK))
            return path;
        free(path);
        next += length + (next[length] == ':');
    }
    return NULL;
}

/* The version that a compiler says it has; 0 if it says none. */
static unsigned version_of(const char *program) {
    char *line = join("exec '", program, "' -dumpversion 2>/dev/null");
    unsigned version = 0;
    FILE *answer = strchr(program, '\'') ? NULL : popen(line, "r");
    if (answer && fscanf(answer, "%u", &version) != 1)
        version = 0;
    if (answer)
        pclose(answer);
    free(line);
    return version;
}

/* A compiler, and the plugin for its LLVM; NULL: the one that this program was built with, and has
 * the hash of. */
typedef struct pair {
    const char *compiler, *other;
} pair;

static bool has_others(void) {
    for (unsigned llvm = STENCILOPT_OLDEST_LLVM; llvm <= STENCILOPT_NEWEST_LLVM; llvm++) {
        char *path = llvm == STENCIL_LLVM ? NULL : plugin_for(llvm);
        if (path)
            return true;
    }
    return false;
}

/* Where there is one plugin, no compiler is asked for its version: the plugin itself refuses
 * others. */
static pair of_named(const char *named) {
    const char *found = strchr(named, '/') ? named : on_path(named);
    if (!found || access(found, X_OK))
        fail(STENCIL_VARIABLE " names '%s', which is no program", named);
    unsigned llvm = has_others() ? version_of(found) : STENCIL_LLVM;
    return (pair){found, llvm == STENCIL_LLVM ? NULL : plugin_for(llvm)};
}

/* The newest that has a plugin here. */
static bool of_others(pair *out) {
    for (unsigned llvm = STENCILOPT_NEWEST_LLVM; llvm >= STENCILOPT_OLDEST_LLVM; llvm--) {
        char name[32], *path = plugin_for(llvm);
        snprintf(name, sizeof name, STENCIL_PROGRAM "-%u", llvm);
        *out = (pair){path ? on_path(name) : NULL, path};
        if (out->compiler)
            return true;
    }
    return false;
}

/* The compiler that is named; the one that the plugin was built for; that version's on PATH; that
 * of another plugin. */
static pair choose(void) {
    const char *named = environment(STENCIL_VARIABLE), *found = STENCIL_BUILT_FOR;
    pair other;
    if (named)
        return of_named(named);
    if (access(found, X_OK))
        found = on_path(STENCIL_VERSIONED);
    if (!found && of_others(&other))
        return other;
    if (!found)
        fail("neither " STENCIL_BUILT_FOR " nor " STENCIL_VERSIONED
             " on PATH; install it, or name one in " STENCIL_VARIABLE);
    return (pair){found, NULL};
}

/* The command line */

typedef struct command {
    char **words;
    size_t count, room;
} command;

static void add(command *c, const char *word) {
    if (c->count + 1 >= c->room) {
        c->room = 2 * c->room + 64;
        c->words = need(realloc(c->words, c->room * sizeof *c->words));
    }
    c->words[c->count++] = (char *)word;
    c->words[c->count] = NULL;
}

/* STENCILOPT_SAVE_TEMPS of save-temps. */
static void variable_of(const char *name, char *out, size_t size) {
    size_t n = (size_t)snprintf(out, size, "STENCILOPT_");
    for (; *name && n + 1 < size; name++)
        out[n++] = *name == '-' ? '_' : *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name;
    out[n] = 0;
}

/* Options that the environment has, as words; the environment's then no longer count. */
static void add_options(command *c) {
    char variable[64];
    for (size_t i = 0; i < COUNT; i++) {
        variable_of(names[i], variable, sizeof variable);
        if (!getenv(variable))
            continue;
        char *start = join("-stencilopt-", names[i], "=");
        add(c, "-mllvm");
        add(c, join(start, getenv(variable), ""));
        free(start);
        unsetenv(variable);
    }
}

/* ccache sets CCACHE_DISABLE for what it runs, so that it is not run twice. */
static void refuse_unseen(bool is_other) {
    char variable[64];
    for (size_t i = 0; getenv("CCACHE_DISABLE") && i < COUNT; i++) {
        variable_of(names[i], variable, sizeof variable);
        if (getenv(variable))
            fail("ccache does not see %s in the environment; give -mllvm -stencilopt-%s=%s, or "
                 "unset it and let STENCILOPT_LAUNCHER=ccache run the cache",
                 variable, names[i], getenv(variable));
    }
    if (getenv("CCACHE_DISABLE") && environment("STENCILOPT_PLUGIN"))
        fail("ccache does not see STENCILOPT_PLUGIN in the environment; let "
             "STENCILOPT_LAUNCHER=ccache run the cache");
    if (getenv("CCACHE_DISABLE") && is_other)
        fail("ccache does not see that the plugin is the one for the LLVM of " STENCIL_VARIABLE
             "; let STENCILOPT_LAUNCHER=ccache run the cache");
}

/* The launcher's words, with spaces between. False if there is none. */
static bool add_launcher(command *c, const char *path) {
    const char *launcher = environment("STENCILOPT_LAUNCHER");
    if (!launcher || getenv("CCACHE_DISABLE"))
        return false;
    char *words = need(strdup(launcher));
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        add(c, word);
    const char *files = environment("CCACHE_EXTRAFILES");
    setenv("CCACHE_EXTRAFILES", files ? join(files, ":", path) : path, 1);
    return c->count > 0;
}

/* clang is not to complain about a plugin that has nothing to do: when it links, or preprocesses.
 */
static void add_plugin(command *c, const char *path, bool launched) {
    if (!STENCIL_IS_FLANG)
        add(c, "--start-no-unused-arguments");
    add(c, join("-fpass-plugin=", path, ""));
    if (launched)
        add_options(c);
    if (!STENCIL_IS_FLANG)
        add(c, "--end-no-unused-arguments");
}

/* The compiler's own inner calls, whose word has to be the first, and the user's own plugin. */
static bool goes_as_it_is(int argc, char **argv) {
    bool found = argc > 1 && (!strncmp(argv[1], "-cc1", 4) || !strncmp(argv[1], "-fc1", 4));
    for (int i = 1; i < argc && !found; i++)
        found = !strncmp(argv[i], "-fpass-plugin=", 14) && strstr(argv[i], "libstencilopt");
    return found;
}

static void add_words(command *c, int argc, char **argv) {
    pair chosen = choose();
    bool plain = goes_as_it_is(argc, argv), launched = false;
    const char *path = plain ? NULL : chosen.other ? chosen.other : own_plugin();
    if (!plain) {
        launched = add_launcher(c, path);
        if (!launched)
            refuse_unseen(chosen.other != NULL);
    }
    add(c, chosen.compiler);
    if (*STENCIL_MODE && environment(STENCIL_VARIABLE) && !plain)
        add(c, STENCIL_MODE);
    if (!plain)
        add_plugin(c, path, launched);
    for (int i = 1; i < argc; i++)
        add(c, argv[i]);
}

static void say_what_this_is(void) {
    pair chosen = choose();
    printf(STENCIL_NAME ": " STENCIL_PROGRAM " with StencilOpt " STENCILOPT_VERSION
                        "; all words go to it. See man stencil-cc.\n"
                        "Plugin: %s (%s)\nCompiler: %s\n\n",
           chosen.other ? chosen.other : own_plugin(), chosen.other ? "built apart" : STENCIL_KEY,
           chosen.compiler);
    fflush(stdout);
}

int main(int argc, char **argv) {
    command c = {NULL, 0, 0};
    if (argc == 2 && !strcmp(argv[1], "--help"))
        say_what_this_is();
    add_words(&c, argc, argv);
    execvp(c.words[0], c.words);
    fail("cannot run '%s': %s", c.words[0], strerror(errno));
}
