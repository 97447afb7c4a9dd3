/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parses --arg, and makes and fills the buffers.
 */
#include "arguments.h"

#include "stencilopt/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const element_type types[] = {
    {"i8", ELEMENT_SIGNED, 1},    {"i16", ELEMENT_SIGNED, 2},   {"i32", ELEMENT_SIGNED, 4},
    {"i64", ELEMENT_SIGNED, 8},   {"u8", ELEMENT_UNSIGNED, 1},  {"u16", ELEMENT_UNSIGNED, 2},
    {"u32", ELEMENT_UNSIGNED, 4}, {"u64", ELEMENT_UNSIGNED, 8}, {"f32", ELEMENT_REAL, 4},
    {"f64", ELEMENT_REAL, 8},
};

static const element_type *find_type(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strlen(types[i].name) == length && strncmp(types[i].name, text, length) == 0)
            return &types[i];
    return NULL;
}

static uint64_t real_bits(double value, size_t bytes) {
    uint64_t bits = 0;
    if (bytes == 4) {
        float single = (float)value;
        memcpy(&bits, &single, 4);
    } else {
        memcpy(&bits, &value, 8);
    }
    return bits;
}

static bool fits(const element_type *type, const char *text, uint64_t value) {
    if (type->bytes == 8)
        return true;
    unsigned bits = (unsigned)type->bytes * 8;
    if (text[0] == '-')
        return type->kind == ELEMENT_SIGNED && (int64_t)value >= -(1ll << (bits - 1));
    return value >> bits == 0; /* a signed one may be written as its bit pattern */
}

/* A decimal number, or a hexadecimal one: 0x10, 0x1.8p-1. */
static bool parse_value(const element_type *type, const char *text, uint64_t *bits) {
    char *end;
    errno = 0;
    if (!*text)
        return false;
    if (type->kind == ELEMENT_REAL) {
        *bits =
            type->bytes == 4 ? real_bits(strtof(text, &end), 4) : real_bits(strtod(text, &end), 8);
        return *end == '\0'; /* overflow to infinity is what was asked for */
    }
    *bits = text[0] == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    return *end == '\0' && errno == 0 && fits(type, text, *bits);
}

