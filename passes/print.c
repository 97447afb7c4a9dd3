/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * print<stencil>: for each loop nest that writes an array, the Stencil or the reason why it is
 * not one. print<plan>: for each stencil, the kernels that stencil-offload would make of it with
 * the same options; without making them it takes a millisecond.
 */
#include "passes.h"

#include "host.h"

#include <stdlib.h>

/* What to print of one nest. */
typedef void print_function(br_loop l, LLVMValueRef function, host_region *r,
                            const char *parameters);

static void print_all(LLVMModuleRef m, void *analyses, print_function *print,
                      const char *parameters) {
    for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v)) {
        if (LLVMIsDeclaration(v))
            continue;
        br_function *f = br_function_open(v, analyses);
        size_t count = br_loops(f, NULL, 0);
        br_loop *loops = malloc((count + 1) * sizeof *loops);
        count = host_candidates(f, loops, count);
        for (size_t i = 0; i < count; i++) {
            host_region *r = host_detect(f, v, loops[i], false);
            /* The second of two sweeps is printed with the first. */
            if (!r->stencil || r->loops[0] == loops[i])
                print(loops[i], v, r, parameters);
            host_region_destroy(r);
        }
        free(loops);
        br_function_close(f);
    }
    fflush(stderr);
}

const char *pass_print_check(const char *parameters) {
    return *parameters ? "it takes no parameters" : NULL;
}

static void print_stencil(br_loop l, LLVMValueRef function, host_region *r,
                          const char *parameters) {
    (void)parameters;
    if (r->stencil) {
        st_print(r->stencil, stderr);
    } else {
        char where[160], text[512];
        br_location(l, function, where, sizeof where);
        st_reason_text(r->reason, r->detail, text, sizeof text);
        fprintf(stderr, "no stencil in %s: %s: %s\n", where, st_reason_name(r->reason), text);
    }
}

bool pass_print_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    print_all(m, analyses, print_stencil, parameters);
    return false;
}

const char *pass_print_plan_check(const char *parameters) {
    return pass_offload_check(parameters);
}

static void print_plan(br_loop l, LLVMValueRef function, host_region *r, const char *parameters) {
    char where[160], ignored[1024];
    opt_values options;
    if (!r->stencil || !opt_read(parameters, &options, ignored, sizeof ignored))
        return;
    br_location(l, function, where, sizeof where);
    fprintf(stderr, "plan of %s%s%s\n", where, *parameters ? ", " : "", parameters);
    st_plan plan = pass_plan(r->stencil, &options);
    plan_print(&plan, stderr);
}

bool pass_print_plan_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    print_all(m, analyses, print_plan, parameters);
    return false;
}
