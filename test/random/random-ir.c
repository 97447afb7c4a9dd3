/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   random-ir PLUGIN SEED FIRST COUNT PASSES FILE...       runs passes on COUNT random modules
 *   random-ir --print PLUGIN SEED NUMBER 1 PASSES FILE...   writes one of them, and its passes, for
 * opt
 *
 * Module number k is a function of one of the files of IR after a few random changes, and passes
 * that suit it, all drawn from the seed and k, unless PASSES says which. Each is verified before
 * and after. Modules run in children, so that a crash or a hang ends only one of them; those are
 * printed, one a line: "crash K SIGNAL", "hang K", "invalid K MESSAGE".
 */
#include "bridge/bridge.h"
#include "mutate.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SEEDS = 4000, LONGEST = 30, BATCH = 400 };

/* As bridge.h has it. */
typedef struct plugin_info {
    uint32_t api_version;
    const char *name, *version;
    void (*register_passes)(void *builder);
    void *pre_codegen;
} plugin_info;

typedef struct source {
    LLVMModuleRef module; /* of one defined function */
    char *function;
    bool is_host;
} source;

typedef struct work {
    source sources[MOST_SEEDS];
    size_t count;
    LLVMContextRef context;
    void (*register_passes)(void *builder);
    const char *passes; /* empty: drawn */
    uint64_t seed;
    /* Shared with the child: the module that it is at, and whether that has been drawn. */
    volatile struct progress {
        uint64_t number;
        bool drawn;
    } *at;
} work;

static void complain(const char *what, const char *which) {
    fprintf(stderr, "random-ir: %s: %s\n", what, which);
    exit(2);
}

/* Sources */

static void ignore(LLVMDiagnosticInfoRef info, void *context) {
    (void)info, (void)context;
}

static void erase_body(LLVMValueRef f) {
    LLVMBasicBlockRef b;
    for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
                LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    for (b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        while (LLVMGetFirstInstruction(b))
            LLVMInstructionEraseFromParent(LLVMGetFirstInstruction(b));
    while (LLVMGetFirstBasicBlock(f))
        LLVMDeleteBasicBlock(LLVMGetFirstBasicBlock(f));
    LLVMSetLinkage(f, LLVMExternalLinkage);
}

/* The module with one function, the others being declarations. */
static void add_source(work *w, LLVMModuleRef all, const char *name) {
    source *s = &w->sources[w->count];
    char *broken = NULL;
    s->module = LLVMCloneModule(all);
    s->function = strdup(name);
    s->is_host =
        strncmp(LLVMGetTarget(all), "nvptx", 5) && strncmp(LLVMGetTarget(all), "amdgcn", 6);
    for (LLVMValueRef f = LLVMGetFirstFunction(s->module), next; f; f = next) {
        size_t length;
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) || !strcmp(LLVMGetValueName2(f, &length), name))
            continue;
        if (LLVMGetFirstUse(f))
            erase_body(f);
        else
            LLVMDeleteFunction(f);
    }
    if (w->count + 1 < MOST_SEEDS && !LLVMVerifyModule(s->module, LLVMReturnStatusAction, &broken))
        w->count++;
    LLVMDisposeMessage(broken);
}

static void add_file(work *w, const char *path) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef m;
    char *problem = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &problem))
        complain(path, problem);
    if (LLVMParseIRInContext(w->context, buffer, &m, &problem))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (!LLVMIsDeclaration(f))
            add_source(w, m, LLVMGetValueName2(f, &length));
    }
}

/* One module */

static const char *draw_passes(random_state *r, bool is_host) {
    static const char *const host[] = {"print<stencil>",
                                       "print<stencil>",
                                       "print<stencil>",
                                       "print<stencil>",
                                       "print<stencil>",
                                       "print<plan>",
                                       "stencil-offload",
                                       "stencil-offload<bt=2;cells=4>",
                                       "print<stencil>",
                                       "print<plan>",
                                       "function(loop-simplify,lcssa),print<stencil>"};
    static const char *const device[] = {"print<stencil>",
                                         "stencil-remap",
                                         "stencil-remap<column=16>",
                                         "stencil-remap<tiles=4x3;zigzag=1>",
                                         "stencil-block",
                                         "stencil-block<cache=l1;coarsen=3>",
                                         "stencil-block<vector=4>",
                                         "stencil-block<cache=lds;load=cyclic>",
                                         "stencil-block<cache=lds;blocking=2.5d>",
                                         "stencil-block<cache=reg>",
                                         "stencil-block<vector=2>,stencil-remap<column=8>",
                                         "stencil-remap<column=4>,stencil-block<coarsen=2;axis=y>"};
    if (is_host)
        return host[random_below(r, sizeof host / sizeof *host)];
    return device[random_below(r, sizeof device / sizeof *device)];
}

