// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind the bridge's handles. For the files of this folder alone.
#ifndef STENCILOPT_HANDLES_H
#define STENCILOPT_HANDLES_H

#include "bridge/bridge.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

struct br_function {
    llvm::Function &F;
    llvm::FunctionAnalysisManager &FAM;
    llvm::Function *Original = nullptr;                 // of a copy
    std::unique_ptr<llvm::ValueToValueMapTy> Originals; // of a copy: from what is in the original
    using KeptPtr = std::unique_ptr<void, void (*)(void *)>;
    KeptPtr Kept{nullptr, [](void *) {}};
    std::vector<KeptPtr> Stale{}; // kept before the last invalidation
    llvm::LoopInfo &loops() {
        return FAM.getResult<llvm::LoopAnalysis>(F);
    }
    llvm::ScalarEvolution &evolution() {
        return FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
    }
    llvm::DominatorTree &dominators() {
        return FAM.getResult<llvm::DominatorTreeAnalysis>(F);
    }
};

inline llvm::Loop *unwrap(br_loop L) {
    return reinterpret_cast<llvm::Loop *>(L);
}
inline br_loop wrap(llvm::Loop *L) {
    return reinterpret_cast<br_loop>(L);
}
inline const llvm::SCEV *unwrap(br_scev S) {
    return reinterpret_cast<const llvm::SCEV *>(S);
}
inline br_scev wrap(const llvm::SCEV *S) {
    return reinterpret_cast<br_scev>(S);
}

// kept_loops.cpp. Cheap, and never false for a function with marks. `Mark`: the declaration that
// marks call, or NULL.
bool br_may_be_marked(const llvm::Function &F, const llvm::Function *Mark);

// kept_loops.cpp. Is the loop marked as one that is not unrolled until detection has seen it?
bool isKeptRolled(const llvm::Loop *L);

// names.cpp. Where the loop stands in the user's source.
llvm::DebugLoc br_loop_place(const llvm::Loop &L);

// registration.cpp. Where what is wrong with a pass's parameters goes; NULL: to standard error.
extern thread_local std::string *ComplaintsOfParsing;

#endif
