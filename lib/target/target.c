/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target.h"

#include <stddef.h>
#include <string.h>

static const tg_target *const targets[] = {&tg_nvptx};

const tg_target *tg_find(const char *arch) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i]->accepts(arch))
            return targets[i];
    return NULL;
}

const char *tg_architectures(void) {
    return targets[0]->architectures; /* one family so far */
}

const tg_target *tg_of_module(LLVMModuleRef m) {
    static const tg_target *const all[] = {&tg_nvptx, &tg_amdgcn};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strncmp(LLVMGetTarget(m), all[i]->triple, strlen(all[i]->triple)))
            return all[i];
    return NULL;
}
