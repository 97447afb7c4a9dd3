// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScalarEvolution: expressions, their parts and ranges, iteration counts of loops, and code that
// computes an expression in front of a region.
#include "bridge/handles.h"
#include "bridge/versions.h"

#include "llvm/Analysis/ScalarEvolutionDivision.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

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

// Does it compute a number of its operands alone?
static bool computes(const Instruction *I) {
    auto *Call = dyn_cast<IntrinsicInst>(I);
    bool IsNumber = I->getType()->isIntegerTy() || I->getType()->isFloatingPointTy();
    return IsNumber &&
           (isa<BinaryOperator, UnaryOperator, CmpInst, CastInst, SelectInst>(I) ||
            isa<MinMaxIntrinsic>(I) || (Call && Call->getIntrinsicID() == Intrinsic::abs));
}

// Is the value available at a place, or can it be computed there? `Before` tells which instructions
// are available. It is computed by operations without effects, which are made not to trap: see
// Hoister.
static bool isThere(Value *V, function_ref<bool(Instruction *)> Before, unsigned Depth = 8) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Before(I))
        return true;
    if (Depth == 0 || !computes(I))
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

br_scev br_scev_number(br_function *F, int64_t Number) {
    Type *Wide = Type::getInt64Ty(F->F.getContext());
    return wrap(F->evolution().getConstant(Wide, (uint64_t)Number, true));
}

br_scev br_scev_sum(br_function *F, br_scev A, br_scev B) {
    return wrap(F->evolution().getAddExpr(unwrap(A), unwrap(B)));
}

br_scev br_scev_product(br_function *F, br_scev A, br_scev B) {
    return wrap(F->evolution().getMulExpr(unwrap(A), unwrap(B)));
}

br_scev br_scev_divided(br_function *F, br_scev A, br_scev B) {
    return wrap(F->evolution().getUDivExpr(unwrap(A), unwrap(B)));
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

/* Is it a count of at most 64 bits? The count of a loop with i <= n is n + 1, in twice the bits of
 * n. */
static bool isCount(br_function *F, const SCEV *S) {
    return !isa<SCEVCouldNotCompute>(S) && F->evolution().getTypeSizeInBits(S->getType()) <= 64;
}

br_scev br_backedge_count(br_function *F, br_loop L) {
    const SCEV *S = F->evolution().getBackedgeTakenCount(unwrap(L));
    return isCount(F, S) ? wrap(S) : nullptr;
}

br_scev br_exit_count(br_function *F, br_loop L, LLVMBasicBlockRef Exiting) {
    ScalarEvolution &SE = F->evolution();
    LLVMValueRef Branch = LLVMGetBasicBlockTerminator(Exiting);
    if (!br_is_conditional(Branch))
        return nullptr;
    bool Leaves = !br_loop_contains(L, LLVMGetSuccessor(Branch, 0));
    Value *Condition = unwrap(LLVMGetCondition(Branch));
    const SCEV *S = SE.computeExitLimitFromCond(unwrap(L), Condition, Leaves, false).ExactNotTaken;
    return isCount(F, S) ? wrap(S) : nullptr;
}

br_scev br_trip_count(br_function *F, br_loop L) {
    ScalarEvolution &SE = F->evolution();
    const SCEV *S = SE.getBackedgeTakenCount(unwrap(L));
    return isCount(F, S) ? wrap(SE.getAddExpr(S, SE.getOne(S->getType()))) : nullptr;
}

bool br_scev_positive_before(br_function *F, br_scev S, br_loop L) {
    ScalarEvolution &SE = F->evolution();
    return SE.isKnownPositive(SE.applyLoopGuards(unwrap(S), unwrap(L)));
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
    versions::Expander Expander(F->evolution(), F->F, "stencil");
    return !SCEVExprContains(unwrap(S), [&](const SCEV *Part) {
        if (auto *U = dyn_cast<SCEVUnknown>(Part))
            return !isThere(U->getValue(), [&](Instruction *I) { return DT.dominates(I, Before); });
        return isa<SCEVCouldNotCompute>(Part) ||
               (isa<SCEVAddRecExpr>(Part) && !Expander.isSafeToExpandAt(Part, Before));
    });
}

namespace {
// Replaces values that are computed behind the place of expansion, and divisions, by values
// computed at that place. The program may never come to a division, so it must not trap there.
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
    versions::Expander Expander(SE, F->F, "stencil");
    Hoister H(SE, Expander, F->dominators(), Before);
    return wrap(Expander.expandCodeFor(H.visit(unwrap(S)), unwrap(Type), Before));
}

br_scev br_scev_with(br_function *F, br_scev S, LLVMValueRef Of, LLVMValueRef By) {
    ScalarEvolution &SE = F->evolution();
    ValueToSCEVMapTy Map;
    Map[unwrap(Of)] = SE.getSCEV(unwrap(By));
    return wrap(SCEVParameterRewriter::rewrite(unwrap(S), SE, Map));
}
