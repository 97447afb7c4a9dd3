// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks that keep LLVM from splitting loops before detection has seen them. LLVM splits loops in
// three ways. Unswitching copies a loop for each value of a condition. Peeling takes iterations
// off. Full unrolling removes the loop. When detection is done, the marks are removed, and the
// passes that were held back run.
#include "bridge/handles.h"
#include "bridge/versions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>

using namespace llvm;

// Against peeling a loop is marked as one of which PEELED iterations or more were peeled: LLVM then
// peels no more. What exceeds PEELED encodes the level, and whether unrolling was put off.
static const char Peeled[] = "llvm.loop.peeled.count", Unroll[] = "llvm.loop.unroll.",
                  NoUnroll[] = "llvm.loop.unroll.disable";
enum { PEELED = 1000, ROLLED = 100 };

static unsigned countOf(const Loop *L) {
    auto Count = getOptionalIntLoopAttribute(L, Peeled);
    return Count && *Count >= PEELED ? *Count - PEELED : 0;
}

static unsigned levelOf(const Loop *L) {
    return countOf(L) % ROLLED;
}

bool isKeptRolled(const Loop *L) {
    return countOf(L) >= ROLLED;
}

static void setPeeled(Loop *L, unsigned Count, bool Rolled) {
    LLVMContext &C = L->getHeader()->getContext();
    SmallVector<MDNode *, 2> Parts = {
        MDNode::get(C, {MDString::get(C, Peeled),
                        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Count))})};
    if (Rolled)
        Parts.push_back(MDNode::get(C, {MDString::get(C, NoUnroll)}));
    L->setLoopID(makePostTransformationMetadata(C, L->getLoopID(), {Peeled}, Parts));
}

static void takeBack(Loop *L) {
    LLVMContext &C = L->getHeader()->getContext();
    SmallVector<StringRef, 2> Ours = {Peeled};
    if (isKeptRolled(L))
        Ours.push_back(NoUnroll);
    MDNode *ID = makePostTransformationMetadata(C, L->getLoopID(), Ours, {});
    L->setLoopID(ID && ID->getNumOperands() > 1 ? ID : nullptr);
}

// Does a part of the loop's metadata begin with a word for which the predicate holds?
template <typename Predicate> static bool hasPart(const MDNode *ID, Predicate IsSought) {
    return ID && any_of(drop_begin(ID->operands()), [&](const MDOperand &Part) {
               auto *Words = dyn_cast<MDNode>(Part);
               auto *Word = Words && Words->getNumOperands()
                                ? dyn_cast<MDString>(Words->getOperand(0))
                                : nullptr;
               return Word && IsSought(Word->getString());
           });
}

// Does the program itself say how the loop is unrolled?
static bool isUnrollAsked(const Loop *L) {
    return hasPart(L->getLoopID(), [](StringRef Word) { return Word.starts_with(Unroll); });
}

// LLVM does not unswitch a loop with a convergent call. The mark is such a call, without other
// effects.
static bool isConvergentMark(const Instruction &I) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call && Call->getIntrinsicID() == Intrinsic::sideeffect &&
           Call->hasFnAttr(Attribute::Convergent);
}

bool br_loop_keep_whole(br_loop Handle, unsigned Level, bool Unswitch, bool Rolled) {
    Loop *L = unwrap(Handle);
    Rolled = Rolled && !isUnrollAsked(L);
    if (getOptionalIntLoopAttribute(L, Peeled) && !(levelOf(L) && Rolled))
        return false;
    setPeeled(L, PEELED + Level + (Rolled ? ROLLED : 0), Rolled);
    if (Unswitch && L->getLoopLatch()) {
        IRBuilder<> B(L->getLoopLatch()->getTerminator());
        versions::createIntrinsic(B, Intrinsic::sideeffect)->addFnAttr(Attribute::Convergent);
    }
    return true;
}

static bool runPasses(br_function *F, FunctionPassManager FPM) {
    PreservedAnalyses Kept = FPM.run(F->F, F->FAM);
    F->FAM.invalidate(F->F, Kept);
    return !Kept.areAllPreserved();
}

