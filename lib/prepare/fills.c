/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Guesses what a table of neighbours' indices holds from the stores that fill it:
 *
 *     for (i = 0; i < n; i++) up[i] = i - 1;              base 0, away -1
 *     up[0] = 0;                                          clamped
 *     for (i = 0; i < n; i++) right[i] = (i + 1) % n;     base 0, away 1, periodic
 *
 * Looked at are the stores to the same variable of the file, the same memory that the function
 * allocates, what callers in the file hand over, and members of structs at the same place. The
 * guess is tested where it is used: neighbours.c.
 */
#include "prepare/fills.h"
#include "detect/common/calls.h"
#include "model/fixed_limits.h"

#include <stdlib.h>

enum { MAX_DEPTH = 6, MAX_STEPS = 2000, MAX_SEEN = 20000, FARTHEST = 8, MAX_PARTS = 6 };

/* root + add: what an index or a value is, but for casts. */
typedef struct sum {
    LLVMValueRef root; /* NULL: a number */
    int64_t add;
    bool remainder; /* of a division */
} sum;

typedef struct guess {
    br_function *f;
    LLVMValueRef load;
    int64_t size; /* bytes of an element */
    bool has_away, bad;
    prep_fill fill;
    LLVMValueRef ends[16]; /* stores that may be of the table's ends */
    int64_t at[16];
    size_t nends;
    int steps, seen;
} guess;

static LLVMOpcode opcode(LLVMValueRef v) {
    return LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
}

static bool number_of(LLVMValueRef v, int64_t *out) {
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    *out = LLVMConstIntGetSExtValue(v);
    return true;
}

static bool is_cast(LLVMOpcode op) {
    return op == LLVMTrunc || op == LLVMSExt || op == LLVMZExt || op == LLVMFreeze;
}

/* Of a sum with a number the other part. Of the sum of two values that are no numbers the one that
 * counts: `of`, or the first one. */
static sum sum_of(LLVMValueRef v, LLVMValueRef of, int depth) {
    sum s = {.root = v};
    int64_t n;
    LLVMOpcode op = opcode(v);
    if (number_of(v, &s.add)) {
        s.root = NULL;
        return s;
    }
    if (v == of || depth == MAX_PARTS)
        return s;
    if (is_cast(op))
        return sum_of(LLVMGetOperand(v, 0), of, depth + 1);
    if (op == LLVMURem || op == LLVMSRem) {
        s = sum_of(LLVMGetOperand(v, 0), of, depth + 1);
        if (number_of(LLVMGetOperand(v, 1), &n) && s.add > FARTHEST)
            s.add -= n;
        s.remainder = true;
    }
    if (op == LLVMAdd || op == LLVMSub || op == LLVMOr) {
        sum a = sum_of(LLVMGetOperand(v, 0), of, depth + 1);
        sum b = sum_of(LLVMGetOperand(v, 1), of, depth + 1);
        if (op != LLVMAdd && b.root)
            return s;
        bool second = of ? b.root == of : !a.root;
        s = second ? b : a;
        s.add = op == LLVMSub ? a.add - b.add : a.add + b.add;
        s.remainder = a.remainder || b.remainder;
    }
    return s;
}

/* Does a loop count the value up or down? */
static bool counts(LLVMValueRef phi) {
    bool is = false;
    if (!phi || !LLVMIsAPHINode(phi))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && !is; i++) {
        LLVMValueRef from = LLVMGetIncomingValue(phi, i);
        is = from != phi && sum_of(from, phi, 0).root == phi;
    }
    return is;
}

/* Stores */

static bool set_away(guess *g, int64_t index, int64_t value, enum prep_fill_ends ends) {
    int64_t base = index == -1 ? 1 : 0, away = value - index - base;
    if (!base && away == 0) { /* element 0 is that of number 1 */
        base = 1;
        away = -1;
    }
    bool same = !g->has_away || (g->fill.away == away && g->fill.base == base);
    g->bad |= !same || away < -FARTHEST || away > FARTHEST || away == 0;
    g->has_away = true;
    g->fill.away = away;
    g->fill.base = base;
    g->fill.ends = ends != FILL_OPEN ? ends : g->fill.ends;
    return true;
}

