// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bridge/bridge.h"

#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionDivision.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Compression.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <algorithm>

using namespace llvm;

struct br_function {
    Function &F;
    FunctionAnalysisManager &FAM;
    Function *Original = nullptr;                 // of a copy
    std::unique_ptr<ValueToValueMapTy> Originals; // of a copy: from what is in the original
    using KeptPtr = std::unique_ptr<void, void (*)(void *)>;
    KeptPtr Kept{nullptr, [](void *) {}};
    std::vector<KeptPtr> Stale{}; // kept before the last invalidation
    LoopInfo &loops() {
        return FAM.getResult<LoopAnalysis>(F);
    }
    ScalarEvolution &evolution() {
        return FAM.getResult<ScalarEvolutionAnalysis>(F);
    }
    DominatorTree &dominators() {
        return FAM.getResult<DominatorTreeAnalysis>(F);
    }
};

struct br_option {
    cl::opt<std::string> Option;
    br_option(const char *Name, const char *Help)
        : Option(StringRef(Name), cl::desc(Help), cl::value_desc("value")) {}
};

static Loop *unwrap(br_loop L) {
    return reinterpret_cast<Loop *>(L);
}
static br_loop wrap(Loop *L) {
    return reinterpret_cast<br_loop>(L);
}
static const SCEV *unwrap(br_scev S) {
    return reinterpret_cast<const SCEV *>(S);
}
static br_scev wrap(const SCEV *S) {
    return reinterpret_cast<br_scev>(S);
}

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

void br_function_invalidate_other(br_function *F, LLVMValueRef Other) {
    F->FAM.invalidate(*unwrap<Function>(Other), PreservedAnalyses::none());
}

// Does the instruction mean another thing in a copy of its block?
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
        Map.MD()[SP].reset(SP); // else it and all that is in it would be copied, too
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

void br_function_erase(br_function *Copy) {
    Copy->FAM.clear(Copy->F, Copy->F.getName());
    Copy->Original->takeName(&Copy->F);
    Copy->F.eraseFromParent();
    delete Copy;
}

void br_function_adopt(br_function *Copy, LLVMBasicBlockRef Body) {
    Function &To = *Copy->Original, &From = Copy->F;
    BasicBlock &Entry = From.getEntryBlock(), &Old = To.getEntryBlock();
    if (unwrap(Body) != &Entry) // not in phis behind it, which go with it
        for (BasicBlock *Before : SmallVector<BasicBlock *, 4>(predecessors(unwrap(Body))))
            Before->getTerminator()->replaceSuccessorWith(unwrap(Body), &Old);
    for (unsigned I = 0; I < To.arg_size(); ++I)
        From.getArg(I)->replaceAllUsesWith(To.getArg(I));
    for (Instruction &I : make_early_inc_range(Old))
        if (isa<AllocaInst>(I))
            I.moveBefore(Entry, Entry.begin());
    To.splice(To.begin(), &From);
    To.setAttributes(From.getAttributes());
    EliminateUnreachableBlocks(To);
}

LLVMValueRef br_wrap(LLVMBasicBlockRef Before, LLVMBasicBlockRef *Blocks, size_t Count,
                     LLVMBasicBlockRef After) {
    BasicBlock *From = unwrap(Before), *To = unwrap(After);
    if (To->isEHPad() || !isa<BranchInst>(From->getTerminator()))
        return nullptr;
    SmallVector<BasicBlock *, 8> Ends;
    for (LLVMBasicBlockRef B : ArrayRef(Blocks, Count))
        if (is_contained(successors(unwrap(B)), To)) {
            if (!isa<BranchInst>(unwrap(B)->getTerminator()))
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
    auto *End = BranchInst::Create(Header, To, ConstantInt::getFalse(To->getContext()), Latch);
    End->setDebugLoc(Old->getDebugLoc());
    Old->eraseFromParent();
    return wrap(End);
}

// Loops

bool br_may_write(LLVMValueRef I) {
    return unwrap<Instruction>(I)->mayWriteToMemory() || unwrap<Instruction>(I)->mayThrow();
}

// In whatever order blocks are, a cycle goes back somewhere.
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

bool br_loop_own_exits(br_function *F, br_loop Handle) {
    Loop *L = unwrap(Handle);
    formDedicatedExitBlocks(L, &F->dominators(), &F->loops(), nullptr, true);
    return L->hasDedicatedExits();
}

static void wish(Loop *L, MDNode *Wish) {
    LLVMContext &C = L->getHeader()->getContext();
    L->setLoopID(makePostTransformationMetadata(C, L->getLoopID(), {"llvm.loop.unroll."}, {Wish}));
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

// As many iterations as LLVM ever peels count as peeled, and more, to tell ours from its own.
static const char Peeled[] = "llvm.loop.peeled.count";
enum { PEELED = 1000 };

static void setPeeled(Loop *L, std::optional<unsigned> Count) {
    LLVMContext &C = L->getHeader()->getContext();
    SmallVector<MDNode *, 1> Parts;
    if (Count)
        Parts.push_back(MDNode::get(
            C, {MDString::get(C, Peeled),
                ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), *Count))}));
    MDNode *ID = makePostTransformationMetadata(C, L->getLoopID(), {Peeled}, Parts);
    L->setLoopID(ID && ID->getNumOperands() > 1 ? ID : nullptr);
}