// May LLVM peel the loop? The loop's size is left to the pass.
static bool mayPeel(Loop &L, LoopStandardAnalysisResults &AR) {
    auto PP = gatherPeelingPreferences(&L, AR.SE, AR.TTI, /*AllowPeeling=*/true,
                                       /*AllowProfileBasedPeeling=*/false, true);
    computePeelCount(&L, /*LoopSize=*/1, PP, AR.SE.getSmallConstantTripCount(&L), AR.DT, AR.SE,
                     AR.TTI, &AR.AC);
    return PP.PeelCount > 0;
}

namespace {
// Unswitches only the loops that were kept whole.
struct UnswitchKept : PassInfoMixin<UnswitchKept> {
    PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM, LoopStandardAnalysisResults &AR,
                          LPMUpdater &Updater) {
        return levelOf(&L) ? SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(L, AM, AR, Updater)
                           : PreservedAnalyses::all();
    }
};

// Peels the loops that were kept. Afterwards they are ordinary loops.
struct PeelKept : PassInfoMixin<PeelKept> {
    PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM, LoopStandardAnalysisResults &AR,
                          LPMUpdater &Updater) {
        unsigned Level = levelOf(&L);
        bool Unroll = isKeptRolled(&L);
        if (Level)
            takeBack(&L);
        return Level && (Unroll || mayPeel(L, AR))
                   ? LoopFullUnrollPass((int)Level).run(L, AM, AR, Updater)
                   : PreservedAnalyses::all();
    }
};
// On the heap: the pass itself has 2 KB, too much for a small stack.
struct Combine : PassInfoMixin<Combine> {
    PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
        return std::make_unique<InstCombinePass>()->run(F, AM);
    }
};
} // namespace

static void split(br_function *F, unsigned Level) {
    FunctionPassManager Canonical, Split, Clean;
    Canonical.addPass(LoopSimplifyPass());
    Canonical.addPass(LCSSAPass());
    if (Level > 2)
        Split.addPass(createFunctionToLoopPassAdaptor(UnswitchKept(), /*UseMemorySSA=*/true));
    Split.addPass(createFunctionToLoopPassAdaptor(PeelKept()));
    Clean.addPass(SimplifyCFGPass());
    Clean.addPass(Combine());
    // run separately, to tell whether the next passes change anything
    runPasses(F, std::move(Canonical));
    if (runPasses(F, std::move(Split)))
        runPasses(F, std::move(Clean));
}

bool br_may_be_marked(const Function &F, const Function *Mark) {
    auto IsIn = [&](const User *U) { return cast<Instruction>(U)->getFunction() == &F; };
    if (Mark && any_of(Mark->users(), IsIn))
        return true;
    return any_of(F, [](const BasicBlock &BB) {
        const MDNode *ID = BB.getTerminator()->getMetadata(LLVMContext::MD_loop);
        return hasPart(ID, [](StringRef Word) { return Word == Peeled; });
    });
}

bool br_function_split(br_function *F) {
    unsigned Level = 0;
    for (Instruction &I : make_early_inc_range(instructions(F->F)))
        if (isConvergentMark(I))
            I.eraseFromParent();
    for (Loop *L : F->loops().getLoopsInPreorder())
        Level = std::max(Level, levelOf(L));
    if (!Level)
        return false;
    split(F, Level);
    for (Loop *L : F->loops().getLoopsInPreorder())
        if (levelOf(L)) // loops that no pass came to
            takeBack(L);
    return true;
}

// A body that thin LTO brought in from another file. LLVM drops such bodies before OptimizerEarly.
static const char BroughtIn[] = "stencilopt-brought-in";

bool br_function_keep_body(LLVMValueRef V) {
    auto &F = *unwrap<Function>(V);
    if (!F.hasAvailableExternallyLinkage())
        return false;
    F.setLinkage(GlobalValue::LinkOnceODRLinkage);
    F.addFnAttr(BroughtIn);
    return true;
}

bool br_is_brought_in(LLVMValueRef V) {
    return unwrap<Function>(V)->hasFnAttribute(BroughtIn);
}

bool br_drop_brought_in(Module &M, FunctionAnalysisManager &FAM) {
    bool Changed = false;
    for (Function &F : M) {
        if (!F.hasFnAttribute(BroughtIn))
            continue;
        F.removeFnAttr(BroughtIn);
        if (F.isDeclaration())
            continue;
        FAM.clear(F, F.getName());
        F.deleteBody();
        Changed = true;
    }
    return Changed;
}
