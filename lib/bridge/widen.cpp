// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a loop go over a whole window of neighbours, and skip those outside. Before, its bounds
// were brought into the grid. Also the test in front of the loop goes, by which it had no iteration
// at all.
//
// That is right if the program's loop goes up from its first number to its last one, as signed or
// as unsigned numbers: a loop that tests behind its first iteration has one in any case. The limits
// must mean the same in that order.
#include "bridge/handles.h"
#include "bridge/versions.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {
struct Widening {
    Loop *L;
    BasicBlock *Header, *Latch, *Preheader, *Exit;
    PHINode *Counter;
};
} // namespace

static bool open(Widening &W, Loop *L, LLVMValueRef Counter) {
    W = {L,
         L->getHeader(),
         L->getLoopLatch(),
         L->getLoopPreheader(),
         L->getUniqueExitBlock(),
         dyn_cast<PHINode>(unwrap(Counter))};
    if (!W.Latch || !L->getLoopPredecessor() || !W.Exit || !W.Counter ||
        L->getExitingBlock() != W.Latch)
        return false;
    return versions::isBranch(W.Latch->getTerminator()) &&
           versions::isConditional(W.Latch->getTerminator());
}

// The phi of which V is the value for the next iteration.
static PHINode *phiOf(const Widening &W, const Value *V) {
    for (PHINode &P : W.Header->phis())
        if (&P != W.Counter && P.getIncomingValueForBlock(W.Latch) == V)
            return &P;
    return nullptr;
}

// Do only values of the last iteration leave the loop, those that the next one would get?
static bool leavesAsCarried(const Widening &W) {
    for (BasicBlock *BB : W.L->blocks())
        for (Instruction &I : *BB)
            for (User *U : I.users())
                if (!W.L->contains(cast<Instruction>(U)) && !phiOf(W, &I))
                    return false;
    return true;
}

static Value *plus(IRBuilder<> &B, Value *V, int64_t Number) {
    return Number ? B.CreateAdd(V, ConstantInt::get(V->getType(), (uint64_t)Number)) : V;
}

// Is the counter in the grid?
static Value *isInside(IRBuilder<> &B, const Widening &W, const br_window *Of) {
    Value *Inside = B.getTrue();
    if (Of->low)
        Inside = B.CreateICmp(Of->low_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE,
                              plus(B, W.Counter, -Of->low_offset), unwrap(Of->low));
    if (Of->high)
        Inside = B.CreateAnd(Inside,
                             B.CreateICmp(Of->high_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
                                          plus(B, W.Counter, -Of->high_offset), unwrap(Of->high)));
    return Inside;
}

static void replaceOutside(const Widening &W, const BasicBlock *Next, Value *V, Value *By) {
    V->replaceUsesWithIf(By, [&](Use &U) {
        auto *I = cast<Instruction>(U.getUser());
        return !W.L->contains(I) && I->getParent() != Next && I->getParent() != W.Header;
    });
}

// What the iteration hands on, or, if it was skipped, what it got.
static void carry(const Widening &W, BasicBlock *Next, BasicBlock *From, PHINode &P) {
    Value *V = P.getIncomingValueForBlock(From);
    PHINode *Either = PHINode::Create(P.getType(), 2, "", Next);
    if (auto *I = dyn_cast<Instruction>(V))
        if (W.L->contains(I))
            replaceOutside(W, Next, V, Either);
    Either->addIncoming(V, From);
    Either->addIncoming(&P, W.Header);
    P.setIncomingValueForBlock(From, Either);
    P.replaceIncomingBlockWith(From, Next);
}

