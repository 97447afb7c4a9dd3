/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parses options: pass parameters first, then the command line, then the environment.
 */
#include "options/options.h"

#include "bridge/bridge.h"
#include "target/target.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *fallback, *allowed, *help;
} table[OPT_COUNT] = {
#define OPTION(id, name, fallback, allowed, help) {name, fallback, allowed, help},
#include "options/options.def"
};

static br_option *registered[OPT_COUNT];

static bool is_only_copy;

static void register_all(void) {
    for (int i = 0; i < OPT_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "stencilopt-%s", table[i].name);
        registered[i] = br_option_register(strdup(name), table[i].help);
        if (!registered[i])
            return;
    }
    is_only_copy = true;
}

/* pthread_once, because linkers load the plugin in several threads at a time. */
bool opt_register(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_all);
    return is_only_copy;
}

static const char *from_environment(int i) {
    char name[64] = "STENCILOPT_";
    size_t n = strlen(name);
    for (const char *c = table[i].name; *c; c++)
        name[n++] = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    name[n] = 0;
    return secure_getenv(name);
}

static bool set(opt_values *out, int i, const char *value, size_t length, char *error,
                size_t size) {
    if (length < sizeof out->value[i]) {
        memcpy(out->value[i], value, length);
        out->value[i][length] = 0;
        return true;
    }
    snprintf(error, size, "option '%s': the value is too long", table[i].name);
    return false;
}

static bool unknown_option(const char *name, size_t length, char *error, size_t size) {
    int n = snprintf(error, size, "unknown option '%.*s'; the options are", (int)length, name);
    for (int i = 0; i < OPT_COUNT && n > 0 && (size_t)n < size; i++)
        n += snprintf(error + n, size - (size_t)n, "%s %s", i ? "," : "", table[i].name);
    return false;
}

/* Parses "name=value;name=value". */
static bool read_parameters(const char *text, opt_values *out, char *error, size_t size) {
    while (*text) {
        size_t whole = strcspn(text, ";"), name = strcspn(text, "=;");
        int i = 0;
        while (i < OPT_COUNT &&
               (strlen(table[i].name) != name || strncmp(table[i].name, text, name)))
            i++;
        if (i == OPT_COUNT)
            return unknown_option(text, name, error, size);
        if (name == whole && strncmp(table[i].allowed, "0 or 1", 6)) {
            snprintf(error, size, "option '%s' needs a value; allowed: %s", table[i].name,
                     i == OPT_ARCH ? tg_architectures() : table[i].allowed);
            return false;
        }
        const char *value = name < whole ? text + name + 1 : "1";
        if (!set(out, i, value, name < whole ? whole - name - 1 : 1, error, size))
            return false;
        text += whole + (text[whole] == ';');
    }
    return true;
}

const char *opt_fallback(opt_id id) {
    return table[id].fallback;
}

const char *opt_part(const char **next, char *part, size_t size) {
    size_t length = strcspn(*next, "+");
    if (!**next)
        return NULL;
    snprintf(part, size, "%.*s", (int)length, *next);
    *next += length + ((*next)[length] == '+');
    return part;
}

static bool bad_value(int i, const char *value, const char *allowed, char *error, size_t size) {
    snprintf(error, size, "option '%s': '%s' is not allowed; allowed: %s", table[i].name, value,
             allowed);
    return false;
}

/* Is the option a number from 0 to `most`? With `pair` the number 1 is refused. */
static bool check_number(const opt_values *v, int i, int most, bool pair, char *error,
                         size_t size) {
    const char *text = v->value[i];
    char *end;
    long n = strtol(text, &end, 10);
    return (*text && !*end && n >= 0 && n <= most && !(pair && n == 1)) ||
           bad_value(i, text, table[i].allowed, error, size);
}

static bool check_flag(const opt_values *v, int i, char *error, size_t size) {
    const char *text = v->value[i];
    return !strcmp(text, "0") || !strcmp(text, "1") ||
           bad_value(i, text, table[i].allowed, error, size);
}

static bool check_on_chip(const opt_values *v, char *error, size_t size) {
    return !strcmp(v->value[OPT_ON_CHIP], "auto") || check_flag(v, OPT_ON_CHIP, error, size);
}

bool opt_size(const char *text, int *width, int *height) {
    int end = 0;
    *width = *height = 0;
    return !strcmp(text, "0") ||
           (sscanf(text, "%4dx%4d%n", width, height, &end) == 2 && !text[end] && *width > 0 &&
            *width <= 1024 && *height > 0 && *height <= 1024);
}

static bool is_power(int n) {
    return n > 0 && n <= 32 && (n & (n - 1)) == 0;
}

bool opt_box(const char *text, int cells[3]) {
    int end = 0, more = 0;
    cells[0] = cells[1] = cells[2] = 0;
    if (!strcmp(text, "0"))
        return true;
    if (sscanf(text, "%2dx%2d%n", &cells[0], &cells[1], &end) != 2)
        return false;
    cells[2] = 1;
    if (text[end] && sscanf(text + end, "x%2d%n", &cells[2], &more) != 1)
        return false;
    return !text[end + more] && is_power(cells[0]) && is_power(cells[1]) && is_power(cells[2]);
}

