// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies blocks so that the copy or the original runs. Replaces calls by bodies, and switches by
// tests.
#include "bridge/handles.h"
#include "bridge/versions.h"

#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

// Gives the edge that leaves the copy from Twin a block of its own. In phis it has the values of
// the edge from Old.
static BasicBlock *makeWayOut(BasicBlock *Old, BasicBlock *Twin, BasicBlock *To,
                              const ValueToValueMapTy &Map) {
    auto *Out = BasicBlock::Create(To->getContext(), "twin.out", To->getParent(), To);
    versions::createJump(To, Out)->setDebugLoc(Twin->getTerminator()->getDebugLoc());
    for (PHINode &Phi : To->phis()) {
        Value *V = Phi.getIncomingValueForBlock(Old), *Copy = Map.lookup(V);
        Phi.addIncoming(Copy ? Copy : V, Out);
    }
    Twin->getTerminator()->replaceSuccessorWith(To, Out);
    return Out;
}

static BasicBlock *makeWayIn(BasicBlock *From, BasicBlock *First, LLVMValueRef Condition,
                             BasicBlock *Twin) {
    auto *In = BasicBlock::Create(From->getContext(), "twin.in", From->getParent(), Twin);
    Instruction *Old = From->getTerminator();
    versions::createJump(Twin, In)->setDebugLoc(Old->getDebugLoc());
    Instruction *New = versions::createBranch(unwrap(Condition), In, First, From);
    New->setDebugLoc(Old->getDebugLoc());
    Old->eraseFromParent();
    Twin->replacePhiUsesWith(From, In);
    return In;
}

LLVMValueRef br_twin_of(const LLVMBasicBlockRef *Blocks, size_t Count,
                        const LLVMBasicBlockRef *Twins, LLVMValueRef Value) {
    auto *I = dyn_cast<Instruction>(unwrap(Value));
    for (size_t B = 0; I && B < Count; B++)
        if (unwrap(Blocks[B]) == I->getParent()) {
            auto Place = std::distance(I->getParent()->begin(), I->getIterator());
            return wrap(&*std::next(unwrap(Twins[B])->begin(), Place));
        }
    return Value;
}

LLVMBasicBlockRef br_twin(LLVMBasicBlockRef Before, const LLVMBasicBlockRef *Blocks, size_t Count,
                          LLVMValueRef Condition, LLVMBasicBlockRef *Twins, LLVMBasicBlockRef *Outs,
                          size_t Capacity, size_t *NOuts) {
    BasicBlock *From = unwrap(Before), *First = unwrap(Blocks[0]);
    Function *F = From->getParent();
    ValueToValueMapTy Map;
    SmallVector<BasicBlock *, 32> Copies;
    for (LLVMBasicBlockRef B : ArrayRef(Blocks, Count)) {
        BasicBlock *Copy = CloneBasicBlock(unwrap(B), Map, ".twin", F);
        Map[unwrap(B)] = Copy;
        Copies.push_back(Copy);
    }
    remapInstructionsInBlocks(Copies, Map);
    *NOuts = 0;
    for (size_t I = 0; I < Count; I++) {
        SmallPtrSet<BasicBlock *, 4> Ends;
        for (BasicBlock *To : successors(unwrap(Blocks[I])))
            if (!Map.count(To))
                Ends.insert(To);
        for (BasicBlock *To : Ends) {
            BasicBlock *Out = makeWayOut(unwrap(Blocks[I]), Copies[I], To, Map);
            if (*NOuts < Capacity)
                Outs[*NOuts] = wrap(Out);
            ++*NOuts;
        }
        Twins[I] = wrap(Copies[I]);
    }
    return wrap(makeWayIn(From, First, Condition, Copies[0]));
}

// Counts, in a variable of the function, how often control comes to the block; goes to `To` instead
// of on once that is `Limit` times.
static void limitVisits(BasicBlock *Before, BasicBlock *Block, uint64_t Limit, BasicBlock *To) {
    IRBuilder<> B(&*Before->getParent()->getEntryBlock().getFirstInsertionPt());
    AllocaInst *Count = B.CreateAlloca(B.getInt64Ty());
    B.SetInsertPoint(Before->getTerminator());
    B.CreateStore(B.getInt64(0), Count);
    SplitBlock(Block, Block->getFirstInsertionPt());
    Instruction *End = Block->getTerminator();
    B.SetInsertPoint(End);
    Value *More = B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Count), B.getInt64(1));
    B.CreateStore(More, Count);
    B.CreateCondBr(B.CreateICmpULE(More, B.getInt64(Limit)), End->getSuccessor(0), To);
    End->eraseFromParent();
}

static void deleteUnreached(BasicBlock *From, ArrayRef<BasicBlock *> Blocks) {
    SmallPtrSet<BasicBlock *, 32> Seen;
    SmallVector<BasicBlock *, 32> Left, Dead;
    for (Left.push_back(From); !Left.empty();) {
        BasicBlock *Block = Left.pop_back_val();
        if (Seen.insert(Block).second)
            append_range(Left, successors(Block));
    }
    copy_if(Blocks, std::back_inserter(Dead),
            [&](BasicBlock *Block) { return !Seen.count(Block); });
    DeleteDeadBlocks(Dead);
}

