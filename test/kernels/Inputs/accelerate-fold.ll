; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What the code generators of accelerate-llvm-ptx 1.4 (commit c71218fe) write for these computations:
; printed by them, for sm_90, without a GPU. LLVM 16, 19 and 22 get the same text. Here hashes are cut
; from the names of kernels, and temporaries are named v.
;
;   fold            fold (+) 0 x              of a Matrix
; types: float
target triple = "nvptx64-nvidia-cuda"
@__shared__ = external addrspace(3) global [0 x i8]
declare i32 @llvm.nvvm.read.ptx.sreg.laneid() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone
declare void @llvm.nvvm.barrier0() nounwind noduplicate convergent
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() nounwind readnone
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32) convergent nounwind inaccessiblememonly
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() nounwind readnone
define void @fold(ptr %out.ad0, i64 %out.sh0, ptr %in.ad0, i64 %in.sh1, i64 %in.sh0) {
entry:
  %v0 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = trunc i64 %in.sh0 to i32
  %v2 = icmp slt i32 %v0, %v1
  br i1 %v2, label %when1.body, label %when1.exit
when1.body:
  %v3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v4 = sext i32 %v3 to i64
  %v5 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %v6 = sext i32 %v5 to i64
  %v7 = add i64 0, %v4
  br label %while2.entry
while2.entry:
  %v8 = icmp slt i64 %v7, %out.sh0
  br i1 %v8, label %while2.top, label %while2.exit
while2.top:
  %v9 = phi i64 [ %v7, %while2.entry ], [ %v390, %when211.exit ]
  tail call void @llvm.nvvm.barrier0()
  %v10 = mul i64 %v9, %in.sh0
  %v11 = add i64 %v10, %in.sh0
  %v12 = sext i32 %v0 to i64
  %v13 = add i64 %v10, %v12
  %v14 = getelementptr inbounds float, ptr %in.ad0, i64 %v13
  %v15 = load float, ptr %v14
  %v16 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %if4.entry
if4.entry:
  %v17 = icmp sge i32 %v1, %v16
  br i1 %v17, label %if4.then, label %if4.else
if4.then:
  %v18 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v19 = sdiv i32 %v18, 32
  %v20 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v15, i32 1, i32 31)
  br label %if6.entry
if6.entry:
  %v21 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v22 = add i32 %v21, 1
  %v23 = icmp slt i32 %v22, 32
  br i1 %v23, label %if6.then, label %if6.else
if6.then:
  %v24 = fadd nsz arcp contract afn reassoc float %v15, %v20
  br label %if6.exit
if6.else:
  br label %if6.exit
if6.exit:
  %v25 = phi nsz arcp contract afn reassoc float [ %v24, %if6.then ], [ %v15, %if6.else ]
  %v26 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v25, i32 2, i32 31)
  br label %if10.entry
if10.entry:
  %v27 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v28 = add i32 %v27, 2
  %v29 = icmp slt i32 %v28, 32
  br i1 %v29, label %if10.then, label %if10.else
if10.then:
  %v30 = fadd nsz arcp contract afn reassoc float %v25, %v26
  br label %if10.exit
if10.else:
  br label %if10.exit
if10.exit:
  %v31 = phi nsz arcp contract afn reassoc float [ %v30, %if10.then ], [ %v25, %if10.else ]
  %v32 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v31, i32 4, i32 31)
  br label %if14.entry
if14.entry:
  %v33 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v34 = add i32 %v33, 4
  %v35 = icmp slt i32 %v34, 32
  br i1 %v35, label %if14.then, label %if14.else
if14.then:
  %v36 = fadd nsz arcp contract afn reassoc float %v31, %v32
  br label %if14.exit
if14.else:
  br label %if14.exit
if14.exit:
  %v37 = phi nsz arcp contract afn reassoc float [ %v36, %if14.then ], [ %v31, %if14.else ]
  %v38 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v37, i32 8, i32 31)
  br label %if18.entry
if18.entry:
  %v39 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v40 = add i32 %v39, 8
  %v41 = icmp slt i32 %v40, 32
  br i1 %v41, label %if18.then, label %if18.else
if18.then:
  %v42 = fadd nsz arcp contract afn reassoc float %v37, %v38
  br label %if18.exit
if18.else:
  br label %if18.exit
if18.exit:
  %v43 = phi nsz arcp contract afn reassoc float [ %v42, %if18.then ], [ %v37, %if18.else ]
  %v44 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v43, i32 16, i32 31)
  br label %if22.entry
if22.entry:
  %v45 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v46 = add i32 %v45, 16
  %v47 = icmp slt i32 %v46, 32
  br i1 %v47, label %if22.then, label %if22.else