// No loop with a convergent call is unswitched; this one has no other effect.
static bool isConvergentMark(const Instruction &I) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call && Call->getIntrinsicID() == Intrinsic::sideeffect &&
           Call->hasFnAttr(Attribute::Convergent);
}

bool br_loop_keep_whole(br_loop Handle, unsigned Level, bool Unswitch) {
    Loop *L = unwrap(Handle);
    if (getOptionalIntLoopAttribute(L, Peeled))
        return false;
    setPeeled(L, PEELED + Level);
    if (Unswitch && L->getLoopLatch()) {
        IRBuilder<> B(L->getLoopLatch()->getTerminator());
        B.CreateIntrinsic(Intrinsic::sideeffect, {})->addFnAttr(Attribute::Convergent);
    }
    return true;
}

static unsigned levelOf(const Loop *L) {
    auto Count = getOptionalIntLoopAttribute(L, Peeled);
    return Count && *Count >= PEELED ? *Count - PEELED : 0;
}

static bool runPasses(br_function *F, FunctionPassManager FPM) {
    PreservedAnalyses Kept = FPM.run(F->F, F->FAM);
    F->FAM.invalidate(F->F, Kept);
    return !Kept.areAllPreserved();
}

// Whether it is small enough, the pass says.
static bool mayPeel(Loop &L, LoopStandardAnalysisResults &AR) {
    auto PP = gatherPeelingPreferences(&L, AR.SE, AR.TTI, /*AllowPeeling=*/true,
                                       /*AllowProfileBasedPeeling=*/false, true);
    computePeelCount(&L, /*LoopSize=*/1, PP, AR.SE.getSmallConstantTripCount(&L), AR.DT, AR.SE,
                     AR.TTI, &AR.AC);
    return PP.PeelCount > 0;
}

namespace {
// For the loops that were kept whole alone.
struct UnswitchKept : PassInfoMixin<UnswitchKept> {
    PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM, LoopStandardAnalysisResults &AR,
                          LPMUpdater &Updater) {
        return levelOf(&L) ? SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(L, AM, AR, Updater)
                           : PreservedAnalyses::all();
    }
};

// They then are ordinary ones.
struct PeelKept : PassInfoMixin<PeelKept> {
    PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM, LoopStandardAnalysisResults &AR,
                          LPMUpdater &Updater) {
        unsigned Level = levelOf(&L);
        if (Level)
            setPeeled(&L, std::nullopt);
        return Level && mayPeel(L, AR) ? LoopFullUnrollPass((int)Level).run(L, AM, AR, Updater)
                                       : PreservedAnalyses::all();
    }
};
// The pass itself has 2 KB, too much for the stack.
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
    runPasses(F, std::move(Canonical)); // by itself, to tell whether the next ones change anything
    if (runPasses(F, std::move(Split)))
        runPasses(F, std::move(Clean));
}

