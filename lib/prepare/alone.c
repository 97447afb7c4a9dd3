/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A twin of a loop with forks, or of a single fork, in which one thread runs the regions' bodies:
 *
 *     if (stencilopt.alone()) twin; else the loop as it was
 *
 * What is detected in the twin can run on a GPU; where it does not, the program's own threads are
 * to do the work. passes/team.c sees to that.
 */
#include "detect/common/calls.h"
#include "model/fixed_limits.h"
#include "prepare/apart.h"
#include "prepare/checks.h"
#include "prepare/colours.h"
#include "prepare/masks.h"
#include "prepare/sequence.h"
#include "prepare/spans.h"
#include "prepare/split.h"
#include "prepare/team.h"
#include "prepare/tiles.h"
#include "prepare/unroll.h"
#include "prepare/whole.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = ST_LIMIT(512, 8) };
enum { INACCESSIBLE_MEMORY = 3 << 2 }; /* read and written, as llvm/Support/ModRef.h encodes it */

static const char mark_name[] = HOST_ALONE;
LLVMValueRef prep_alone_mark(LLVMModuleRef m) {
    return LLVMGetNamedFunction(m, mark_name);
}

static void add_attribute(LLVMValueRef call, const char *name, uint64_t value) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(c, kind, value));
}

LLVMValueRef prep_make_mark(LLVMBuilderRef b, LLVMModuleRef m) {
    LLVMTypeRef type = LLVMFunctionType(LLVMInt1TypeInContext(LLVMGetModuleContext(m)), NULL, 0, 0);
    LLVMValueRef mark = prep_alone_mark(m);
    LLVMValueRef call =
        LLVMBuildCall2(b, type, mark ? mark : LLVMAddFunction(m, mark_name, type), NULL, 0, "");
    add_attribute(call, "nounwind", 0);
    add_attribute(call, "memory", INACCESSIBLE_MEMORY);
    return call;
}

static LLVMValueRef mark_end(LLVMBasicBlockRef from) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(from));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
    LLVMValueRef call = prep_make_mark(b, m);
    LLVMDisposeBuilder(b);
    return call;
}

static LLVMValueRef fork_of_number(LLVMValueRef function, int number) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (prep_is_fork(i) && number-- == 0)
                return i;
    return NULL;
}

/* Moves the calls that set something for this fork alone, such as its number of threads, right
 * before the fork. Returns the first of them, or the fork. */
static LLVMValueRef gather_requests(LLVMValueRef fork) {
    LLVMValueRef first = fork, before;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(fork)));
    for (LLVMValueRef i = LLVMGetPreviousInstruction(fork); i && !prep_is_fork(i); i = before) {
        before = LLVMGetPreviousInstruction(i);
        if (!host_calls(i, "__kmpc_push_"))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderBefore(b, first);
        LLVMInsertIntoBuilder(b, i);
        first = i;
    }
    LLVMDisposeBuilder(b);
    return first;
}

/* Finds the blocks of the loop or the fork that gets a twin. Returns the block that leads there, or
 * NULL. */
static LLVMBasicBlockRef find_unit(prep_shadow *s, const prep_alone *of, team_twin *t) {
    LLVMBasicBlockRef from;
    if (of->head) {
        br_loop l = prep_loop_at(s->f, br_function_copied(s->f, of->head));
        from = l ? br_loop_prepare(s->f, l) : NULL;
        t->count = from ? br_loop_blocks(l, t->unit, MAX_BLOCKS) : 0;
    } else {
        LLVMValueRef fork = fork_of_number(s->function, of->fork);
        from = LLVMGetInstructionParent(fork);
        t->unit[0] = br_split_before(gather_requests(fork));
        t->count = 1;
        br_split_before(LLVMGetNextInstruction(fork));
    }
    return t->count > 0 && t->count <= MAX_BLOCKS ? from : NULL;
}

/* Puts the bodies of all forks in the place of the forks. False if that fails for one. Instructions
 * behind a fork may be in another block afterwards. */
