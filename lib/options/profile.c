/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads profiles. The file is read as a whole, and cut into lines in place.
 */
#include "options/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char first_line[] = "stencilopt-profile 1";
enum { MOST_BYTES = 1 << 22 };

/* The options that a plan is made by, and the greatest number that each may have. */
static const struct {
    const char *name;
    long most;
} options[] = {{"bt", 64},         {"cells", 128},   {"rows", 8},   {"warps", 32},
               {"registers", 255}, {"prefetch", 16}, {"unroll", 8}, {"on-chip", 1}};

typedef struct reader {
    profile *out;
    const char *path;
    int line;
    char *error;
    size_t size;
} reader;

static bool fail(const reader *r, const char *what, const char *word) {
    snprintf(r->error, r->size, "%.200s:%d: %s%.80s", r->path, r->line, what, word);
    return false;
}

static bool fail_file(const reader *r, const char *what) {
    snprintf(r->error, r->size, "%.200s: %s", r->path, what);
    return false;
}

/* Files */

/* Reads all bytes that fstat promised; false if they do not come. */
static bool read_all(int file, char *text, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t n = read(file, text + done, bytes - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return !memchr(text, 0, bytes);
}

static bool read_open(reader *r, int file) {
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > MOST_BYTES)
        return fail_file(r, "not a regular file of at most 4 MiB");
    size_t bytes = (size_t)about.st_size;
    r->out->text = malloc(bytes + 1);
    if (!r->out->text || !read_all(file, r->out->text, bytes))
        return fail_file(r, "not a text that can be read");
    r->out->text[bytes] = 0;
    return true;
}

/* O_NONBLOCK: a pipe would be waited for. */
static bool read_file(reader *r) {
    if (*r->path != '/')
        return fail_file(r, "not an absolute path");
    int file = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return fail_file(r, strerror(errno));
    bool good = read_open(r, file);
    close(file);
    return good;
}

/* Lines */

/* Reads a number up to `most`, which ends at ';' or at the end. */
static bool read_number(const char *text, int64_t most, int64_t *value, const char **end) {
    char *stop;
    errno = 0;
    *value = strtoll(text, &stop, 10);
    *end = stop;
    return *text >= '0' && *text <= '9' && errno == 0 && *value <= most &&
           (*stop == 0 || *stop == ';');
}

/* The number of the option that the text begins with; -1: none. */
static int option_at(const char *text) {
    size_t length = strcspn(text, "=;");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strlen(options[i].name) == length && !strncmp(options[i].name, text, length))
            return (int)i;
    return -1;
}

static bool check_compile(const reader *r, const char *text) {
    while (*text) {
        int i = option_at(text);
        int64_t value;
        const char *end = text + strcspn(text, "=;");
        if (i < 0)
            return fail(r,
                        "no option of a plan (bt, cells, rows, warps, registers, prefetch, unroll, "
                        "on-chip): ",
                        text);
        if (*end != '=' || !read_number(end + 1, options[i].most, &value, &end))
            return fail(r, "not an allowed value: ", text);
        text = end + (*end == ';');
    }
    return true;
}

static bool read_run(const reader *r, profile_region *region, const char *text) {
    static const char bt[] = "max-bt=", chunk[] = "chunk=";
    while (*text) {
        bool is_bt = !strncmp(text, bt, sizeof bt - 1);
        const char *end = text + (is_bt ? sizeof bt : sizeof chunk) - 1;
        if (!is_bt && strncmp(text, chunk, sizeof chunk - 1))
            return fail(r, "neither max-bt nor chunk: ", text);
        if (!read_number(end, INT32_MAX, is_bt ? &region->max_bt : &region->chunk, &end))
            return fail(r, "not an allowed value: ", text);
        text = end + (*end == ';');
    }
    return true;
}

static bool read_model(const reader *r, profile_region *region, const char *text) {
    char *end;
    region->model = strtoull(text, &end, 16);
    return (strlen(text) == 16 && !*end && region->model) ||
           fail(r, "not a number of 16 hexadecimal digits: ", text);
}

static bool add_region(const reader *r, const char *where) {
    profile *p = r->out;
    if (!*where || profile_find(p, where))
        return fail(r, *where ? "this region is there twice: " : "a region without name", where);
    profile_region *more = realloc(p->regions, (p->count + 1) * sizeof *more);
    if (!more)
        return fail_file(r, "out of memory");
    p->regions = more;
    p->regions[p->count++] = (profile_region){.where = where, .compile = ""};
    return true;
}

/* A word, and the rest of its line. */
static bool read_words(const reader *r, const char *word, const char *rest) {
    profile *p = r->out;
    profile_region *last = p->count ? &p->regions[p->count - 1] : NULL;
    if (!strcmp(word, "region"))
        return add_region(r, rest);
    if (!last)
        return fail(r, "no region is named before this line: ", word);
    if (!strcmp(word, "model"))
        return read_model(r, last, rest);
    if (!strcmp(word, "run"))
        return read_run(r, last, rest);
    if (strcmp(word, "compile"))
        return fail(r, "none of region, model, compile, run: ", word);
    last->compile = rest;
    return check_compile(r, rest);
}

static bool read_line(const reader *r, char *line) {
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        line[--length] = 0;
    if (r->line == 1)
        return !strcmp(line, first_line) || fail(r, "a profile's first line is ", first_line);
    char *word = line + strspn(line, " \t");
    if (!*word || *word == '#')
        return true;
    char *rest = word + strcspn(word, " \t");
    if (*rest)
        *rest++ = 0;
    return read_words(r, word, rest + strspn(rest, " \t"));
}

static bool read_lines(reader *r) {
    char *next = r->out->text, *line;
    while ((line = strsep(&next, "\n"))) {
        r->line++;
        if (!read_line(r, line))
            return false;
    }
    return true;
}

bool profile_read(profile *out, const char *path, char *error, size_t size) {
    reader r = {out, path, 0, error, size};
    *out = (profile){NULL, NULL, 0};
    if (read_file(&r) && read_lines(&r))
        return true;
    profile_release(out);
    return false;
}

void profile_release(profile *p) {
    free(p->regions);
    free(p->text);
    *p = (profile){NULL, NULL, 0};
}

const profile_region *profile_find(const profile *p, const char *where) {
    for (size_t i = 0; i < p->count; i++)
        if (!strcmp(p->regions[i].where, where))
            return &p->regions[i];
    return NULL;
}