// Cheap, and never false for a function with marks. `Mark`: what isConvergentMark calls, or NULL.
static bool mayBeMarked(const Function &F, const Function *Mark) {
    auto IsIn = [&](const User *U) { return cast<Instruction>(U)->getFunction() == &F; };
    if (Mark && any_of(Mark->users(), IsIn))
        return true;
    return any_of(F, [](const BasicBlock &BB) {
        const MDNode *ID = BB.getTerminator()->getMetadata(LLVMContext::MD_loop);
        return ID && any_of(drop_begin(ID->operands()), [](const MDOperand &Part) {
                   auto *Words = dyn_cast<MDNode>(Part);
                   auto *Word = Words && Words->getNumOperands()
                                    ? dyn_cast<MDString>(Words->getOperand(0))
                                    : nullptr;
                   return Word && Word->getString() == Peeled;
               });
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
        if (levelOf(L)) // that no pass came to
            setPeeled(L, std::nullopt);
    return true;
}

void br_drop_promises(LLVMValueRef I) {
    unwrap<Instruction>(I)->dropPoisonGeneratingFlags();
}

bool br_dominates(br_function *F, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
    return F->dominators().dominates(unwrap(A), unwrap(B));
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

// Scalar evolution

br_scev br_scev_of(br_function *F, LLVMValueRef V) {
    return wrap(F->evolution().getSCEV(unwrap(V)));
}

void br_scev_forget(br_function *F) {
    F->evolution().forgetAllLoops();
}

enum br_scev_kind br_scev_kind(br_scev S) {
    switch (unwrap(S)->getSCEVType()) {
    case scConstant:
        return BR_CONSTANT;
    case scUnknown:
        return BR_UNKNOWN;
    case scAddExpr:
        return BR_ADD;
    case scMulExpr:
        return BR_MUL;
    case scAddRecExpr:
        return BR_ADDREC;
    case scZeroExtend:
        return BR_ZEXT;
    case scSignExtend:
        return BR_SEXT;
    case scTruncate:
        return BR_TRUNC;
    case scPtrToInt:
        return BR_PTRTOINT;
    case scUDivExpr:
        return BR_UDIV;
    case scSMaxExpr:
        return BR_SMAX;
    case scSMinExpr:
        return BR_SMIN;
    case scUMaxExpr:
        return BR_UMAX;
    case scUMinExpr:
    case scSequentialUMinExpr:
        return BR_UMIN;
    default:
        return BR_OTHER;
    }
}

size_t br_scev_count(br_scev S) {
    return unwrap(S)->operands().size();
}
br_scev br_scev_operand(br_scev S, size_t I) {
    return wrap(unwrap(S)->operands()[I]);
}
LLVMValueRef br_scev_value(br_scev S) {
    return wrap(cast<SCEVUnknown>(unwrap(S))->getValue());
}

bool br_scev_int(br_scev S, int64_t *Value) {
    const auto *C = dyn_cast<SCEVConstant>(unwrap(S));
    if (!C || C->getAPInt().getSignificantBits() > 64)
        return false;
    *Value = C->getAPInt().getSExtValue();
    return true;
}

br_loop br_scev_loop(br_scev S) {
    return wrap(const_cast<Loop *>(cast<SCEVAddRecExpr>(unwrap(S))->getLoop()));
}

unsigned br_scev_bits(br_function *F, br_scev S) {
    return (unsigned)F->evolution().getTypeSizeInBits(unwrap(S)->getType());
}

bool br_scev_is_pointer(br_scev S) {
    return unwrap(S)->getType()->isPointerTy();
}

// Is it, or can it be computed from, what is there `Before`? By operations without effects, if made
// not to trap: see Hoister.
static bool isThere(Value *V, function_ref<bool(Instruction *)> Before, unsigned Depth = 8) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Before(I))
        return true;
    if (Depth == 0 || !I->getType()->isIntegerTy() ||
        !isa<BinaryOperator, ICmpInst, CastInst, SelectInst>(I))
        return false;
    return all_of(I->operands(), [&](Value *V) { return isThere(V, Before, Depth - 1); });
}

void br_scev_signed_range(br_function *F, br_scev S, int64_t *Least, int64_t *Greatest) {
    *Least = F->evolution().getSignedRangeMin(unwrap(S)).getSExtValue();
    *Greatest = F->evolution().getSignedRangeMax(unwrap(S)).getSExtValue();
}

uint64_t br_scev_greatest(br_function *F, br_scev S, br_loop L) {
    ScalarEvolution &SE = F->evolution();
    return SE.getUnsignedRangeMax(SE.applyLoopGuards(unwrap(S), unwrap(L))).getZExtValue();
}

bool br_scev_invariant(br_function *F, br_scev S, br_loop Handle) {
    ScalarEvolution &SE = F->evolution();
    Loop *L = unwrap(Handle);
    if (SE.isLoopInvariant(unwrap(S), L))
        return true;
    return !SCEVExprContains(unwrap(S), [&](const SCEV *Part) {
        if (auto *U = dyn_cast<SCEVUnknown>(Part))
            return !isThere(U->getValue(), [&](Instruction *I) { return !L->contains(I); });
        return isa<SCEVAddRecExpr>(Part) && !SE.isLoopInvariant(Part, L);
    });
}

br_scev br_scev_quotient(br_function *F, br_scev A, br_scev B) {
    const SCEV *Quotient, *Remainder;
    SCEVDivision::divide(F->evolution(), unwrap(A), unwrap(B), &Quotient, &Remainder);
    return Remainder->isZero() ? wrap(Quotient) : nullptr;
}

br_scev br_scev_zext(br_function *F, br_scev S, unsigned Bits) {
    Type *Wide = IntegerType::get(F->F.getContext(), Bits);
    return wrap(F->evolution().getNoopOrZeroExtend(unwrap(S), Wide));
}

br_scev br_scev_sext_low(br_function *F, br_scev S, unsigned Bits) {
    ScalarEvolution &SE = F->evolution();
    LLVMContext &C = F->F.getContext();
    const SCEV *Low = unwrap(S);
    if (SE.getTypeSizeInBits(Low->getType()) > Bits)
        Low = SE.getTruncateExpr(Low, IntegerType::get(C, Bits));
    return wrap(SE.getNoopOrSignExtend(Low, Type::getInt64Ty(C)));
}

br_scev br_scev_remainder(br_function *F, br_scev S, int64_t Offset, unsigned Divisor) {
    ScalarEvolution &SE = F->evolution();
    Type *Wide = Type::getInt64Ty(F->F.getContext());
    const SCEV *Sum = SE.getAddExpr(SE.getNoopOrSignExtend(unwrap(S), Wide),
                                    SE.getConstant(Wide, (uint64_t)Offset));
    return wrap(SE.getURemExpr(Sum, SE.getConstant(Wide, Divisor)));
}

br_scev br_scev_at_exit(br_function *F, LLVMValueRef V, br_loop L) {
    ScalarEvolution &SE = F->evolution();
    if (!SE.isSCEVable(unwrap(V)->getType()))
        return nullptr;
    return wrap(SE.getSCEVAtScope(unwrap(V), unwrap(L)->getParentLoop()));
}

/* Of i <= n it is n + 1, in twice the bits. */
static bool isCount(br_function *F, const SCEV *S) {
    return !isa<SCEVCouldNotCompute>(S) && F->evolution().getTypeSizeInBits(S->getType()) <= 64;
}

br_scev br_backedge_count(br_function *F, br_loop L) {
    const SCEV *S = F->evolution().getBackedgeTakenCount(unwrap(L));
    return isCount(F, S) ? wrap(S) : nullptr;
}

br_scev br_backedge_count_if(br_function *F, br_loop L, br_no_wrap *Conditions, size_t Capacity,
                             size_t *Count) {
    SmallVector<const SCEVPredicate *, 4> Predicates;
    const SCEV *S = F->evolution().getPredicatedBackedgeTakenCount(unwrap(L), Predicates);
    *Count = 0;
    if (!isCount(F, S))
        return nullptr;
    for (const SCEVPredicate *P : Predicates) {
        auto *Wrap = dyn_cast<SCEVWrapPredicate>(P);
        if (!Wrap || *Count + 2 > Capacity)
            return nullptr;
        if (Wrap->getFlags() & SCEVWrapPredicate::IncrementNUSW)
            Conditions[(*Count)++] = {wrap(Wrap->getExpr()), false};
        if (Wrap->getFlags() & SCEVWrapPredicate::IncrementNSSW)
            Conditions[(*Count)++] = {wrap(Wrap->getExpr()), true};
    }
    return wrap(S);
}

bool br_scev_expandable(br_function *F, br_scev S, LLVMValueRef Where) {
    DominatorTree &DT = F->dominators();
    auto *Before = unwrap<Instruction>(Where);
    SCEVExpander Expander(F->evolution(), "stencil", /*PreserveLCSSA=*/false);
    return !SCEVExprContains(unwrap(S), [&](const SCEV *Part) {
        if (auto *U = dyn_cast<SCEVUnknown>(Part))
            return !isThere(U->getValue(), [&](Instruction *I) { return DT.dominates(I, Before); });
        return isa<SCEVCouldNotCompute>(Part) ||
               (isa<SCEVAddRecExpr>(Part) && !Expander.isSafeToExpandAt(Part, Before));
    });
}

namespace {
// Replaces what is computed behind the place of expansion, and divisions, by values computed there.
// The program may never come to divide: where it does not, neither may we trap.
struct Hoister : SCEVRewriteVisitor<Hoister> {
    SCEVExpander &Expander;
    DominatorTree &DT;
    Instruction *Before;
    Hoister(ScalarEvolution &SE, SCEVExpander &Expander, DominatorTree &DT, Instruction *Before)
        : SCEVRewriteVisitor(SE), Expander(Expander), DT(DT), Before(Before) {}

    Value *safeDivisor(Value *N, Value *D, bool IsSigned) {
        IRBuilder<> B(Before);
        Value *Bad = B.CreateIsNull(D);
        if (IsSigned) {
            auto *Least = ConstantInt::get(
                D->getType(), APInt::getSignedMinValue(D->getType()->getIntegerBitWidth()));
            Value *MinusOne = Constant::getAllOnesValue(D->getType());
            Bad =
                B.CreateOr(Bad, B.CreateAnd(B.CreateICmpEQ(N, Least), B.CreateICmpEQ(D, MinusOne)));
        }
        return B.CreateSelect(Bad, ConstantInt::get(D->getType(), 1), D);
    }

    Value *hoist(Value *V) {
        auto *I = dyn_cast<Instruction>(V);
        if (!I || DT.dominates(I, Before))
            return V;
        Instruction *Copy = I->clone();
        for (Use &Operand : Copy->operands())
            Operand = hoist(Operand);
        if (Copy->isIntDivRem()) {
            IRBuilder<> B(Before);
            bool IsSigned =
                I->getOpcode() == Instruction::SDiv || I->getOpcode() == Instruction::SRem;
            Copy->setOperand(0, B.CreateFreeze(Copy->getOperand(0)));
            Value *D = B.CreateFreeze(Copy->getOperand(1));
            Copy->setOperand(1, safeDivisor(Copy->getOperand(0), D, IsSigned));
        }
        Copy->insertBefore(Before->getIterator());
        return Copy;
    }

    const SCEV *visitUnknown(const SCEVUnknown *U) {
        Value *V = hoist(U->getValue());
        return V == U->getValue() ? U : SE.getUnknown(V);
    }

    const SCEV *visitUDivExpr(const SCEVUDivExpr *E) {
        const SCEV *N = visit(E->getLHS()), *D = visit(E->getRHS());
        if (isa<SCEVConstant>(D))
            return N == E->getLHS() ? E : SE.getUDivExpr(N, D);
        Value *Numerator = Expander.expandCodeFor(N, E->getType(), Before);
        Value *Divisor = Expander.expandCodeFor(D, E->getType(), Before);
        IRBuilder<> B(Before);
        Divisor = safeDivisor(Numerator, B.CreateFreeze(Divisor), /*IsSigned=*/false);
        return SE.getUnknown(B.CreateUDiv(Numerator, Divisor));
    }
};
} // namespace

LLVMValueRef br_scev_expand(br_function *F, br_scev S, LLVMTypeRef Type, LLVMValueRef Where) {
    ScalarEvolution &SE = F->evolution();
    auto *Before = unwrap<Instruction>(Where);
    SCEVExpander Expander(SE, "stencil", /*PreserveLCSSA=*/false);
    Hoister H(SE, Expander, F->dominators(), Before);
    return wrap(Expander.expandCodeFor(H.visit(unwrap(S)), unwrap(Type), Before));
}

// Remarks and errors

static void emit(OptimizationRemarkEmitter &ORE, DiagnosticInfoOptimizationBase &&Remark,
                 ArrayRef<br_piece> Pieces) {
    bool IsHidden = false;
    for (const br_piece &P : Pieces) {
        if (P.hidden && !IsHidden)
            Remark.insert(ore::setExtraArgs());
        IsHidden |= P.hidden;
        if (P.key)
            Remark.insert(DiagnosticInfoOptimizationBase::Argument(P.key, StringRef(P.text)));
        else
            Remark.insert(StringRef(P.text));
    }
    ORE.emit(Remark);
}

void br_remark(br_function *F, br_loop Handle, enum br_remark_kind Kind, const char *Pass,
               const char *Name, const br_piece *Pieces, size_t Count) {
    Loop *L = unwrap(Handle);
    auto &ORE = F->FAM.getResult<OptimizationRemarkEmitterAnalysis>(F->F);
    DiagnosticLocation Where =
        L ? DiagnosticLocation(L->getStartLoc()) : DiagnosticLocation(F->F.getSubprogram());
    BasicBlock *Header = L ? L->getHeader() : &F->F.getEntryBlock();
    ArrayRef<br_piece> All(Pieces, Count);
    if (!ORE.enabled())
        return;
    switch (Kind) {
    case BR_PASSED:
        emit(ORE, OptimizationRemark(Pass, Name, Where, Header), All);
        break;
    case BR_MISSED:
        emit(ORE, OptimizationRemarkMissed(Pass, Name, Where, Header), All);
        break;
    case BR_ANALYSIS:
        emit(ORE, OptimizationRemarkAnalysis(Pass, Name, Where, Header), All);
        break;
    }
}

namespace {
// Hands all but some remarks on to the handler that was there.
struct RemarkFilter final : DiagnosticHandler {
    std::unique_ptr<DiagnosticHandler> Next;
    StringRef Prefix;
    RemarkFilter(std::unique_ptr<DiagnosticHandler> N, StringRef Prefix)
        : DiagnosticHandler(N->DiagnosticContext), Next(std::move(N)), Prefix(Prefix) {}

    bool handleDiagnostics(const DiagnosticInfo &DI) override {
        auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&DI);
        if (Remark && Remark->getFunction().getName().starts_with(Prefix))
            return true;
        if (DiagHandlerCallback) // set after this filter was
            return DiagnosticHandler::handleDiagnostics(DI);
        Next->HasErrors |= HasErrors;
        return Next->handleDiagnostics(DI);
    }
    bool isAnalysisRemarkEnabled(StringRef Pass) const override {
        return Next->isAnalysisRemarkEnabled(Pass);
    }
    bool isMissedOptRemarkEnabled(StringRef Pass) const override {
        return Next->isMissedOptRemarkEnabled(Pass);
    }
    bool isPassedOptRemarkEnabled(StringRef Pass) const override {
        return Next->isPassedOptRemarkEnabled(Pass);
    }
    bool isAnyRemarkEnabled() const override {
        return Next->isAnyRemarkEnabled();
    }
};
} // namespace

