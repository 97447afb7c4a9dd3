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

/* One value an option; each ends with NUL. */
typedef struct opt_values {
    char value[OPT_COUNT][512];
} opt_values;

/* Once a process: makes -mllvm -stencilopt-<name> known. False if another copy of the plugin did.
 */
bool opt_register(void);

/* Reads the values; `parameters` is the text between < and > of a pass, perhaps empty. Returns
 * false with a message that names the option and the values allowed. */
bool opt_read(const char *parameters, opt_values *out, char *error, size_t size);
/* Are these good? Else a message. */
bool opt_check(const char *parameters, char *error, size_t size);

/* The value where none is given. */
const char *opt_fallback(opt_id id);

/* Steps through a value's parts, which + separates: *next starts as the value. NULL at the end. */
const char *opt_part(const char **next, char *part, size_t size);

/* "8x4"; both 0 for "0". False if it is neither, or not of 1 to 1024. */
bool opt_size(const char *text, int *width, int *height);

#endif
