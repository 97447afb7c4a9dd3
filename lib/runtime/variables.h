/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The environment's variables: variables.def is the table.
 *
 * In a program with more rights than its caller (AT_SECURE: set-user-id, set-group-id, file
 * capabilities) all variables count as unset. secure_getenv does the same.
 */
#ifndef STENCILRT_VARIABLES_H
#define STENCILRT_VARIABLES_H

#include <stdbool.h>

enum rt_variable {
#define VARIABLE(id, name, values, meaning) RT_VAR_##id,
#include "runtime/variables.def"
};

/* The value; NULL if the variable is unset or empty. */
const char *rt_variable(enum rt_variable v);
const char *rt_variable_name(enum rt_variable v);

/* Warns of each variable named STENCILOPT_... that neither compiler nor runtime knows. */
void rt_variables_check(void);

/* Does the program have no more rights than its caller? */
bool rt_caller_is_trusted(void);

#endif
