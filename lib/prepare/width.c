/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Versions of a GPU kernel for usual values of an argument that says how far its neighbourhood
 * reaches.
 */
#include "prepare/width.h"
#include "prepare/unroll.h"

/* More neighbours than these make a version too large: the kernel's loop is shorter. A mask of 11
 * by 11 cells fits. */
enum { MOST_READS = 128 };

/* The values tried. If the kernel halves the argument, it is a width, and widths are odd. */
static const int widths[] = {3, 5, 7, 9, 11}, radii[] = {1, 2, 3, 4, 5};

static bool add_argument(prep_width *w, LLVMValueRef function, LLVMValueRef v) {
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        if (LLVMGetParam(function, i) != v)
            continue;
        for (unsigned k = 0; k < w->count; k++)
            if (w->arguments[k] == i)
                return true;
        if (w->count == WIDTH_MAX_ARGUMENTS)
            return false;
        w->arguments[w->count++] = i;
        return true;
    }
    return false;
}

/* The value that v is computed of, with constants alone. */
static LLVMValueRef computed_of(LLVMValueRef v) {
    enum { MOST = 8 };
    for (int i = 0; i < MOST && LLVMIsAInstruction(v); i++) {
        bool number = LLVMIsABinaryOperator(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1));
        if (!number && !LLVMIsASExtInst(v) && !LLVMIsAZExtInst(v) && !LLVMIsATruncInst(v))
            break;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

/* Adds the arguments in the expression. False if other values are in it. */
static bool add_arguments(prep_width *w, LLVMValueRef function, br_scev s) {
    enum br_scev_kind kind = br_scev_kind(s);
    if (kind == BR_CONSTANT)
        return true;
    if (kind == BR_UNKNOWN) {
        LLVMValueRef v = br_scev_value(s), of = computed_of(v);
        w->computed |= of != v;
        return add_argument(w, function, of);
    }
    if (kind == BR_OTHER || kind == BR_ADDREC || kind == BR_PTRTOINT)
        return false;
    for (size_t i = 0; i < br_scev_count(s); i++)
        if (!add_arguments(w, function, br_scev_operand(s, i)))
            return false;
    return true;
}

/* The argument that a window's reach is, or is computed of. */
static bool add_window(prep_width *w, LLVMValueRef function, LLVMValueRef reach) {
    LLVMValueRef of = reach ? computed_of(reach) : NULL;
    if (!of || !add_argument(w, function, of))
        return false;
    w->computed |= of != reach;
    w->windows = true;
    return true;
}

static bool add_loops(prep_width *w, br_function *f, LLVMValueRef function) {
    enum { MOST_LOOPS = 16 };
    br_loop loops[MOST_LOOPS];
    size_t count = br_loops(f, loops, MOST_LOOPS);
    if (count > MOST_LOOPS)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (unroll_moves(function, loops[i]))
            continue;
        br_scev back = br_backedge_count(f, loops[i]);
        prep_width with = *w;
        if (add_window(w, function, unroll_window_reach(loops[i])))
            continue;
        if (back && add_arguments(&with, function, back))
            *w = with;
        else if (!unroll_writes(function, loops[i]))
            return false;
    }
    return w->count > 0;
}

static bool is_number(LLVMValueRef v, long long number) {
    return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) == number;
}

/* v / 2, however LLVM wrote it. A signed division of a number that may be negative adds the sign
 * bit first. */
static bool halves(LLVMValueRef v, int depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && depth; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMRet;
        if ((op == LLVMSDiv || op == LLVMUDiv) && is_number(LLVMGetOperand(user, 1), 2))
            return true;
        if ((op == LLVMAShr || op == LLVMLShr) && is_number(LLVMGetOperand(user, 1), 1))
            return true;
        bool passes = op == LLVMSExt || op == LLVMZExt || op == LLVMTrunc || op == LLVMAdd;
        if (passes && halves(user, depth - 1))
            return true;
    }
    return false;
}

bool width_is_halved(LLVMValueRef v) {
    enum { DEPTH = 3 };
    return halves(v, DEPTH);
}

static void add_values(prep_width *w, LLVMValueRef function) {
    bool halved = false;
    for (unsigned k = 0; k < w->count; k++)
        halved |= width_is_halved(LLVMGetParam(function, w->arguments[k]));
    w->nvalues = halved ? sizeof widths / sizeof *widths : sizeof radii / sizeof *radii;
    for (int i = 0; i < w->nvalues; i++)
        w->values[i] = halved ? widths[i] : radii[i];
}

bool prep_find_width(prep_width *w, br_function *f, LLVMValueRef function) {
    *w = (prep_width){0};
    if (!add_loops(w, f, function))
        return false;
    add_values(w, function);
    return true;
}

static LLVMValueRef constant_of(LLVMValueRef argument, int value) {
    return LLVMConstInt(LLVMTypeOf(argument), (unsigned long long)value, false);
}

bool prep_fix_width(prep_shadow *s, br_function *f, const prep_width *w, int value) {
    if (!prep_make_shadow(s, f))
        return false;
    for (unsigned k = 0; k < w->count; k++) {
        LLVMValueRef argument = LLVMGetParam(s->function, w->arguments[k]);
        LLVMReplaceAllUsesWith(argument, constant_of(argument, value));
    }
    bool good = prep_run_passes(s->function, "sccp,instcombine<no-verify-fixpoint>,simplifycfg");
    br_function_invalidate(s->f);
    good = good && unroll_shadow(s, MOST_READS);
    if (!good)
        prep_drop_shadow(s);
    return good;
}

void prep_test_width(prep_shadow *s, const prep_width *w, int value) {
    LLVMBuilderRef b = prep_begin_test(s, "width", "other_widths");
    LLVMValueRef all = NULL;
    for (unsigned k = 0; k < w->count; k++) {
        LLVMValueRef argument = LLVMGetParam(s->function, w->arguments[k]);
        LLVMValueRef is = LLVMBuildICmp(b, LLVMIntEQ, argument, constant_of(argument, value), "");
        all = all ? LLVMBuildAnd(b, all, is, "") : is;
    }
    prep_end_test(s, b, all);
    br_function_give_name_back(s->f);
}