void br_search(LLVMBasicBlockRef Before, const LLVMBasicBlockRef *Blocks, size_t Count,
               LLVMValueRef Condition, size_t Sought, size_t Counted, uint64_t Limit) {
    BasicBlock *From = unwrap(Before), *First = unwrap(Blocks[0]),
               *There = From->getSingleSuccessor();
    ValueToValueMapTy Map;
    SmallVector<BasicBlock *, 32> Copies;
    for (LLVMBasicBlockRef B : ArrayRef(Blocks, Count)) {
        BasicBlock *Copy = CloneBasicBlock(unwrap(B), Map, ".search", From->getParent());
        Map[unwrap(B)] = Copy;
        Copies.push_back(Copy);
    }
    remapInstructionsInBlocks(Copies, Map);
    Copies[0]->replacePhiUsesWith(There, From);
    auto *None = BasicBlock::Create(From->getContext(), "search.none", From->getParent(), First);
    Instruction *Old = From->getTerminator();
    versions::createJump(First, None)->setDebugLoc(Old->getDebugLoc());
    br_come_from(wrap(First), wrap(There), wrap(None));
    for (BasicBlock *Copy : Copies)
        for (BasicBlock *To : SmallPtrSet<BasicBlock *, 4>(succ_begin(Copy), succ_end(Copy)))
            if (To == Copies[Sought] || !is_contained(Copies, To))
                Copy->getTerminator()->replaceSuccessorWith(To,
                                                            To == Copies[Sought] ? There : None);
    versions::createBranch(unwrap(Condition), Copies[0], None, From)
        ->setDebugLoc(Old->getDebugLoc());
    Old->eraseFromParent();
    limitVisits(From, Copies[Counted], Limit, None);
    deleteUnreached(From, Copies);
}

void br_test_cases(LLVMValueRef V) {
    auto *Switch = unwrap<SwitchInst>(V);
    BasicBlock *At = Switch->getParent(), *Else = Switch->getDefaultDest();
    SmallDenseMap<PHINode *, Value *> Values; // values on the switch's edges
    for (BasicBlock *To : SmallPtrSet<BasicBlock *, 4>(succ_begin(At), succ_end(At)))
        for (PHINode &Phi : To->phis()) {
            Values[&Phi] = Phi.getIncomingValueForBlock(At);
            Phi.removeIncomingValueIf([&](unsigned I) { return Phi.getIncomingBlock(I) == At; },
                                      /*DeletePHIIfEmpty=*/false);
        }
    auto Enter = [&](BasicBlock *From, BasicBlock *To) {
        for (PHINode &Phi : To->phis())
            Phi.addIncoming(Values[&Phi], From);
    };
    BasicBlock *From = At;
    // Where one of the cases always holds, the last one needs no test.
    unsigned Tests = Switch->getNumCases();
    BasicBlock *Last = Else;
    if (Tests > 0 && isa<UnreachableInst>(&*Else->getFirstNonPHIOrDbg()))
        Last = Switch->getSuccessor(Tests--);
    for (auto Case : make_range(Switch->case_begin(), Switch->case_begin() + Tests)) {
        auto *Next = BasicBlock::Create(At->getContext(), "", At->getParent(), From->getNextNode());
        auto *Same = new ICmpInst(From->end(), ICmpInst::ICMP_EQ, Switch->getCondition(),
                                  Case.getCaseValue());
        Same->setDebugLoc(Switch->getDebugLoc());
        versions::createBranch(Same, Case.getCaseSuccessor(), Next, From)
            ->setDebugLoc(Switch->getDebugLoc());
        Enter(From, Case.getCaseSuccessor());
        From = Next;
    }
    versions::createJump(Last, From)->setDebugLoc(Switch->getDebugLoc());
    Enter(From, Last);
    Switch->eraseFromParent();
    if (pred_empty(Else))
        DeleteDeadBlock(Else);
}

LLVMBasicBlockRef br_join(LLVMBasicBlockRef *From, size_t Count, LLVMBasicBlockRef To) {
    SmallVector<BasicBlock *, 4> Preds;
    for (LLVMBasicBlockRef B : ArrayRef(From, Count))
        Preds.push_back(unwrap(B));
    return wrap(SplitBlockPredecessors(unwrap(To), Preds, ".join"));
}

void br_come_from(LLVMBasicBlockRef To, LLVMBasicBlockRef Like, LLVMBasicBlockRef From) {
    for (PHINode &Phi : unwrap(To)->phis())
        Phi.addIncoming(Phi.getIncomingValueForBlock(unwrap(Like)), unwrap(From));
}

// Do both compute floating-point numbers alike, for the same processor?
static bool areBuiltAlike(const Function &A, const Function &B) {
    for (const char *Name : {"target-cpu", "target-features", "strictfp", "denormal-fp-math"})
        if (A.getFnAttribute(Name) != B.getFnAttribute(Name))
            return false;
    return A.hasFnAttribute(Attribute::StrictFP) == B.hasFnAttribute(Attribute::StrictFP) &&
           A.nullPointerIsDefined() == B.nullPointerIsDefined();
}

LLVMValueRef br_inlinable(LLVMValueRef V) {
    auto *Call = dyn_cast<CallBase>(unwrap(V));
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() || Callee->isInterposable() || Call->isNoInline() ||
        Call->isMustTailCall() || Callee->getFunctionType() != Call->getFunctionType())
        return nullptr;
    const Function &Caller = *Call->getFunction();
    bool May = Callee != &Caller && !Callee->hasFnAttribute(Attribute::NoInline) &&
               !Callee->hasOptNone() && areBuiltAlike(Caller, *Callee) &&
               AttributeFuncs::areInlineCompatible(Caller, *Callee) && br_may_copy(wrap(Callee));
    return May && isInlineViable(*Callee).isSuccess() ? wrap(Callee) : nullptr;
}

bool br_inline(LLVMValueRef Call) {
    InlineFunctionInfo Info;
    return InlineFunction(*unwrap<CallBase>(Call), Info).isSuccess();
}