/* What the value of a choice is near an end. */
static enum prep_fill_ends ends_of(LLVMValueRef value, LLVMValueRef root, int64_t away) {
    sum s = sum_of(value, root, 0);
    if (s.root == root)
        return FILL_PERIODIC;
    bool first = !s.root && (s.add == 0 || s.add == 1);
    return first == (away < 0) ? FILL_CLAMPED : FILL_PERIODIC;
}

/* The value is `root` plus a number, brought back at the ends. */
static void look_at_moving(guess *g, LLVMValueRef value, const sum *index) {
    LLVMOpcode op = opcode(value);
    sum s = sum_of(value, index->root, 0);
    if (s.root == index->root) {
        set_away(g, index->add, s.add, s.remainder ? FILL_PERIODIC : FILL_OPEN);
        return;
    }
    while (is_cast(op)) {
        value = LLVMGetOperand(value, 0);
        op = opcode(value);
    }
    bool bounds = host_calls(value, "llvm.smax") || host_calls(value, "llvm.smin") ||
                  host_calls(value, "llvm.umax") || host_calls(value, "llvm.umin");
    if (!bounds && op != LLVMSelect)
        return;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef one = LLVMGetOperand(value, bounds ? k : k + 1);
        LLVMValueRef other = LLVMGetOperand(value, bounds ? 1 - k : 2 - k);
        s = sum_of(one, index->root, 0);
        if (s.root == index->root && s.add - index->add <= FARTHEST &&
            s.add - index->add >= -FARTHEST) {
            set_away(g, index->add, s.add, FILL_OPEN);
            g->fill.ends = bounds ? FILL_CLAMPED : ends_of(other, index->root, g->fill.away);
            return;
        }
    }
}

static void look_at_store(guess *g, LLVMValueRef store, LLVMValueRef gep, int64_t offset) {
    LLVMValueRef value = LLVMGetOperand(store, 0);
    sum index = {.add = 0};
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(value)) != 8 * g->size || offset < 0)
        return;
    if (gep)
        index = sum_of(LLVMGetOperand(gep, (unsigned)LLVMGetNumOperands(gep) - 1), NULL, 0);
    index.add += offset / g->size;
    if (counts(index.root)) {
        if (index.add >= -1 && index.add <= FARTHEST) /* else it is of another table */
            look_at_moving(g, value, &index);
    } else if ((!gep || offset / g->size <= FARTHEST) &&
               g->nends < sizeof g->ends / sizeof *g->ends) {
        g->at[g->nends] = index.add;
        g->ends[g->nends++] = store;
    }
}

/* A store to one element: at an end, if its value is another one than between the ends. */
static void look_at_end(guess *g, LLVMValueRef store, int64_t at) {
    LLVMValueRef address = LLVMGetOperand(store, 1);
    sum value = sum_of(LLVMGetOperand(store, 0), NULL, 0), index = {.root = NULL};
    if (LLVMIsAGetElementPtrInst(address))
        index = sum_of(LLVMGetOperand(address, (unsigned)LLVMGetNumOperands(address) - 1), NULL, 0);
    bool inside = index.root == value.root && value.add - at == g->fill.away + g->fill.base;
    bool clamped = index.root == value.root && value.add - at == g->fill.base;
    /* What is far from where an index may be brought back to, or from, is of another table. */
    bool near =
        g->fill.away < 0 ? index.root || at < FARTHEST : !value.root && value.add < FARTHEST;
    if (!inside && (clamped || near))
        g->fill.ends = clamped ? FILL_CLAMPED : FILL_PERIODIC;
}

/* Tables */

typedef struct place {
    LLVMValueRef address, gep; /* `gep`: computes the part that is no number, if there is one */
    int64_t before, offset;    /* bytes before the last such part, and all that are a number */
} place;

static void look_at_uses(guess *g, place p, int depth);

/* The pointers that a variable of the file holds. */
static void look_at_variable(guess *g, LLVMValueRef variable, int depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u && g->steps++ < MAX_STEPS;
         u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user))
            look_at_uses(g, (place){.address = user}, depth + 1);
        else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable)
            look_at_uses(g, (place){.address = LLVMGetOperand(user, 0)}, depth + 1);
    }
}

/* Stores in a function that gets the address. */
static void look_at_callee(guess *g, LLVMValueRef call, place p, int depth) {
    LLVMValueRef f = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(f) || LLVMIsDeclaration(f))
        return;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(f); i++)
        if (LLVMGetOperand(call, i) == p.address) {
            p.address = LLVMGetParam(f, i);
            look_at_uses(g, p, depth + 1);
            return;
        }
}

