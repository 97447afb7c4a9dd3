// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a nest of two loops, or two loops one after the other, of one loop.
#include "bridge/halves.h"
#include "bridge/handles.h"
#include "bridge/versions.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

static Value *addOne(PHINode *Counter, BasicBlock *At) {
    auto *One = ConstantInt::get(Counter->getType(), 1);
    auto *Next = BinaryOperator::CreateNUWAdd(Counter, One, "", At);
    cast<Instruction>(Next)->setHasNoSignedWrap();
    return Next;
}

static PHINode *makeCounter(Value *Count, BasicBlock *Head, BasicBlock *Before) {
    PHINode *Counter = PHINode::Create(Count->getType(), 2, "", Head->begin());
    Counter->addIncoming(ConstantInt::get(Count->getType(), 0), Before);
    return Counter;
}

static Instruction *step(PHINode *Counter, Value *Count, BasicBlock *At, BasicBlock *Out) {
    Value *Next = addOne(Counter, At);
    Value *IsLast = new ICmpInst(At, ICmpInst::ICMP_EQ, Next, Count);
    Counter->addIncoming(Next, At);
    return versions::createBranch(IsLast, Out, Counter->getParent(), At);
}

void br_loop_split(br_function *F, br_loop Handle, LLVMValueRef Rows, LLVMValueRef Columns,
                   LLVMValueRef *RowOut, LLVMValueRef *ColumnOut) {
    Loop *L = unwrap(Handle);
    BasicBlock *Before = L->getLoopPreheader(), *Header = L->getHeader(),
               *Latch = L->getLoopLatch();
    BasicBlock *Exit = L->getExitBlock();
    LLVMContext &C = F->F.getContext();
    auto *Outer = BasicBlock::Create(C, "split", &F->F, Header);
    auto *Behind = BasicBlock::Create(C, "split.next", &F->F, Exit);
    SmallVector<PHINode *, 4> Carried;
    for (PHINode &Phi : Header->phis())
        Carried.push_back(&Phi);
    PHINode *Row = makeCounter(unwrap(Rows), Outer, Before);
    for (PHINode *Phi : Carried) {
        PHINode *Through = PHINode::Create(Phi->getType(), 2, "", Outer);
        Through->addIncoming(Phi->getIncomingValueForBlock(Before), Before);
        Through->addIncoming(Phi->getIncomingValueForBlock(Latch), Behind);
        Phi->setIncomingValueForBlock(Before, Through);
        Phi->replaceIncomingBlockWith(Before, Outer);
    }
    PHINode *Column = makeCounter(unwrap(Columns), Header, Outer);
    Instruction *Enter = Before->getTerminator(), *Old = Latch->getTerminator();
    DebugLoc Start = Enter->getDebugLoc(), End = Old->getDebugLoc();
    Enter->replaceSuccessorWith(Header, Outer);
    versions::createJump(Header, Outer)->setDebugLoc(Start);
    Exit->replacePhiUsesWith(Latch, Behind);
    Instruction *Inner = step(Column, unwrap(Columns), Latch, Behind);
    Inner->setDebugLoc(End);
    Inner->setMetadata(LLVMContext::MD_loop, Old->getMetadata(LLVMContext::MD_loop));
    Old->eraseFromParent();
    step(Row, unwrap(Rows), Behind, Exit)->setDebugLoc(End);
    *RowOut = wrap(Row);
    *ColumnOut = wrap(Column);
}

namespace {
// A counter of a loop: Start + Step * iteration.
struct Counter {
    PHINode *Phi;
    Value *Step, *Second; // Second: its value in iteration 1
};
} // namespace

// The phi as a counter of the loop; or null.
static const SCEVAddRecExpr *asCounter(ScalarEvolution &SE, const Loop *L, PHINode &Phi) {
    auto *S = Phi.getType()->isIntegerTy() ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
    bool Counts =
        S && S->getLoop() == L && S->isAffine() && isa<SCEVConstant>(S->getStepRecurrence(SE));
    return Counts ? S : nullptr;
}

