/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Order and blocking of one kernel. Blocking needs the kernel as it is without an order: the place
 * of a thread's cell in an order is no sum of thread and block numbers. So stencil-remap keeps the
 * body that it reorders, stencil-block starts from that, and reorders the new body. The threads of
 * a blocked kernel may work together, each block for itself; then blocks are reordered.
 */
#include "ordered.h"

#include "bridge/stored.h"
#include "codegen/remap/remap.h"
#include "detect/kernel/kernel.h"
#include "detect/threads/threads.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blocked[] = "stencilopt-block", suffix[] = ".before-order";

bool ordered_is_blocked(LLVMValueRef kernel) {
    return LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, blocked,
                                         sizeof blocked - 1) != NULL;
}

void ordered_mark_blocked(LLVMValueRef kernel) {
    tg_add_attribute(kernel, blocked, "done");
}

st_refusal ordered_find(kernel_values *values, st_threads *out) {
    st_refusal why = threads_find(values, ordered_is_blocked(values->function), out);
    if (why.reason == ST_OK && !remap_possible(out))
        threads_refuse(&why, "a size in it is not known where the kernel starts");
    return why;
}

static char *name_of_kept(LLVMValueRef kernel) {
    size_t length;
    const char *name = LLVMGetValueName2(kernel, &length);
    char *kept = malloc(length + sizeof suffix);
    memcpy(kept, name, length);
    memcpy(kept + length, suffix, sizeof suffix);
    return kept;
}

void ordered_keep(br_function *f, LLVMValueRef kernel) {
    char *name = name_of_kept(kernel);
    if (!LLVMGetNamedFunction(LLVMGetGlobalParent(kernel), name))
        br_function_store_body(f, name);
    free(name);
}

bool ordered_undo(br_function *f, LLVMValueRef kernel, order_plan *plan) {
    char *name = name_of_kept(kernel);
    LLVMValueRef kept = LLVMGetNamedFunction(LLVMGetGlobalParent(kernel), name);
    free(name);
    if (!kept || LLVMIsDeclaration(kept) || !remap_order_of(kernel, plan))
        return false;
    br_function_take_body(f, kept);
    remap_forget(kernel);
    return true;
}

st_refusal ordered_redo(br_function *f, LLVMValueRef kernel, const order_plan *plan) {
    kernel_values *values = kernel_open(f, kernel);
    st_threads *form = malloc(sizeof *form);
    st_refusal why = ordered_find(values, form);
    if (why.reason == ST_OK) {
        remap_kernel(kernel, form, plan);
        br_function_invalidate(f);
    }
    free(form);
    kernel_values_destroy(values);
    return why;
}

static bool is_kept(LLVMValueRef function) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage && length >= sizeof suffix &&
           !memcmp(name + length - (sizeof suffix - 1), suffix, sizeof suffix - 1) &&
           !LLVMGetFirstUse(function);
}

bool ordered_forget(LLVMModuleRef m) {
    bool any = false;
    LLVMValueRef next, function = LLVMGetFirstFunction(m);
    for (; function; function = next) {
        next = LLVMGetNextFunction(function);
        if (!is_kept(function))
            continue;
        LLVMDeleteFunction(function);
        any = true;
    }
    return any;
}