// A second filter does no harm. Remarks that are not asked for stay so: with RespectFilters LLVM
// asks the handler first, as clang's handler does itself.
void br_hide_remarks(LLVMContextRef Context, const char *Prefix) {
    LLVMContext &C = *unwrap(Context);
    const DiagnosticHandler *Now = C.getDiagHandlerPtr();
    if (Now && Now->isAnyRemarkEnabled())
        C.setDiagnosticHandler(std::make_unique<RemarkFilter>(C.getDiagnosticHandler(), Prefix),
                               /*RespectFilters=*/true);
}

// flang: _QMplatePstep is step of module plate, _QQmain the main program. Names have small letters;
// a capital one begins each part.
static std::string fortranName(StringRef Name) {
    std::string Out;
    for (char C : Name.drop_front(2))
        if (isUpper(C))
            Out += Out.empty() ? "" : "::";
        else
            Out += C;
    return Out;
}

static std::string cxxName(StringRef Name) {
    ItaniumPartialDemangler D;
    std::string Mangled = Name.str(), Out;
    if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
        return demangle(Mangled);
    char *Scope = D.getFunctionDeclContextName(nullptr, nullptr);
    char *Base = D.getFunctionBaseName(nullptr, nullptr);
    if (Scope && *Scope)
        Out = std::string(Scope) + "::";
    Out += Base ? Base : Mangled;
    free(Scope);
    free(Base);
    return Out;
}

