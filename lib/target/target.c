/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const tg_target *const targets[] = {&tg_nvptx, &tg_amdgcn};

static bool is_listed(const char *list, const char *arch) {
    size_t length = strlen(arch);
    if (length == 0 || strpbrk(arch, ", "))
        return false;
    for (const char *at = list; (at = strstr(at, arch)); at += length)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return true;
    return false;
}

const tg_target *tg_find(const char *arch) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (is_listed(targets[i]->architectures, arch))
            return targets[i];
    return NULL;
}

const char *tg_architectures(void) {
    static _Thread_local char all[256];
    snprintf(all, sizeof all, "one or more, joined by +, of %s, %s", targets[0]->architectures,
             targets[1]->architectures);
    return all;
}

const tg_target *tg_of_module(LLVMModuleRef m) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strncmp(LLVMGetTarget(m), targets[i]->triple, strlen(targets[i]->triple)))
            return targets[i];
    return NULL;
}

int tg_capability(LLVMValueRef function) {
    static const char name[] = "target-cpu";
    unsigned length;
    int number;
    LLVMAttributeRef a =
        LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, sizeof name - 1);
    const char *cpu = a ? LLVMGetStringAttributeValue(a, &length) : "";
    return sscanf(cpu, "sm_%d", &number) == 1 ? number : 90;
}

bool tg_has_whole_blocks(LLVMValueRef function) {
    const tg_target *t = tg_of_module(LLVMGetGlobalParent(function));
    unsigned length;
    LLVMAttributeRef a =
        t && t->whole_blocks
            ? LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, t->whole_blocks,
                                            (unsigned)strlen(t->whole_blocks))
            : NULL;
    return t && (!t->whole_blocks ||
                 (a && strncmp(LLVMGetStringAttributeValue(a, &length), "false", 5)));
}
