/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/threads.h"

bool threads_has(const threads_list *l, LLVMValueRef v) {
    for (int i = 0; i < l->count; i++)
        if (l->values[i] == v)
            return true;
    return false;
}

bool threads_add(threads_list *l, LLVMValueRef v) {
    if (l->count == THREADS_VALUES)
        return false;
    l->values[l->count++] = v;
    return true;
}