if22.then:
  %v48 = fadd nsz arcp contract afn reassoc float %v43, %v44
  br label %if22.exit
if22.else:
  br label %if22.exit
if22.exit:
  %v49 = phi nsz arcp contract afn reassoc float [ %v48, %if22.then ], [ %v43, %if22.else ]
  %v50 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v49, i32 32, i32 31)
  br label %if26.entry
if26.entry:
  %v51 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v52 = add i32 %v51, 32
  %v53 = icmp slt i32 %v52, 32
  br i1 %v53, label %if26.then, label %if26.else
if26.then:
  %v54 = fadd nsz arcp contract afn reassoc float %v49, %v50
  br label %if26.exit
if26.else:
  br label %if26.exit
if26.exit:
  %v55 = phi nsz arcp contract afn reassoc float [ %v54, %if26.then ], [ %v49, %if26.else ]
  %v56 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v57 = sdiv i32 %v56, 32
  %v58 = add i32 0, 3
  %v59 = and i32 %v58, -4
  %v60 = getelementptr inbounds i8, ptr addrspace(3) getelementptr inbounds ([0 x i8], ptr addrspace(3) @__shared__, i32 0, i32 0), i32 %v59
  %v61 = bitcast ptr addrspace(3) %v60 to ptr addrspace(3)
  %v62 = mul i32 %v57, 4
  %v63 = add i32 %v59, %v62
  %v64 = sext i32 %v57 to i64
  %v65 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v66 = sdiv i32 %v65, 32
  %v67 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v68 = icmp eq i32 %v67, 0
  br i1 %v68, label %when30.body, label %when30.exit
when30.body:
  %v69 = getelementptr inbounds float, ptr addrspace(3) %v61, i32 %v66
  store volatile float %v55, ptr addrspace(3) %v69
  br label %when30.exit
when30.exit:
  tail call void @llvm.nvvm.barrier0()
  %v70 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %if32.entry
if32.entry:
  %v71 = icmp eq i32 %v70, 0
  br i1 %v71, label %if32.then, label %if32.else
if32.then:
  br label %while34.entry
while34.entry:
  %v72 = icmp slt i32 1, %v57
  br i1 %v72, label %while34.top, label %while34.exit
while34.top:
  %v74 = phi nsz arcp contract afn reassoc float [ %v55, %while34.entry ], [ %v77, %while34.top ]
  %v73 = phi i32 [ 1, %while34.entry ], [ %v78, %while34.top ]
  %v75 = getelementptr inbounds float, ptr addrspace(3) %v61, i32 %v73
  %v76 = load volatile float, ptr addrspace(3) %v75
  %v77 = fadd nsz arcp contract afn reassoc float %v74, %v76
  %v78 = add i32 %v73, 1
  %v79 = icmp slt i32 %v78, %v57
  br i1 %v79, label %while34.top, label %while34.exit
while34.exit:
  %v81 = phi nsz arcp contract afn reassoc float [ %v55, %while34.entry ], [ %v77, %while34.top ]
  %v80 = phi i32 [ 1, %while34.entry ], [ %v78, %while34.top ]
  br label %if32.exit
if32.else:
  br label %if32.exit
if32.exit:
  %v82 = phi nsz arcp contract afn reassoc float [ %v81, %while34.exit ], [ %v55, %if32.else ]
  br label %if4.exit
if4.else:
  %v83 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v84 = sdiv i32 %v83, 32
  %v85 = mul i32 %v84, 32
  %v86 = sub i32 %v1, %v85
  br label %if40.entry
if40.entry:
  %v87 = icmp sge i32 %v86, 32
  br i1 %v87, label %if40.then, label %if40.else
if40.then:
  %v88 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v15, i32 1, i32 31)
  br label %if42.entry
if42.entry:
  %v89 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v90 = add i32 %v89, 1
  %v91 = icmp slt i32 %v90, 32
  br i1 %v91, label %if42.then, label %if42.else
if42.then:
  %v92 = fadd nsz arcp contract afn reassoc float %v15, %v88
  br label %if42.exit
if42.else:
  br label %if42.exit
if42.exit:
  %v93 = phi nsz arcp contract afn reassoc float [ %v92, %if42.then ], [ %v15, %if42.else ]
  %v94 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v93, i32 2, i32 31)
  br label %if46.entry
if46.entry:
  %v95 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v96 = add i32 %v95, 2
  %v97 = icmp slt i32 %v96, 32
  br i1 %v97, label %if46.then, label %if46.else
if46.then:
  %v98 = fadd nsz arcp contract afn reassoc float %v93, %v94
  br label %if46.exit
if46.else:
  br label %if46.exit
