/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lowering of calls: every intrinsic of a device and every undefined function is found in a table
 * of rules, or the load fails and names it.
 */
#include "sim/lower/lower.h"

#include <string.h>

static const sim_rule *find_rule(const sim_rule *rules, const char *name) {
    for (; rules->name; ++rules) {
        size_t length = strlen(rules->name);
        if (rules->name[length - 1] == '*' ? strncmp(rules->name, name, length - 1) == 0
                                           : strcmp(rules->name, name) == 0)
            return rules;
    }
    return NULL;
}

/* Intrinsics any host can compile. What is neither here nor in the tables is refused. */
static bool host_knows(const char *name) {
    static const char *const prefixes[] = {
        "fma.",         "sqrt.",        "fabs.",          "floor.",
        "ceil.",        "trunc.",       "rint.",          "nearbyint.",
        "round.",       "roundeven.",   "copysign.",      "minnum.",
        "maxnum.",      "minimum.",     "maximum.",       "minimumnum.",
        "maximumnum.",  "sin.",         "cos.",           "tan.",
        "exp.",         "exp2.",        "exp10.",         "log.",
        "log2.",        "log10.",       "pow.",           "powi.",
        "ldexp.",       "frexp.",       "sincos.",        "asin.",
        "acos.",        "atan.",        "atan2.",         "sinh.",
        "cosh.",        "tanh.",        "abs.",           "smin.",
        "smax.",        "umin.",        "umax.",          "ctpop.",
        "ctlz.",        "cttz.",        "bswap.",         "bitreverse.",
        "fshl.",        "fshr.",        "sadd.",          "uadd.",
        "ssub.",        "usub.",        "smul.",          "umul.",
        "sshl.",        "ushl.",        "is.fpclass.",    "canonicalize.",
        "fptosi.sat.",  "fptoui.sat.",  "vector.reduce.", "expect.",
        "is.constant.", "objectsize.",  "memcpy.",        "memmove.",
        "memset.",      "lrint.",       "llrint.",        "lround.",
        "llround.",     "convert.",     "vector.insert.", "vector.extract.",
        "stacksave",    "stackrestore", "ucmp.",          "scmp.",
        "ptrmask.",     "threadlocal."};
    if (strncmp(name, "llvm.", 5) != 0)
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
        if (strncmp(name + 5, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool lower_call(sim_lower *lower, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call), replacement = NULL;
    LLVMPositionBuilderBefore(lower->builder, call);
    if (LLVMIsAInlineAsm(callee)) {
        if (!sim_lower_asm(lower, call, &replacement))
            return false;
    } else {
        if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
            return true; /* a device function that was not inlined, or the address of one */
        size_t length;
        const char *name = LLVMGetValueName2(callee, &length);
        if (strncmp(name, "stencilsim_rt_", 14) == 0)
            return true;
        const sim_rule *rule = find_rule(sim_rules_common, name);
        if (!rule)
            rule = find_rule(lower->out->dialect->rules, name);
        if (!rule && host_knows(name))
            return true;
        if (!rule)
            return sim_lower_fail(lower, "the simulator does not know the function '%s'", name);
        replacement = rule->lower(lower, call, rule);
        if (lower->failed)
            return false;
    }
    if (replacement)
        LLVMReplaceAllUsesWith(call, replacement);
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* `next`, or if it is NULL, the first instruction of the blocks after `block`. */
static LLVMValueRef instruction_after(LLVMBasicBlockRef block, LLVMValueRef next) {
    while (!next && (block = LLVMGetNextBasicBlock(block)))
        next = LLVMGetFirstInstruction(block);
    return next;
}

bool sim_lower_calls(sim_lower *lower) {
    for (size_t i = 0; i < lower->nfunctions; ++i) {
        lower->function = &lower->functions[i];
        LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(lower->function->value);
        for (LLVMValueRef at = LLVMGetFirstInstruction(entry), next; at; at = next) {
            next = instruction_after(LLVMGetInstructionParent(at), LLVMGetNextInstruction(at));
            if (LLVMIsAInvokeInst(at))
                return sim_lower_fail(lower, "exceptions are not supported");
            if (LLVMIsACallInst(at) && !lower_call(lower, at))
                return false;
        }
    }
    return true;
}
