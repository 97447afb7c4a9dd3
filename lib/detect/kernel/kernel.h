/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Detection of stencils in GPU kernels: what other folders call.
 */
#ifndef STENCILOPT_KERNEL_H
#define STENCILOPT_KERNEL_H

#include "detect/kernel/stages.h"
#include "model/launch.h"

/* Never NULL: its reason is ST_OK, or why not (its stencil is then NULL). */
kernel_region *kernel_detect(br_function *f, LLVMValueRef function);
void kernel_region_destroy(kernel_region *k);
/* How many numbers with a fraction the loops of a function keep for their next iterations. Those
 * without are perhaps their counters. */
int kernel_count_carried(br_function *f);
/* Was the kernel refused for something that loops over neighbours may be? */
bool kernel_wants_unrolled(const kernel_region *k);
/* The numbers of a kernel, for those who ask about its threads alone: narrow integers are taken as
 * exact. To be freed by kernel_values_destroy. */
kernel_values *kernel_open(br_function *f, LLVMValueRef function);
/* The facts of its launch, for code generation. To be destroyed by st_destroy_launch. launch.c */
st_launch *kernel_launch(kernel_region *k);
/* How cells come about, on one line. print.c */
void kernel_print(const kernel_region *k, FILE *out);

#endif
