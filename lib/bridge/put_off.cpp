// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlining of the GPU toolkits' mathematics, put off. Sines and the like have arrays of their own
// and loops, for large arguments. Inlined, they hide what a kernel computes. So a call stays a call
// until detection has seen it. That is done only with functions that nobody calls in a loop:
// whether LLVM unrolls a loop would depend on it. And only if kernels alone call them, themselves
// or through functions that are always inlined: whether LLVM inlines another one depends on its
// size.
#include "bridge/handles.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

static const char PutOff[] = "stencilopt-put-off";

static bool isLibrary(const Function &F) {
    return (F.getName().starts_with("__nv_") || F.getName().starts_with("__ocml_")) &&
           F.hasLocalLinkage() && !F.isDeclaration();
}

static bool isNumber(Type *T) {
    return T->isFloatTy() || T->isDoubleTy() || T->isIntegerTy();
}

static bool computesNumber(const Function &F) {
    return isNumber(F.getReturnType()) &&
           all_of(F.args(), [](const Argument &A) { return isNumber(A.getType()); });
}

static bool hasLoop(const Function &F) {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Back;
    FindFunctionBackedges(F, Back);
    return !Back.empty();
}

// Has it what detection does not look into?
static bool isHard(const Function &F) {
    auto IsPart = [](const Instruction &I) {
        auto *Call = dyn_cast<CallInst>(&I);
        return Call && Call->getType()->isStructTy() && Call->getCalledFunction() &&
               !Call->getCalledFunction()->isIntrinsic();
    };
    return hasLoop(F) || any_of(instructions(F), IsPart);
}

// Is the instruction in a cycle of its function?
static bool isInCycle(const Instruction &I) {
    const BasicBlock *BB = I.getParent();
    return any_of(successors(BB),
                  [&](const BasicBlock *To) { return isPotentiallyReachable(To, BB); });
}

static bool isKernel(const Function &F) {
    return F.getCallingConv() == CallingConv::PTX_Kernel ||
           F.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

// Is the function, or one that calls it, called in a loop, by what LLVM may inline or not, or used
// otherwise?
static bool isCalledOften(const Function &Callee) {
    SmallSetVector<const Function *, 8> Callees;
    Callees.insert(&Callee);
    for (size_t I = 0; I < Callees.size(); ++I)
        for (const User *U : Callees[I]->users()) {
            auto *Call = dyn_cast<CallInst>(U);
            if (!Call || Call->getCalledFunction() != Callees[I] || isInCycle(*Call))
                return true;
            const Function *Caller = Call->getFunction();
            if (!isKernel(*Caller) && !Caller->hasFnAttribute(Attribute::AlwaysInline))
                return true;
            Callees.insert(Caller);
        }
    return false;
}

static bool hasKernels(const Module &M) {
    return any_of(M, isKernel);
}

bool br_put_off(Module &M) {
    bool Changed = false;
    if (!hasKernels(M))
        return false;
    for (Function &F : M) {
        if (!isLibrary(F) || !computesNumber(F) || F.hasFnAttribute(Attribute::NoInline) ||
            F.use_empty() || !isHard(F) || isCalledOften(F))
            continue;
        F.addFnAttr(PutOff, F.hasFnAttribute(Attribute::AlwaysInline) ? "always" : "");
        F.removeFnAttr(Attribute::AlwaysInline);
        F.addFnAttr(Attribute::NoInline);
        Changed = true;
    }
    return Changed;
}

bool br_is_put_off(LLVMValueRef V) {
    auto *Call = dyn_cast<CallInst>(unwrap(V));
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->hasFnAttribute(PutOff);
}

static void clean(Function &F, FunctionAnalysisManager &FAM) {
    FunctionPassManager FPM;
    FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
    FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    FPM.addPass(InstCombinePass());
    FPM.addPass(SimplifyCFGPass());
    FPM.addPass(GVNPass());
    FPM.addPass(InstCombinePass());
    FAM.invalidate(F, PreservedAnalyses::none());
    PreservedAnalyses Kept = FPM.run(F, FAM);
    FAM.invalidate(F, Kept);
}

// Would LLVM inline the call? ocml's functions, for example, need not be inlined.
static bool isInlined(CallInst &Call, FunctionAnalysisManager &FAM) {
    auto GetAssumptions = [&](Function &F) -> AssumptionCache & {
        return FAM.getResult<AssumptionAnalysis>(F);
    };
    auto GetLibrary = [&](Function &F) -> const TargetLibraryInfo & {
        return FAM.getResult<TargetLibraryAnalysis>(F);
    };
    InlineCost Cost = getInlineCost(Call, getInlineParams(/*OptLevel=*/3, /*SizeOptLevel=*/0),
                                    FAM.getResult<TargetIRAnalysis>(*Call.getCalledFunction()),
                                    GetAssumptions, GetLibrary);
    return bool(Cost);
}

static void inlineCalls(Function &F, FunctionAnalysisManager &FAM,
                        SmallSetVector<Function *, 8> &Callers) {
    for (User *U : SmallVector<User *, 8>(F.users())) {
        auto *Call = dyn_cast<CallInst>(U);
        if (!Call || Call->getCalledFunction() != &F || !isInlined(*Call, FAM))
            continue;
        Function *Caller = Call->getFunction();
        InlineFunctionInfo Info;
        if (InlineFunction(*Call, Info).isSuccess())
            Callers.insert(Caller);
    }
}

bool br_catch_up(Module &M, FunctionAnalysisManager &FAM) {
    SmallSetVector<Function *, 8> Callers;
    bool Changed = false;
    for (Function &F : M) {
        if (!F.hasFnAttribute(PutOff))
            continue;
        Changed = true;
        bool Always = F.getFnAttribute(PutOff).getValueAsString() == "always";
        F.removeFnAttr(PutOff);
        F.removeFnAttr(Attribute::NoInline);
        if (Always)
            F.addFnAttr(Attribute::AlwaysInline);
        inlineCalls(F, FAM, Callers);
    }
    for (Function *F : Callers)
        clean(*F, FAM);
    return Changed;
}
