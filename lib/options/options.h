/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Options from pass parameters, the command line and the environment; options.def lists them.
 */
#ifndef STENCILOPT_OPTIONS_H
#define STENCILOPT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum opt_id {
#define OPTION(id, name, fallback, allowed, help) OPT_##id,
#include "options/options.def"
    OPT_COUNT
} opt_id;

/* One text for each option; each text ends with NUL. */
typedef struct opt_values {
    char value[OPT_COUNT][512];
} opt_values;

/* Makes -mllvm -stencilopt-<name> known to LLVM, once a process. False if another copy of the
 * plugin did so before. */
bool opt_register(void);

/* Reads the values of all options. `parameters` is the text between < and > of a pass; the text may
 * be empty. On failure returns false, and `error` names the option and the values that are allowed.
 */
bool opt_read(const char *parameters, opt_values *out, char *error, size_t size);
/* Are the values of these parameters allowed? If not, `error` says why. */
bool opt_check(const char *parameters, char *error, size_t size);

/* As opt_read's parameters, for options that the user does not give; those given stay. */
bool opt_fill(opt_values *values, const char *parameters, char *error, size_t size);

/* The value of an option that the user does not give. */
const char *opt_fallback(opt_id id);

/* Steps through the parts of a value that + separates. *next starts as the value. NULL at the end.
 */
const char *opt_part(const char **next, char *part, size_t size);

/* Reads "8x4" as two numbers from 1 to 1024, and "0" as 0 and 0. False for any other text. */
bool opt_size(const char *text, int *width, int *height);
/* Reads "8x4" or "4x4x2" as powers of two up to 32, and "0" as zeros. A third number that is not
 * there is 1. False for any other text. */
bool opt_box(const char *text, int cells[3]);

#endif