/* splitmix64 (Steele, Lea, Flood 2014): the n-th number of a seed. */
static uint64_t random_bits(uint64_t seed, uint64_t n) {
    uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* Reals: the top 24 or 53 bits, in [0,1). Integers: 0 to 255, 0 to 127 where the type ends there.
 */
static uint64_t random_element(const element_type *type, uint64_t seed, uint64_t n) {
    uint64_t bits = random_bits(seed, n);
    if (type->kind == ELEMENT_REAL)
        return type->bytes == 4 ? real_bits((double)(bits >> 40) * 0x1p-24, 4)
                                : real_bits((double)(bits >> 11) * 0x1p-53, 8);
    return bits >> 56 & (type->kind == ELEMENT_SIGNED && type->bytes == 1 ? 127 : 255);
}

static uint64_t counting_element(const element_type *type, uint64_t n) {
    return type->kind == ELEMENT_REAL ? real_bits((double)n, type->bytes) : n;
}

static int read_file(sim_argument *a, const char *path, char *error, size_t error_size) {
    size_t bytes = a->count * a->type->bytes;
    FILE *file = fopen(path, "rb");
    if (!file)
        return snprintf(error, error_size, "cannot open '%s': %s", path, strerror(errno)), 1;
    size_t got = fread(a->memory, 1, bytes, file);
    bool longer = got == bytes && fgetc(file) != EOF;
    fclose(file);
    if (got != bytes || longer)
        return snprintf(error, error_size, "'%s' has %s than the buffer's %zu bytes", path,
                        longer ? "more" : "fewer", bytes),
               1;
    return 0;
}

/* As many numbers as there are elements, with + between them. */
static int read_values(sim_argument *a, const char *text, char *error, size_t error_size) {
    char one[64];
    uint64_t bits;
    for (size_t n = 0; n < a->count; ++n) {
        size_t length = strcspn(text, "+");
        bool last = text[length] == '\0';
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        if (length >= sizeof one || !parse_value(a->type, one, &bits) ||
            last != (n + 1 == a->count))
            return snprintf(error, error_size, "values=V+V+... wants %zu values of type %s",
                            a->count, a->type->name),
                   1;
        memcpy(a->memory + n * a->type->bytes, &bits, a->type->bytes);
        text += length + 1;
    }
    return 0;
}

static int fill(sim_argument *a, const char *init, char *error, size_t error_size) {
    const element_type *type = a->type;
    char *end = NULL;
    if (strncmp(init, "file=", 5) == 0)
        return read_file(a, init + 5, error, error_size);
    if (strncmp(init, "values=", 7) == 0)
        return read_values(a, init + 7, error, error_size);
    bool random = strncmp(init, "rand=", 5) == 0 && init[5];
    uint64_t seed = random ? strtoull(init + 5, &end, 0) : 0;
    if (random ? *end != '\0' : strcmp(init, "zero") != 0 && strcmp(init, "iota") != 0)
        return snprintf(error, error_size,
                        "unknown initial value '%s'; allowed: zero, iota, rand=SEED, "
                        "values=V+V+..., file=PATH, same=N, same=N+K",
                        init),
               1;
    for (size_t n = 0; n < a->count; ++n) {
        uint64_t bits = random           ? random_element(type, seed, n)
                        : init[0] == 'i' ? counting_element(type, n)
                                         : 0;
        memcpy(a->memory + n * type->bytes, &bits, type->bytes);
    }
    return 0;
}

static int unknown_type(const char *text, size_t length, char *error, size_t error_size) {
    return snprintf(
               error, error_size,
               "unknown type '%.*s'; allowed: i8, i16, i32, i64, u8, u16, u32, u64, f32, f64%s",
               (int)length, text, ", and buf:TYPE:COUNT:INIT"),
           1;
}

/* The memory of an earlier argument, which both use; from its element K on, if +K is given. */
static int share(const char *text, const sim_argument *earlier, unsigned count, sim_argument *a,
                 char *error, size_t error_size) {
    char *end = NULL;
    unsigned long n = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : count;
    size_t first = n < count && *end == '+' ? strtoul(end + 1, &end, 10) : 0;
    size_t bytes =
        n < count && earlier[n].is_buffer ? earlier[n].count * earlier[n].type->bytes : 0;
    size_t own = a->count * a->type->bytes, before = first * a->type->bytes;
    if (n >= count || *end || own > bytes || before > bytes - own)
        return snprintf(error, error_size, "same=N wants an earlier buffer that holds it"), 1;
    a->memory = earlier[n].memory + before;
    a->shared = true;
    return 0;
}

static int parse_buffer(const char *text, const sim_argument *earlier, unsigned number,
                        size_t offset, sim_argument *a, char *error, size_t error_size) {
    size_t length = strcspn(text, ":");
    a->type = find_type(text, length);
    if (!a->type)
        return unknown_type(text, length, error, error_size);
    char *end = NULL;
    const char *count = text + length + (text[length] == ':');
    unsigned long long n = *count >= '0' && *count <= '9' ? strtoull(count, &end, 0) : 0;
    if (!end || *end != ':' || n > SIZE_MAX / 16)
        return snprintf(error, error_size, "a buffer is buf:TYPE:COUNT:INIT"), 1;
    snprintf(a->label, sizeof a->label, "argument %u", number);
    a->is_buffer = true;
    a->count = n;
    if (strncmp(end, ":same=", 6) == 0)
        return share(end + 6, earlier, number, a, error, error_size);
    a->memory = stencilsim_alloc((offset + n) * a->type->bytes, a->label);
    if (!a->memory)
        return snprintf(error, error_size, "no memory for %llu elements", n), 1;
    memset(a->memory, 0, offset * a->type->bytes);
    a->memory += offset * a->type->bytes;
    a->offset = offset;
    return fill(a, end + 1, error, error_size);
}

int argument_parse(const char *text, const sim_argument *earlier, unsigned number, size_t offset,
                   sim_argument *a, char *error, size_t error_size) {
    memset(a, 0, sizeof *a);
    if (strncmp(text, "buf:", 4) == 0)
        return parse_buffer(text + 4, earlier, number, offset, a, error, error_size);
    size_t length = strcspn(text, ":");
    a->type = find_type(text, length);
    if (!a->type)
        return unknown_type(text, length, error, error_size);
    if (text[length] != ':' || !parse_value(a->type, text + length + 1, &a->value))
        return snprintf(error, error_size, "'%s' is no value of type %s", text, a->type->name), 1;
    return 0;
}

void argument_free(const sim_argument *a) {
    if (a->is_buffer && a->memory && !a->shared)
        stencilsim_free(a->memory - a->offset * a->type->bytes);
}

uint64_t argument_hash(const sim_argument *a) {
    const unsigned char *bytes =
        a->is_buffer ? (const unsigned char *)a->memory : (const unsigned char *)&a->value;
    size_t n = a->is_buffer ? a->count * a->type->bytes : a->type->bytes;
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; ++i)
        hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return hash;
}

/* Values must come back equal when read; a NaN keeps its sign and payload as a bit pattern. */
static void print_real(double value, size_t bytes, uint64_t bits) {
    char text[40];
    if (value != value) {
        printf("nan(0x%" PRIx64 ")\n", bits);
        return;
    }
    for (int digits = 1; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (bytes == 4 ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            break;
    }
    puts(text);
}

static void print_element(const element_type *type, const void *from) {
    uint64_t bits = 0;
    memcpy(&bits, from, type->bytes);
    if (type->kind == ELEMENT_REAL) {
        float single;
        double value;
        memcpy(&single, from, 4);
        if (type->bytes == 8)
            memcpy(&value, from, 8);
        else
            value = single;
        print_real(value, type->bytes, bits);
    } else if (type->kind == ELEMENT_UNSIGNED) {
        printf("%" PRIu64 "\n", bits);
    } else {
        unsigned shift = 64 - 8 * (unsigned)type->bytes;
        printf("%" PRId64 "\n", (int64_t)(bits << shift) >> shift);
    }
}

void argument_print(const sim_argument *a) {
    if (!a->is_buffer) {
        print_element(a->type, &a->value);
        return;
    }
    for (size_t n = 0; n < a->count; ++n)
        print_element(a->type, a->memory + n * a->type->bytes);
}
