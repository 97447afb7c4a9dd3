// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs LLVM's optimisation and code generation on a module, without the passes that the caller does
// not want.
#include "bridge/bridge.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"

#include <map>
#include <memory>

using namespace llvm;

void br_optimise(LLVMModuleRef M, LLVMTargetMachineRef Machine, br_wants *Wants) {
    PassInstrumentationCallbacks PIC;
    std::map<std::pair<std::string, const void *>, unsigned> Runs;
    LoopAnalysisManager LAM;
    FunctionAnalysisManager FAM;
    CGSCCAnalysisManager CGAM;
    ModuleAnalysisManager MAM;
    // On the heap, because they are large.
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

namespace {

// The code generator uses LLVM's old pass manager. Its passes ask the context's gate whether to
// run.
class Gate : public OptPassGate {
    br_wants *Wants;
    mutable std::map<std::pair<std::string, std::string>, unsigned> Runs;

  public:
    explicit Gate(br_wants *Wants) : Wants(Wants) {}
    bool isEnabled() const override {
        return true;
    }
    bool shouldRunPass(StringRef Pass, StringRef Unit) const override {
        std::string Name = Pass.str();
        return Wants(Name.c_str(), Runs[{Name, Unit.str()}]++);
    }
};

} // namespace

bool br_generate(LLVMModuleRef M, LLVMTargetMachineRef Machine, LLVMCodeGenFileType Type,
                 br_wants *Wants, char **Message, LLVMMemoryBufferRef *Out) {
    LLVMContext &C = unwrap(M)->getContext();
    OptPassGate &Before = C.getOptPassGate();
    Gate Ours(Wants);
    if (Wants && !Before.isEnabled()) // with -opt-bisect-limit LLVM alone decides
        C.setOptPassGate(Ours);
    bool Failed = LLVMTargetMachineEmitToMemoryBuffer(Machine, M, Type, Message, Out);
    C.setOptPassGate(Before);
    return !Failed;
}
