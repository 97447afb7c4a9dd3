/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What calls in a loop depend on, if that is nothing that the loop computes for others: see
 * needs.c.
 */
#ifndef STENCILOPT_NEEDS_H
#define STENCILOPT_NEEDS_H

#include "model/fixed_limits.h"
#include "prepare/guard.h"

enum { NEEDS_CALLS = ST_LIMIT(16, 2), NEEDS_VALUES = ST_LIMIT(1024, 48) };

typedef struct prep_needs {
    prep_guard *g; /* of the loop */
    /* It is a time loop. Not calls are sought in it, but loads of table entries, which are the same
     * in each step. */
    bool steps;
    LLVMValueRef call[NEEDS_CALLS];
    size_t calls;                     /* or such loads */
    LLVMValueRef value[NEEDS_VALUES]; /* the calls, and what they need in the loop */
    size_t values, arguments; /* the first ones are the calls and what their arguments need */
} prep_needs;

/* Is it a call of a mathematical function that has other bits on a GPU, or that may set errno? It
 * then depends on its arguments alone. */
bool prep_is_library_call(LLVMValueRef i);
/* Is it a load of a number at an index that is loaded, too, in an inner loop? */
bool prep_is_gather(br_function *f, LLVMValueRef i);
bool prep_is_sought(const prep_needs *n, br_function *f, LLVMValueRef i);
/* Does no iteration write what is loaded? errno is written by none that loads something else. */
bool prep_stays(prep_guard *g, LLVMValueRef load);
/* Fills in the calls of the loop and what they need. False: there are none, or iterations may
 * depend on what others store; *g may then have conditions that are not wanted. Of table entries it
 * is not known whether stores change them. */
bool prep_find_needs(prep_needs *n, prep_guard *g);
bool prep_is_needed(const prep_needs *n, LLVMValueRef v);
/* Does the way to a call depend on where control goes from the end of the block, or does control
 * leave a loop there? */
bool prep_decides(const prep_needs *n, LLVMBasicBlockRef block);
/* Is the value used only to compute arguments of the calls? */
bool prep_is_for_calls(const prep_needs *n, LLVMValueRef v);

#endif