// Rust's older names are C++'s with a last part of 17 characters: ::h and a hash.
static std::string withoutHash(std::string Name) {
    StringRef Whole = Name, Last = Whole.take_back(19);
    if (Whole.size() > 19 && Last.consume_front("::h") && all_of(Last, isHexDigit))
        Name.resize(Name.size() - 19);
    return Name;
}

// As its author wrote it, without parameters.
static std::string sourceName(const Function &F) {
    StringRef Name = F.getName();
    return Name.starts_with("_Q") ? fortranName(Name) : withoutHash(cxxName(Name));
}

void br_source_name(LLVMValueRef Fn, char *Out, size_t Size) {
    snprintf(Out, Size, "%s", sourceName(*unwrap<Function>(Fn)).c_str());
}

static void printLocation(const DIScope *Scope, unsigned Line, LLVMValueRef Fn, char *Out,
                          size_t Size) {
    std::string Name = sourceName(*unwrap<Function>(Fn));
    if (Scope)
        snprintf(Out, Size, "%s:%u (%s)", Scope->getFilename().str().c_str(), Line, Name.c_str());
    else
        snprintf(Out, Size, "%s", Name.c_str());
}

void br_location(br_loop L, LLVMValueRef Fn, char *Out, size_t Size) {
    DebugLoc Where = unwrap(L)->getStartLoc();
    printLocation(Where ? cast<DIScope>(Where.getScope()) : nullptr, Where ? Where.getLine() : 0,
                  Fn, Out, Size);
}