static bool run_bodies(prep_shadow *s, team_twin *t) {
    bool good = true;
    for (size_t k = 0; k < t->count; k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->block[k]), next; i && good; i = next) {
            next = LLVMGetNextInstruction(i);
            if (prep_is_fork(i))
                good = team_run_fork(s->f, i);
            else
                team_run_call(i);
        }
    return good;
}

static bool make_twin(prep_shadow *s, const prep_alone *of, team_twin *t) {
    LLVMBasicBlockRef from = find_unit(s, of, t);
    if (!from || !br_is_branch(LLVMGetBasicBlockTerminator(from)) ||
        br_is_conditional(LLVMGetBasicBlockTerminator(from)))
        return false;
    enum { MAX_OUTS = sizeof t->out / sizeof *t->out };
    t->function = s->function;
    t->in = br_twin(from, t->unit, t->count, mark_end(from), t->block, t->out, MAX_OUTS, &t->nouts);
    br_function_invalidate(s->f);
    if (t->nouts > MAX_OUTS || !team_share(t) || !run_bodies(s, t))
        return false;
    team_unshare(t);
    return prep_clean_up(s->function);
}

/* Splits collapsed loops. Their guards must be comparisons for that. */
static bool split_loops(prep_shadow *s) {
    bool good = prep_run_passes(s->function, "instcombine<no-verify-fixpoint>");
    br_function_invalidate(s->f);
    if (good && prep_split_loops(s->f)) {
        good = prep_clean_up(s->function);
        br_function_invalidate(s->f);
    }
    return good;
}

bool prep_run_alone(prep_shadow *s, br_function *f, const prep_alone *of) {
    if (!prep_make_shadow(s, f))
        return false;
    team_twin *t = calloc(1, sizeof *t);
    t->unit = malloc(2 * MAX_BLOCKS * sizeof *t->unit);
    t->block = t->unit + MAX_BLOCKS;
    bool good = make_twin(s, of, t);
    free(t->unit);
    free(t);
    br_function_invalidate(s->f);
    good = good && split_loops(s);
    s->body = LLVMGetEntryBasicBlock(s->function);
    if (!good)
        prep_drop_shadow(s);
    return good;
}

/* Where control goes that the mark sends to the twin; NULL: no mark is left. */
static LLVMBasicBlockRef find_twin(const prep_shadow *s, LLVMValueRef *gate) {
    LLVMValueRef mark = prep_alone_mark(LLVMGetGlobalParent(s->function));
    LLVMBasicBlockRef twin = NULL;
    for (LLVMUseRef u = mark ? LLVMGetFirstUse(mark) : NULL; u && !twin; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef b = LLVMGetInstructionParent(LLVMGetUser(u));
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMGetBasicBlockParent(b) == s->function && br_is_conditional(end) &&
            LLVMGetCondition(end) == LLVMGetUser(u))
            twin = LLVMGetSuccessor(end, 0);
        *gate = LLVMGetUser(u);
    }
    return twin;
}

enum { MOST_LOOPS = 64 }; /* in a twin, one after the other */

