// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// again IN.ll: runs the passes on the module's copies in one context, with a handler that wants
// remarks. The context's handler is not wrapped again from the second run on, and all runs give the
// same remarks.
#include "stencilopt/passes.h"

#include <llvm-c/IRReader.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstdio>

static int Count;

struct Counting : llvm::DiagnosticHandler {
    bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override {
        Count += llvm::isa<llvm::OptimizationRemark>(DI);
        return true;
    }
    bool isPassedOptRemarkEnabled(llvm::StringRef Pass) const override {
        return Pass.starts_with("stencil");
    }
    bool isAnyRemarkEnabled() const override {
        return true;
    }
};

// The handler after a run of the passes on a copy of the module.
static const llvm::DiagnosticHandler *run(LLVMModuleRef Module, LLVMContextRef Context) {
    LLVMModuleRef Copy = LLVMCloneModule(Module);
    char *Error = nullptr;
    if (stencilopt_run(Copy, nullptr, "stencil-offload<arch=sm_90;code=0>", &Error))
        std::fprintf(stderr, "error: %s\n", Error);
    stencilopt_free(Error);
    LLVMDisposeModule(Copy);
    return llvm::unwrap(Context)->getDiagHandlerPtr();
}

int main(int argc, char **argv) {
    LLVMContextRef Context = LLVMContextCreate();
    LLVMMemoryBufferRef Text;
    LLVMModuleRef Module;
    char *Error = nullptr;
    if (argc != 2 || LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &Text, &Error) ||
        LLVMParseIRInContext(Context, Text, &Module, &Error))
        return 2;
    llvm::unwrap(Context)->setDiagnosticHandler(std::make_unique<Counting>(), true);
    const llvm::DiagnosticHandler *Before = llvm::unwrap(Context)->getDiagHandlerPtr();
    const llvm::DiagnosticHandler *First = run(Module, Context);
    int Remarks = Count, Same = 0;
    for (int I = 0; I < 5; ++I)
        Same += run(Module, Context) == First;
    std::printf("wrapped %s, kept %d times, remarks %d, then %d\n",
                First != Before ? "once" : "never", Same, Remarks, Count - Remarks);
    LLVMDisposeModule(Module);
    LLVMContextDispose(Context);
    return 0;
}
