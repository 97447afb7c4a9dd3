/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target.h"

#include <stddef.h>

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
