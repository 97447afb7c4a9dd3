// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops: finding them, their blocks, their canonical form, and metadata that asks LLVM to unroll
// them.
#include "bridge/handles.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

size_t br_loops(br_function *F, br_loop *Out, size_t Capacity) {
    size_t N = 0;
    for (Loop *L : F->loops().getLoopsInPreorder()) {
        if (N < Capacity)
            Out[N] = wrap(L);
        ++N;
    }
    return N;
}

br_loop br_loop_of(br_function *F, LLVMBasicBlockRef Block) {
    return wrap(F->loops().getLoopFor(unwrap(Block)));
}

br_loop br_loop_parent(br_loop L) {
    return wrap(unwrap(L)->getParentLoop());
}

size_t br_loop_children(br_loop L, br_loop *Out, size_t Capacity) {
    size_t N = 0;
    for (Loop *Child : *unwrap(L)) {
        if (N < Capacity)
            Out[N] = wrap(Child);
        ++N;
    }
    return N;
}

LLVMBasicBlockRef br_loop_header(br_loop L) {
    return wrap(unwrap(L)->getHeader());
}
LLVMBasicBlockRef br_loop_latch(br_loop L) {
    return wrap(unwrap(L)->getLoopLatch());
}
LLVMBasicBlockRef br_loop_exiting_block(br_loop L) {
    return wrap(unwrap(L)->getExitingBlock());
}
LLVMBasicBlockRef br_loop_exit_block(br_loop L) {
    return wrap(unwrap(L)->getExitBlock());
}

bool br_loop_contains(br_loop L, LLVMBasicBlockRef BB) {
    return unwrap(L)->contains(unwrap(BB));
}

size_t br_loop_blocks(br_loop L, LLVMBasicBlockRef *Out, size_t Capacity) {
    size_t N = 0;
    for (BasicBlock *BB : unwrap(L)->blocks()) {
        if (N < Capacity)
            Out[N] = wrap(BB);
        ++N;
    }
    return N;
}

LLVMBasicBlockRef br_loop_block(br_loop L, size_t I) {
    ArrayRef<BasicBlock *> Blocks = unwrap(L)->getBlocks();
    return I < Blocks.size() ? wrap(Blocks[I]) : nullptr;
}

LLVMBasicBlockRef br_loop_prepare(br_function *F, br_loop Handle) {
    Loop *L = unwrap(Handle);
    DominatorTree &DT = F->dominators();
    LoopInfo &LI = F->loops();
    if (!L->getLoopPreheader() && !InsertPreheaderForLoop(L, &DT, &LI, nullptr, false))
        return nullptr;
    formLCSSARecursively(*L, DT, &LI, &F->evolution());
    return wrap(L->getLoopPreheader());
}

LLVMBasicBlockRef br_loop_rotate(br_function *F, br_loop Handle, unsigned Most) {
    Loop *L = unwrap(Handle);
    AssumptionCache &AC = F->FAM.getResult<AssumptionAnalysis>(F->F);
    const auto &TTI = F->FAM.getResult<TargetIRAnalysis>(F->F);
    DominatorTree &DT = F->dominators();
    LoopInfo &LI = F->loops();
    ScalarEvolution &SE = F->evolution();
    simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, false);
    formLCSSARecursively(*L, DT, &LI, &SE);
    const SimplifyQuery Query(F->F.getDataLayout(), nullptr, &DT, &AC);
    bool Done = LoopRotation(L, &LI, &TTI, &AC, &DT, &SE, nullptr, Query, true, Most, true);
    return Done ? wrap(L->getHeader()) : nullptr;
}

static void wish(Loop *L, MDNode *Wish) {
    LLVMContext &C = L->getHeader()->getContext();
    L->setLoopID(makePostTransformationMetadata(C, L->getLoopID(), {"llvm.loop.unroll."}, {Wish}));
}

// Does an iteration store several cells? A loop that LLVM unrolled is marked against further
// unrolling. A program may mark its loops in the same way, but such a loop stores one cell an
// iteration.
static bool storesSeveral(const Loop *L) {
    const Value *First = nullptr;
    unsigned Count = 0;
    for (const BasicBlock *B : L->blocks())
        for (const Instruction &I : *B)
            if (auto *S = dyn_cast<StoreInst>(&I)) {
                const Value *Array = getUnderlyingObject(S->getPointerOperand());
                Count += !First || Array == First;
                First = First ? First : Array;
            }
    return Count > 1;
}

