// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the bridge's handles point to. For the files of this folder only.
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
    llvm::Function *Original = nullptr; // for a copy
    // for a copy: the copy's value for each value of the original
    std::unique_ptr<llvm::ValueToValueMapTy> Originals;
    using KeptPtr = std::unique_ptr<void, void (*)(void *)>;
    KeptPtr Kept{nullptr, [](void *) {}};
    std::vector<KeptPtr> Stale{}; // memory kept before the last invalidation
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

// kept_loops.cpp. A cheap test, which is never false for a function with marks. `Mark` is the
// declaration that marks call, or NULL.
bool br_may_be_marked(const llvm::Function &F, const llvm::Function *Mark);

// kept_loops.cpp. Is the loop marked so that it is not unrolled before detection has seen it?
bool isKeptRolled(const llvm::Loop *L);

// kept_loops.cpp. Drops the bodies that br_function_keep_body kept. True if there were any.
bool br_drop_brought_in(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

// put_off.cpp. br_put_off puts off inlining of library functions that hide what a kernel computes.
// br_catch_up does it. True if something changed.
bool br_put_off(llvm::Module &M);
bool br_catch_up(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

// names.cpp. The loop's place in the user's source.
llvm::DebugLoc br_loop_place(const llvm::Loop &L);

// registration.cpp. Messages about a pass's parameters go here. NULL: to standard error.
extern thread_local std::string *ComplaintsOfParsing;

#endif
