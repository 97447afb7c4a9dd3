; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What the simulator does not know is refused by name when a module is loaded. Exit status 2.
; RUN: sed -e 's/WHAT/call void @llvm.nvvm.mbarrier.init(ptr %out, i32 1)/' %s > %t.1.ll
; RUN: not %stencil-sim %t.1.ll --grid 1 --block 1 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=INTRINSIC
; RUN: sed -e 's/WHAT/call void @elsewhere()/' %s > %t.2.ll
; RUN: not %stencil-sim %t.2.ll --grid 1 --block 1 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=FUNCTION
; RUN: sed -e 's/WHAT/call void asm sideeffect "mbarrier.inval.b64 [$0];", "l"(ptr %out)/' %s > %t.3.ll
; RUN: not %stencil-sim %t.3.ll --grid 1 --block 1 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=ASM
; RUN: sed -e 's/WHAT/store i32 1, ptr @outside/' %s > %t.4.ll
; RUN: not %stencil-sim %t.4.ll --grid 1 --block 1 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=GLOBAL
; RUN: sed -e 's/nvptx64-nvidia-cuda/x86_64-linux-gnu/; s/WHAT/fence seq_cst/' %s > %t.5.ll
; RUN: not %stencil-sim %t.5.ll --grid 1 --block 1 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=TRIPLE
; RUN: not %stencil-sim %s --grid 1 --block 1 --arg buf:i32:1:zero 2>&1 | FileCheck %s --check-prefix=SYNTAX
target triple = "nvptx64-nvidia-cuda"
@outside = external addrspace(0) global i32

; INTRINSIC: does not know the {{intrinsic|function}} 'llvm.nvvm.mbarrier.init'
; FUNCTION: the simulator does not know the function 'elsewhere'
; ASM: the simulator does not know the inline assembly 'mbarrier.inval.b64 [$0];'
; GLOBAL: the global variable 'outside' is not defined
; TRIPLE: target triple 'x86_64-linux-gnu' is neither nvptx nor amdgcn
; SYNTAX: not LLVM IR:
define ptx_kernel void @k(ptr %out) {
  WHAT
  ret void
}
declare void @elsewhere()
declare void @llvm.nvvm.mbarrier.init(ptr, i32)
