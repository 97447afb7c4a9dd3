// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies what a function needs of its module.
#include "bridge/bridge_part.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

// Constants have the addresses of some functions, as tables do; those are always there.
static bool isInConstant(const Function &F) {
    return any_of(F.users(), [](const User *U) { return !isa<Instruction>(U); });
}

// The functions that the first one calls or whose addresses it takes, those that these call, and so
// on.
static SmallPtrSet<const GlobalValue *, 16> reachedFrom(Function *First) {
    SmallVector<Function *, 16> ToDo = {First};
    for (Function &F : *First->getParent())
        if (isInConstant(F))
            ToDo.push_back(&F);
    SmallPtrSet<const GlobalValue *, 16> Reached(ToDo.begin(), ToDo.end());
    while (!ToDo.empty())
        for (Instruction &I : instructions(*ToDo.pop_back_val()))
            for (Value *Operand : I.operand_values())
                if (auto *F = dyn_cast<Function>(Operand))
                    if (Reached.insert(F).second)
                        ToDo.push_back(F);
    return Reached;
}

LLVMModuleRef br_part_of_module(LLVMValueRef Root) {
    auto *First = cast<Function>(unwrap(Root));
    auto Reached = reachedFrom(First);
    ValueToValueMapTy Copies;
    return wrap(CloneModule(*First->getParent(), Copies, [&](const GlobalValue *G) {
                    return !isa<Function>(G) || Reached.contains(G);
                }).release());
}
