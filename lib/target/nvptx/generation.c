/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which of LLVM's passes run on kernels. Those that are left out took long and left this project's
 * kernels as they were: over the programs of test/programs and tools/bench, ptxas makes as much
 * machine code with as many registers of the PTX without them. Correct code needs none of them.
 */
#include "target/nvptx/nvptx.h"

#include <limits.h>
#include <string.h>

#define ALWAYS (~0u)
#define RUN(n) (1u << (n))

/* Runs of a pass on a function. */
typedef struct left_out {
    const char *pass;
    unsigned runs; /* a bit each */
} left_out;

/* By their classes in -O3, of LLVM 22. */
static const left_out of_optimisation[] = {
    {"InstCombinePass", RUN(2) | RUN(3) | RUN(4) | RUN(5) | RUN(6)}, /* the eighth does the same */
    {"SimplifyCFGPass", RUN(0) | RUN(2) | RUN(3) | RUN(4) | RUN(5) | RUN(7)},
    {"CorrelatedValuePropagationPass", RUN(0)},
    {"InstSimplifyPass", RUN(0)},
    {"VectorCombinePass", RUN(1)},
    {"ADCEPass", ALWAYS},
    {"AggressiveInstCombinePass", ALWAYS},
    {"CalledValuePropagationPass", ALWAYS},
    {"ConstraintEliminationPass", ALWAYS},
    {"DSEPass", ALWAYS},
    {"Float2IntPass", ALWAYS},
    {"GlobalOptPass", ALWAYS},
    {"InferAlignmentPass", ALWAYS},
    {"LoopDeletionPass", ALWAYS},
    {"LoopIdiomRecognizePass", ALWAYS},
    {"LoopInstSimplifyPass", ALWAYS},
    {"LoopLoadEliminationPass", ALWAYS},
    {"LoopVectorizePass", ALWAYS},
    {"MemCpyOptPass", ALWAYS},
    {"PostOrderFunctionAttrsPass", ALWAYS},
    {"SCCPPass", ALWAYS},
    {"SLPVectorizerPass", ALWAYS},
};

/* By their arguments in the code generator. */
static const left_out of_generation[] = {
    {"consthoist", ALWAYS},
    {"early-cse", RUN(0) | RUN(1)}, /* the third does the same */
    {"mergeicmps", ALWAYS},
    {"nary-reassociate", ALWAYS},
};

static unsigned runs_left_out(const left_out *list, size_t count, const char *pass) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].pass, pass))
            return list[i].runs;
    return 0;
}

static bool is_wanted(const char *pass, unsigned run) {
    unsigned runs = runs_left_out(of_optimisation, sizeof of_optimisation / sizeof(left_out), pass);
    runs |= runs_left_out(of_generation, sizeof of_generation / sizeof(left_out), pass);
    return runs != ALWAYS && (run >= CHAR_BIT * sizeof runs || !(runs & RUN(run)));
}

/* No code of a library's? */
static bool has_only_kernels(LLVMModuleRef m) {
    LLVMValueRef f = LLVMGetFirstFunction(m);
    while (f && (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) == LLVMPTXKernelCallConv))
        f = LLVMGetNextFunction(f);
    return !f;
}

/* The level above the default one takes global value numbering for common subexpressions in the
 * code generator, which finds no more in kernels. */
tg_generation nvptx_generation(LLVMModuleRef m) {
    bool kernels = has_only_kernels(m);
    return (tg_generation){.type = LLVMAssemblyFile,
                           .mend = nvptx_keep_negations,
                           .level = kernels ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelAggressive,
                           .wants = kernels ? is_wanted : NULL};
}