/* Finds the heads of at most so many of the twin's outermost loops. Returns their number. */
static int loops_of_twin(const prep_shadow *s, LLVMBasicBlockRef twin, LLVMBasicBlockRef heads[],
                         int most) {
    size_t count = br_loops(s->f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    int found = 0;
    br_loops(s->f, loops, count);
    for (size_t i = 0; i < count && found < most; i++) {
        br_loop around = br_loop_parent(loops[i]);
        if (br_dominates(s->f, twin, br_loop_header(loops[i])) &&
            !(around && br_dominates(s->f, twin, br_loop_header(around))))
            heads[found++] = br_loop_header(loops[i]);
    }
    free(loops);
    return found;
}

/* The first one; or NULL. */
static br_loop loop_of_twin(const prep_shadow *s, LLVMBasicBlockRef twin) {
    LLVMBasicBlockRef head;
    return loops_of_twin(s, twin, &head, 1) ? prep_loop_at(s->f, head) : NULL;
}

/* Tests in front of the twin that each of its loops stores apart from what it accesses through
 * other pointers. */
static bool is_apart(const prep_shadow *s) {
    LLVMBasicBlockRef heads[MOST_LOOPS];
    LLVMValueRef mark;
    LLVMBasicBlockRef twin = find_twin(s, &mark);
    int count = twin ? loops_of_twin(s, twin, heads, MOST_LOOPS) : 0;
    bool good = count > 0 && count < MOST_LOOPS;
    for (int i = 0; i < count && good; i++) {
        br_loop l = prep_loop_at(s->f, heads[i]);
        good = l && prep_require_apart(s->f, mark, l);
    }
    return good;
}

/* Splits the nests over cells of one colour in the twin. False: there is none, or one of them must
 * not be split; the shadow is then to be dropped. */
static bool split_colours(prep_shadow *s) {
    LLVMValueRef mark;
    LLVMBasicBlockRef twin = find_twin(s, &mark);
    bool good = twin && prep_split_colours(s->f, twin, mark) &&
                prep_run_passes(s->function, "simplifycfg,loop(loop-deletion)") &&
                prep_clean_up(s->function);
    br_function_invalidate(s->f);
    good = good && is_apart(s);
    s->body = LLVMGetEntryBasicBlock(s->function);
    return good;
}

static br_loop outermost_of_twin(const prep_shadow *s) {
    LLVMValueRef mark;
    LLVMBasicBlockRef twin = find_twin(s, &mark);
    return twin ? loop_of_twin(s, twin) : NULL;
}

/* Does a loop of the twin hold a nest over cells of one colour, or is it one? */
static bool has_colours(prep_shadow *s) {
    LLVMBasicBlockRef heads[MOST_LOOPS], twin;
    LLVMValueRef mark;
    bool has = false;
    br_function_invalidate(s->f);
    s->body = LLVMGetEntryBasicBlock(s->function);
    twin = find_twin(s, &mark);
    int count = twin ? loops_of_twin(s, twin, heads, MOST_LOOPS) : 0;
    for (int i = 0; i < count && !has; i++)
        has = prep_has_colours(s->f, prep_loop_at(s->f, heads[i]));
    return has;
}

static const char show_passes[] = "loop-simplify,lcssa,loop(indvars),correlated-propagation,"
                                  "instcombine<no-verify-fixpoint>,simplifycfg";

/* Shows LLVM the nests of rounds: these are unrolled, and if that is not enough, it is found which
 * counters are never negative. */
static bool show_colours(prep_shadow *s) {
    br_loop outermost = outermost_of_twin(s);
    if (outermost && prep_mark_rounds(s->f, outermost, true) && !unroll_marked(s->function))
        return false;
    return has_colours(s) || (prep_run_passes(s->function, show_passes) && has_colours(s));
}

bool prep_run_coloured(prep_shadow *s, br_function *f, const prep_alone *of) {
    if (!prep_run_alone(s, f, of))
        return false;
    bool good = (has_colours(s) || show_colours(s)) && split_colours(s);
    if (!good)
        prep_drop_shadow(s);
    return good;
}

static bool has_masks(prep_shadow *s) {
    LLVMValueRef mark;
    bool has = has_colours(s);
    LLVMBasicBlockRef twin = find_twin(s, &mark);
    return has || (twin && prep_has_rows(s->f, twin));
}

/* As show_colours: the same of nests that go over all cells, or are to. */
static bool show_masks(prep_shadow *s) {
    br_loop l = outermost_of_twin(s);
    if (!l || !prep_asks_parity(l) ||
        (prep_mark_rounds(s->f, l, true) && !unroll_marked(s->function)))
        return false;
    return has_masks(s) || (prep_run_passes(s->function, show_passes) && has_masks(s));
}

bool prep_run_masked(prep_shadow *s, br_function *f, const prep_alone *of) {
    LLVMValueRef mark;
    if (!prep_run_alone(s, f, of))
        return false;
    bool good = show_masks(s);
    LLVMBasicBlockRef twin = good ? find_twin(s, &mark) : NULL;
    good = twin && prep_mask_rows(s->f, twin) &&
           prep_run_passes(s->function, "simplifycfg,loop(loop-deletion)") &&
           prep_clean_up(s->function);
    br_function_invalidate(s->f);
    s->body = LLVMGetEntryBasicBlock(s->function);
    if (!good)
        prep_drop_shadow(s);
    return good;
}

bool prep_run_teams(prep_shadow *s, br_function *f, const prep_alone *of) {
    if (!prep_run_alone(s, f, of))
        return false;
    br_loop l = outermost_of_twin(s);
    if (!l || !prep_asks_parity(l) || (show_colours(s) && split_colours(s)))
        return true;
    prep_drop_shadow(s);
    return prep_run_alone(s, f, of);
}

bool prep_twin_has_span(const prep_shadow *s) {
    br_loop l = outermost_of_twin(s);
    return l && prep_has_span(s->f, l);
}

bool prep_run_spanned(prep_shadow *s, br_function *f, const prep_alone *of) {
    LLVMValueRef mark = NULL;
    if (!prep_run_alone(s, f, of))
        return false;
    LLVMBasicBlockRef twin = find_twin(s, &mark);
    br_loop l = twin ? loop_of_twin(s, twin) : NULL;
    bool good = l && prep_fix_span(s->f, s->function, l, mark) &&
                prep_run_passes(s->function, "sccp,instcombine<no-verify-fixpoint>,simplifycfg");
    br_function_invalidate(s->f);
    if (good && prep_mend(s->f)) /* or LLVM's joins of counters hide where loops end */
        br_function_invalidate(s->f);
    s->body = LLVMGetEntryBasicBlock(s->function);
    if (!good)
        prep_drop_shadow(s);
    return good;
}

/* Where a number is not positive, or is so large that sums may wrap, the program's own loops run.
 * False: it is not known in front of the twin. */
static bool require_positive(prep_shadow *s, LLVMValueRef mark, LLVMValueRef number) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(mark);
    LLVMBasicBlockRef at = LLVMIsAInstruction(number) ? LLVMGetInstructionParent(number) : NULL;
    if (at && !br_dominates(s->f, at, from))
        return false;
    LLVMTypeRef type = LLVMTypeOf(number);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(b, mark);
    LLVMValueRef it = LLVMBuildFreeze(b, number, "");
    it = LLVMBuildSub(b, it, LLVMConstInt(type, 1, false), "");
    LLVMValueRef most = LLVMConstInt(type, (1ull << (LLVMGetIntTypeWidth(type) - 2)) - 1, false);
    prep_require(mark, LLVMBuildICmp(b, LLVMIntULT, it, most, ""));
    LLVMDisposeBuilder(b);
    br_function_invalidate(s->f);
    return true;
}

static bool join_tiles(prep_shadow *s) {
    LLVMValueRef mark;
    prep_positive p;
    LLVMBasicBlockRef twin = find_twin(s, &mark);
    bool good = twin && prep_join_tiles(s->f, twin, &p);
    br_function_invalidate(s->f);
    for (int i = 0; good && i < p.count; i++)
        good = require_positive(s, mark, p.number[i]);
    return good && prep_run_passes(s->function, "simplifycfg,loop(loop-deletion)") &&
           prep_clean_up(s->function);
}

bool prep_run_tiled(prep_shadow *s, br_function *f, const prep_alone *of) {
    if (!prep_run_alone(s, f, of))
        return false;
    bool good = join_tiles(s);
    br_function_invalidate(s->f);
    br_loop own = good ? prep_loop_at(s->f, br_function_copied(s->f, of->head)) : NULL;
    if (own && br_loop_latch(own))
        prep_set_guarded(own);
    s->body = LLVMGetEntryBasicBlock(s->function);
    if (!good)
        prep_drop_shadow(s);
    return good;
}
