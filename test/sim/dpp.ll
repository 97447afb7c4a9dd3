; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Data-parallel primitives of AMD: controls, row and bank masks, bound control. -1 is the old value.
; RUN: %stencil-sim %s --kernel row_shl1 --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ROW-SHL1
; RUN: %stencil-sim %s --kernel row_shr2 --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ROW-SHR2
; RUN: %stencil-sim %s --kernel row_ror3 --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ROW-ROR3
; RUN: %stencil-sim %s --kernel row_mirror --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ROW-MIRROR
; RUN: %stencil-sim %s --kernel row_half_mirror --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=ROW-HALF-MIRROR
; RUN: %stencil-sim %s --kernel quad_perm --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=QUAD-PERM
; RUN: %stencil-sim %s --kernel bcast15 --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BCAST15
; RUN: %stencil-sim %s --kernel bcast31 --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=BCAST31
; RUN: %stencil-sim %s --kernel wave_shl --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=WAVE-SHL
; RUN: %stencil-sim %s --kernel wave_shr --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=WAVE-SHR
; RUN: %stencil-sim %s --kernel wave_rol --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=WAVE-ROL
; RUN: %stencil-sim %s --kernel wave_ror --grid 1 --block 64 --wave 64 --arg buf:i32:64:zero --print 0 | tr '\n' ' ' | FileCheck %s --check-prefix=WAVE-ROR
target triple = "amdgcn-amd-amdhsa"

; ROW-SHL1: {{^}}101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 0 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 0 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 0 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 0 {{$}}
define amdgpu_kernel void @row_shl1(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 257, i32 15, i32 15, i1 true)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ROW-SHR2: {{^}}-1 -1 100 101 102 103 104 105 106 107 108 109 110 111 112 113 -1 -1 116 117 118 119 120 121 122 123 124 125 126 127 128 129 -1 -1 132 133 134 135 136 137 138 139 140 141 142 143 144 145 -1 -1 148 149 150 151 152 153 154 155 156 157 158 159 160 161 {{$}}
define amdgpu_kernel void @row_shr2(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 274, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ROW-ROR3: {{^}}113 114 115 100 101 102 103 104 105 106 107 108 109 110 111 112 129 130 131 116 117 118 119 120 121 122 123 124 125 126 127 128 145 146 147 132 133 134 135 136 137 138 139 140 141 142 143 144 161 162 163 148 149 150 151 152 153 154 155 156 157 158 159 160 {{$}}
define amdgpu_kernel void @row_ror3(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 291, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ROW-MIRROR: {{^}}115 114 113 112 111 110 109 108 107 106 105 104 103 102 101 100 131 130 129 128 127 126 125 124 123 122 121 120 119 118 117 116 147 146 145 144 143 142 141 140 139 138 137 136 135 134 133 132 163 162 161 160 159 158 157 156 155 154 153 152 151 150 149 148 {{$}}
define amdgpu_kernel void @row_mirror(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 320, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; ROW-HALF-MIRROR: {{^}}107 106 105 104 103 102 101 100 115 114 113 112 111 110 109 108 123 122 121 120 119 118 117 116 131 130 129 128 127 126 125 124 139 138 137 136 135 134 133 132 147 146 145 144 143 142 141 140 155 154 153 152 151 150 149 148 163 162 161 160 159 158 157 156 {{$}}
define amdgpu_kernel void @row_half_mirror(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 321, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; QUAD-PERM: {{^}}103 102 101 100 107 106 105 104 111 110 109 108 115 114 113 112 119 118 117 116 123 122 121 120 127 126 125 124 131 130 129 128 135 134 133 132 139 138 137 136 143 142 141 140 147 146 145 144 151 150 149 148 155 154 153 152 159 158 157 156 163 162 161 160 {{$}}
define amdgpu_kernel void @quad_perm(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 27, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; BCAST15: {{^}}-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 115 115 115 115 115 115 115 115 115 115 115 115 115 115 115 115 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 147 147 147 147 147 147 147 147 147 147 147 147 147 147 147 147 {{$}}
define amdgpu_kernel void @bcast15(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 322, i32 10, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; BCAST31: {{^}}-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 131 {{$}}
define amdgpu_kernel void @bcast31(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 323, i32 12, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; WAVE-SHL: {{^}}101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 -1 {{$}}
define amdgpu_kernel void @wave_shl(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 304, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; WAVE-SHR: {{^}}0 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 {{$}}
define amdgpu_kernel void @wave_shr(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 312, i32 15, i32 15, i1 true)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; WAVE-ROL: {{^}}101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 100 {{$}}
define amdgpu_kernel void @wave_rol(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 308, i32 15, i32 15, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

; WAVE-ROR: {{^}}163 100 101 102 -1 -1 -1 -1 107 108 109 110 -1 -1 -1 -1 115 116 117 118 -1 -1 -1 -1 123 124 125 126 -1 -1 -1 -1 131 132 133 134 -1 -1 -1 -1 139 140 141 142 -1 -1 -1 -1 147 148 149 150 -1 -1 -1 -1 155 156 157 158 -1 -1 -1 -1 {{$}}
define amdgpu_kernel void @wave_ror(ptr %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %v = add i32 %t, 100
  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 -1, i32 %v, i32 316, i32 15, i32 5, i1 false)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)
