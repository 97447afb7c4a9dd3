/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays, their cells, and a thread's output.
 */
#include "stress.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char pool[THREADS][ARRAYS][POOL] __attribute__((aligned(4096)));

void give_up(const char *what) {
    dprintf(2, "stress: %s\n", what);
    _exit(99);
}

void give_up_as_documented(const char *what) {
    dprintf(2, "stress: %s\n", what);
    _exit(98);
}

void say(struct thread *t, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsnprintf(t->log + t->logged, LOG - t->logged, format, values);
    va_end(values);
    if (length > 0 && t->logged + (size_t)length < LOG)
        t->logged += (size_t)length;
}

uint32_t draw(struct thread *t) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 17;
    t->random ^= t->random << 5;
    return t->random;
}

static size_t row_bytes(const struct thread *t) {
    return (size_t)t->shape.pitch * t->family->size;
}

static long rows(const struct thread *t) {
    return t->shape.ny * t->shape.nz;
}

/* Not the cells between rows, where handlers count. */
uint64_t hash_cells(const struct thread *t, const void *array) {
    uint64_t hash = 1469598103934665603ull;
    size_t used = (size_t)t->shape.nx * t->family->size;
    for (long row = 0; row < rows(t); row++) {
        const unsigned char *at = (const unsigned char *)array + (size_t)row * row_bytes(t);
        for (size_t i = 0; i < used; i++)
            hash = (hash ^ at[i]) * 1099511628211ull;
    }
    return hash;
}

static void set_cell(const struct thread *t, void *at, uint32_t value, bool tiny) {
    double number = (double)(value % 2001) / 7 - 140;
    if (t->family->type == 'f')
        *(float *)at = (float)(tiny ? number * 1e-40 : number);
    else if (t->family->type == 'd')
        *(double *)at = tiny ? number * 1e-310 : number;
    else
        *(uint32_t *)at = value;
}

void fill_array(struct thread *t, void *array, bool tiny) {
    long cells = t->shape.pitch * rows(t);
    for (long i = 0; i < cells; i++)
        set_cell(t, (char *)array + (size_t)i * t->family->size, draw(t), tiny);
}

void fill_all(struct thread *t) {
    reset_order(t);
    for (int i = 0; i < ARRAYS; i++)
        fill_array(t, t->array[i].base, false);
}

void reset_order(struct thread *t) {
    for (int i = 0; i < ARRAYS; i++)
        t->order[i] = t->array[i].base;
}

void run_form(struct thread *t, int form, long steps) {
    t->family->form[form % t->family->forms](&t->shape, steps, t->order);
}

/* Zeros or rubbish: the caller fills it. */
struct array allocate(struct thread *t, int index, const char *how) {
    struct array made = {NULL, 0, false};
    size_t pages = (t->bytes + 4095) & ~4095ul;
    if (strcmp(how, "static") == 0) {
        made.base = pool[t->number][index];
    } else if (strcmp(how, "mmap") == 0) {
        made.base = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        made.mapped = pages;
    } else {
        made.allocated = true;
        if (strcmp(how, "aligned") != 0)
            made.base = strcmp(how, "calloc") == 0 ? calloc(t->bytes, 1) : malloc(t->bytes);
        else if (posix_memalign(&made.base, 4096, t->bytes))
            made.base = NULL;
    }
    if (!made.base || made.base == MAP_FAILED)
        give_up("no memory");
    return made;
}

void release(struct array *array) {
    if (array->allocated)
        free(array->base);
    else if (array->mapped)
        munmap(array->base, array->mapped);
    *array = (struct array){NULL, 0, false};
}
