/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the body of a parallel region does, by its calls of OpenMP's runtime, and how a team of one
 * thread does it: bounds of loops stay those of all iterations, nobody waits, the one thread makes
 * what only one may make, and combines what it reduced.
 */
#include "prepare/team.h"

#include "detect/common/calls.h"
#include "detect/common/limits.h"

#include <stdio.h>
#include <string.h>

enum { SCHEDULE_STATIC = 34, SCHEDULE_KINDS = 0x1fffffff };
enum { LEAST_ORDERED = 64, MOST_ORDERED = 72 };

typedef enum team_work {
    WORK_NOTHING,
    WORK_ZERO,   /* the call becomes 0 */
    WORK_ONE,    /* the call becomes 1 */
    WORK_BOUNDS, /* the iterations of a thread: here, all of them */
    WORK_UNKNOWN
} team_work;

/* Functions of LLVM's OpenMP runtime, kmp.h. */
static const struct {
    const char *name;
    team_work work;
} calls[] = {
    {"__kmpc_for_static_init_4", WORK_BOUNDS},
    {"__kmpc_for_static_init_4u", WORK_BOUNDS},
    {"__kmpc_for_static_init_8", WORK_BOUNDS},
    {"__kmpc_for_static_init_8u", WORK_BOUNDS},
    {"__kmpc_for_static_fini", WORK_NOTHING},
    {"__kmpc_barrier", WORK_NOTHING},
    {"__kmpc_flush", WORK_NOTHING},
    {"__kmpc_global_thread_num", WORK_ZERO},
    {"__kmpc_push_num_threads", WORK_NOTHING},
    {"__kmpc_push_proc_bind", WORK_NOTHING},
    {"__kmpc_single", WORK_ONE},
    {"__kmpc_end_single", WORK_NOTHING},
    {"__kmpc_master", WORK_ONE},
    {"__kmpc_end_master", WORK_NOTHING},
    {"__kmpc_masked", WORK_ONE},
    {"__kmpc_end_masked", WORK_NOTHING},
    {"__kmpc_reduce", WORK_ONE},
    {"__kmpc_end_reduce", WORK_NOTHING},
    {"__kmpc_reduce_nowait", WORK_ONE},
    {"__kmpc_end_reduce_nowait", WORK_NOTHING},
    {"__kmpc_critical", WORK_NOTHING}, /* which reduced.c has looked at */
    {"__kmpc_end_critical", WORK_NOTHING},
};

/* What else regions do, by how the functions' names begin. */
static const struct {
    const char *prefix, *does;
} reasons[] = {
    {"__kmpc_critical_", "has a critical section; use a reduction"},
    {"__kmpc_dispatch_", "gives out iterations while it runs; write schedule(static)"},
    {"__kmpc_omp_task", "makes tasks"},
    {"__kmpc_taskloop", "makes tasks"},
    {"__kmpc_fork_", "starts another parallel region"},
    {"__kmpc_ordered", "has an ordered part"},
    {"__kmpc_threadprivate", "uses threadprivate variables"},
    {"llvm.threadlocal.address", "uses variables of each thread"},
    {"llvm.thread.pointer", "uses variables of each thread"},
};

static team_work work_of(LLVMValueRef call) {
    const char *name = host_callee_name(call);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(name, calls[i].name))
            return calls[i].work;
    return WORK_UNKNOWN;
}

/* The arguments of a fork: where, how many follow, the body, and what it gets after the numbers of
 * the thread. */
enum { FORK_BODY = 2, FORK_ARGUMENTS = 3, BODY_ARGUMENTS = 2 };

bool prep_is_fork(LLVMValueRef i) {
    return LLVMIsACallInst(i) && !strcmp(host_callee_name(i), "__kmpc_fork_call") &&
           LLVMGetNumArgOperands(i) >= FORK_ARGUMENTS;
}

bool prep_forks(LLVMValueRef function) {
    LLVMValueRef fork = LLVMGetNamedFunction(LLVMGetGlobalParent(function), "__kmpc_fork_call");
    bool forks = false;
    for (LLVMUseRef u = fork ? LLVMGetFirstUse(fork) : NULL; u && !forks; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        forks = prep_is_fork(user) &&
                LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function;
    }
    return forks;
}

