// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs passes on a module, for tests and programs of the build.
#include "bridge/bridge_run.h"

#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

bool br_run_passes(LLVMModuleRef M, const char *Text, void (*RegisterPasses)(void *)) {
    LoopAnalysisManager LAM;
    FunctionAnalysisManager FAM;
    CGSCCAnalysisManager CGAM;
    ModuleAnalysisManager MAM;
    PassBuilder PB;
    RegisterPasses(&PB);
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
    ModulePassManager MPM;
    if (Error Problem = PB.parsePassPipeline(MPM, Text)) {
        errs() << "error: " << toString(std::move(Problem)) << "\n";
        return false;
    }
    MPM.run(*unwrap(M), MAM);
    return true;
}

void br_drop_named_metadata(LLVMModuleRef M) {
    for (NamedMDNode &Node : make_early_inc_range(unwrap(M)->named_metadata()))
        Node.eraseFromParent();
}
