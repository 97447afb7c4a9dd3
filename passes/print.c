/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * print<stencil>: for each loop nest that writes an array, the Stencil or the reason why it is
 * not one.
 */
#include "passes.h"

#include "host.h"

#include <stdlib.h>

const char *pass_print_check(const char *parameters) {
    return *parameters ? "it takes no parameters" : NULL;
}

static void print_nest(br_function *f, LLVMValueRef function, br_loop l) {
    host_region *r = host_detect(f, function, l, false);
    if (r->stencil && r->loops[0] != l) {
        ; /* the second of two sweeps, printed with the first */
    } else if (r->stencil) {
        st_print(r->stencil, stderr);
    } else {
        char where[160], text[512];
        br_location(l, function, where, sizeof where);
        st_reason_text(r->reason, r->detail, text, sizeof text);
        fprintf(stderr, "no stencil in %s: %s: %s\n", where, st_reason_name(r->reason), text);
    }
    host_region_destroy(r);
}

bool pass_print_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    (void)parameters;
    for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v)) {
        if (LLVMIsDeclaration(v))
            continue;
        br_function *f = br_function_open(v, analyses);
        size_t count = br_loops(f, NULL, 0);
        br_loop *loops = malloc((count + 1) * sizeof *loops);
        count = host_candidates(f, loops, count);
        for (size_t i = 0; i < count; i++)
            print_nest(f, v, loops[i]);
        free(loops);
        br_function_close(f);
    }
    fflush(stderr);
    return false;
}
