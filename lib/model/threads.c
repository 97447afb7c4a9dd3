/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lists of values of a kernel, such as the addresses that depend on the thread.
 */
#include "model/threads.h"

bool st_list_has(const st_value_list *l, LLVMValueRef v) {
    for (int i = 0; i < l->count; i++)
        if (l->values[i] == v)
            return true;
    return false;
}

bool st_list_add(st_value_list *l, LLVMValueRef v) {
    if (l->count == ST_LIST_VALUES)
        return false;
    l->values[l->count++] = v;
    return true;
}
