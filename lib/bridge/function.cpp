// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and their analyses. Copies of functions: they are made, then adopted as the original's
// new body, or erased. Questions about instructions and blocks: their order, and what they may do.
#include "bridge/handles.h"
#include "bridge/stored.h"
#include "bridge/versions.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

br_function *br_function_open(LLVMValueRef Fn, void *Analyses) {
    auto &F = *unwrap<Function>(Fn);
    auto &MAM = *static_cast<ModuleAnalysisManager *>(Analyses);
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent()).getManager();
    return new br_function{F, FAM, nullptr, nullptr};
}

void br_function_close(br_function *F) {
    delete F;
}

void *br_function_kept(br_function *F) {
    return F->Kept.get();
}

void br_function_keep(br_function *F, void *Kept, void (*Release)(void *)) {
    F->Kept = br_function::KeptPtr(Kept, Release);
}

void br_function_invalidate(br_function *F) {
    if (F->Kept)
        F->Stale.push_back(std::move(F->Kept));
    F->FAM.invalidate(F->F, PreservedAnalyses::none());
}

bool br_function_clean(br_function *F) {
    bool Changed = EliminateUnreachableBlocks(F->F);
    if (Changed)
        br_function_invalidate(F);
    return Changed;
}

bool br_function_fold(br_function *F) {
    bool Changed = false;
    for (BasicBlock &BB : F->F)
        Changed |= ConstantFoldTerminator(&BB);
    Changed |= EliminateUnreachableBlocks(F->F);
    if (Changed)
        br_function_invalidate(F);
    return Changed;
}

br_function *br_function_open_other(br_function *F, LLVMValueRef Other) {
    return new br_function{*unwrap<Function>(Other), F->FAM, nullptr, nullptr};
}

void br_function_invalidate_other(br_function *F, LLVMValueRef Other) {
    F->FAM.invalidate(*unwrap<Function>(Other), PreservedAnalyses::none());
}

// Would a copy of the instruction mean something else?
static bool isBoundToPlace(const Instruction &I) {
    if (isa<IndirectBrInst, CallBrInst>(I) || I.getType()->isTokenTy())
        return true;
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
        return false;
    return Call->cannotDuplicate() || Call->isMustTailCall() ||
           Call->getIntrinsicID() == Intrinsic::localescape;
}

bool br_may_copy(LLVMValueRef Fn) {
    const Function &F = *unwrap<Function>(Fn);
    if (F.isPresplitCoroutine() || F.hasFnAttribute(Attribute::Naked) ||
        F.callsFunctionThatReturnsTwice())
        return false;
    return none_of(
        F, [](const BasicBlock &BB) { return BB.hasAddressTaken() || any_of(BB, isBoundToPlace); });
}