static BasicBlock *widen(Widening &W, const br_window *Of) {
    LLVMContext &C = W.Header->getContext();
    IRBuilder<> B(W.Preheader->getTerminator());
    Value *First = plus(B, unwrap(Of->first), Of->first_offset),
          *Last = plus(B, unwrap(Of->first), Of->first_offset + (int64_t)Of->times - 1);
    BasicBlock *Body = W.Header->splitBasicBlock(W.Header->getFirstNonPHIIt(), "inside");
    BasicBlock *From = W.Latch == W.Header ? Body : W.Latch;
    W.L->addBlockEntry(Body);
    BasicBlock *Next = BasicBlock::Create(C, "next", W.Header->getParent(), W.Exit);
    for (PHINode &P : W.Header->phis())
        if (&P != W.Counter)
            carry(W, Next, From, P);
    MDNode *ID = From->getTerminator()->getMetadata(LLVMContext::MD_loop);
    From->getTerminator()->eraseFromParent();
    versions::createJump(Next, From);
    B.SetInsertPoint(Next);
    W.Counter->setIncomingValueForBlock(W.Preheader, First);
    Value *Done = B.CreateICmpEQ(W.Counter, Last);
    W.Counter->setIncomingValueForBlock(From, plus(B, W.Counter, 1));
    W.Counter->replaceIncomingBlockWith(From, Next);
    Instruction *End = versions::createBranch(Done, W.Exit, W.Header, Next);
    End->setMetadata(LLVMContext::MD_loop, ID);
    W.Exit->replacePhiUsesWith(From, Next);
    W.Header->getTerminator()->eraseFromParent();
    B.SetInsertPoint(W.Header);
    versions::createBranch(isInside(B, W, Of), Body, Next, W.Header);
    return Next;
}

static bool mayAlwaysRun(const BasicBlock *BB) {
    return all_of(*BB, [](const Instruction &I) {
        return isa<PHINode>(I) || I.isTerminator() || isSafeToSpeculativelyExecute(&I);
    });
}

// Is V what the loop hands on, which without an iteration is None?
static bool isCarriedFrom(const Widening &W, BasicBlock *Next, Value *V, Value *None) {
    auto *Only = dyn_cast<PHINode>(V);
    if (Only && Only->getParent() == W.Exit && Only->getNumIncomingValues() == 1)
        V = Only->getIncomingValue(0);
    return any_of(W.Header->phis(), [&](PHINode &P) {
        return P.getIncomingValueForBlock(Next) == V &&
               P.getIncomingValueForBlock(W.Preheader) == None;
    });
}

static Value *withoutConstants(Value *V, int64_t &Offset) {
    for (auto *I = dyn_cast<BinaryOperator>(V); I && I->getOpcode() == Instruction::Add;
         I = dyn_cast<BinaryOperator>(V)) {
        auto *Number = dyn_cast<ConstantInt>(I->getOperand(1));
        if (!Number || Number->getBitWidth() > 64)
            break;
        Offset += Number->getSExtValue();
        V = I->getOperand(0);
    }
    return V;
}

// Does the test ask whether the program's loop has an iteration, and nothing else?
static bool comparesBounds(const Instruction *Test, bool Enters, const br_window *Of) {
    auto *Compare = dyn_cast<ICmpInst>(Test->getOperand(0));
    if (!Compare)
        return false;
    int64_t Left = 0, Right = 0, First = 0, Last = Of->last_offset;
    Value *L = withoutConstants(Compare->getOperand(0), Left),
          *R = withoutConstants(Compare->getOperand(1), Right),
          *From = withoutConstants(unwrap(Of->start), First),
          *To = withoutConstants(unwrap(Of->last), Last);
    auto P = Enters ? Compare->getPredicate() : Compare->getInversePredicate();
    if (L != From || R != To) {
        std::swap(L, R);
        std::swap(Left, Right);
        P = CmpInst::getSwappedPredicate(P);
    }
    int64_t Apart = (Right - Last) - (Left - First);
    bool Less = P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_ULT || P == CmpInst::ICMP_NE,
         NotAbove = P == CmpInst::ICMP_SLE || P == CmpInst::ICMP_ULE;
    return L == From && R == To && ((Less && Apart == 1) || (NotAbove && Apart == 0));
}

