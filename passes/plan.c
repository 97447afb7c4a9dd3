/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plan of a time step, by the options.
 */
#include "offload/images.h"
#include "passes.h"

#include <stdio.h>
#include <stdlib.h>

/* Is it one that was put around sweeps? See sequence.c. */
bool pass_is_once(br_loop l) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_latch(l));
    return LLVMIsConditional(end) && LLVMIsConstant(LLVMGetCondition(end));
}

static int option_number(const opt_values *options, opt_id id) {
    return atoi(options->value[id]);
}

/* All kernels of a program have one plan, so warps are what the shortest has. 0: as the one that
 * there is. */
static int common_lanes(const opt_values *options) {
    const char *next = options->value[OPT_ARCH];
    char arch[64];
    int least = 0, count = 0;
    for (; opt_part(&next, arch, sizeof arch); count++)
        least = count && least < plan_lanes(arch) ? least : plan_lanes(arch);
    return count > 1 ? least : 0;
}

static plan_wish wish_of(const opt_values *options) {
    return (plan_wish){option_number(options, OPT_BT),     option_number(options, OPT_CELLS),
                       option_number(options, OPT_ROWS),   option_number(options, OPT_PREFETCH),
                       option_number(options, OPT_WARPS),  option_number(options, OPT_REGISTERS),
                       option_number(options, OPT_UNROLL), common_lanes(options)};
}

plan_of_step pass_plan(st_step *step, const opt_values *options) {
    const char *named = options->value[OPT_ARCH];
    char arch[64];
    plan_wish wish = wish_of(options);
    opt_part(&named, arch, sizeof arch);
    for (size_t i = 0; i < step->nsweeps; i++) {
        st_divide(step->sweeps[i].stencil);
        st_contract(step->sweeps[i].stencil);
    }
    return plan_step(step, &wish, offload_is_named(options) ? arch : NULL);
}