LLVMValueRef prep_fork_body(LLVMValueRef fork) {
    LLVMValueRef body = LLVMIsAFunction(LLVMGetOperand(fork, FORK_BODY));
    unsigned given = LLVMGetNumArgOperands(fork) - FORK_ARGUMENTS;
    if (!body || LLVMIsDeclaration(body) || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(body)) ||
        LLVMCountParams(body) != given + BODY_ARGUMENTS)
        return NULL;
    for (unsigned i = 0; i < given; i++)
        if (LLVMTypeOf(LLVMGetOperand(fork, FORK_ARGUMENTS + i)) !=
            LLVMTypeOf(LLVMGetParam(body, BODY_ARGUMENTS + i)))
            return NULL;
    return body;
}

bool prep_is_body(LLVMValueRef function) {
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAInstruction(user) && prep_is_fork(user) &&
            LLVMGetOperand(user, FORK_BODY) == function)
            return true;
    }
    return false;
}

/* The kind of schedule, without the bits of its modifiers; -1: not known. */
static long schedule_of(LLVMValueRef call) {
    LLVMValueRef kind = LLVMIsAConstantInt(LLVMGetOperand(call, 2));
    return kind ? (long)(LLVMConstIntGetZExtValue(kind) & SCHEDULE_KINDS) : -1;
}

/* What such functions get: pointers, integers, and numbers of iterations, all of one type. */
static const struct {
    const char *prefix, *gets;
} signatures[] = {
    {"__kmpc_for_static_init_", "piippppnn"},
    {"__kmpc_for_static_fini", "pi"},
    {"__kmpc_dispatch_init_", "piinnnn"},
    {"__kmpc_dispatch_next_", "pipppp"},
    {"__kmpc_dispatch_deinit", "pi"},
    {"__kmpc_reduce", "piiippp"},
    {"__kmpc_masked", "pii"},
    {"__kmpc_critical_with_hint", "pipi"},
    {"__kmpc_critical", "pip"},
    {"__kmpc_end_critical", "pip"},
};

static bool gets(LLVMValueRef call, const char *types) {
    bool good = LLVMIsACallInst(call) && LLVMGetNumArgOperands(call) == strlen(types);
    LLVMTypeRef number = NULL;
    for (unsigned k = 0; good && types[k]; k++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, k));
        LLVMTypeKind is = LLVMGetTypeKind(type);
        good = is == (types[k] == 'p' ? LLVMPointerTypeKind : LLVMIntegerTypeKind) &&
               (types[k] != 'n' || !number || type == number);
        number = types[k] == 'n' ? type : number;
    }
    return good;
}

/* What the call gets, if its function has the name of one of the runtime; NULL: that is open. */
static const char *what_it_gets(LLVMValueRef call) {
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (host_calls(call, signatures[i].prefix))
            return signatures[i].gets;
    return NULL;
}

/* Is it a call that a compiler makes of OpenMP's runtime, if its function has such a name? A
 * program may declare such functions otherwise. */
static bool is_as_declared(LLVMValueRef call) {
    const char *types = what_it_gets(call);
    team_work work = work_of(call);
    if (types && !gets(call, types))
        return false;
    if (work == WORK_ZERO || work == WORK_ONE || host_calls(call, "__kmpc_dispatch_next_"))
        return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind;
    return (work == WORK_UNKNOWN && !types) || !LLVMGetFirstUse(call);
}

/* Are all calls in the body such as a compiler makes? */
static bool are_as_declared(LLVMValueRef body) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!is_as_declared(i))
                return false;
    return true;
}

/* Does the call begin a loop with OpenMP's clause `ordered`? */
static bool is_ordered(LLVMValueRef call) {
    long kind =
        !strncmp(host_callee_name(call), "__kmpc_dispatch_init_", 21) ? schedule_of(call) : -1;
    return kind >= LEAST_ORDERED && kind <= MOST_ORDERED;
}