// The test in front of the loop, behind which control goes on at After, past the loop; or NULL.
static Instruction *guardOf(const Widening &W, const br_window *Of, BasicBlock *&After) {
    BasicBlock *Before = W.Preheader->getSinglePredecessor();
    Instruction *Test = Before ? Before->getTerminator() : nullptr;
    if (!Test || !versions::isBranch(Test) || !versions::isConditional(Test) ||
        !mayAlwaysRun(W.Preheader) ||
        !comparesBounds(Test, Test->getSuccessor(0) == W.Preheader, Of))
        return nullptr;
    After = Test->getSuccessor(Test->getSuccessor(0) == W.Preheader);
    bool Passes = After != W.Exit && W.Exit->getSingleSuccessor() == After &&
                  W.Exit->getSinglePredecessor() && mayAlwaysRun(W.Exit);
    return After == W.Exit || Passes ? Test : nullptr;
}

namespace {
// What is known of numbers at a block's entry.
struct Facts {
    ScalarEvolution &SE;
    const br_window *Of;
    const BasicBlock *At;
    const SCEV *sum(Value *V, int64_t Offset) const {
        const SCEV *S = SE.getSCEV(V);
        return SE.getAddExpr(S, SE.getConstant(S->getType(), (uint64_t)Offset, true));
    }
    bool holds(CmpInst::Predicate P, const SCEV *L, const SCEV *R) const {
        return SE.isKnownPredicate(P, L, R) || SE.isBasicBlockEntryGuardedByCond(At, P, L, R);
    }
    bool isNotNegative(Value *V) const {
        const SCEV *S = SE.getSCEV(V);
        return holds(CmpInst::ICMP_SGE, S, SE.getZero(S->getType()));
    }
};
} // namespace

// Is the lower limit a constant, by which the numbers in the grid are at least so great?
static bool isLowAtLeast(const br_window *Of, int64_t Least) {
    auto *Low = dyn_cast_or_null<ConstantInt>(Of->low ? unwrap(Of->low) : nullptr);
    return Low && Low->getBitWidth() <= 64 && Low->getSExtValue() >= 0 &&
           Low->getSExtValue() + Of->low_offset >= Least;
}

// Are all numbers of the window that are not below the grid at least `high_offset`?
static bool isHighFrom0(const br_window *Of) {
    return Of->first_offset >= Of->high_offset || isLowAtLeast(Of, Of->high_offset);
}

// Are the limits' tests true of just those numbers of the window that the program's loop, which
// goes up in this order, comes to? The window itself does not wrap as one of signed numbers.
static bool areLimitsExact(const Facts &F, bool Signed) {
    const br_window *Of = F.Of;
    Value *Number = unwrap(Of->first), *Low = Of->low ? unwrap(Of->low) : nullptr;
    int64_t FirstOfLow = Of->first_offset - Of->low_offset,
            LastOfHigh = Of->first_offset + Of->times - 1 - Of->high_offset;
    if (Signed) {
        bool IsLow = !Low || Of->low_signed ||
                     (FirstOfLow >= 0 && F.isNotNegative(Number) && F.isNotNegative(Low));
        return IsLow && (!Of->high || Of->high_signed ||
                         (LastOfHigh >= 0 && isHighFrom0(Of) && F.isNotNegative(Number)));
    }
    if ((Low && Of->low_signed) || (Of->high && (Of->high_signed || !isHighFrom0(Of))))
        return false;
    return Low ? FirstOfLow >= 0 && (Of->low_offset >= 0 || isLowAtLeast(Of, 0))
               : Of->first_offset >= 0;
}

