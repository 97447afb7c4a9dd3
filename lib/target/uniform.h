/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values in a kernel that are the same for all threads of a launch: arguments, the launch's sizes,
 * and what is computed from them. Also, the instructions that read what a launch tells its threads.
 */
#ifndef STENCILOPT_UNIFORM_H
#define STENCILOPT_UNIFORM_H

#include "target/target.h"

/* Is the value the same for all threads of a launch? */
bool tg_is_uniform(LLVMValueRef v);
/* The same, where numbers count that threads read early, each under its own conditions. */
bool tg_is_uniform_number(LLVMValueRef v);
/* Do all threads read an integer at one fixed place, each before it writes anything? Sizes in
 * memory are read so. If another thread wrote there, the two would race, and the program had no
 * meaning. */
bool tg_is_read_first(LLVMValueRef load);
/* Do those threads do so that come to the load, perhaps by branches? If it is read for others, too,
 * the place must be readable, and no thread may write there. */
bool tg_is_read_early(LLVMValueRef load);
/* Does the instruction, a call or a load, read a launch value? */
bool tg_reads_launch(LLVMValueRef v, tg_launch_value *value, int *dim);
/* Does the call's result depend on its operands and on the launch alone, and can it not trap? */
bool tg_is_plain_call(LLVMValueRef call);
/* The number of operands; of a call, without the function that is called. */
int tg_operand_count(LLVMValueRef instruction);

unsigned tg_argument_number(LLVMValueRef argument);
bool tg_argument_has(LLVMValueRef v, const char *attribute); /* false if v is no argument */
/* Does the load read an integer of the program's constant memory (__constant__), which no kernel
 * writes, at a fixed place? Sizes are there. Other numbers, as a filter's weights, are left to be
 * read where they are used. */
bool tg_is_constant_memory(LLVMValueRef load);
bool tg_is_struct(LLVMValueRef v); /* an argument that points to a struct passed by value */

#endif
