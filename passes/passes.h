/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef STENCILOPT_PASSES_H
#define STENCILOPT_PASSES_H

#include "bridge/bridge.h"
#include "options/options.h"
#include "plan/plan.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* stencil-offload: stencil loops of host code become GPU kernels. passes/offload.c */
const char *pass_offload_check(const char *parameters);
bool pass_offload_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* Before LLVM's passes change loops: those that may be sweeps stay whole, for stencil-offload,
 * after which br_function_split does what was put off. passes/whole.c */
bool pass_whole_loops(br_function *f, LLVMValueRef function, unsigned level);
/* Counters of loops are sums again. True if the function was changed. */
bool pass_mend_counters(br_function *f);
/* Temporary arrays that each iteration of a loop allocates and frees: while the loop is looked at,
 * they are allocated in front of it. NULL if it has none. passes/temporaries.c */
typedef struct pass_memory pass_memory;
pass_memory *pass_take_memory(br_function *f, LLVMValueRef function, br_loop l);
const struct offload_memory *pass_memory_out(const pass_memory *m); /* what is in front; or NULL */
/* If the loop is not offloaded: it is as it was. If it is: it has calls of its own again. */
void pass_put_memory_back(pass_memory *m);
void pass_leave_memory(pass_memory *m);
/* What was seen of some of a function's nests, whose stand-ins are in it. Holds until the control
 * flow changes. */
enum { PASS_MAX_SEEN = 128 };
typedef struct pass_seen {
    br_loop innermost[PASS_MAX_SEEN];
    struct host_region *region[PASS_MAX_SEEN];
    int count;
} pass_seen;
/* The nest of the innermost loop; from the list, if it is there, which then has it no longer. */
struct host_region *pass_detect(pass_seen *seen, br_function *f, LLVMValueRef function, br_loop l,
                                bool math);
void pass_forget_seen(pass_seen *seen);
/* Puts a loop of one iteration around sweeps that follow one another and are a region together; its
 * branch back, or NULL. What it sees of nests on the way, if there is nothing to put, is added to
 * the list. pass_unwrap takes it away. passes/sequence.c */
LLVMValueRef pass_wrap_sweeps(br_function *f, LLVMValueRef function, bool math, pass_seen *seen);
void pass_unwrap(br_function *f, LLVMValueRef back);
bool pass_is_host(LLVMModuleRef m); /* that stencil-offload looks at */
/* Remarks at loops that call this function, which has a sweep and no time loop. calls.c */
void pass_remark_calls(LLVMValueRef sweep, void *analyses);

/* stencil-remap: the threads of a kernel take its cells in another order. passes/remap.c */
const char *pass_remap_check(const char *parameters);
bool pass_remap_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* The plan by these options; decides on the way where the stencil's operations contract. */
st_plan pass_plan(st_stencil *s, const opt_values *options);
/* Of one of several sweeps in a time loop. */
st_plan pass_plan_sweep(st_stencil *s, int number, const opt_values *options);

/* stencil-block: spatial blocking in the kernels of device modules. passes/block.c */
const char *pass_block_check(const char *parameters);
bool pass_block_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* print<stencil>: what is recognised, on stderr; changes nothing. passes/print.c */
const char *pass_print_check(const char *parameters);
bool pass_print_run(LLVMModuleRef m, void *analyses, const char *parameters);

/* print<plan>, print<plan><options>: what would be generated, on stderr; changes nothing. */
const char *pass_print_plan_check(const char *parameters);
bool pass_print_plan_run(LLVMModuleRef m, void *analyses, const char *parameters);

#endif