if46.exit:
  %v99 = phi nsz arcp contract afn reassoc float [ %v98, %if46.then ], [ %v93, %if46.else ]
  %v100 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v99, i32 4, i32 31)
  br label %if50.entry
if50.entry:
  %v101 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v102 = add i32 %v101, 4
  %v103 = icmp slt i32 %v102, 32
  br i1 %v103, label %if50.then, label %if50.else
if50.then:
  %v104 = fadd nsz arcp contract afn reassoc float %v99, %v100
  br label %if50.exit
if50.else:
  br label %if50.exit
if50.exit:
  %v105 = phi nsz arcp contract afn reassoc float [ %v104, %if50.then ], [ %v99, %if50.else ]
  %v106 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v105, i32 8, i32 31)
  br label %if54.entry
if54.entry:
  %v107 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v108 = add i32 %v107, 8
  %v109 = icmp slt i32 %v108, 32
  br i1 %v109, label %if54.then, label %if54.else
if54.then:
  %v110 = fadd nsz arcp contract afn reassoc float %v105, %v106
  br label %if54.exit
if54.else:
  br label %if54.exit
if54.exit:
  %v111 = phi nsz arcp contract afn reassoc float [ %v110, %if54.then ], [ %v105, %if54.else ]
  %v112 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v111, i32 16, i32 31)
  br label %if58.entry
if58.entry:
  %v113 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v114 = add i32 %v113, 16
  %v115 = icmp slt i32 %v114, 32
  br i1 %v115, label %if58.then, label %if58.else
if58.then:
  %v116 = fadd nsz arcp contract afn reassoc float %v111, %v112
  br label %if58.exit
if58.else:
  br label %if58.exit
if58.exit:
  %v117 = phi nsz arcp contract afn reassoc float [ %v116, %if58.then ], [ %v111, %if58.else ]
  %v118 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v117, i32 32, i32 31)
  br label %if62.entry
if62.entry:
  %v119 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v120 = add i32 %v119, 32
  %v121 = icmp slt i32 %v120, 32
  br i1 %v121, label %if62.then, label %if62.else
if62.then:
  %v122 = fadd nsz arcp contract afn reassoc float %v117, %v118
  br label %if62.exit
if62.else:
  br label %if62.exit
if62.exit:
  %v123 = phi nsz arcp contract afn reassoc float [ %v122, %if62.then ], [ %v117, %if62.else ]
  br label %if40.exit
if40.else:
  %v124 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v15, i32 1, i32 31)
  br label %if67.entry
if67.entry:
  %v125 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v126 = add i32 %v125, 1
  %v127 = icmp slt i32 %v126, %v86
  br i1 %v127, label %if67.then, label %if67.else
if67.then:
  %v128 = fadd nsz arcp contract afn reassoc float %v15, %v124
  br label %if67.exit
if67.else:
  br label %if67.exit
if67.exit:
  %v129 = phi nsz arcp contract afn reassoc float [ %v128, %if67.then ], [ %v15, %if67.else ]
  %v130 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v129, i32 2, i32 31)
  br label %if71.entry
if71.entry:
  %v131 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v132 = add i32 %v131, 2
  %v133 = icmp slt i32 %v132, %v86
  br i1 %v133, label %if71.then, label %if71.else
if71.then:
  %v134 = fadd nsz arcp contract afn reassoc float %v129, %v130
  br label %if71.exit
if71.else:
  br label %if71.exit
if71.exit:
  %v135 = phi nsz arcp contract afn reassoc float [ %v134, %if71.then ], [ %v129, %if71.else ]
  %v136 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v135, i32 4, i32 31)
  br label %if75.entry
if75.entry:
  %v137 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v138 = add i32 %v137, 4
  %v139 = icmp slt i32 %v138, %v86
  br i1 %v139, label %if75.then, label %if75.else
if75.then:
  %v140 = fadd nsz arcp contract afn reassoc float %v135, %v136
  br label %if75.exit
if75.else:
  br label %if75.exit
if75.exit:
  %v141 = phi nsz arcp contract afn reassoc float [ %v140, %if75.then ], [ %v135, %if75.else ]
  %v142 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v141, i32 8, i32 31)
  br label %if79.entry
if79.entry:
  %v143 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v144 = add i32 %v143, 8
  %v145 = icmp slt i32 %v144, %v86
  br i1 %v145, label %if79.then, label %if79.else
if79.then:
  %v146 = fadd nsz arcp contract afn reassoc float %v141, %v142
  br label %if79.exit
if79.else:
  br label %if79.exit
if79.exit:
  %v147 = phi nsz arcp contract afn reassoc float [ %v146, %if79.then ], [ %v141, %if79.else ]
  %v148 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v147, i32 16, i32 31)
  br label %if83.entry
