// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks: made from pieces of text. Remarks about the plugin's own functions are hidden.
#include "bridge/handles.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"

#include <mutex>
#include <set>

using namespace llvm;

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

static void emitAt(br_function *F, DiagnosticLocation Where, const BasicBlock *Block,
                   br_remark_kind Kind, const char *Pass, const char *Name,
                   ArrayRef<br_piece> All) {
    auto &ORE = F->FAM.getResult<OptimizationRemarkEmitterAnalysis>(F->F);
    switch (Kind) {
    case BR_PASSED:
        emit(ORE, OptimizationRemark(Pass, Name, Where, Block), All);
        break;
    case BR_MISSED:
        emit(ORE, OptimizationRemarkMissed(Pass, Name, Where, Block), All);
        break;
    case BR_ANALYSIS:
        emit(ORE, OptimizationRemarkAnalysis(Pass, Name, Where, Block), All);
        break;
    }
}

static bool wantsRemarks(br_function *F) {
    return F->FAM.getResult<OptimizationRemarkEmitterAnalysis>(F->F).enabled();
}

void br_remark(br_function *F, br_loop Handle, enum br_remark_kind Kind, const char *Pass,
               const char *Name, const br_piece *Pieces, size_t Count) {
    if (!wantsRemarks(F))
        return;
    Loop *L = unwrap(Handle);
    DiagnosticLocation Where =
        L ? DiagnosticLocation(br_loop_place(*L)) : DiagnosticLocation(F->F.getSubprogram());
    BasicBlock *Header = L ? L->getHeader() : &F->F.getEntryBlock();
    emitAt(F, Where, Header, Kind, Pass, Name, ArrayRef(Pieces, Count));
}

void br_remark_at(br_function *F, LLVMValueRef At, enum br_remark_kind Kind, const char *Pass,
                  const char *Name, const br_piece *Pieces, size_t Count) {
    auto *I = unwrap<Instruction>(At);
    if (wantsRemarks(F) && I->getDebugLoc())
        emitAt(F, DiagnosticLocation(I->getDebugLoc()), I->getParent(), Kind, Pass, Name,
               ArrayRef(Pieces, Count));
}

// Several threads may add filters at a time, and some contexts live until the program exits. So the
// set is never destroyed.
static std::mutex FiltersMutex;
static auto &Filters = *new std::set<const DiagnosticHandler *>;

namespace {
// Passes remarks to the handler that was there before, except hidden ones.
struct RemarkFilter final : DiagnosticHandler {
    std::unique_ptr<DiagnosticHandler> Next;
    StringRef Prefix;
    RemarkFilter(std::unique_ptr<DiagnosticHandler> N, StringRef Prefix)
        : DiagnosticHandler(N->DiagnosticContext), Next(std::move(N)), Prefix(Prefix) {
        std::lock_guard<std::mutex> Lock(FiltersMutex);
        Filters.insert(this);
    }
    ~RemarkFilter() override {
        std::lock_guard<std::mutex> Lock(FiltersMutex);
        Filters.erase(this);
    }

    bool handleDiagnostics(const DiagnosticInfo &DI) override {
        auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&DI);
        if (Remark && Remark->getFunction().getName().starts_with(Prefix))
            return true;
        if (DiagHandlerCallback) // a handler that was set after this filter
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

static bool isFilter(const DiagnosticHandler *H) {
    std::lock_guard<std::mutex> Lock(FiltersMutex);
    return Filters.count(H);
}

// A context gets one filter, however many of its modules the passes run on. Remarks that the user
// did not ask for stay off: with RespectFilters LLVM asks the handler first, and clang's handler
// does the same.
void br_hide_remarks(LLVMContextRef Context, const char *Prefix) {
    LLVMContext &C = *unwrap(Context);
    const DiagnosticHandler *Now = C.getDiagHandlerPtr();
    if (Now && !isFilter(Now) && Now->isAnyRemarkEnabled())
        C.setDiagnosticHandler(std::make_unique<RemarkFilter>(C.getDiagnosticHandler(), Prefix),
                               /*RespectFilters=*/true);
}
