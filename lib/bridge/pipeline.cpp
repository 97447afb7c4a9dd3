// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs passes, given by their text, on a module, as opt does.
#include "bridge/handles.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

using namespace llvm;

struct br_pipeline {
    Module &M;
    PassInstrumentationCallbacks PIC;
    LoopAnalysisManager LAM;
    FunctionAnalysisManager FAM;
    CGSCCAnalysisManager CGAM;
    ModuleAnalysisManager MAM;
    StandardInstrumentations SI;
    PassBuilder PB;
    ModulePassManager MPM;

    br_pipeline(Module &M, TargetMachine *Machine)
        : M(M), SI(M.getContext(), /*DebugLogging=*/false),
          PB(Machine, PipelineTuningOptions(), std::nullopt, &PIC) {}
};

br_pipeline *br_pipeline_parse(LLVMModuleRef M, LLVMTargetMachineRef Machine, const char *Text,
                               void (*RegisterPasses)(void *), char **Problem) {
    auto P = std::make_unique<br_pipeline>(*unwrap(M), reinterpret_cast<TargetMachine *>(Machine));
    std::string Said;
    RegisterPasses(&P->PB);
    P->PB.registerModuleAnalyses(P->MAM);
    P->PB.registerCGSCCAnalyses(P->CGAM);
    P->PB.registerFunctionAnalyses(P->FAM);
    P->PB.registerLoopAnalyses(P->LAM);
    P->PB.crossRegisterProxies(P->LAM, P->FAM, P->CGAM, P->MAM);
    P->SI.registerCallbacks(P->PIC, &P->MAM);
    ComplaintsOfParsing = &Said;
    Error Wrong = P->PB.parsePassPipeline(P->MPM, Text);
    ComplaintsOfParsing = nullptr;
    if (!Wrong)
        return P.release();
    // LLVM says of a pass that refuses its parameters that it is unknown
    std::string LLVMs = toString(std::move(Wrong));
    *Problem = strdup((Said.empty() ? LLVMs : Said).c_str());
    return nullptr;
}

void br_pipeline_run(br_pipeline *P) {
    P->MPM.run(P->M, P->MAM);
    delete P;
}