br_function *br_function_copy(br_function *F, LLVMValueRef *Result) {
    Function &Old = F->F;
    if (!br_may_copy(wrap(&Old)))
        return nullptr;
    auto *Copy = Function::Create(Old.getFunctionType(), Old.getLinkage(), Old.getAddressSpace(),
                                  "", Old.getParent());
    auto Originals = std::make_unique<ValueToValueMapTy>();
    ValueToValueMapTy &Map = *Originals;
    for (unsigned I = 0; I < Old.arg_size(); ++I)
        Map[Old.getArg(I)] = Copy->getArg(I);
    if (DISubprogram *SP = Old.getSubprogram())
        Map.MD()[SP].reset(SP); // otherwise the subprogram and its contents would be copied, too
    SmallVector<ReturnInst *, 4> Returns;
    CloneFunctionInto(Copy, &Old, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
    Copy->setComdat(nullptr);
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copy->takeName(&Old);
    *Result = wrap(Copy);
    return new br_function{*Copy, F->FAM, &Old, std::move(Originals)};
}

LLVMBasicBlockRef br_function_copied(br_function *Copy, LLVMBasicBlockRef Original) {
    return wrap(cast_or_null<BasicBlock>(Copy->Originals->lookup(unwrap(Original))));
}

LLVMValueRef br_function_original(br_function *F) {
    return wrap(F->Original ? F->Original : &F->F);
}

void br_function_give_name_back(br_function *Copy) {
    if (Copy->F.hasName())
        Copy->Original->takeName(&Copy->F);
}

void br_function_erase(br_function *Copy) {
    Copy->FAM.clear(Copy->F, Copy->F.getName());
    br_function_give_name_back(Copy);
    Copy->F.eraseFromParent();
    delete Copy;
}

// Moves all blocks of a function with the same parameters in front of the blocks of another one.
static void moveBlocks(Function &To, Function &From) {
    for (unsigned I = 0; I < To.arg_size(); ++I)
        From.getArg(I)->replaceAllUsesWith(To.getArg(I));
    To.splice(To.begin(), &From);
}

void br_function_adopt(br_function *Copy, LLVMBasicBlockRef Body) {
    Function &To = *Copy->Original, &From = Copy->F;
    BasicBlock &Entry = From.getEntryBlock(), &Old = To.getEntryBlock();
    if (unwrap(Body) != &Entry) // not in phis behind it, which go with it
        for (BasicBlock *Before : SmallVector<BasicBlock *, 4>(predecessors(unwrap(Body))))
            Before->getTerminator()->replaceSuccessorWith(unwrap(Body), &Old);
    for (Instruction &I : make_early_inc_range(Old))
        if (isa<AllocaInst>(I))
            I.moveBefore(Entry, Entry.begin());
    moveBlocks(To, From);
    To.setAttributes(From.getAttributes());
    if (From.hasPersonalityFn()) // which an inlined body may have brought
        To.setPersonalityFn(From.getPersonalityFn());
    EliminateUnreachableBlocks(To);
}

void br_function_replace(LLVMValueRef Fn, LLVMValueRef Variable, LLVMValueRef By) {
    ValueToValueMapTy Map;
    Map[unwrap(Variable)] = unwrap(By);
    for (Instruction &I : instructions(unwrap<Function>(Fn)))
        RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
}

void br_drop_dead_constants(LLVMValueRef Variable) {
    unwrap<GlobalVariable>(Variable)->removeDeadConstantUsers();
}

LLVMValueRef br_function_store_body(br_function *F, const char *Name) {
    LLVMValueRef Result;
    br_function *Copy = br_function_copy(F, &Result);
    if (!Copy)
        return nullptr;
    br_function_give_name_back(Copy);
    Copy->F.setName(Name);
    Copy->F.setSubprogram(nullptr); // a subprogram has one function
    Copy->F.setCallingConv(CallingConv::C);
    Copy->F.setLinkage(GlobalValue::AvailableExternallyLinkage);
    Copy->FAM.clear(Copy->F, Copy->F.getName());
    delete Copy;
    return Result;
}

void br_function_take_body(br_function *F, LLVMValueRef Kept) {
    Function &To = F->F, &From = *unwrap<Function>(Kept);
    for (BasicBlock &BB : To)
        BB.dropAllReferences();
    while (!To.empty())
        To.begin()->eraseFromParent();
    moveBlocks(To, From);
    From.eraseFromParent();
    br_function_invalidate(F);
}

bool br_is_branch(LLVMValueRef V) {
    return versions::isBranch(unwrap(V));
}

bool br_is_conditional(LLVMValueRef V) {
    return versions::isConditional(unwrap(V));
}

LLVMValueRef br_case_value(LLVMValueRef Switch, unsigned Successor) {
    return wrap(std::next(unwrap<SwitchInst>(Switch)->case_begin(), Successor - 1)->getCaseValue());
}

LLVMValueRef br_wrap(LLVMBasicBlockRef Before, LLVMBasicBlockRef *Blocks, size_t Count,
                     LLVMBasicBlockRef After) {
    BasicBlock *From = unwrap(Before), *To = unwrap(After);
    if (To->isEHPad() || !versions::isBranch(From->getTerminator()))
        return nullptr;
    SmallVector<BasicBlock *, 8> Ends;
    for (LLVMBasicBlockRef B : ArrayRef(Blocks, Count))
        if (is_contained(successors(unwrap(B)), To)) {
            if (!versions::isBranch(unwrap(B)->getTerminator()))
                return nullptr;
            Ends.push_back(unwrap(B));
        }
    if (Ends.empty())
        return nullptr;
    BasicBlock *Header = SplitBlock(From, From->getTerminator()->getIterator());
    if (is_contained(successors(Header), To))
        Ends.push_back(Header);
    BasicBlock *Latch = SplitBlockPredecessors(To, Ends, ".once");
    Instruction *Old = Latch->getTerminator();
    Instruction *End =
        versions::createBranch(ConstantInt::getFalse(To->getContext()), Header, To, Latch);
    End->setDebugLoc(Old->getDebugLoc());
    Old->eraseFromParent();
    return wrap(End);
}

LLVMValueRef br_demote(LLVMValueRef V) {
    return wrap(DemoteRegToStack(*unwrap<Instruction>(V)));
}

LLVMValueRef br_demote_phi(LLVMValueRef V) {
    return wrap(DemotePHIToStack(unwrap<PHINode>(V)));
}

void br_demote_phis(LLVMBasicBlockRef B) {
    for (PHINode &Phi : make_early_inc_range(unwrap(B)->phis()))
        br_demote_phi(wrap(&Phi));
}

LLVMBasicBlockRef br_split_before(LLVMValueRef I) {
    auto *At = unwrap<Instruction>(I);
    return wrap(SplitBlock(At->getParent(), At->getIterator()));
}

void br_copy_loop_properties(LLVMValueRef From, LLVMValueRef To) {
    MDNode *Old = unwrap<Instruction>(From)->getMetadata(LLVMContext::MD_loop);
    unwrap<Instruction>(To)->setDebugLoc(unwrap<Instruction>(From)->getDebugLoc());
    if (!Old)
        return;
    SmallVector<Metadata *, 4> Parts(Old->op_begin(), Old->op_end());
    MDNode *New = MDNode::getDistinct(Old->getContext(), Parts);
    New->replaceOperandWith(0, New);
    unwrap<Instruction>(To)->setMetadata(LLVMContext::MD_loop, New);
}

bool br_may_touch(br_function *F, LLVMValueRef I, LLVMValueRef Access) {
    auto &AA = F->FAM.getResult<AAManager>(F->F);
    return isModOrRefSet(
        AA.getModRefInfo(unwrap<Instruction>(I), MemoryLocation::get(unwrap<Instruction>(Access))));
}

// The operand of the copy's description of members that has this offset; or none.
static const MDOperand *memberAt(const MDNode *Members, uint64_t Offset) {
    for (unsigned I = 0; Members && I + 2 < Members->getNumOperands(); I += 3)
        if (mdconst::extract<ConstantInt>(Members->getOperand(I))->getZExtValue() == Offset)
            return &Members->getOperand(I);
    return nullptr;
}

int64_t br_member_size(LLVMValueRef Copy, int64_t Offset) {
    MDNode *Members = unwrap<Instruction>(Copy)->getMetadata(LLVMContext::MD_tbaa_struct);
    const MDOperand *At = memberAt(Members, Offset);
    return At ? mdconst::extract<ConstantInt>(At[1])->getSExtValue() : 0;
}

void br_tag_member(LLVMValueRef Copy, int64_t Offset, LLVMValueRef Access) {
    MDNode *Members = unwrap<Instruction>(Copy)->getMetadata(LLVMContext::MD_tbaa_struct);
    if (const MDOperand *At = memberAt(Members, Offset))
        unwrap<Instruction>(Access)->setMetadata(LLVMContext::MD_tbaa, cast<MDNode>(At[2].get()));
}

LLVMValueRef br_base_and_offset(LLVMValueRef V, int64_t *Offset) {
    Value *Address = unwrap(V);
    const DataLayout *DL = nullptr;
    if (auto *I = dyn_cast<Instruction>(Address))
        DL = &I->getDataLayout();
    *Offset = 0;
    if (!DL)
        if (auto *E = dyn_cast<ConstantExpr>(Address))
            for (Value *Op : E->operands())
                if (auto *G = dyn_cast<GlobalValue>(Op))
                    DL = &G->getDataLayout();
    if (!DL)
        return V;
    APInt Bytes(DL->getIndexTypeSizeInBits(Address->getType()), 0);
    Value *Base = Address->stripAndAccumulateConstantOffsets(*DL, Bytes, /*AllowNonInbounds=*/true);
    *Offset = Bytes.getSExtValue();
    return wrap(Base);
}

bool br_may_change(br_function *F, LLVMValueRef I, LLVMValueRef Load) {
    auto &AA = F->FAM.getResult<AAManager>(F->F);
    return isModSet(
        AA.getModRefInfo(unwrap<Instruction>(I), MemoryLocation::get(unwrap<LoadInst>(Load))));
}

// The tags of `restrict`, in a loop that declares such, hold in the same iteration alone.
static bool isPromisedPerIteration(LoopInfo &Loops, const Instruction &Load) {
    const Function *Declare = Intrinsic::getDeclarationIfExists(
        Load.getModule(), Intrinsic::experimental_noalias_scope_decl);
    return Declare && any_of(Declare->users(), [&](const User *U) {
               auto *I = dyn_cast<Instruction>(U);
               const Loop *L = I && I->getFunction() == Load.getFunction()
                                   ? Loops.getLoopFor(I->getParent())
                                   : nullptr;
               return L && L->contains(&Load);
           });
}

bool br_may_ever_change(br_function *F, LLVMValueRef I, LLVMValueRef Load) {
    auto &AA = F->FAM.getResult<AAManager>(F->F);
    auto Loaded = MemoryLocation::get(unwrap<LoadInst>(Load));
    if ((Loaded.AATags.Scope || Loaded.AATags.NoAlias) &&
        isPromisedPerIteration(F->loops(), *unwrap<Instruction>(Load)))
        Loaded.AATags.Scope = Loaded.AATags.NoAlias = nullptr;
    BatchAAResults Any(AA);
    Any.enableCrossIterationMode();
    return isModSet(Any.getModRefInfo(unwrap<Instruction>(I), Loaded));
}

bool br_is_always_there(LLVMValueRef Load) {
    return isSafeToSpeculativelyExecute(unwrap<LoadInst>(Load));
}

void br_load_earlier(LLVMValueRef Load, LLVMValueRef Before) {
    auto *I = unwrap<LoadInst>(Load);
    I->dropUBImplyingAttrsAndMetadata();
    I->dropPoisonGeneratingAnnotations();
    I->moveBefore(unwrap<Instruction>(Before)->getIterator());
}

bool br_is_kept_to_itself(LLVMValueRef Base) {
    const unsigned MaxUses = 4096;
    return isIdentifiedFunctionLocal(unwrap(Base)) && !isa<Argument>(unwrap(Base)) &&
           !PointerMayBeCaptured(unwrap(Base), /*ReturnCaptures=*/true, MaxUses);
}

bool br_may_write(LLVMValueRef I) {
    return unwrap<Instruction>(I)->mayWriteToMemory() || unwrap<Instruction>(I)->mayThrow();
}

// A cycle has a branch back, in whatever order the blocks are.
bool br_may_loop(LLVMValueRef Fn) {
    SmallPtrSet<const BasicBlock *, 32> Seen;
    for (const BasicBlock &BB : *unwrap<Function>(Fn)) {
        Seen.insert(&BB);
        if (any_of(successors(&BB), [&](const BasicBlock *S) { return Seen.contains(S); }))
            return true;
    }
    return false;
}

bool br_is_optnone(LLVMValueRef Fn) {
    return unwrap<Function>(Fn)->hasOptNone();
}

void br_drop_promises(LLVMValueRef I) {
    unwrap<Instruction>(I)->dropPoisonGeneratingFlags();
}

void br_drop_annotations(LLVMValueRef I) {
    unwrap<Instruction>(I)->dropPoisonGeneratingAnnotations();
    if (auto *Call = dyn_cast<CallBase>(unwrap<Instruction>(I))) {
        AttributeMask Promises = AttributeFuncs::getUBImplyingAttributes();
        Call->removeRetAttrs(Promises);
        for (unsigned Arg = 0; Arg < Call->arg_size(); Arg++)
            Call->removeParamAttrs(Arg, Promises);
    }
}

bool br_dominates(br_function *F, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
    return F->dominators().dominates(unwrap(A), unwrap(B));
}

bool br_post_dominates(br_function *F, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
    const auto &Tree = F->FAM.getResult<PostDominatorTreeAnalysis>(F->F);
    return Tree.dominates(unwrap(A), unwrap(B));
}

bool br_earlier_in_block(LLVMValueRef A, LLVMValueRef B) {
    auto *First = unwrap<Instruction>(A), *Second = unwrap<Instruction>(B);
    return First == Second ||
           (First->getParent() == Second->getParent() && First->comesBefore(Second));
}

bool br_comes_first(br_function *F, LLVMValueRef A, LLVMValueRef B) {
    LLVMBasicBlockRef From = LLVMGetInstructionParent(A), To = LLVMGetInstructionParent(B);
    return From == To ? br_earlier_in_block(A, B) : br_dominates(F, From, To);
}

bool br_has_vector_form(br_function *F, const char *Name) {
    return F->FAM.getResult<TargetLibraryAnalysis>(F->F).isFunctionVectorizable(Name);
}
