/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why a loop with several exits is refused: where a check that fails ends the program, which check
 * that is, and what the user can do.
 */
#include "detect/common/calls.h"
#include "detect/common/limits.h"
#include "detect/host/nest.h"

#include <stdio.h>
#include <string.h>

static const char *called(LLVMValueRef end) {
    bool calls = LLVMIsACallInst(end) || LLVMIsAInvokeInst(end);
    LLVMValueRef callee = calls ? LLVMGetCalledValue(end) : NULL;
    size_t length;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static void describe(LLVMValueRef end, char *out, size_t size) {
    const char *name = called(end);
    char own[HOST_DETAIL / 2], where[32] = "";
    if (br_source_line(end))
        snprintf(where, sizeof where, " in line %u", br_source_line(end));
    if (!strncmp(name, "__assert", 8)) {
        snprintf(out, size, "an assertion%s; compile with -DNDEBUG", where);
    } else if (strstr(name, "throw_out_of_range")) {
        snprintf(out, size, "at()%s, which throws; access elements by []", where);
    } else if (!strcmp(name, "__cxa_throw")) {
        snprintf(out, size, "an exception is thrown%s; make the check before the loops", where);
    } else if (strstr(name, "throw_bad_array_new") || strstr(name, "throw_length_error")) {
        snprintf(out, size,
                 "a vector that may grow%s; give it its elements before the loops, and exchange "
                 "vectors by std::swap",
                 where);
    } else if (!*name || !strncmp(name, "llvm.", 5) || strstr(name, "panic_bounds_check")) {
        snprintf(out, size,
                 "an index out of range%s; make the check before the loops, and access elements "
                 "without checks",
                 where);
    } else {
        br_source_name(LLVMGetCalledValue(end), own, sizeof own);
        snprintf(out, size, "a call of %s%s; make the check before the loops", own, where);
    }
}

/* Is the value computed of a volatile or atomic load, as that of a flag which a signal sets? */
static bool is_watched(LLVMValueRef v, int depth) {
    if (LLVMIsALoadInst(v))
        return LLVMGetVolatile(v) || LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic;
    bool any = false;
    for (int i = 0; depth > 0 && LLVMIsAInstruction(v) && i < LLVMGetNumOperands(v) && !any; i++)
        any = is_watched(LLVMGetOperand(v, (unsigned)i), depth - 1);
    return any;
}

static bool ends_by_flag(br_loop l) {
    LLVMBasicBlockRef b;
    bool any = false;
    for (size_t i = 0; (b = br_loop_block(l, i)) && !any; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool leaves = br_is_conditional(end) && (!br_loop_contains(l, LLVMGetSuccessor(end, 0)) ||
                                                 !br_loop_contains(l, LLVMGetSuccessor(end, 1)));
        any = leaves && is_watched(LLVMGetCondition(end), 3);
    }
    return any;
}

bool host_refuse_exits(br_loop l, st_refusal *why) {
    char detail[HOST_DETAIL];
    LLVMValueRef end = br_loop_failing_exit(l);
    if (!end)
        return st_refuse(why, ends_by_flag(l) ? ST_NO_VOLATILE : ST_NO_EARLY_EXIT, NULL);
    describe(end, detail, sizeof detail);
    return st_refuse(why, ST_NO_FAILING_CHECK, detail);
}