/* A copy of `m` after one change, or NULL if that is invalid. */
static LLVMModuleRef change(LLVMModuleRef m, const char *name, random_state *r) {
    LLVMModuleRef copy = LLVMCloneModule(m);
    char *broken = NULL;
    bool changed = mutate(LLVMGetNamedFunction(copy, name), r);
    if (!changed || LLVMVerifyModule(copy, LLVMReturnStatusAction, &broken)) {
        LLVMDisposeModule(copy);
        copy = NULL;
    }
    LLVMDisposeMessage(broken);
    return copy;
}

static LLVMModuleRef draw(work *w, uint64_t number, const char **passes) {
    random_state r = {w->seed * 0x100000001B3u + number * 0x9E3779B97F4A7C15u};
    const source *s = &w->sources[random_below(&r, w->count)];
    LLVMModuleRef m = LLVMCloneModule(s->module);
    uint64_t changes = 1 + random_below(&r, 1 + random_below(&r, 8));
    *passes = draw_passes(&r, s->is_host);
    *passes = *w->passes ? w->passes : *passes;
    for (uint64_t n = 0, tries = 0; n < changes && tries < 40; tries++) {
        LLVMModuleRef next = change(m, s->function, &r);
        if (!next)
            continue;
        LLVMDisposeModule(m);
        m = next;
        n++;
    }
    return m;
}

/* In seconds of processor time, however busy the machine is; 0: none. */
static void limit(int seconds) {
    const struct itimerval t = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &t, NULL);
}

static void check(work *w, uint64_t number) {
    const char *passes;
    char *broken = NULL;
    LLVMModuleRef m = draw(w, number, &passes);
    w->at->drawn = true;
    limit(LONGEST);
    br_pipeline *p = br_pipeline_parse(m, NULL, passes, w->register_passes, &broken);
    if (!p)
        complain("these passes do not parse", passes);
    br_pipeline_run(p);
    if (LLVMVerifyModule(m, LLVMReturnStatusAction, &broken))
        printf("invalid %lu %.*s\n", (unsigned long)number, (int)strcspn(broken, "\n"), broken),
            fflush(stdout);
    limit(0);
    LLVMDisposeMessage(broken);
    LLVMDisposeModule(m);
}

/* Batches */

static void run_child(work *w, uint64_t first, uint64_t end) {
    fflush(stdout);
    if (!freopen("/dev/null", "w", stderr))
        exit(2);
    for (uint64_t k = first; k < end; k++) {
        w->at->number = k;
        w->at->drawn = false;
        check(w, k);
    }
    _exit(0);
}

/* From `first` on to the batch's end or what ends the child; returns where to go on. */
static uint64_t run_batch(work *w, uint64_t first, uint64_t end) {
    int status;
    pid_t child = fork();
    if (child < 0)
        complain("fork", "no process");
    if (!child)
        run_child(w, first, end);
    if (waitpid(child, &status, 0) < 0)
        complain("waitpid", "no child");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return end;
    unsigned long at = w->at->number;
    if (!w->at->drawn) /* LLVM does not survive each change; that is not the plugin's fault */
        return at + 1;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        printf("hang %lu\n", at);
    else
        printf("crash %lu %d\n", at, WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status));
    fflush(stdout);
    return at + 1;
}

static void print_one(work *w, uint64_t number) {
    const char *passes;
    LLVMModuleRef m = draw(w, number, &passes);
    char *text = LLVMPrintModuleToString(m);
    printf("; passes: %s\n%s", passes, text);
    LLVMDisposeMessage(text);
}

static void load_plugin(work *w, const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    plugin_info (*entry)(void) = NULL;
    if (library)
        *(void **)&entry = dlsym(library, "llvmGetPassPluginInfo");
    if (!entry)
        complain(path, "not a plugin");
    w->register_passes = entry().register_passes;
}

int main(int argc, char **argv) {
    static work w;
    bool print = argc > 1 && !strcmp(argv[1], "--print");
    argv += print, argc -= print;
    if (argc < 7)
        complain("usage", "random-ir [--print] PLUGIN SEED FIRST COUNT PASSES FILE...");
    w.context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(w.context, ignore, NULL);
    load_plugin(&w, argv[1]);
    w.seed = strtoull(argv[2], NULL, 10);
    w.passes = argv[5];
    for (int k = 6; k < argc; k++)
        add_file(&w, argv[k]);
    if (!w.count)
        complain("no function", argv[6]);
    w.at = mmap(NULL, sizeof(struct progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                -1, 0);
    uint64_t first = strtoull(argv[3], NULL, 10), end = first + strtoull(argv[4], NULL, 10);
    if (print)
        return print_one(&w, first), 0;
    while (first < end)
        first = run_batch(&w, first, first + BATCH < end ? first + BATCH : end);
    printf("done %zu functions\n", w.count);
    return 0;
}