size_t br_loop_carried(br_function *F, br_loop Handle, LLVMValueRef *Values, size_t Room) {
    Loop *L = unwrap(Handle);
    size_t Count = 0;
    for (PHINode &Phi : L->getHeader()->phis())
        if (!asCounter(F->evolution(), L, Phi) && Count++ < Room)
            Values[Count - 1] = wrap(&Phi);
    return Count;
}

// Finds the counters at the loop's head, and what else it hands on.
static void findCounters(ScalarEvolution &SE, Loop *L, SmallVectorImpl<Counter> &Out,
                         SmallVectorImpl<PHINode *> &Carried) {
    Instruction *End = L->getLoopPreheader()->getTerminator();
    versions::Expander Expand(SE, *End->getFunction(), "halves", /*PreserveLCSSA=*/true);
    for (PHINode &Phi : L->getHeader()->phis()) {
        auto *S = asCounter(SE, L, Phi);
        if (!S) {
            Carried.push_back(&Phi);
            continue;
        }
        Value *Step = Expand.expandCodeFor(S->getStepRecurrence(SE), Phi.getType(), End);
        IRBuilder<> B(End);
        Value *Start = Phi.getIncomingValueForBlock(L->getLoopPreheader());
        Out.push_back({&Phi, Step, B.CreateAdd(Start, Step)});
    }
}

// Does the loop leave nothing behind but what it stores, and what it hands on?
static bool leavesCarried(ScalarEvolution &SE, const Loop *L) {
    SmallPtrSet<Value *, 4> Last;
    for (PHINode &Phi : L->getHeader()->phis())
        if (!asCounter(SE, L, Phi))
            Last.insert(Phi.getIncomingValueForBlock(L->getLoopLatch()));
    for (const PHINode &Phi : L->getExitBlock()->phis())
        if (auto *I = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L->getLoopLatch())))
            if (L->contains(I) && !Last.contains(I))
                return false;
    return true;
}

// Lets the loop with this head and latch make Count iterations, in each of which the counters make
// two steps.
static void stepByTwo(ArrayRef<Counter> Counters, const ValueToValueMapTy &Map, BasicBlock *Latch,
                      BasicBlock *Before, BasicBlock *Out, Value *Count, bool IsSecond) {
    auto Here = [&](Value *V) {
        Value *Copy = Map.lookup(V);
        return Copy ? Copy : V;
    };
    Instruction *Old = Latch->getTerminator();
    DebugLoc Where = Old->getDebugLoc();
    auto *Header = cast<PHINode>(Here(Counters[0].Phi))->getParent();
    IRBuilder<> B(Old);
    for (const Counter &C : Counters) {
        auto *Phi = cast<PHINode>(Here(C.Phi));
        bool IsWide = Phi->getType()->getIntegerBitWidth() == 64;
        Value *Two = B.CreateAdd(C.Step, C.Step);
        Phi->setIncomingValueForBlock(Latch, B.CreateAdd(Phi, Two, "", false, IsWide));
        if (IsSecond)
            Phi->setIncomingValueForBlock(Before, C.Second);
    }
    PHINode *Iteration = makeCounter(Count, Header, Before);
    step(Iteration, Count, Latch, Out)->setDebugLoc(Where);
    Old->eraseFromParent();
}

