/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The compiler that packages are built with (tools/packages): clang, or clang++ if its own name
 * ends so, with options of ours behind the package's. Where it compiles a file, it notes what that
 * took: user and system time in microseconds, peak memory in KiB, number of regions, the file's
 * path.
 *
 * Surroundings: PACKAGES_LOG, the file for that; PACKAGES_OPTIONS, of every call; PACKAGES_PLUGIN,
 * its path or nothing.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 64 };

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static bool is_source(const char *word) {
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (*word != '-' && ends_with(word, endings[i]))
            return true;
    return false;
}

/* The file, where it is one and no program is linked; else NULL. */
static const char *compiled(int argc, char **argv) {
    const char *file = NULL;
    bool compiles = false;
    for (int i = 1; i < argc; i++) {
        compiles |= !strcmp(argv[i], "-c");
        if (is_source(argv[i]))
            file = argv[i];
    }
    return compiles ? file : NULL;
}

static void add_words(const char **to, size_t *count, const char *text) {
    char *words = strdup(text);
    for (char *w = strtok(words, " "); w && *count + 1 < MAX_WORDS; w = strtok(NULL, " "))
        to[(*count)++] = w;
}

/* What the plugin saves of a region is one file of this ending. */
static int count_regions(const char *folder) {
    DIR *d = opendir(folder);
    int count = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        count += ends_with(e->d_name, ".stencil");
    if (d)
        closedir(d);
    return count;
}

static void note(const char *log, const char *file, const struct rusage *used, int regions) {
    char path[PATH_MAX], line[PATH_MAX + 100];
    long long time = (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000000LL +
                     used->ru_utime.tv_usec + used->ru_stime.tv_usec;
    if (!realpath(file, path))
        return;
    int size =
        snprintf(line, sizeof line, "%lld %ld %d %s\n", time, used->ru_maxrss, regions, path);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (out < 0 || write(out, line, (size_t)size) != size)
        perror(log);
    close(out);
}

int main(int argc, char **argv) {
    const char *log = getenv("PACKAGES_LOG"), *options = getenv("PACKAGES_OPTIONS"),
               *plugin = getenv("PACKAGES_PLUGIN"), *file = compiled(argc, argv);
    const char **words = calloc((size_t)argc + MAX_WORDS + 1, sizeof *words);
    char load[PATH_MAX], saved[PATH_MAX];
    size_t count = 0;
    if (!words || !log || !options)
        return 1;
    words[count++] = ends_with(argv[0], "++") ? "clang++-22" : "clang-22";
    for (int i = 1; i < argc; i++)
        words[count++] = argv[i];
    size_t ours = 0;
    add_words(words + count, &ours, options);
    count += ours;
    snprintf(load, sizeof load, "-fpass-plugin=%s", plugin ? plugin : "");
    if (plugin && *plugin)
        words[count++] = load;
    snprintf(saved, sizeof saved, "%s.regions/%d", log, (int)getpid());
    pid_t child = fork();
    if (child == 0) {
        if (file)
            setenv("STENCILOPT_SAVE_TEMPS", saved, 1);
        execvp(words[0], (char *const *)words);
        perror(words[0]);
        _exit(127);
    }
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 1;
    if (file && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        note(log, file, &used, count_regions(saved));
    if (WIFSIGNALED(status))
        fprintf(stderr, "packages: %s ended by signal %d\n", words[0], WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