if83.entry:
  %v149 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v150 = add i32 %v149, 16
  %v151 = icmp slt i32 %v150, %v86
  br i1 %v151, label %if83.then, label %if83.else
if83.then:
  %v152 = fadd nsz arcp contract afn reassoc float %v147, %v148
  br label %if83.exit
if83.else:
  br label %if83.exit
if83.exit:
  %v153 = phi nsz arcp contract afn reassoc float [ %v152, %if83.then ], [ %v147, %if83.else ]
  %v154 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v153, i32 32, i32 31)
  br label %if87.entry
if87.entry:
  %v155 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v156 = add i32 %v155, 32
  %v157 = icmp slt i32 %v156, %v86
  br i1 %v157, label %if87.then, label %if87.else
if87.then:
  %v158 = fadd nsz arcp contract afn reassoc float %v153, %v154
  br label %if87.exit
if87.else:
  br label %if87.exit
if87.exit:
  %v159 = phi nsz arcp contract afn reassoc float [ %v158, %if87.then ], [ %v153, %if87.else ]
  br label %if40.exit
if40.exit:
  %v160 = phi nsz arcp contract afn reassoc float [ %v123, %if62.exit ], [ %v159, %if87.exit ]
  %v161 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v162 = sdiv i32 %v161, 32
  %v163 = add i32 0, 3
  %v164 = and i32 %v163, -4
  %v165 = getelementptr inbounds i8, ptr addrspace(3) getelementptr inbounds ([0 x i8], ptr addrspace(3) @__shared__, i32 0, i32 0), i32 %v164
  %v166 = bitcast ptr addrspace(3) %v165 to ptr addrspace(3)
  %v167 = mul i32 %v162, 4
  %v168 = add i32 %v164, %v167
  %v169 = sext i32 %v162 to i64
  %v170 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v171 = sdiv i32 %v170, 32
  %v172 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v173 = icmp eq i32 %v172, 0
  br i1 %v173, label %when92.body, label %when92.exit
when92.body:
  %v174 = getelementptr inbounds float, ptr addrspace(3) %v166, i32 %v171
  store volatile float %v160, ptr addrspace(3) %v174
  br label %when92.exit
when92.exit:
  tail call void @llvm.nvvm.barrier0()
  %v175 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %if94.entry
if94.entry:
  %v176 = icmp eq i32 %v175, 0
  br i1 %v176, label %if94.then, label %if94.else
if94.then:
  %v177 = add i32 %v1, 31
  %v178 = sdiv i32 %v177, 32
  br label %while96.entry
while96.entry:
  %v179 = icmp slt i32 1, %v178
  br i1 %v179, label %while96.top, label %while96.exit
while96.top:
  %v181 = phi nsz arcp contract afn reassoc float [ %v160, %while96.entry ], [ %v184, %while96.top ]
  %v180 = phi i32 [ 1, %while96.entry ], [ %v185, %while96.top ]
  %v182 = getelementptr inbounds float, ptr addrspace(3) %v166, i32 %v180
  %v183 = load volatile float, ptr addrspace(3) %v182
  %v184 = fadd nsz arcp contract afn reassoc float %v181, %v183
  %v185 = add i32 %v180, 1
  %v186 = icmp slt i32 %v185, %v178
  br i1 %v186, label %while96.top, label %while96.exit
while96.exit:
  %v188 = phi nsz arcp contract afn reassoc float [ %v160, %while96.entry ], [ %v184, %while96.top ]
  %v187 = phi i32 [ 1, %while96.entry ], [ %v185, %while96.top ]
  br label %if94.exit
if94.else:
  br label %if94.exit
if94.exit:
  %v189 = phi nsz arcp contract afn reassoc float [ %v188, %while96.exit ], [ %v160, %if94.else ]
  br label %if4.exit
if4.exit:
  %v190 = phi nsz arcp contract afn reassoc float [ %v82, %if32.exit ], [ %v189, %if94.exit ]
  %v191 = sext i32 %v16 to i64
  %v192 = add i64 %v10, %v191
  br label %while102.entry
while102.entry:
  %v193 = icmp slt i64 %v192, %v11
  br i1 %v193, label %while102.top, label %while102.exit
while102.top:
  %v195 = phi nsz arcp contract afn reassoc float [ %v190, %while102.entry ], [ %v382, %if206.exit ]
  %v194 = phi i64 [ %v192, %while102.entry ], [ %v383, %if206.exit ]
  tail call void @llvm.nvvm.barrier0()
  %v196 = sext i32 %v0 to i64
  %v197 = add i64 %v194, %v196
  %v198 = sub i64 %v11, %v194
  br label %if104.entry