/* Does the call let one thread do something, where that thread need not be the first, so that a
 * smaller team would not do it? */
static bool names_another(LLVMValueRef call) {
    return !strcmp(host_callee_name(call), "__kmpc_masked") && !LLVMIsNull(LLVMGetOperand(call, 2));
}

static bool may_differ(LLVMValueRef function, int *left);

/* May the result of a call, which changes nothing, depend on the thread? */
static bool result_may_differ(LLVMValueRef call, int *left) {
    const char *name = host_callee_name(call);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!strncmp(name, "llvm.thread", 11))
        return true;
    if (!strncmp(name, "llvm.", 5) || host_sets_errno(name))
        return false;
    return !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee) || may_differ(callee, left);
}

/* `left`: how many functions are still looked at. */
static bool may_differ(LLVMValueRef function, int *left) {
    bool differs = --*left < 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b && !differs; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !differs;
             i = LLVMGetNextInstruction(i))
            differs = LLVMIsAInvokeInst(i) || (LLVMIsACallInst(i) && result_may_differ(i, left));
    return differs;
}

/* NULL: one thread can do it. */
static const char *what_it_does(LLVMValueRef call, char *detail, size_t size) {
    const char *name = host_callee_name(call);
    team_work work = work_of(call);
    if (work == WORK_BOUNDS && schedule_of(call) != SCHEDULE_STATIC)
        return "gives out iterations in chunks; write schedule(static)";
    if (is_ordered(call))
        return "has an ordered loop; leave out the clause ordered";
    if (names_another(call))
        return "lets one thread do a part by its number; write omp master";
    if (work != WORK_UNKNOWN)
        return NULL;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (!strncmp(name, reasons[i].prefix, strlen(reasons[i].prefix)))
            return reasons[i].does;
    enum { MAX_FUNCTIONS = 32 };
    int left = MAX_FUNCTIONS;
    bool runtime =
        !strncmp(name, "__kmpc_", 7) || !strncmp(name, "omp_", 4) || !strncmp(name, "GOMP_", 5);
    if (!runtime && (br_may_write(call) || !result_may_differ(call, &left)))
        return NULL;
    char called[HOST_DETAIL / 2];
    host_operation_name(call, called, sizeof called);
    snprintf(detail, size, "calls %s, by which threads may differ", called);
    return detail;
}

/* Does the result depend on the number of threads? */

typedef bool is_wrong(br_function *f, LLVMValueRef body, LLVMValueRef call);

static bool keeps_shares(br_function *f, LLVMValueRef body, LLVMValueRef call) {
    return host_calls(call, "__kmpc_for_static_init_") && team_keeps_shares(f, body, call);
}

static bool has_wrong(br_function *f, LLVMValueRef body, is_wrong *wrong) {
    bool found = false;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body);
    for (; b && !found; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !found;
             i = LLVMGetNextInstruction(i))
            found = LLVMIsACallInst(i) && wrong(f, body, i);
    return found;
}

/* Names what makes the body's result depend on it; NULL: nothing. */
static const char *counts_threads(br_function *f, LLVMValueRef body) {
    br_function *open = br_function_open_other(f, body);
    const char *does = NULL;
    if (has_wrong(open, body, team_reduces_otherwise))
        does = "reduces otherwise than by a sum, a maximum or a minimum of what its loops find";
    else if (has_wrong(open, body, team_locks_otherwise))
        does = "has a critical section; use a reduction";
    else if (has_wrong(open, body, keeps_shares))
        does =
            "uses, after a loop that the threads share, a private variable whose value depends on "
            "which iterations the thread had; use a reduction";
    br_function_close(open);
    return does;
}

static bool needs_team(br_function *f, LLVMValueRef body, char *detail, size_t size) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *does = LLVMIsACallInst(i) ? what_it_does(i, detail, size) : NULL;
            if (does && does != detail)
                snprintf(detail, size, "%s", does);
            if (does)
                return true;
        }
    const char *does = counts_threads(f, body);
    if (does)
        snprintf(detail, size, "%s", does);
    return does != NULL;
}

