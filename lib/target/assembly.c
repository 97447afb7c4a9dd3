/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What inline assembly does, by its text; front ends mark all of it as convergent, or none. It
 * computes a value of its operands alone under two conditions. The target's intrinsics.def lists
 * each instruction. And the text names no register but its operands and those that it declares:
 * other registers tell lanes, clocks and the like.
 */
#include "target/target.h"

#include <string.h>

static const char *skip(const char *at, const char *end, const char *what) {
    while (at < end && strchr(what, *at))
        at++;
    return at;
}

/* Is the statement's first word, up to a dot, in the list? */
static bool is_listed(const char *const *list, size_t count, const char *at, const char *end) {
    size_t length = 0;
    while (at + length < end && !strchr(". \t", at[length]))
        length++;
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == length && !strncmp(list[i], at, length))
            return true;
    return false;
}

static bool computes(const tg_target *t, const char *at, const char *end) {
    static const char own[] = ".reg";
    at = skip(at, end, " \t\r{}");
    if (at == end || (end - at > 4 && !strncmp(at, own, 4)))
        return true;
    return is_listed(t->assembly, t->nassembly, at, end);
}

static bool all_compute(const tg_target *t, const char *text, size_t length) {
    const char *end = text + length;
    if (memchr(text, '%', length))
        return false;
    for (const char *at = text, *next; at < end; at = next + 1) {
        for (next = at; next < end && *next != ';' && *next != '\n';)
            next++;
        if (!computes(t, at, next))
            return false;
    }
    return true;
}

bool tg_assembly_samples(const tg_target *t, LLVMValueRef call) {
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
    const char *end = text + length, *at = skip(text, end, " \t\r\n{}");
    return t && is_listed(t->texture, t->ntexture, at, end);
}

bool tg_assembly_computes(const tg_target *t, LLVMValueRef call) {
    LLVMValueRef assembly = LLVMGetCalledValue(call);
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory = LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
    return t && memory && LLVMGetEnumAttributeValue(memory) == 0 &&
           !LLVMGetInlineAsmHasSideEffects(assembly) && all_compute(t, text, length);
}