if104.entry:
  %v199 = icmp sge i64 %v198, %v191
  br i1 %v199, label %if104.then, label %if104.else
if104.then:
  %v200 = getelementptr inbounds float, ptr %in.ad0, i64 %v197
  %v201 = load float, ptr %v200
  %v202 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v203 = sdiv i32 %v202, 32
  %v204 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v201, i32 1, i32 31)
  br label %if106.entry
if106.entry:
  %v205 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v206 = add i32 %v205, 1
  %v207 = icmp slt i32 %v206, 32
  br i1 %v207, label %if106.then, label %if106.else
if106.then:
  %v208 = fadd nsz arcp contract afn reassoc float %v201, %v204
  br label %if106.exit
if106.else:
  br label %if106.exit
if106.exit:
  %v209 = phi nsz arcp contract afn reassoc float [ %v208, %if106.then ], [ %v201, %if106.else ]
  %v210 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v209, i32 2, i32 31)
  br label %if110.entry
if110.entry:
  %v211 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v212 = add i32 %v211, 2
  %v213 = icmp slt i32 %v212, 32
  br i1 %v213, label %if110.then, label %if110.else
if110.then:
  %v214 = fadd nsz arcp contract afn reassoc float %v209, %v210
  br label %if110.exit
if110.else:
  br label %if110.exit
if110.exit:
  %v215 = phi nsz arcp contract afn reassoc float [ %v214, %if110.then ], [ %v209, %if110.else ]
  %v216 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v215, i32 4, i32 31)
  br label %if114.entry
if114.entry:
  %v217 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v218 = add i32 %v217, 4
  %v219 = icmp slt i32 %v218, 32
  br i1 %v219, label %if114.then, label %if114.else
if114.then:
  %v220 = fadd nsz arcp contract afn reassoc float %v215, %v216
  br label %if114.exit
if114.else:
  br label %if114.exit
if114.exit:
  %v221 = phi nsz arcp contract afn reassoc float [ %v220, %if114.then ], [ %v215, %if114.else ]
  %v222 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v221, i32 8, i32 31)
  br label %if118.entry
if118.entry:
  %v223 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v224 = add i32 %v223, 8
  %v225 = icmp slt i32 %v224, 32
  br i1 %v225, label %if118.then, label %if118.else
if118.then:
  %v226 = fadd nsz arcp contract afn reassoc float %v221, %v222
  br label %if118.exit
if118.else:
  br label %if118.exit
if118.exit:
  %v227 = phi nsz arcp contract afn reassoc float [ %v226, %if118.then ], [ %v221, %if118.else ]
  %v228 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v227, i32 16, i32 31)
  br label %if122.entry
if122.entry:
  %v229 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v230 = add i32 %v229, 16
  %v231 = icmp slt i32 %v230, 32
  br i1 %v231, label %if122.then, label %if122.else
if122.then:
  %v232 = fadd nsz arcp contract afn reassoc float %v227, %v228
  br label %if122.exit
if122.else:
  br label %if122.exit
if122.exit:
  %v233 = phi nsz arcp contract afn reassoc float [ %v232, %if122.then ], [ %v227, %if122.else ]
  %v234 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v233, i32 32, i32 31)
  br label %if126.entry
if126.entry:
  %v235 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v236 = add i32 %v235, 32
  %v237 = icmp slt i32 %v236, 32
  br i1 %v237, label %if126.then, label %if126.else
if126.then:
  %v238 = fadd nsz arcp contract afn reassoc float %v233, %v234
  br label %if126.exit
if126.else:
  br label %if126.exit
if126.exit:
  %v239 = phi nsz arcp contract afn reassoc float [ %v238, %if126.then ], [ %v233, %if126.else ]
  %v240 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v241 = sdiv i32 %v240, 32
  %v242 = add i32 0, 3
  %v243 = and i32 %v242, -4
  %v244 = getelementptr inbounds i8, ptr addrspace(3) getelementptr inbounds ([0 x i8], ptr addrspace(3) @__shared__, i32 0, i32 0), i32 %v243
  %v245 = bitcast ptr addrspace(3) %v244 to ptr addrspace(3)
  %v246 = mul i32 %v241, 4
  %v247 = add i32 %v243, %v246
  %v248 = sext i32 %v241 to i64
  %v249 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v250 = sdiv i32 %v249, 32
  %v251 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v252 = icmp eq i32 %v251, 0
  br i1 %v252, label %when130.body, label %when130.exit
when130.body:
  %v253 = getelementptr inbounds float, ptr addrspace(3) %v245, i32 %v250
  store volatile float %v239, ptr addrspace(3) %v253
  br label %when130.exit