/* Is the body looked at, and run, in another form? `f` is the body's. */
static bool has_other_form(br_function *f, LLVMValueRef body) {
    return team_has_schedules(body) || team_has_privates(f, body);
}

/* Gives a copy of the body this form: each thread has one part of a loop, and what is reduced is a
 * value. */
static bool take_other_form(prep_shadow *s) {
    if (team_has_schedules(s->function) && !team_make_static(s->f, s->function))
        return false;
    team_take_privates(s->f, s->function);
    return true;
}

static bool needs_team_in_form(br_function *f, br_function *open, LLVMValueRef body, char *detail,
                               size_t size) {
    prep_shadow s;
    bool made = prep_make_shadow(&s, open), taken = made && take_other_form(&s);
    bool needs = needs_team(f, taken ? s.function : body, detail, size);
    if (made)
        prep_drop_shadow(&s);
    return needs;
}

bool prep_needs_team(br_function *f, LLVMValueRef body, char *detail, size_t size) {
    if (!br_may_copy(body)) {
        snprintf(detail, size, "cannot be copied");
        return true;
    }
    if (!are_as_declared(body)) {
        snprintf(detail, size, "calls OpenMP's runtime with arguments that it does not have");
        return true;
    }
    br_function *open = br_function_open_other(f, body);
    bool needs = has_other_form(open, body) ? needs_team_in_form(f, open, body, detail, size)
                                            : needs_team(f, body, detail, size);
    br_function_close(open);
    return needs;
}

/* The thread has the last iteration, too. */
static void take_all(LLVMValueRef call) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderBefore(b, call);
    LLVMBuildStore(b, LLVMConstInt(LLVMInt32TypeInContext(c), 1, false), LLVMGetOperand(call, 3));
    LLVMDisposeBuilder(b);
}

void team_run_call(LLVMValueRef call) {
    team_work work = LLVMIsACallInst(call) ? work_of(call) : WORK_UNKNOWN;
    if (work == WORK_UNKNOWN || !is_as_declared(call))
        return;
    if (work == WORK_BOUNDS)
        take_all(call);
    else if (work != WORK_NOTHING)
        LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), work == WORK_ONE, false));
    LLVMInstructionEraseFromParent(call);
}

static void run_calls(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            team_run_call(i);
        }
}

/* The body's first two arguments: where the thread's number is. */
static LLVMValueRef make_number(LLVMValueRef fork) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(fork));
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(fork));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMTypeRef number = LLVMInt32TypeInContext(c);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef memory = LLVMBuildAlloca(b, number, "");
    LLVMPositionBuilderBefore(b, fork);
    LLVMBuildStore(b, LLVMConstNull(number), memory);
    LLVMDisposeBuilder(b);
    return memory;
}

/* A call of the function with the fork's arguments, in its place. */
static LLVMValueRef call_instead(LLVMValueRef fork, LLVMValueRef function) {
    LLVMValueRef args[256];
    unsigned count = LLVMCountParams(function);
    args[0] = args[1] = make_number(fork);
    for (unsigned i = BODY_ARGUMENTS; i < count; i++)
        args[i] = LLVMGetOperand(fork, FORK_ARGUMENTS + i - BODY_ARGUMENTS);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(fork)));
    LLVMPositionBuilderBefore(b, fork);
    LLVMValueRef call =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, args, count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(fork);
    return call;
}

bool team_run_fork(br_function *f, LLVMValueRef fork) {
    LLVMValueRef body = prep_fork_body(fork);
    prep_shadow alone;
    if (!body || LLVMCountParams(body) > 256)
        return false;
    br_function *open = br_function_open_other(f, body);
    bool made = prep_make_shadow(&alone, open), good = made;
    if (good && has_other_form(open, body))
        good = take_other_form(&alone);
    if (good) {
        run_calls(alone.function);
        good = br_inline(call_instead(fork, alone.function));
    }
    if (made)
        prep_drop_shadow(&alone);
    br_function_close(open);
    return good;
}
