; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels for the cache view: N. Prasetya, "Improving Cache Performance in Structured GPGPU Workloads
; via Specialized Thread Schedules" (2022), listings 3 and 4, one output a thread, with its orders
; of threads: columns of width w (equations 4.1 to 4.6) in bands of height h. With w and h those of
; the output the order is the naive one, with h alone that of columns, with w = h that of tiles.
target triple = "nvptx64-nvidia-cuda"

; The x and y of a thread's output of an iw by ih grid.
define internal { i32, i32 } @place(i32 %tid, i32 %iw, i32 %ih, i32 %w, i32 %h) {
  %band.size = mul i32 %iw, %h
  %band = udiv i32 %tid, %band.size
  %band.tid = urem i32 %tid, %band.size
  %band.y = mul i32 %band, %h
  %band.left = sub i32 %ih, %band.y
  %band.h = call i32 @llvm.umin.i32(i32 %band.left, i32 %h)
  %column.size = mul i32 %band.h, %w
  %column = udiv i32 %band.tid, %column.size
  %column.tid = urem i32 %band.tid, %column.size
  %column.x = mul i32 %column, %w
  %column.left = sub i32 %iw, %column.x
  %column.w = call i32 @llvm.umin.i32(i32 %column.left, i32 %w)
  %in.x = urem i32 %column.tid, %column.w
  %in.y = udiv i32 %column.tid, %column.w
  %x = add i32 %in.x, %column.x
  %y = add i32 %in.y, %band.y
  %half = insertvalue { i32, i32 } poison, i32 %x, 0
  %xy = insertvalue { i32, i32 } %half, i32 %y, 1
  ret { i32, i32 } %xy
}

define internal i32 @thread() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, %n
  %tid = add i32 %first, %t
  ret i32 %tid
}

; The sum of an sw by sh neighbourhood. The input has rows of `pitch` and `pad` more cells than the
; output on each side; beyond them the nearest cell is taken.
define ptx_kernel void @stencil(ptr %in, ptr %out, i32 %iw, i32 %ih, i32 %sw, i32 %sh, i32 %w, i32 %h, i32 %pad, i32 %pitch) {
entry:
  %tid = call i32 @thread()
  %n = mul i32 %iw, %ih
  %inside = icmp ult i32 %tid, %n
  br i1 %inside, label %body, label %done
body:
  %xy = call { i32, i32 } @place(i32 %tid, i32 %iw, i32 %ih, i32 %w, i32 %h)
  %x = extractvalue { i32, i32 } %xy, 0
  %y = extractvalue { i32, i32 } %xy, 1
  %rx = udiv i32 %sw, 2
  %ry = udiv i32 %sh, 2
  %x.pad = add i32 %x, %pad
  %y.pad = add i32 %y, %pad
  %x.first = sub i32 %x.pad, %rx
  %y.first = sub i32 %y.pad, %ry
  %pads = mul i32 %pad, 2
  %iw.pad = add i32 %iw, %pads
  %ih.pad = add i32 %ih, %pads
  %x.last = sub i32 %iw.pad, 1
  %y.last = sub i32 %ih.pad, 1
  br label %row
row:
  %j = phi i32 [ 0, %body ], [ %j1, %row.end ]
  %row.sum = phi float [ 0.0, %body ], [ %sum1, %row.end ]
  %cy = add i32 %y.first, %j
  %cy.low = call i32 @llvm.smax.i32(i32 %cy, i32 0)
  %cy.in = call i32 @llvm.smin.i32(i32 %cy.low, i32 %y.last)
  %row.at = mul i32 %cy.in, %pitch
  br label %cell
cell:
  %i = phi i32 [ 0, %row ], [ %i1, %cell ]
  %sum = phi float [ %row.sum, %row ], [ %sum1, %cell ]
  %cx = add i32 %x.first, %i
  %cx.low = call i32 @llvm.smax.i32(i32 %cx, i32 0)
  %cx.in = call i32 @llvm.smin.i32(i32 %cx.low, i32 %x.last)
  %at = add i32 %row.at, %cx.in
  %p = getelementptr float, ptr %in, i32 %at
  %v = load float, ptr %p
  %sum1 = fadd float %sum, %v
  %i1 = add i32 %i, 1
  %i.more = icmp ult i32 %i1, %sw
  br i1 %i.more, label %cell, label %row.end
row.end:
  %j1 = add i32 %j, 1
  %j.more = icmp ult i32 %j1, %sh
  br i1 %j.more, label %row, label %store
store:
  %to.row = mul i32 %y, %iw
  %to = add i32 %to.row, %x
  %q = getelementptr float, ptr %out, i32 %to
  store float %sum1, ptr %q
  ret void
done:
  ret void
}

; o = a b: a has ih rows of `depth`, b `depth` rows of iw.
define ptx_kernel void @matmul(ptr %a, ptr %b, ptr %o, i32 %iw, i32 %ih, i32 %depth, i32 %w, i32 %h) {
entry:
  %tid = call i32 @thread()
  %n = mul i32 %iw, %ih
  %inside = icmp ult i32 %tid, %n
  br i1 %inside, label %body, label %done
body:
  %xy = call { i32, i32 } @place(i32 %tid, i32 %iw, i32 %ih, i32 %w, i32 %h)
  %x = extractvalue { i32, i32 } %xy, 0
  %y = extractvalue { i32, i32 } %xy, 1
  %a.row = mul i32 %y, %depth
  br label %term
term:
  %k = phi i32 [ 0, %body ], [ %k1, %term ]
  %sum = phi float [ 0.0, %body ], [ %sum1, %term ]
  %a.at = add i32 %a.row, %k
  %a.p = getelementptr float, ptr %a, i32 %a.at
  %a.v = load float, ptr %a.p
  %b.row = mul i32 %k, %iw
  %b.at = add i32 %b.row, %x
  %b.p = getelementptr float, ptr %b, i32 %b.at
  %b.v = load float, ptr %b.p
  %ab = fmul float %a.v, %b.v
  %sum1 = fadd float %sum, %ab
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %depth
  br i1 %more, label %term, label %store
store:
  %to.row = mul i32 %y, %iw
  %to = add i32 %to.row, %x
  %q = getelementptr float, ptr %o, i32 %to
  store float %sum1, ptr %q
  ret void
done:
  ret void
}

declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