bool br_loop_halves(br_function *F, br_loop Handle, const LLVMValueRef *Values,
                    LLVMValueRef *Copies, size_t Count) {
    Loop *L = unwrap(Handle);
    ScalarEvolution &SE = F->evolution();
    BasicBlock *Before = L->getLoopPreheader(), *Latch = L->getLoopLatch(),
               *Exit = L->getExitBlock();
    const SCEV *Times = SE.getBackedgeTakenCount(L);
    SmallVector<Counter, 4> Counters;
    SmallVector<PHINode *, 4> Carried;
    if (!Before || !Latch || !Exit || L->getExitingBlock() != Latch || !leavesCarried(SE, L) ||
        isa<SCEVCouldNotCompute>(Times))
        return false;
    findCounters(SE, L, Counters, Carried);
    if (Counters.empty())
        return false;
    LLVMContext &C = F->F.getContext();
    Type *Wide = Type::getInt64Ty(C);
    Instruction *Enter = Before->getTerminator();
    versions::Expander Expand(SE, F->F, "halves", /*PreserveLCSSA=*/true);
    IRBuilder<> B(Enter);
    Value *All = B.CreateAdd(Expand.expandCodeFor(SE.getNoopOrZeroExtend(Times, Wide), Wide, Enter),
                             B.getInt64(1));
    Value *Odd = B.CreateLShr(All, 1), *Even = B.CreateLShr(B.CreateAdd(All, B.getInt64(1)), 1);
    Value *HasOdd = B.CreateICmpNE(Odd, B.getInt64(0));
    ValueToValueMapTy Map, None;
    SmallVector<BasicBlock *, 16> Blocks;
    for (BasicBlock *Block : L->blocks()) {
        BasicBlock *Copy = CloneBasicBlock(Block, Map, ".even", &F->F);
        Map[Block] = Copy;
        Blocks.push_back(Copy);
    }
    remapInstructionsInBlocks(Blocks, Map);
    auto *Middle = BasicBlock::Create(C, "odd", &F->F, L->getHeader());
    versions::createBranch(HasOdd, L->getHeader(), Exit, Middle)->setDebugLoc(Enter->getDebugLoc());
    auto First = [&](Value *V) { // what it is at the end of the first loop
        Value *Copy = Map.lookup(V);
        return Copy ? Copy : V;
    };
    for (PHINode &Phi : Exit->phis())
        Phi.addIncoming(First(Phi.getIncomingValueForBlock(Latch)), Middle);
    L->getHeader()->replacePhiUsesWith(Before, Middle);
    for (PHINode *Phi : Carried)
        Phi->setIncomingValueForBlock(Middle, First(Phi->getIncomingValueForBlock(Latch)));
    Enter->replaceSuccessorWith(L->getHeader(), cast<BasicBlock>(Map[L->getHeader()]));
    stepByTwo(Counters, Map, cast<BasicBlock>(Map[Latch]), Before, Middle, Even, false);
    stepByTwo(Counters, None, Latch, Middle, Exit, Odd, true);
    for (size_t I = 0; I < Count; I++)
        Copies[I] = wrap(&*Map[unwrap(Values[I])]);
    return true;
}

bool br_may_alias(br_function *F, LLVMValueRef A, LLVMValueRef B) {
    auto &AA = F->FAM.getResult<AAManager>(F->F);
    return !AA.isNoAlias(MemoryLocation::getBeforeOrAfter(unwrap(A)),
                         MemoryLocation::getBeforeOrAfter(unwrap(B)));
}

namespace {
// Takes sums of narrow numbers, that are then extended, as exact.
struct Exact {
    ScalarEvolution &SE;
    Type *Wide;

    const SCEV *extend(const SCEV *S, bool IsSigned) {
        return IsSigned ? SE.getNoopOrSignExtend(S, Wide) : SE.getNoopOrZeroExtend(S, Wide);
    }

    // A number in the low Bits bits of a wider sum may stand for a negative one.
    const SCEV *constant(const SCEVConstant *C, unsigned Bits, bool IsSigned) {
        APInt Low = C->getAPInt().zextOrTrunc(Bits);
        return SE.getConstant(IsSigned ? Low.sextOrTrunc(64) : Low.zextOrTrunc(64));
    }