const char *br_loop_optimised(br_loop Handle) {
    bool IsUnrolled = false;
    for (const Loop *L : unwrap(Handle)->getLoopsInPreorder()) {
        if (findOptionMDForLoop(L, "llvm.loop.isvectorized"))
            return "vectorised";
        IsUnrolled |= L->isInnermost() && findOptionMDForLoop(L, "llvm.loop.unroll.disable") &&
                      !isKeptRolled(L) && storesSeveral(L);
    }
    return IsUnrolled ? "unrolled" : nullptr;
}

// What ends the program, or throws, at the end of B. Done: B goes on nowhere else.
static const Instruction *endAt(const BasicBlock *B, bool &Done) {
    const Instruction *End = B->getTerminator();
    auto *Call = dyn_cast<InvokeInst>(End);
    Done = isa<UnreachableInst>(End) || (Call && Call->doesNotReturn());
    if (!Done || Call)
        return Done ? End : nullptr;
    const Instruction *Before = End->getPrevNode();
    return isa_and_nonnull<CallInst>(Before) ? Before : End;
}

// What ends the program, or throws, wherever control goes from B; nullptr if B goes on, or goes to
// Other. What is thrown may be made before, and be destroyed where that throws.
static const Instruction *endOfProgram(const BasicBlock *B, const BasicBlock *Other) {
    enum { MOST = 192 };
    SmallVector<const BasicBlock *, 8> Ways{B};
    SmallPtrSet<const BasicBlock *, 8> Passed{B}; // blocks may lead in a circle
    const Instruction *First = nullptr;
    while (!Ways.empty()) {
        const BasicBlock *At = Ways.pop_back_val();
        bool Done;
        const Instruction *End = endAt(At, Done);
        First = First ? First : End;
        if (At == Other || (!Done && (succ_empty(At) || Passed.size() > MOST)))
            return nullptr;
        if (Done)
            continue;
        auto *Call = dyn_cast<InvokeInst>(At->getTerminator());
        for (const BasicBlock *Next : successors(At))
            if ((!Call || Next == Call->getNormalDest()) && Passed.insert(Next).second)
                Ways.push_back(Next);
    }
    return First;
}

LLVMValueRef br_end_of_program(LLVMBasicBlockRef Block, LLVMBasicBlockRef Other) {
    return wrap(const_cast<Instruction *>(endOfProgram(unwrap(Block), unwrap(Other))));
}

bool br_loop_ends_program(br_loop Handle) {
    const Loop *L = unwrap(Handle);
    SmallVector<BasicBlock *, 8> Exits;
    L->getExitBlocks(Exits);
    return all_of(Exits, [&](BasicBlock *B) { return endOfProgram(B, L->getHeader()); });
}

LLVMValueRef br_loop_failing_exit(br_loop Handle) {
    const Loop *L = unwrap(Handle);
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 8> Exits;
    L->getExitEdges(Exits);
    const BasicBlock *Last = br_loop_ends_program(Handle) ? L->getLoopLatch() : nullptr;
    const Instruction *End = nullptr;
    for (const auto &[From, To] : Exits)
        End = End || From == Last ? End : endOfProgram(To, L->getHeader());
    return wrap(const_cast<Instruction *>(End));
}

void br_loop_want_unrolled_fully(br_loop Handle) {
    LLVMContext &C = unwrap(Handle)->getHeader()->getContext();
    wish(unwrap(Handle), MDNode::get(C, MDString::get(C, "llvm.loop.unroll.full")));
}

void br_loop_want_unrolled(br_loop Handle, unsigned Times) {
    Loop *L = unwrap(Handle);
    LLVMContext &C = L->getHeader()->getContext();
    for (const char *Said : {"unroll.disable", "unroll.enable", "unroll.full", "unroll.count",
                             "unroll.runtime.disable", "disable_nonforced"})
        if (findOptionMDForLoop(L, (Twine("llvm.loop.") + Said).str()))
            return;
    if (L->getHeader()->getParent()->hasOptSize()) // or minsize
        return;
    Metadata *Words[] = {MDString::get(C, "llvm.loop.unroll.count"),
                         ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Times))};
    wish(L, MDNode::get(C, Words));
}
