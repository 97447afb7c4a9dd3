/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One --arg of the command line: TYPE:VALUE, or buf:TYPE:COUNT:INIT.
 */
#ifndef STENCIL_SIM_ARGUMENTS_H
#define STENCIL_SIM_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum element_kind { ELEMENT_SIGNED, ELEMENT_UNSIGNED, ELEMENT_REAL } element_kind;

typedef struct element_type {
    const char *name;
    element_kind kind;
    size_t bytes;
} element_type;

typedef struct sim_argument {
    const element_type *type;
    bool is_buffer;
    bool shared;   /* its memory is that of another buffer */
    char *memory;  /* a buffer's elements (device memory) */
    size_t offset; /* elements of the allocation before them */
    char label[32];
    size_t count;
    uint64_t value; /* a scalar's bytes */
} sim_argument;

/* 0, or a message in `error`. `number` names the argument in messages and faults; `earlier` has the
 * arguments before it. A buffer begins `offset` elements behind the aligned start of its
 * allocation.
 */
int argument_parse(const char *text, const sim_argument *earlier, unsigned number, size_t offset,
                   sim_argument *argument, char *error, size_t error_size);
void argument_free(const sim_argument *argument);

/* FNV-1a, 64 bits, over the argument's bytes. */
uint64_t argument_hash(const sim_argument *argument);

/* One value a line; floating-point numbers with as few digits as give the same value back. */
void argument_print(const sim_argument *argument);

#endif