when130.exit:
  tail call void @llvm.nvvm.barrier0()
  %v254 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %if132.entry
if132.entry:
  %v255 = icmp eq i32 %v254, 0
  br i1 %v255, label %if132.then, label %if132.else
if132.then:
  br label %while134.entry
while134.entry:
  %v256 = icmp slt i32 1, %v241
  br i1 %v256, label %while134.top, label %while134.exit
while134.top:
  %v258 = phi nsz arcp contract afn reassoc float [ %v239, %while134.entry ], [ %v261, %while134.top ]
  %v257 = phi i32 [ 1, %while134.entry ], [ %v262, %while134.top ]
  %v259 = getelementptr inbounds float, ptr addrspace(3) %v245, i32 %v257
  %v260 = load volatile float, ptr addrspace(3) %v259
  %v261 = fadd nsz arcp contract afn reassoc float %v258, %v260
  %v262 = add i32 %v257, 1
  %v263 = icmp slt i32 %v262, %v241
  br i1 %v263, label %while134.top, label %while134.exit
while134.exit:
  %v265 = phi nsz arcp contract afn reassoc float [ %v239, %while134.entry ], [ %v261, %while134.top ]
  %v264 = phi i32 [ 1, %while134.entry ], [ %v262, %while134.top ]
  br label %if132.exit
if132.else:
  br label %if132.exit
if132.exit:
  %v266 = phi nsz arcp contract afn reassoc float [ %v265, %while134.exit ], [ %v239, %if132.else ]
  br label %if104.exit
if104.else:
  br label %if140.entry
if140.entry:
  %v267 = icmp slt i64 %v197, %v11
  br i1 %v267, label %if140.then, label %if140.else
if140.then:
  %v268 = getelementptr inbounds float, ptr %in.ad0, i64 %v197
  %v269 = load float, ptr %v268
  br label %if140.exit
if140.else:
  br label %if140.exit
if140.exit:
  %v270 = phi nsz arcp contract afn reassoc float [ %v269, %if140.then ], [ undef, %if140.else ]
  %v271 = trunc i64 %v198 to i32
  %v272 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v273 = sdiv i32 %v272, 32
  %v274 = mul i32 %v273, 32
  %v275 = sub i32 %v271, %v274
  br label %if144.entry
if144.entry:
  %v276 = icmp sge i32 %v275, 32
  br i1 %v276, label %if144.then, label %if144.else
if144.then:
  %v277 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v270, i32 1, i32 31)
  br label %if146.entry
if146.entry:
  %v278 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v279 = add i32 %v278, 1
  %v280 = icmp slt i32 %v279, 32
  br i1 %v280, label %if146.then, label %if146.else
if146.then:
  %v281 = fadd nsz arcp contract afn reassoc float %v270, %v277
  br label %if146.exit
if146.else:
  br label %if146.exit
if146.exit:
  %v282 = phi nsz arcp contract afn reassoc float [ %v281, %if146.then ], [ %v270, %if146.else ]
  %v283 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v282, i32 2, i32 31)
  br label %if150.entry
if150.entry:
  %v284 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v285 = add i32 %v284, 2
  %v286 = icmp slt i32 %v285, 32
  br i1 %v286, label %if150.then, label %if150.else
if150.then:
  %v287 = fadd nsz arcp contract afn reassoc float %v282, %v283
  br label %if150.exit
if150.else:
  br label %if150.exit
if150.exit:
  %v288 = phi nsz arcp contract afn reassoc float [ %v287, %if150.then ], [ %v282, %if150.else ]
  %v289 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v288, i32 4, i32 31)
  br label %if154.entry
if154.entry:
  %v290 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v291 = add i32 %v290, 4
  %v292 = icmp slt i32 %v291, 32
  br i1 %v292, label %if154.then, label %if154.else
if154.then:
  %v293 = fadd nsz arcp contract afn reassoc float %v288, %v289
  br label %if154.exit
if154.else:
  br label %if154.exit
if154.exit:
  %v294 = phi nsz arcp contract afn reassoc float [ %v293, %if154.then ], [ %v288, %if154.else ]
  %v295 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v294, i32 8, i32 31)
  br label %if158.entry
if158.entry:
  %v296 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v297 = add i32 %v296, 8
  %v298 = icmp slt i32 %v297, 32
  br i1 %v298, label %if158.then, label %if158.else
if158.then:
  %v299 = fadd nsz arcp contract afn reassoc float %v294, %v295
  br label %if158.exit
if158.else:
  br label %if158.exit
if158.exit:
  %v300 = phi nsz arcp contract afn reassoc float [ %v299, %if158.then ], [ %v294, %if158.else ]
  %v301 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v300, i32 16, i32 31)
  br label %if162.entry