/* Checks the option that orders a kernel's threads. */
static bool check_order(const opt_values *v, char *error, size_t size) {
    int width, height;
    const char *tiles = v->value[OPT_TILES];
    if (strcmp(v->value[OPT_COLUMN], "none") &&
        !check_number(v, OPT_COLUMN, 65536, false, error, size))
        return false;
    if (!opt_size(tiles, &width, &height))
        return bad_value(OPT_TILES, tiles, table[OPT_TILES].allowed, error, size);
    if (width && strcmp(v->value[OPT_COLUMN], "0"))
        return bad_value(OPT_TILES, tiles, "0, where 'column' is given", error, size);
    return check_flag(v, OPT_ZIGZAG, error, size);
}

/* Is the option empty, or one of these words? */
static bool check_word(const opt_values *v, int i, const char *const words[], char *error,
                       size_t size) {
    bool known = !*v->value[i];
    for (int w = 0; words[w]; w++)
        known |= !strcmp(v->value[i], words[w]);
    return known || bad_value(i, v->value[i], table[i].allowed, error, size);
}

static bool check_bricks(const opt_values *v, char *error, size_t size) {
    static const char *const layouts[] = {"rows", "brick", NULL};
    const char *brick = v->value[OPT_BRICK], *fold = v->value[OPT_FOLD];
    int cells[3], lanes[3];
    if (!opt_box(brick, cells) || cells[0] == 1 || cells[0] == 2)
        return bad_value(OPT_BRICK, brick, table[OPT_BRICK].allowed, error, size);
    if (!opt_box(fold, lanes) || (lanes[0] && lanes[0] * lanes[1] * lanes[2] != 32))
        return bad_value(OPT_FOLD, fold, table[OPT_FOLD].allowed, error, size);
    return check_word(v, OPT_LAYOUT, layouts, error, size) &&
           check_flag(v, OPT_SHUFFLE, error, size);
}

static bool check_blocking(const opt_values *v, char *error, size_t size) {
    static const char *const caches[] = {"l1", "lds", "reg", NULL};
    static const char *const loads[] = {"cyclic", "branch", NULL};
    static const char *const blockings[] = {"2d", "2.5d", "3d", NULL};
    static const char *const vectors[] = {"0", "1", "2", "4", "8", NULL};
    static const char *const waves[] = {"1d", "2d", NULL}, *const axes[] = {"x", "y", "z", NULL};
    return check_number(v, OPT_COARSEN, 32, false, error, size) &&
           check_word(v, OPT_VECTOR, vectors, error, size) &&
           check_number(v, OPT_BLOCK, 1, false, error, size) &&
           check_word(v, OPT_CACHE, caches, error, size) &&
           check_word(v, OPT_LOAD, loads, error, size) &&
           check_word(v, OPT_BLOCKING, blockings, error, size) &&
           check_word(v, OPT_WAVE, waves, error, size) &&
           check_word(v, OPT_AXIS, axes, error, size);
}

static bool check(const opt_values *v, char *error, size_t size) {
    const char *arch = v->value[OPT_ARCH], *next = arch;
    char part[64];
    if (!*arch || arch[strlen(arch) - 1] == '+')
        return bad_value(OPT_ARCH, arch, tg_architectures(), error, size);
    if (!check_number(v, OPT_BT, 64, false, error, size) ||
        !check_number(v, OPT_CELLS, 128, false, error, size) ||
        !check_number(v, OPT_ROWS, 8, false, error, size) ||
        !check_number(v, OPT_WARPS, 32, false, error, size) ||
        !check_number(v, OPT_REGISTERS, 255, false, error, size) ||
        !check_number(v, OPT_UNROLL, 8, false, error, size) ||
        !check_number(v, OPT_GROUP, 24, false, error, size) ||
        !check_number(v, OPT_PREFETCH, 16, true, error, size) ||
        !check_flag(v, OPT_DEVICE_MATH, error, size) || !check_flag(v, OPT_CODE, error, size) ||
        !check_flag(v, OPT_COMPRESS, error, size) || !check_on_chip(v, error, size) ||
        !check_order(v, error, size) || !check_blocking(v, error, size) ||
        !check_bricks(v, error, size))
        return false;
    while (opt_part(&next, part, sizeof part))
        if (!tg_find(part))
            return bad_value(OPT_ARCH, part, tg_architectures(), error, size);
    return true;
}

bool opt_read(const char *parameters, opt_values *out, char *error, size_t size) {
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *value = registered[i] ? br_option_value(registered[i]) : NULL;
        value = value ? value : from_environment(i);
        value = value ? value : table[i].fallback;
        if (!set(out, i, value, strlen(value), error, size))
            return false;
    }
    return read_parameters(parameters, out, error, size) && check(out, error, size);
}

bool opt_fill(opt_values *values, const char *parameters, char *error, size_t size) {
    opt_values *more = malloc(sizeof *more);
    *more = *values;
    bool good = read_parameters(parameters, more, error, size);
    for (int i = 0; i < OPT_COUNT && good; i++)
        if (!strcmp(values->value[i], table[i].fallback))
            memcpy(values->value[i], more->value[i], sizeof more->value[i]);
    free(more);
    return good && check(values, error, size);
}

bool opt_check(const char *parameters, char *error, size_t size) {
    opt_values *values = malloc(sizeof *values);
    bool good = opt_read(parameters, values, error, size);
    free(values);
    return good;
}
