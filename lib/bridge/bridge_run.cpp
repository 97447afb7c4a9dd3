// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for programs of the build.
#include "bridge/bridge_run.h"

#include "llvm/IR/Module.h"

using namespace llvm;

void br_drop_named_metadata(LLVMModuleRef M) {
    for (NamedMDNode &Node : make_early_inc_range(unwrap(M)->named_metadata()))
        Node.eraseFromParent();
}
