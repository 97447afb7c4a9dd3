; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Options of the cache view: what is wrong is named, with what is allowed.
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache sm_12 2>&1 | FileCheck %s --check-prefix=GPU
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache l1=4K:16:full,sm_90 2>&1 | FileCheck %s --check-prefix=LATE
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache l1=4K:12:full 2>&1 | FileCheck %s --check-prefix=BAD-LINE
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache sm_90,l2=100:16:full 2>&1 | FileCheck %s --check-prefix=WHOLE
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache l1=1K:16:3 2>&1 | FileCheck %s --check-prefix=BAD-WAYS
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache l1=1K:16 2>&1 | FileCheck %s --check-prefix=SHORT
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache l1=none 2>&1 | FileCheck %s --check-prefix=NEITHER
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache sm_90,sms=0 2>&1 | FileCheck %s --check-prefix=SMS
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache sm_90,blocks=65 2>&1 | FileCheck %s --check-prefix=BLOCKS
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --order lanes 2>&1 | FileCheck %s --check-prefix=ORDER
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --plot %t.svg --plot-level l3 2>&1 | FileCheck %s --check-prefix=LEVEL
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache l2=1K:16:full --plot %t.svg 2>&1 | FileCheck %s --check-prefix=ABSENT
; RUN: not %stencil-sim %s --grid 1 --block 1 --cache sm_90 2>&1 | FileCheck %s --check-prefix=VIEW
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --cache 2>&1 | FileCheck %s --check-prefix=VALUE
; RUN: not %stencil-sim %s --grid 1 --block 1 --trace-cache --plot %t.none/plot.svg 2>&1 | FileCheck %s --check-prefix=WRITE
; RUN: %stencil-sim %s --grid 1 --block 1 --trace-cache | FileCheck %s --check-prefix=DEFAULT
target triple = "nvptx64-nvidia-cuda"

; GPU: stencil-sim: --cache: unknown part 'sm_12'; allowed: first a GPU (sm_52, sm_60, sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, gfx90a, gfx942, gfx1100), then l1=BYTES:LINE:WAYS, l2=BYTES:LINE:WAYS, sms=N, blocks=N
; LATE: --cache: unknown part 'sm_90'; allowed: first a GPU
; BAD-LINE: --cache: l1 wants BYTES:LINE:WAYS or none, not '4K:12:full'; BYTES a number, or one with K or M, up to 4096M, LINE a power of two from 4 to 4096, WAYS full or a number, and BYTES a multiple of LINE * WAYS
; WHOLE: --cache: l2 wants BYTES:LINE:WAYS or none, not '100:16:full'
; BAD-WAYS: --cache: l1 wants BYTES:LINE:WAYS or none, not '1K:16:3'
; SHORT: --cache: l1 wants BYTES:LINE:WAYS or none, not '1K:16'
; NEITHER: --cache: neither l1 nor l2 is given
; SMS: --cache: sms wants a number from 1 to 1024, not '0'
; BLOCKS: --cache: blocks wants a number from 1 to 64, not '65'
; ORDER: --order wants threads or warps, not 'lanes'
; LEVEL: --plot-level wants l1 or l2, not 'l3'
; ABSENT: --plot-level: there is no l1 in --cache l2=1K:16:full
; VIEW: --cache wants --trace-cache
; VALUE: --cache wants a value
; WRITE: --trace-cache: cannot write '{{.*}}plot.svg': No such file or directory
; DEFAULT: L1: 1536 lines of 128 bytes, fully associative, LRU
; DEFAULT: order: warps, of up to 32 blocks on each of 108 SMs
; DEFAULT: L1 all 0 0 0 0
define ptx_kernel void @k() {
  ret void
}