if162.entry:
  %v302 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v303 = add i32 %v302, 16
  %v304 = icmp slt i32 %v303, 32
  br i1 %v304, label %if162.then, label %if162.else
if162.then:
  %v305 = fadd nsz arcp contract afn reassoc float %v300, %v301
  br label %if162.exit
if162.else:
  br label %if162.exit
if162.exit:
  %v306 = phi nsz arcp contract afn reassoc float [ %v305, %if162.then ], [ %v300, %if162.else ]
  %v307 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v306, i32 32, i32 31)
  br label %if166.entry
if166.entry:
  %v308 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v309 = add i32 %v308, 32
  %v310 = icmp slt i32 %v309, 32
  br i1 %v310, label %if166.then, label %if166.else
if166.then:
  %v311 = fadd nsz arcp contract afn reassoc float %v306, %v307
  br label %if166.exit
if166.else:
  br label %if166.exit
if166.exit:
  %v312 = phi nsz arcp contract afn reassoc float [ %v311, %if166.then ], [ %v306, %if166.else ]
  br label %if144.exit
if144.else:
  %v313 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v270, i32 1, i32 31)
  br label %if171.entry
if171.entry:
  %v314 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v315 = add i32 %v314, 1
  %v316 = icmp slt i32 %v315, %v275
  br i1 %v316, label %if171.then, label %if171.else
if171.then:
  %v317 = fadd nsz arcp contract afn reassoc float %v270, %v313
  br label %if171.exit
if171.else:
  br label %if171.exit
if171.exit:
  %v318 = phi nsz arcp contract afn reassoc float [ %v317, %if171.then ], [ %v270, %if171.else ]
  %v319 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v318, i32 2, i32 31)
  br label %if175.entry
if175.entry:
  %v320 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v321 = add i32 %v320, 2
  %v322 = icmp slt i32 %v321, %v275
  br i1 %v322, label %if175.then, label %if175.else
if175.then:
  %v323 = fadd nsz arcp contract afn reassoc float %v318, %v319
  br label %if175.exit
if175.else:
  br label %if175.exit
if175.exit:
  %v324 = phi nsz arcp contract afn reassoc float [ %v323, %if175.then ], [ %v318, %if175.else ]
  %v325 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v324, i32 4, i32 31)
  br label %if179.entry
if179.entry:
  %v326 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v327 = add i32 %v326, 4
  %v328 = icmp slt i32 %v327, %v275
  br i1 %v328, label %if179.then, label %if179.else
if179.then:
  %v329 = fadd nsz arcp contract afn reassoc float %v324, %v325
  br label %if179.exit
if179.else:
  br label %if179.exit
if179.exit:
  %v330 = phi nsz arcp contract afn reassoc float [ %v329, %if179.then ], [ %v324, %if179.else ]
  %v331 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v330, i32 8, i32 31)
  br label %if183.entry
if183.entry:
  %v332 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v333 = add i32 %v332, 8
  %v334 = icmp slt i32 %v333, %v275
  br i1 %v334, label %if183.then, label %if183.else
if183.then:
  %v335 = fadd nsz arcp contract afn reassoc float %v330, %v331
  br label %if183.exit
if183.else:
  br label %if183.exit
if183.exit:
  %v336 = phi nsz arcp contract afn reassoc float [ %v335, %if183.then ], [ %v330, %if183.else ]
  %v337 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v336, i32 16, i32 31)
  br label %if187.entry
if187.entry:
  %v338 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v339 = add i32 %v338, 16
  %v340 = icmp slt i32 %v339, %v275
  br i1 %v340, label %if187.then, label %if187.else
if187.then:
  %v341 = fadd nsz arcp contract afn reassoc float %v336, %v337
  br label %if187.exit
if187.else:
  br label %if187.exit
if187.exit:
  %v342 = phi nsz arcp contract afn reassoc float [ %v341, %if187.then ], [ %v336, %if187.else ]
  %v343 = tail call nsz arcp contract afn reassoc float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v342, i32 32, i32 31)
  br label %if191.entry
if191.entry:
  %v344 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v345 = add i32 %v344, 32
  %v346 = icmp slt i32 %v345, %v275
  br i1 %v346, label %if191.then, label %if191.else
if191.then:
  %v347 = fadd nsz arcp contract afn reassoc float %v342, %v343
  br label %if191.exit
if191.else:
  br label %if191.exit
if191.exit:
  %v348 = phi nsz arcp contract afn reassoc float [ %v347, %if191.then ], [ %v342, %if191.else ]
  br label %if144.exit
