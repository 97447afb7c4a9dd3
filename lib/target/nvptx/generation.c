/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which of LLVM's passes run on kernels. Passes that took long and changed nothing in this
 * project's kernels are left out. This was measured with ptxas, over the programs of test/programs
 * and tools/bench: it makes machine code of the same size, with the same registers, of the PTX
 * without them. None of these passes is needed for correct code.
 */
#include "target/nvptx/nvptx.h"

#include <limits.h>
#include <string.h>

#define ALWAYS (~0u)
#define RUN(n) (1u << (n))

/* Runs of a pass on a function that are left out. */
typedef struct left_out {
    const char *pass;
    unsigned runs; /* a bit for each run */
} left_out;

/* Passes of -O3 in LLVM 22, by their classes. */
static const left_out of_optimisation[] = {
    /* The eighth run does the same. */
    {"InstCombinePass", RUN(2) | RUN(3) | RUN(4) | RUN(5) | RUN(6)},
    {"SimplifyCFGPass", RUN(0) | RUN(2) | RUN(3) | RUN(4) | RUN(5) | RUN(7)},
    {"CorrelatedValuePropagationPass", RUN(0)},
    {"InstSimplifyPass", RUN(0)},
    {"SROAPass", RUN(1)},
    {"VectorCombinePass", RUN(1)},
    {"ADCEPass", ALWAYS},
    {"AggressiveInstCombinePass", ALWAYS},
    {"AlignmentFromAssumptionsPass", ALWAYS},
    {"AllocTokenPass", ALWAYS},
    {"AlwaysInlinerPass", ALWAYS},
    {"BDCEPass", ALWAYS},
    {"CallSiteSplittingPass", ALWAYS},
    {"CalledValuePropagationPass", ALWAYS},
    {"ConstraintEliminationPass", ALWAYS},
    {"ControlHeightReductionPass", ALWAYS},
    {"DSEPass", ALWAYS},
    {"DeadArgumentEliminationPass", ALWAYS},
    {"DivRemPairsPass", ALWAYS},
    {"Float2IntPass", ALWAYS},
    {"GlobalOptPass", ALWAYS},
    {"IndVarSimplifyPass", ALWAYS},
    {"InferAlignmentPass", ALWAYS},
    {"InjectTLIMappings", ALWAYS},
    {"JumpThreadingPass", ALWAYS},
    {"LibCallsShrinkWrapPass", ALWAYS},
    {"LoopDeletionPass", ALWAYS},
    {"LoopDistributePass", ALWAYS},
    {"LoopIdiomRecognizePass", ALWAYS},
    {"LoopInstSimplifyPass", ALWAYS},
    {"LoopLoadEliminationPass", ALWAYS},
    {"LoopVectorizePass", ALWAYS},
    {"LowerConstantIntrinsicsPass", ALWAYS},
    {"LowerExpectIntrinsicPass", ALWAYS},
    {"MemCpyOptPass", ALWAYS},
    {"MemProfRemoveInfo", ALWAYS},
    {"MergedLoadStoreMotionPass", ALWAYS},
    {"MoveAutoInitPass", ALWAYS},
    {"PostOrderFunctionAttrsPass", ALWAYS},
    {"PromotePass", ALWAYS},
    {"RecomputeGlobalsAAPass", ALWAYS},
    {"SCCPPass", ALWAYS},
    {"SLPVectorizerPass", ALWAYS},
    {"TailCallElimPass", ALWAYS},
};

/* Passes of the code generator, by their arguments. */
static const left_out of_generation[] = {
    {"Canonicalize Freeze Instructions in Loops", ALWAYS},
    {"consthoist", ALWAYS},
    {"dead-mi-elimination", ALWAYS},
    {"early-cse", RUN(0) | RUN(1)}, /* the third run does the same */
    {"early-tailduplication", ALWAYS},
    {"expand-memcmp", ALWAYS},
    {"machine-scheduler", ALWAYS},
    {"mergeicmps", ALWAYS},
    {"nary-reassociate", ALWAYS},
    {"opt-phis", ALWAYS},
    {"peephole-opt", ALWAYS},
    {"sroa", ALWAYS},
    {"stack-coloring", ALWAYS},
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

/* Has the module no functions of a library? */
static bool has_only_kernels(LLVMModuleRef m) {
    LLVMValueRef f = LLVMGetFirstFunction(m);
    while (f && (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) == LLVMPTXKernelCallConv))
        f = LLVMGetNextFunction(f);
    return !f;
}

/* The level above the default one replaces common subexpressions in the code generator by global
 * value numbering. That finds no more in kernels. */
tg_generation nvptx_generation(LLVMModuleRef m) {
    bool kernels = has_only_kernels(m);
    return (tg_generation){.type = LLVMAssemblyFile,
                           .mend = nvptx_keep_negations,
                           .level = kernels ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelAggressive,
                           .wants = kernels ? is_wanted : NULL};
}