void br_function_location(LLVMValueRef Fn, char *Out, size_t Size) {
    const DISubprogram *Where = unwrap<Function>(Fn)->getSubprogram();
    printLocation(Where, Where ? Where->getLine() : 0, Fn, Out, Size);
}

// Neither clang nor opt ends without a stack trace when a plugin reports a fatal error.
void br_fatal(const char *Message) {
    errs() << "error: " << Message << "\n";
    exit(1);
}

void br_error(LLVMContextRef Context, const char *Message) {
    unwrap(Context)->emitError(Message);
}

LLVMMemoryBufferRef br_compress(const char *Bytes, size_t Size, int Level) {
    SmallVector<uint8_t, 0> Packed;
    if (!compression::zstd::isAvailable())
        return nullptr;
    compression::zstd::compress(arrayRefFromStringRef(StringRef(Bytes, Size)), Packed, Level);
    return LLVMCreateMemoryBufferWithMemoryRangeCopy(reinterpret_cast<const char *>(Packed.data()),
                                                     Packed.size(), "packed");
}

// Options

br_option *br_option_register(const char *Name, const char *Help) {
    if (cl::getRegisteredOptions().contains(Name))
        return nullptr;
    return new br_option(Name, Help);
}

const char *br_option_value(const br_option *O) {
    return O->Option.getNumOccurrences() ? O->Option.c_str() : nullptr;
}