/* Stores through the address and through what is computed of it. */
static void look_at_uses(guess *g, place p, int depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(p.address);
         u && depth < MAX_DEPTH && g->steps++ < MAX_STEPS; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool is_gep = LLVMIsAGetElementPtrInst(user) || LLVMIsAConstantExpr(user);
        if (LLVMIsACallInst(user))
            look_at_callee(g, user, p, depth);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p.address)
            look_at_store(g, user, p.gep, p.offset);
        if (!is_gep || LLVMGetOperand(user, 0) != p.address)
            continue;
        place next = p;
        next.address = user;
        if (br_base_and_offset(user, &next.offset) != user)
            next.offset += p.before;
        else if (p.gep)
            continue;
        else
            next = (place){user, user, p.offset, p.offset};
        look_at_uses(g, next, depth + 1);
    }
}

/* The pointers that are loaded from, or stored to, an address so many bytes behind another one: a
 * member of a struct. Which one it is is only seen if the function has it on its stack. */
static void look_at_member(guess *g, LLVMModuleRef m, LLVMValueRef of, int64_t offset, int depth) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && g->seen++ < MAX_SEEN;
                 i = LLVMGetNextInstruction(i)) {
                bool stores = LLVMIsAStoreInst(i);
                LLVMValueRef pointer = stores ? LLVMGetOperand(i, 0) : i;
                int64_t at;
                if ((!stores && !LLVMIsALoadInst(i)) ||
                    LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
                    continue;
                LLVMValueRef base = br_base_and_offset(LLVMGetOperand(i, stores), &at);
                if (at == offset && (base == of || LLVMIsAArgument(base) || !LLVMIsAAllocaInst(of)))
                    look_at_uses(g, (place){.address = pointer}, depth + 1);
            }
}

/* The tables that callers in the file hand over for an argument. */
static void look_at_callers(guess *g, LLVMValueRef argument, int depth);

static void look_at_loaded(guess *g, LLVMValueRef load, int depth) {
    int64_t offset;
    LLVMValueRef of = br_base_and_offset(LLVMGetOperand(load, 0), &offset);
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(load));
    look_at_member(g, LLVMGetGlobalParent(f), of, offset, depth);
}

/* The table is so many bytes behind the base. */
static void look_at_table(guess *g, LLVMValueRef base, int64_t at, int depth) {
    LLVMValueRef from = LLVMIsALoadInst(base) ? LLVMGetOperand(base, 0) : NULL;
    if (depth == MAX_DEPTH)
        return;
    if (from && LLVMIsAGlobalVariable(from))
        look_at_variable(g, from, depth);
    else if (from)
        look_at_loaded(g, base, depth);
    else if (LLVMIsAArgument(base))
        look_at_callers(g, base, depth);
    look_at_uses(g, (place){.address = base, .before = -at, .offset = -at}, depth);
}

static void look_at_callers(guess *g, LLVMValueRef argument, int depth) {
    LLVMValueRef function = LLVMGetParamParent(argument);
    LLVMValueRef copied = LLVMGetBasicBlockParent(LLVMGetInstructionParent(g->load));
    unsigned number = 0;
    while (LLVMGetParam(function, number) != argument)
        number++;
    if (function == copied)
        function = br_function_original(g->f);
    for (LLVMUseRef u = LLVMGetFirstUse(function); u && g->steps++ < MAX_STEPS;
         u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function)
            continue;
        int64_t at;
        LLVMValueRef base = br_base_and_offset(LLVMGetOperand(call, number), &at);
        look_at_table(g, base, at, depth + 1);
    }
}

bool prep_guess_fill(br_function *f, LLVMValueRef load, prep_fill *out) {
    LLVMValueRef gep = LLVMGetOperand(load, 0);
    guess g = {.f = f, .load = load, .size = LLVMGetIntTypeWidth(LLVMTypeOf(load)) / 8};
    int64_t at;
    LLVMValueRef base = br_base_and_offset(LLVMGetOperand(gep, 0), &at);
    look_at_table(&g, base, at, 0);
    if (!g.has_away || g.bad)
        return false;
    for (size_t i = 0; i < g.nends; i++)
        look_at_end(&g, g.ends[i], g.at[i]);
    *out = g.fill;
    return true;
}
