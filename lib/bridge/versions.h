// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The differences between the versions of LLVM that StencilOpt can be built for, 21 to 23. For the
// files of this folder only: the rest of the code sees one LLVM.
#ifndef STENCILOPT_VERSIONS_H
#define STENCILOPT_VERSIONS_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace versions {

// From 23 on, branches with and without a condition are two kinds of instructions.
#if LLVM_VERSION_MAJOR >= 23
inline bool isBranch(const llvm::Value *I) {
    return llvm::isa<llvm::UncondBrInst, llvm::CondBrInst>(I);
}
inline bool isConditional(const llvm::Value *I) {
    return llvm::isa<llvm::CondBrInst>(I);
}
inline llvm::Instruction *createBranch(llvm::Value *If, llvm::BasicBlock *Then,
                                       llvm::BasicBlock *Else, llvm::BasicBlock *AtEnd) {
    return llvm::CondBrInst::Create(If, Then, Else, AtEnd);
}
inline llvm::Instruction *createJump(llvm::BasicBlock *To, llvm::BasicBlock *AtEnd) {
    return llvm::UncondBrInst::Create(To, AtEnd);
}
#else
inline bool isBranch(const llvm::Value *I) {
    return llvm::isa<llvm::BranchInst>(I);
}
inline bool isConditional(const llvm::Value *I) {
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(I);
    return Branch && Branch->isConditional();
}
inline llvm::Instruction *createBranch(llvm::Value *If, llvm::BasicBlock *Then,
                                       llvm::BasicBlock *Else, llvm::BasicBlock *AtEnd) {
    return llvm::BranchInst::Create(Then, Else, If, AtEnd);
}
inline llvm::Instruction *createJump(llvm::BasicBlock *To, llvm::BasicBlock *AtEnd) {
    return llvm::BranchInst::Create(To, AtEnd);
}
#endif

// The number behind -O of a pipeline's level.
inline unsigned speed(llvm::OptimizationLevel Level) {
#if LLVM_VERSION_MAJOR >= 23
    return static_cast<unsigned>(Level);
#else
    return Level.getSpeedupLevel();
#endif
}

// An operand of a sum or product of ScalarEvolution, in a list of them.
#if LLVM_VERSION_MAJOR >= 23
using ScevOperand = llvm::SCEVUse;
#else
using ScevOperand = const llvm::SCEV *;
#endif

// Takes one iteration out of a loop in LCSSA form that may be peeled: the last one or the first.
inline bool peelOne(llvm::Loop *L, bool Last, llvm::LoopInfo *LI, llvm::ScalarEvolution *SE,
                    llvm::DominatorTree &DT, llvm::AssumptionCache *AC) {
    llvm::ValueToValueMapTy Map;
#if LLVM_VERSION_MAJOR >= 23
    llvm::peelLoop(L, 1, Last, LI, SE, DT, AC, /*PreserveLCSSA=*/false, Map);
    return true;
#else
    return llvm::peelLoop(L, 1, Last, LI, SE, DT, AC, /*PreserveLCSSA=*/false, Map);
#endif
}

inline llvm::CallInst *createIntrinsic(llvm::IRBuilder<> &B, llvm::Intrinsic::ID ID) {
    return llvm::cast<llvm::CallInst>(B.CreateIntrinsic(ID, {}));
}

struct Expander : llvm::SCEVExpander {
#if LLVM_VERSION_MAJOR >= 22
    Expander(llvm::ScalarEvolution &SE, const llvm::Function &, const char *Name,
             bool PreserveLCSSA = false)
        : SCEVExpander(SE, Name, PreserveLCSSA) {}
#else
    Expander(llvm::ScalarEvolution &SE, const llvm::Function &F, const char *Name,
             bool PreserveLCSSA = false)
        : SCEVExpander(SE, F.getDataLayout(), Name, PreserveLCSSA) {}
#endif
};

} // namespace versions

#endif