// Passes

enum { MaxPasses = 8 };
static const br_pass *Registered[MaxPasses];

namespace {
// LLVM asks a pass's type, not the pass, for its name: so each has a type of its own.
template <size_t Number> struct CPass : PassInfoMixin<CPass<Number>> {
    std::string Parameters;
    explicit CPass(StringRef Parameters) : Parameters(Parameters.str()) {}

    PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
        const br_pass *Pass = Registered[Number];
        if (!Pass->run(wrap(&M), &MAM, Parameters.c_str()))
            return PreservedAnalyses::all();
        PreservedAnalyses Kept;
        if (Pass->invalidates) {
            Kept.preserveSet<AllAnalysesOn<Function>>();
            Kept.preserve<FunctionAnalysisManagerModuleProxy>();
            Kept.abandon<GlobalsAA>(); // stays otherwise; functions may have got effects
        }
        return Kept;
    }
    void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) {
        OS << name();
        if (!Parameters.empty())
            OS << '<' << Parameters << '>';
    }
    static StringRef name() {
        return Registered[Number]->name;
    }
    static bool isRequired() {
        return !Registered[Number]->optional;
    }
};

struct CSimplify : PassInfoMixin<CSimplify> {
    br_simplify *Run;
    unsigned Level;
    CSimplify(br_simplify *Run, unsigned Level) : Run(Run), Level(Level) {}

    PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
        br_function Handle{F, FAM, nullptr, nullptr};
        if (!Run(&Handle, wrap(&F), Level))
            return PreservedAnalyses::all();
        PreservedAnalyses Kept;
        Kept.preserveSet<CFGAnalyses>();
        return Kept;
    }
    static StringRef name() {
        return "stencil-keep-loops";
    }
};

