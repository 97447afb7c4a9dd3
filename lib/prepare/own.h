/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Variables that functions share only in name: each function sets the variable before it reads it.
 * Fortran programs have the indices of their loops, and values computed in them, in the main
 * program, whose internal procedures use them. C programs have static ones. Such a variable becomes
 * each function's own. Then loops assign no memory but elements of arrays.
 */
#ifndef STENCILOPT_OWN_H
#define STENCILOPT_OWN_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value by which a function comes to the variable: the variable's address; or, if `is_table`, the
 * address of memory that has the variable's address at this offset. flang hands such tables to
 * internal procedures. */
typedef struct own_way {
    LLVMValueRef value;
    bool is_table;
    int64_t offset;
} own_way;

/* A variable and all that the module does with it. */
typedef struct own_variable {
    LLVMValueRef variable; /* an alloca or a global */
    LLVMTypeRef type;
    own_way *ways;
    size_t nways;
    LLVMValueRef *accesses; /* loads and stores */
    size_t naccesses;
} own_variable;

/* Finds all that is done with the variable. False if that is not known, or is more than loading and
 * storing its value. own_ways.c */
bool own_find_ways(own_variable *v, LLVMValueRef variable);
void own_release(own_variable *v);
bool own_is_way(const own_variable *v, LLVMValueRef value);

/* Has the function the attribute, or its result or a parameter? own_ways.c */
bool own_has_promise(LLVMValueRef f, LLVMAttributeIndex index, const char *name);
/* Is the function in the module alone? own_ways.c */
bool own_is_local(LLVMValueRef f);

/* Who calls whom in the module. own_calls.c */
typedef struct own_calls own_calls;
own_calls *own_calls_find(LLVMModuleRef m);
void own_calls_destroy(own_calls *c);
/* Takes the functions that store the variable, and those that may call one of them. */
void own_calls_take_writers(own_calls *c, const own_variable *v);
/* May the call change the variable of which the writers were taken? */
bool own_call_may_write(const own_calls *c, const own_variable *v, LLVMValueRef call);

/* Is it an operation by which threads wait for one another? */
bool own_waits(LLVMValueRef instruction);

/* Does each load get what its own function stored? own_flow.c */
bool own_is_set_first(const own_calls *c, const own_variable *v);

/* Gives each function variables of its own where nobody can tell. True if the module was changed.
 * own.c */
bool prep_own_variables(LLVMModuleRef m);

#endif