if144.exit:
  %v349 = phi nsz arcp contract afn reassoc float [ %v312, %if166.exit ], [ %v348, %if191.exit ]
  %v350 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v351 = sdiv i32 %v350, 32
  %v352 = add i32 0, 3
  %v353 = and i32 %v352, -4
  %v354 = getelementptr inbounds i8, ptr addrspace(3) getelementptr inbounds ([0 x i8], ptr addrspace(3) @__shared__, i32 0, i32 0), i32 %v353
  %v355 = bitcast ptr addrspace(3) %v354 to ptr addrspace(3)
  %v356 = mul i32 %v351, 4
  %v357 = add i32 %v353, %v356
  %v358 = sext i32 %v351 to i64
  %v359 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v360 = sdiv i32 %v359, 32
  %v361 = tail call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v362 = icmp eq i32 %v361, 0
  br i1 %v362, label %when196.body, label %when196.exit
when196.body:
  %v363 = getelementptr inbounds float, ptr addrspace(3) %v355, i32 %v360
  store volatile float %v349, ptr addrspace(3) %v363
  br label %when196.exit
when196.exit:
  tail call void @llvm.nvvm.barrier0()
  %v364 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %if198.entry
if198.entry:
  %v365 = icmp eq i32 %v364, 0
  br i1 %v365, label %if198.then, label %if198.else
if198.then:
  %v366 = add i32 %v271, 31
  %v367 = sdiv i32 %v366, 32
  br label %while200.entry
while200.entry:
  %v368 = icmp slt i32 1, %v367
  br i1 %v368, label %while200.top, label %while200.exit
while200.top:
  %v370 = phi nsz arcp contract afn reassoc float [ %v349, %while200.entry ], [ %v373, %while200.top ]
  %v369 = phi i32 [ 1, %while200.entry ], [ %v374, %while200.top ]
  %v371 = getelementptr inbounds float, ptr addrspace(3) %v355, i32 %v369
  %v372 = load volatile float, ptr addrspace(3) %v371
  %v373 = fadd nsz arcp contract afn reassoc float %v370, %v372
  %v374 = add i32 %v369, 1
  %v375 = icmp slt i32 %v374, %v367
  br i1 %v375, label %while200.top, label %while200.exit
while200.exit:
  %v377 = phi nsz arcp contract afn reassoc float [ %v349, %while200.entry ], [ %v373, %while200.top ]
  %v376 = phi i32 [ 1, %while200.entry ], [ %v374, %while200.top ]
  br label %if198.exit
if198.else:
  br label %if198.exit
if198.exit:
  %v378 = phi nsz arcp contract afn reassoc float [ %v377, %while200.exit ], [ %v349, %if198.else ]
  br label %if104.exit
if104.exit:
  %v379 = phi nsz arcp contract afn reassoc float [ %v266, %if132.exit ], [ %v378, %if198.exit ]
  br label %if206.entry
if206.entry:
  %v380 = icmp eq i32 %v0, 0
  br i1 %v380, label %if206.then, label %if206.else
if206.then:
  %v381 = fadd nsz arcp contract afn reassoc float %v195, %v379
  br label %if206.exit
if206.else:
  br label %if206.exit
if206.exit:
  %v382 = phi nsz arcp contract afn reassoc float [ %v381, %if206.then ], [ %v379, %if206.else ]
  %v383 = add i64 %v194, %v191
  %v384 = icmp slt i64 %v383, %v11
  br i1 %v384, label %while102.top, label %while102.exit
while102.exit:
  %v386 = phi nsz arcp contract afn reassoc float [ %v190, %while102.entry ], [ %v382, %if206.exit ]
  %v385 = phi i64 [ %v192, %while102.entry ], [ %v383, %if206.exit ]
  %v387 = icmp eq i32 %v0, 0
  br i1 %v387, label %when211.body, label %when211.exit
when211.body:
  %v388 = fadd nsz arcp contract afn reassoc float 0x0, %v386
  %v389 = getelementptr inbounds float, ptr %out.ad0, i64 %v9
  store float %v388, ptr %v389
  br label %when211.exit
when211.exit:
  %v390 = add i64 %v9, %v6
  %v391 = icmp slt i64 %v390, %out.sh0
  br i1 %v391, label %while2.top, label %while2.exit
while2.exit:
  %v392 = phi i64 [ %v7, %while2.entry ], [ %v390, %when211.exit ]
  br label %when1.exit
when1.exit:
  ret void
}
define private void @accprelude_nanosleep(i32 noundef %0) alwaysinline convergent nounwind {
  tail call void asm sideeffect "nanosleep.u32 $0;", "r"(i32 %0)
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @fold, !"kernel", i32 1}