// Takes the marks of CSimplify back where no pass before did, such as one that was skipped.
struct CSplit : PassInfoMixin<CSplit> {
    PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
        auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
        Function *Mark = Intrinsic::getDeclarationIfExists(&M, Intrinsic::sideeffect);
        bool Changed = false;
        for (Function &F : M) {
            br_function Handle{F, FAM, nullptr, nullptr};
            Changed |= mayBeMarked(F, Mark) && br_function_split(&Handle);
        }
        if (Mark && Mark->use_empty())
            Mark->eraseFromParent();
        PreservedAnalyses Kept;
        Kept.preserveSet<AllAnalysesOn<Function>>();
        Kept.preserve<FunctionAnalysisManagerModuleProxy>();
        return Changed ? Kept : PreservedAnalyses::all();
    }
    static StringRef name() {
        return "stencil-split-loops";
    }
    static bool isRequired() {
        return true;
    }
};
} // namespace

template <size_t... Numbers>
static void addNumbered(ModulePassManager &MPM, size_t Number, StringRef Parameters,
                        std::index_sequence<Numbers...>) {
    (void)((Numbers == Number && (MPM.addPass(CPass<Numbers>(Parameters)), true)) || ...);
}

static void add(ModulePassManager &MPM, size_t Number, StringRef Parameters) {
    addNumbered(MPM, Number, Parameters, std::make_index_sequence<MaxPasses>());
}

static bool matches(StringRef Text, const br_pass &Pass, StringRef &Parameters) {
    Parameters = "";
    if (!Text.consume_front(Pass.name))
        return false;
    if (Text.empty())
        return true;
    if (!Text.consume_front("<") || !Text.consume_back(">"))
        return false;
    Parameters = Text;
    return true;
}

static bool addPass(StringRef Text, ModulePassManager &MPM) {
    for (size_t I = 0; I < MaxPasses && Registered[I]; ++I) {
        StringRef Parameters;
        if (!matches(Text, *Registered[I], Parameters))
            continue;
        if (const char *Problem = Registered[I]->check(Parameters.str().c_str())) {
            errs() << "error: " << Registered[I]->name << ": " << Problem << "\n";
            return false;
        }
        add(MPM, I, Parameters);
        return true;
    }
    return false;
}

static void addEarly(ModulePassManager &MPM) {
    for (size_t I = 0; I < MaxPasses && Registered[I]; ++I)
        if (Registered[I]->early)
            add(MPM, I, "");
    MPM.addPass(CSplit());
}

static void nameForPrinting(PassInstrumentationCallbacks *PIC) {
    for (size_t I = 0; PIC && I < MaxPasses && Registered[I]; ++I)
        PIC->addClassToPassName(Registered[I]->name, Registered[I]->name);
    for (StringRef Name : {CSimplify::name(), CSplit::name()})
        if (PIC)
            PIC->addClassToPassName(Name, Name);
}

void br_register_passes(void *Builder, const br_pass *Passes, size_t Count, br_simplify *Simplify) {
    PassBuilder &PB = *static_cast<PassBuilder *>(Builder);
    assert(Count <= MaxPasses);
    for (size_t I = 0; I < Count; ++I)
        Registered[I] = &Passes[I];
    nameForPrinting(PB.getPassInstrumentationCallbacks());
    PB.registerPipelineParsingCallback(
        [](StringRef Text, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
            return addPass(Text, MPM);
        });
    // Loops are marked only in pipelines that come to OptimizerEarly, where marks are taken back:
    // those that simplify modules. The one of full LTO's link does not.
    auto ComesToEarly = std::make_shared<bool>(false);
    PB.registerPipelineEarlySimplificationEPCallback(
        [=](ModulePassManager &, OptimizationLevel, ThinOrFullLTOPhase) { *ComesToEarly = true; });
    PB.registerPeepholeEPCallback([=](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (*ComesToEarly && Level.getSpeedupLevel() > 1)
            FPM.addPass(CSimplify(Simplify, Level.getSpeedupLevel()));
    });
    PB.registerOptimizerEarlyEPCallback(
        [=](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
            *ComesToEarly = false;
            if (Level != OptimizationLevel::O0)
                addEarly(MPM);
        });
}

uint32_t br_plugin_api_version() {
    return LLVM_PLUGIN_API_VERSION;
}

static_assert(sizeof(br_plugin_info) == sizeof(PassPluginLibraryInfo),
              "br_plugin_info mirrors LLVM's struct");
static_assert(offsetof(br_plugin_info, register_passes) ==
                  offsetof(PassPluginLibraryInfo, RegisterPassBuilderCallbacks),
              "br_plugin_info mirrors LLVM's struct");
