/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Versions of loop nests whose loops over neighbours make as many iterations as a number says that
 * is known only when the program runs:
 *
 *     for (t ..) for (i = R; ..)            if (R == 4)
 *         for (r = 1; r <= R; r++)   ->         for (t ..) for (i = 4; ..) with four neighbours
 *             sum += c[r] * u[i + r];       else the loops as they were
 *
 * In a shadow the outermost loop gets a copy (version.h), which runs for one value of the number.
 */
#include "prepare/radii.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/unroll.h"
#include "prepare/version.h"
#include "prepare/width.h"

#include <stdlib.h>

enum { MAX_LOOPS = 256 };

/* The values tried. If the program halves the number, the number is a width, and widths are odd. */
static const int radii[] = {1, 2, 3, 4, 5, 6, 8}, widths[] = {3, 5, 7};

/* Finding them */

static bool reads(br_loop l) {
    LLVMBasicBlockRef b;
    bool any = false;
    for (size_t k = 0; (b = br_loop_block(l, k)) && !any; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !any; i = LLVMGetNextInstruction(i))
            any = LLVMIsALoadInst(i) != NULL;
    return any;
}

/* A loop over neighbours: it reads, writes nothing, and is in a loop that writes. */
static bool is_over_neighbours(LLVMValueRef function, br_loop l) {
    br_loop around = br_loop_parent(l);
    return around && reads(l) && !unroll_writes(function, l);
}

/* The one value in the expression, beside counters of loops over neighbours, as those of
 * `k = |l| - R; k <= R - |l|`. False: there are several, or it is none that can be told. */
static bool find_value(LLVMValueRef function, br_scev s, LLVMValueRef *value) {
    enum br_scev_kind kind = br_scev_kind(s);
    if (kind == BR_CONSTANT)
        return true;
    if (kind == BR_UNKNOWN) {
        LLVMValueRef v = br_scev_value(s);
        bool same = !*value || *value == v;
        *value = v;
        return same;
    }
    bool counter = kind == BR_ADDREC && is_over_neighbours(function, br_scev_loop(s));
    if (kind == BR_OTHER || kind == BR_PTRTOINT || (kind == BR_ADDREC && !counter))
        return false;
    for (size_t i = 0; i < br_scev_count(s); i++)
        if (!find_value(function, br_scev_operand(s, i), value))
            return false;
    return true;
}

/* What the value is computed of by numbers alone, as K of K / 2. */
static LLVMValueRef root_of(LLVMValueRef v, bool *halved) {
    for (;;) {
        LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
        bool number = LLVMIsABinaryOperator(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1));
        if (!number && op != LLVMSExt && op != LLVMZExt && op != LLVMTrunc)
            return v;
        *halved |= op == LLVMSDiv || op == LLVMUDiv || op == LLVMAShr || op == LLVMLShr;
        v = LLVMGetOperand(v, 0);
    }
}

static br_loop outermost(br_loop l) {
    while (br_loop_parent(l))
        l = br_loop_parent(l);
    return l;
}

/* The number by which the loop is counted, if it is there in front of `outer`. */
static LLVMValueRef key_of(br_function *f, LLVMValueRef function, br_loop l, br_loop outer,
                           bool *halved) {
    br_scev back = br_backedge_count(f, l);
    LLVMValueRef v = NULL;
    if (!back || !find_value(function, back, &v) || !v)
        return NULL;
    v = root_of(v, halved);
    bool there = LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && !host_in_loop(outer, v));
    return there && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind ? v : NULL;
}

static bool look_at(prep_radius *r, br_function *f, LLVMValueRef function, br_loop outer,
                    const br_loop *loops, size_t count) {
    bool halved = false;
    r->key = NULL;
    for (size_t i = 0; i < count; i++) {
        if (outermost(loops[i]) != outer || !is_over_neighbours(function, loops[i]) ||
            unroll_iterations(f, loops[i]) <= UNROLL_MAX_READS)
            continue;
        LLVMValueRef key = key_of(f, function, loops[i], outer, &halved);
        if (!key || (r->key && r->key != key))
            return false;
        r->key = key;
    }
    halved |= r->key && width_is_halved(r->key);
    r->head = br_loop_header(outer);
    r->values = halved ? widths : radii;
    r->nvalues = (int)(halved ? sizeof widths / sizeof *widths : sizeof radii / sizeof *radii);
    return r->key && unroll_writes(function, outer) &&
           br_loop_blocks(outer, NULL, 0) <= PREP_VERSION_BLOCKS;
}

bool prep_find_radius(prep_radius *r, br_function *f, LLVMValueRef function, int number) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool found = false;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count && count <= MAX_LOOPS && !found; i++)
        found = !br_loop_parent(loops[i]) && look_at(r, f, function, loops[i], loops, count) &&
                number-- == 0;
    free(loops);
    return found;
}

/* The copy for one value */

static bool fix(prep_shadow *s, int number, int value) {
    prep_radius r;
    if (!prep_find_radius(&r, s->f, s->function, number))
        return false;
    LLVMTypeRef type = LLVMTypeOf(r.key);
    prep_fixed x = {r.key, LLVMConstInt(type, (unsigned long long)value, false), 0};
    bool good = prep_copy_fixed(s, r.head, &x, 1);
    if (good)
        unroll_taps_in(s);
    /* unless all of them have one iteration */
    return good;
}

bool prep_fix_radius(prep_shadow *s, br_function *f, int number, int value) {
    if (!prep_make_shadow(s, f))
        return false;
    bool good = fix(s, number, value);
    if (!good)
        prep_drop_shadow(s);
    return good;
}