// Is one of the window's numbers known to be in the grid? Then the loop has an iteration.
static bool hasIteration(const Facts &F, bool Signed) {
    const br_window *Of = F.Of;
    Value *Number = unwrap(Of->first);
    auto LE = Signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
         LT = Signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
    auto IsBetween = [&](int64_t At) {
        return (!Of->low ||
                F.holds(LE, F.SE.getSCEV(unwrap(Of->low)), F.sum(Number, At - Of->low_offset))) &&
               (!Of->high ||
                F.holds(LE, F.sum(Number, At - Of->high_offset), F.SE.getSCEV(unwrap(Of->high))) ||
                F.holds(LT, F.sum(Number, At - Of->high_offset - 1),
                        F.SE.getSCEV(unwrap(Of->high))));
    };
    for (int64_t I = 0; I < Of->times; ++I)
        if (IsBetween(Of->first_offset + I))
            return true;
    return false;
}

static bool isOfOrder(const Value *Test, bool Signed) {
    auto *Compare = cast<ICmpInst>(Test);
    return Compare->isEquality() || Compare->hasSameSign() || Compare->isSigned() == Signed;
}

// Does the program's loop go up in this order? Guard: the test in front of it that is to go.
static bool goesUp(const Facts &F, const Widening &W, const Instruction *Guard, bool Signed) {
    const br_window *Of = F.Of;
    if (!isOfOrder(W.Latch->getTerminator()->getOperand(0), Signed))
        return false;
    if (Guard && !cast<ICmpInst>(Guard->getOperand(0))->isEquality())
        return isOfOrder(Guard->getOperand(0), Signed);
    CmpInst::Predicate P = Signed ? Of->last_offset ? CmpInst::ICMP_SLT : CmpInst::ICMP_SLE
                           : Of->last_offset ? CmpInst::ICMP_ULT
                                             : CmpInst::ICMP_ULE;
    return F.holds(P, F.SE.getSCEV(unwrap(Of->start)), F.SE.getSCEV(unwrap(Of->last))) ||
           hasIteration(F, Signed);
}

static bool isRight(ScalarEvolution &SE, const Widening &W, const br_window *Of,
                    const Instruction *Guard) {
    Facts AtLoop{SE, Of, W.Header}, Before{SE, Of, Guard ? Guard->getParent() : W.Header};
    return any_of(ArrayRef<bool>{true, false}, [&](bool Signed) {
        return areLimitsExact(Before, Signed) && goesUp(AtLoop, W, Guard, Signed);
    });
}

static void dropGuard(const Widening &W, BasicBlock *Next, Instruction *Test, BasicBlock *After) {
    if (!Test)
        return;
    BasicBlock *Before = Test->getParent(), *Last = After == W.Exit ? Next : W.Exit;
    Value *If = Test->getOperand(0);
    bool Enters = Test->getSuccessor(0) == W.Preheader;
    IRBuilder<> B(Last->getTerminator());
    for (PHINode &Q : After->phis()) {
        Value *V = Q.getIncomingValueForBlock(Last), *None = Q.getIncomingValueForBlock(Before);
        if (V != None && !isCarriedFrom(W, Next, V, None))
            Q.setIncomingValueForBlock(Last,
                                       B.CreateSelect(If, Enters ? V : None, Enters ? None : V));
    }
    After->removePredecessor(Before, /*KeepOneInputPHIs=*/true);
    Test->eraseFromParent();
    versions::createJump(W.Preheader, Before);
}

bool br_loop_widen(br_function *F, br_loop Handle, LLVMValueRef Counter, const br_window *Of) {
    Widening W;
    BasicBlock *After = nullptr;
    if (!open(W, unwrap(Handle), Counter) || !leavesAsCarried(W))
        return false;
    if (!W.Preheader)
        W.Preheader = SplitEdge(W.L->getLoopPredecessor(), W.Header, &F->dominators(), &F->loops());
    Instruction *Guard = guardOf(W, Of, After);
    if (!isRight(F->evolution(), W, Of, Guard))
        return false;
    dropGuard(W, widen(W, Of), Guard, After);
    return true;
}
