// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs LLVM's optimisation on a module, without passes that the caller does not want.
#include "bridge/bridge.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"

#include <map>
#include <memory>

using namespace llvm;

void br_optimise(LLVMModuleRef M, LLVMTargetMachineRef Machine,
                 bool (*Wants)(const char *Pass, unsigned Run)) {
    PassInstrumentationCallbacks PIC;
    std::map<std::pair<std::string, const void *>, unsigned> Runs;
    LoopAnalysisManager LAM;
    FunctionAnalysisManager FAM;
    CGSCCAnalysisManager CGAM;
    ModuleAnalysisManager MAM;
    // On the heap, for they are large.
    auto SI = std::make_unique<StandardInstrumentations>(unwrap(M)->getContext(),
                                                         /*DebugLogging=*/false);
    auto PB = std::make_unique<PassBuilder>(reinterpret_cast<TargetMachine *>(Machine),
                                            PipelineTuningOptions(), std::nullopt, &PIC);
    PB->registerModuleAnalyses(MAM);
    PB->registerCGSCCAnalyses(CGAM);
    PB->registerFunctionAnalyses(FAM);
    PB->registerLoopAnalyses(LAM);
    PB->crossRegisterProxies(LAM, FAM, CGAM, MAM);
    SI->registerCallbacks(PIC, &MAM);
    if (Wants)
        PIC.registerShouldRunOptionalPassCallback([&](StringRef Pass, Any Unit) {
            const auto *F = any_cast<const Function *>(&Unit);
            std::string Name = Pass.str();
            return Wants(Name.c_str(), Runs[{Name, F ? *F : nullptr}]++);
        });
    ModulePassManager MPM;
    cantFail(PB->parsePassPipeline(MPM, "default<O3>"));
    MPM.run(*unwrap(M), MAM);
}
