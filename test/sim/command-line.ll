; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The command line: what is wrong is named, with what is allowed.
; RUN: %stencil-sim --help | FileCheck %s --check-prefix=HELP
; RUN: %stencil-sim %s --kernel k --grid 1 --block 2 --arg buf:f32:2:zero --arg i32:-7 --arg f64:0x1.8p-1 --print 0 --print 1 --hash 0 | tr '\n' ' ' | FileCheck %s --check-prefix=GOOD
; RUN: %stencil-sim --version | FileCheck %s --check-prefix=VERSION
; RUN: not %stencil-sim %t.none.ll 2>&1 | FileCheck %s --check-prefix=MISSING
; RUN: not %stencil-sim --grid 1 2>&1 | FileCheck %s --check-prefix=FILE
; RUN: not %stencil-sim %s --grid 1 --block 2 --lanes 3 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: not %stencil-sim %s --grid 1 --block 2 2>&1 | FileCheck %s --check-prefix=KERNEL
; RUN: not %stencil-sim %s --kernel q --grid 1 --block 2 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not %stencil-sim %s --kernel k --grid 1 --block 2 --arg i32:3 2>&1 | FileCheck %s --check-prefix=COUNT
; RUN: not %stencil-sim %s --kernel k --grid 1 --block 2 --arg buf:f32:2:zero --arg i64:3 --arg f64:1 2>&1 | FileCheck %s --check-prefix=TYPE
; RUN: not %stencil-sim %s --kernel k --grid 1 --block 2 --arg buf:f99:2:zero --arg i32:3 --arg f64:1 2>&1 | FileCheck %s --check-prefix=ELEMENT
; RUN: not %stencil-sim %s --kernel k --grid 1 --block 2 --arg buf:f32:2:ones --arg i32:3 --arg f64:1 2>&1 | FileCheck %s --check-prefix=INIT
; RUN: not %stencil-sim %s --kernel k --grid 1 --block 2 --arg buf:f32:2:zero --arg i32:5000000000 --arg f64:1 2>&1 | FileCheck %s --check-prefix=VALUE
; RUN: not %stencil-sim %s --kernel k --grid 0 --block 2 2>&1 | FileCheck %s --check-prefix=GRID
; RUN: not %stencil-sim %s --kernel e --grid 1 --block 64,64 2>&1 | FileCheck %s --check-prefix=BLOCK
; RUN: sh -c '%stencil-sim %s --kernel e --grid 1 --block 64 --wave 64; test $? = 2'
; RUN: sh -c '%stencil-sim %s --kernel f --grid 1 --block 1; test $? = 1'
; RUN: not %stencil-sim %s --kernel e --grid 1 --block 64 --wave 64 2>&1 | FileCheck %s --check-prefix=WAVE
; RUN: not %stencil-sim %s --kernel e --grid 1 --block 64 --print 0 2>&1 | FileCheck %s --check-prefix=REPORT
; RUN: %stencil-sim %s --kernel e --grid 1 --block 1 && not %stencil-sim %s --kernel e --grid 1
; RUN: %stencil-sim %s --kernel r --grid 1 --block 1 --arg buf:f32:3:rand=7 --arg buf:u8:3:rand=7 --arg buf:f64:2:rand=7 --print 0 --print 1 --print 2 | tr '\n' ' ' | FileCheck %s --check-prefix=RAND
; RUN: echo '--kernel k --arg buf:f32:2:zero --arg i32:-7 --arg f64:0.75 --print 0' > %t.runs
; RUN: echo '--kernel f' >> %t.runs
; RUN: echo '--kernel e --hash 0 --arg i32:5' >> %t.runs
; RUN: sh -c '%stencil-sim %s --grid 1 --block 2 --runs %t.runs; echo status $?' | FileCheck %s --check-prefix=RUNS
; RUN: sh -c 'cat %t.runs | head -1 | %stencil-sim %s --grid 1 --block 2 --runs -; echo status $?' | FileCheck %s --check-prefix=PIPE
; RUN: %stencil-sim %s --kernel r --grid 1 --block 1 --arg buf:f32:3:values=1.5+-2+0x10 --arg buf:u8:3:values=1+2+255 --arg buf:f64:2:values=3+4 --print 0 --print 1 --print 2 | tr '\n' ' ' | FileCheck %s --check-prefix=VALUES
; RUN: not %stencil-sim %s --kernel r --grid 1 --block 1 --arg buf:f32:3:values=1+2 --arg buf:u8:3:zero --arg buf:f64:2:zero 2>&1 | FileCheck %s --check-prefix=FEW
; RUN: not %stencil-sim %s --kernel r --grid 1 --block 1 --arg buf:f32:3:values=1+2+3+4 --arg buf:u8:3:zero --arg buf:f64:2:zero 2>&1 | FileCheck %s --check-prefix=FEW
; RUN: not %stencil-sim %s --grid 1 --block 2 --runs %t.runs --trace-cache 2>&1 | FileCheck %s --check-prefix=TRACE
target triple = "nvptx64-nvidia-cuda"