    // S as a number of 64 bits. Bits: those that count, 64 outside of casts.
    const SCEV *of(const SCEV *S, unsigned Bits, bool IsSigned) {
        if (auto *Cast = dyn_cast<SCEVCastExpr>(S)) {
            const SCEV *Inner = Cast->getOperand();
            if (isa<SCEVPtrToIntExpr>(S))
                return S;
            unsigned Has = SE.getTypeSizeInBits(Inner->getType());
            return isa<SCEVTruncateExpr>(S) ? of(Inner, Bits, IsSigned)
                                            : of(Inner, Has, isa<SCEVSignExtendExpr>(S));
        }
        if (auto *C = dyn_cast<SCEVConstant>(S))
            return constant(C, Bits, IsSigned);
        if (auto *R = dyn_cast<SCEVAddRecExpr>(S)) {
            const SCEV *Start = of(R->getStart(), Bits, IsSigned);
            const SCEV *Step = of(R->getStepRecurrence(SE), Bits, true);
            return R->isAffine() ? SE.getAddRecExpr(Start, Step, R->getLoop(), SCEV::FlagAnyWrap)
                                 : S;
        }
        auto *N = dyn_cast<SCEVNAryExpr>(S);
        if (!N || (!isa<SCEVAddExpr>(S) && !isa<SCEVMulExpr>(S)))
            return S->getType()->isPointerTy() ? S : extend(S, IsSigned);
        SmallVector<versions::ScevOperand, 4> Parts;
        for (const SCEV *Part : N->operands())
            Parts.push_back(of(Part, Bits, isa<SCEVConstant>(Part) || IsSigned));
        return isa<SCEVAddExpr>(S) ? SE.getAddExpr(Parts) : SE.getMulExpr(Parts);
    }
};
} // namespace

br_scev br_scev_exact(br_function *F, br_scev S) {
    Exact E{F->evolution(), Type::getInt64Ty(F->F.getContext())};
    return wrap(E.of(unwrap(S), 64, true));
}

bool br_scev_is_combination(br_function *F, br_scev From, br_scev To, br_scev X, int A, br_scev Y,
                            int B) {
    ScalarEvolution &SE = F->evolution();
    const SCEV *Apart = SE.getMinusSCEV(unwrap(To), unwrap(From));
    if (isa<SCEVCouldNotCompute>(Apart))
        return false;
    Type *T = Apart->getType();
    auto Times = [&](const SCEV *S, int N) {
        return SE.getMulExpr(SE.getTruncateOrSignExtend(S, T),
                             SE.getConstant(T, (uint64_t)(int64_t)N, true));
    };
    const SCEV *Sum = SE.getAddExpr(Times(unwrap(X), A), Times(unwrap(Y), B));
    return SE.getMinusSCEV(Times(Apart, 2), Sum)->isZero();
}

// Values that the loop leaves are numbers behind it, where they are known.
static void foldExitValues(Loop *L, ScalarEvolution &SE) {
    for (PHINode &Phi : make_early_inc_range(L->getExitBlock()->phis())) {
        if (Phi.getNumIncomingValues() != 1 || !SE.isSCEVable(Phi.getType()))
            continue;
        const SCEV *S = SE.getSCEVAtScope(Phi.getIncomingValue(0), L->getParentLoop());
        if (auto *Number = dyn_cast<SCEVConstant>(S))
            Phi.replaceAllUsesWith(Number->getValue());
    }
}

bool br_loop_part_ends(br_function *F, br_loop Handle) {
    Loop *L = unwrap(Handle);
    ScalarEvolution &SE = F->evolution();
    DominatorTree &DT = F->dominators();
    auto &AC = F->FAM.getResult<AssumptionAnalysis>(F->F);
    if (SE.getSmallConstantTripCount(L) < 3 || !canPeelLastIteration(*L, SE))
        return false;
    simplifyLoop(L, &DT, &F->loops(), &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    if (!canPeel(L))
        return false;
    formLCSSA(*L, DT, &F->loops(), &SE);
    for (bool Last : {true, false}) {
        if (!versions::peelOne(L, Last, &F->loops(), &SE, DT, &AC))
            return !Last;
        if (Last)
            foldExitValues(L, SE);
    }
    return true;
}