; HELP: usage: stencil-sim FILE --kernel NAME
; HELP: INIT is one of
; HELP-NEXT: zero
; HELP-NEXT: iota
; HELP-NEXT: rand=SEED
; HELP: file=PATH
; VERSION: stencil-sim (StencilOpt) {{[0-9]+\.[0-9]+\.[0-9]+$}}
; MISSING: stencil-sim: cannot read '{{.*}}none.ll': No such file or directory
; MISSING-NOT: {{.}}
; FILE: stencil-sim: no file given; --help lists the options
; FILE-NOT: {{.}}
; OPTION: stencil-sim: unknown option '--lanes'; allowed: --kernel, --grid, --block, --wave, --lds, --arg, --hash, --print, --time, --trace-cache, --cache, --order, --plot, --plot-level, --runs, --offset, --struct, --help, --version
; KERNEL: stencil-sim: --kernel is missing; the file has: k, e, f, r
; NONE: no kernel 'q'; the file has: k, e, f, r
; COUNT: kernel 'k' takes 3 arguments, 1 given
; TYPE: argument 1 of kernel 'k' has type i32; 'i64:3' does not fit
; ELEMENT: argument 0: unknown type 'f99'; allowed: i8, i16,
; INIT: argument 0: unknown initial value 'ones'; allowed: zero, iota, rand=SEED, values=V+V+..., file=PATH, same=N, same=N+K
; VALUE: argument 1: 'i32:5000000000' is no value of type i32
; GRID: --grid wants one to three positive numbers X,Y,Z, not '0'
; BLOCK: a block of 64 x 64 x 1 threads; at most 1024 are allowed
; WAVE: a wave of 64 lanes; allowed: 32
; REPORT: there is no argument 0
; RAND: {{^}}0.3898297 0.016788244 0.90076065 99 4 230 0.3898297483912715 0.01678829452815611 {{$}}

; VALUES: {{^}}1.5 -2 16 1 2 255 3 4 {{$}}
; FEW: argument 0: values=V+V+... wants 3 values of type f32

; RUNS: -6.25
; RUNS-NEXT: 0
; RUNS-NEXT: ok
; RUNS-NEXT: fault: kernel 'f'
; RUNS-NEXT: status 2
; PIPE: ok
; PIPE-NEXT: status 0
; TRACE: --runs and --trace-cache exclude each other

; GOOD: {{^}}-6.25 0 -7 {{[0-9a-f]+}} {{$}}
define ptx_kernel void @k(ptr %out, i32 %a, double %b) {
  %x = sitofp i32 %a to double
  %y = fadd double %x, %b
  %z = fptrunc double %y to float
  store float %z, ptr %out
  ret void
}
define ptx_kernel void @e() {
  ret void
}
define ptx_kernel void @f() {
  store i32 1, ptr null
  ret void
}
define ptx_kernel void @r(ptr %a, ptr %b, ptr %c) {
  ret void
}
