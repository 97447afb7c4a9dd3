; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What the code generators of accelerate-llvm-ptx 1.4 (commit c71218fe) write for these computations:
; printed by them, for sm_90, without a GPU. LLVM 16, 19 and 22 get the same text. Here hashes are cut
; from the names of kernels, and temporaries are named v.
;
;   blur_inside     stencil blur5 clamp x     the mean of 5 x 5 cells, of Double
; types: double
; blur_inside: rows:i64=ny columns:i64=nx b[(nx+4)*(ny+4)] h:i64=ny+4 w:i64=nx+4 a[(nx+4)*(ny+4)] h:i64=ny+4 w:i64=nx+4; threads nx*ny/2
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() nounwind readnone
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() nounwind readnone
define void @blur_inside(i64 %shInside1, i64 %shInside0, ptr %out.ad0, i64 %out.sh1, i64 %out.sh0, ptr %in.ad0, i64 %in.sh1, i64 %in.sh0) {
entry:
  %v0 = mul i64 %shInside1, %shInside0
  %v1 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %v2 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = mul i32 %v1, %v2
  %v4 = sext i32 %v3 to i64
  %v5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v8 = mul i32 %v5, %v6
  %v9 = add i32 %v7, %v8
  %v10 = sext i32 %v9 to i64
  %v11 = add i64 %v10, 0
  br label %while1.entry
while1.entry:
  %v12 = icmp slt i64 %v11, %v0
  br i1 %v12, label %while1.top, label %while1.exit
while1.top:
  %v13 = phi i64 [ %v11, %while1.entry ], [ %v187, %while1.top ]
  %v14 = sdiv i64 %v13, %shInside0
  %v15 = srem i64 %v13, %shInside0
  %v16 = sdiv i64 %v14, %shInside1
  %v17 = add i64 %v15, 2
  %v18 = add i64 %v14, 2
  %v19 = add i64 %v17, -2
  %v20 = add i64 %v18, -2
  %v21 = mul i64 %v20, %in.sh0
  %v22 = add i64 %v21, %v19
  %v23 = getelementptr inbounds double, ptr %in.ad0, i64 %v22
  %v24 = load double, ptr %v23
  %v25 = add i64 %v17, -1
  %v26 = add i64 %v18, -2
  %v27 = mul i64 %v26, %in.sh0
  %v28 = add i64 %v27, %v25
  %v29 = getelementptr inbounds double, ptr %in.ad0, i64 %v28
  %v30 = load double, ptr %v29
  %v31 = add i64 %v18, -2
  %v32 = mul i64 %v31, %in.sh0
  %v33 = add i64 %v32, %v17
  %v34 = getelementptr inbounds double, ptr %in.ad0, i64 %v33
  %v35 = load double, ptr %v34
  %v36 = add i64 %v17, 1
  %v37 = add i64 %v18, -2
  %v38 = mul i64 %v37, %in.sh0
  %v39 = add i64 %v38, %v36
  %v40 = getelementptr inbounds double, ptr %in.ad0, i64 %v39
  %v41 = load double, ptr %v40
  %v42 = add i64 %v17, 2
  %v43 = add i64 %v18, -2
  %v44 = mul i64 %v43, %in.sh0
  %v45 = add i64 %v44, %v42
  %v46 = getelementptr inbounds double, ptr %in.ad0, i64 %v45
  %v47 = load double, ptr %v46
  %v48 = add i64 %v17, -2
  %v49 = add i64 %v18, -1
  %v50 = mul i64 %v49, %in.sh0
  %v51 = add i64 %v50, %v48
  %v52 = getelementptr inbounds double, ptr %in.ad0, i64 %v51
  %v53 = load double, ptr %v52
  %v54 = add i64 %v17, -1
  %v55 = add i64 %v18, -1
  %v56 = mul i64 %v55, %in.sh0
  %v57 = add i64 %v56, %v54
  %v58 = getelementptr inbounds double, ptr %in.ad0, i64 %v57
  %v59 = load double, ptr %v58
  %v60 = add i64 %v18, -1
  %v61 = mul i64 %v60, %in.sh0
  %v62 = add i64 %v61, %v17
  %v63 = getelementptr inbounds double, ptr %in.ad0, i64 %v62
  %v64 = load double, ptr %v63
  %v65 = add i64 %v17, 1
  %v66 = add i64 %v18, -1
  %v67 = mul i64 %v66, %in.sh0
  %v68 = add i64 %v67, %v65
  %v69 = getelementptr inbounds double, ptr %in.ad0, i64 %v68
  %v70 = load double, ptr %v69
  %v71 = add i64 %v17, 2
  %v72 = add i64 %v18, -1
  %v73 = mul i64 %v72, %in.sh0
  %v74 = add i64 %v73, %v71
  %v75 = getelementptr inbounds double, ptr %in.ad0, i64 %v74
  %v76 = load double, ptr %v75
  %v77 = add i64 %v17, -2
  %v78 = mul i64 %v18, %in.sh0
  %v79 = add i64 %v78, %v77
  %v80 = getelementptr inbounds double, ptr %in.ad0, i64 %v79
  %v81 = load double, ptr %v80
  %v82 = add i64 %v17, -1
  %v83 = mul i64 %v18, %in.sh0
  %v84 = add i64 %v83, %v82
  %v85 = getelementptr inbounds double, ptr %in.ad0, i64 %v84
  %v86 = load double, ptr %v85
  %v87 = mul i64 %v18, %in.sh0
  %v88 = add i64 %v87, %v17
  %v89 = getelementptr inbounds double, ptr %in.ad0, i64 %v88
  %v90 = load double, ptr %v89
  %v91 = add i64 %v17, 1
  %v92 = mul i64 %v18, %in.sh0
  %v93 = add i64 %v92, %v91
  %v94 = getelementptr inbounds double, ptr %in.ad0, i64 %v93
  %v95 = load double, ptr %v94
  %v96 = add i64 %v17, 2
  %v97 = mul i64 %v18, %in.sh0
  %v98 = add i64 %v97, %v96
  %v99 = getelementptr inbounds double, ptr %in.ad0, i64 %v98
  %v100 = load double, ptr %v99
  %v101 = add i64 %v17, -2
  %v102 = add i64 %v18, 1
  %v103 = mul i64 %v102, %in.sh0
  %v104 = add i64 %v103, %v101
  %v105 = getelementptr inbounds double, ptr %in.ad0, i64 %v104
  %v106 = load double, ptr %v105
  %v107 = add i64 %v17, -1
  %v108 = add i64 %v18, 1
  %v109 = mul i64 %v108, %in.sh0
  %v110 = add i64 %v109, %v107
  %v111 = getelementptr inbounds double, ptr %in.ad0, i64 %v110
  %v112 = load double, ptr %v111
  %v113 = add i64 %v18, 1
  %v114 = mul i64 %v113, %in.sh0
  %v115 = add i64 %v114, %v17
  %v116 = getelementptr inbounds double, ptr %in.ad0, i64 %v115
  %v117 = load double, ptr %v116
  %v118 = add i64 %v17, 1
  %v119 = add i64 %v18, 1
  %v120 = mul i64 %v119, %in.sh0
  %v121 = add i64 %v120, %v118
  %v122 = getelementptr inbounds double, ptr %in.ad0, i64 %v121
  %v123 = load double, ptr %v122
  %v124 = add i64 %v17, 2
  %v125 = add i64 %v18, 1
  %v126 = mul i64 %v125, %in.sh0
  %v127 = add i64 %v126, %v124
  %v128 = getelementptr inbounds double, ptr %in.ad0, i64 %v127
  %v129 = load double, ptr %v128
  %v130 = add i64 %v17, -2
  %v131 = add i64 %v18, 2
  %v132 = mul i64 %v131, %in.sh0
  %v133 = add i64 %v132, %v130
  %v134 = getelementptr inbounds double, ptr %in.ad0, i64 %v133
  %v135 = load double, ptr %v134
  %v136 = add i64 %v17, -1
  %v137 = add i64 %v18, 2
  %v138 = mul i64 %v137, %in.sh0
  %v139 = add i64 %v138, %v136
  %v140 = getelementptr inbounds double, ptr %in.ad0, i64 %v139
  %v141 = load double, ptr %v140
  %v142 = add i64 %v18, 2
  %v143 = mul i64 %v142, %in.sh0
  %v144 = add i64 %v143, %v17
  %v145 = getelementptr inbounds double, ptr %in.ad0, i64 %v144
  %v146 = load double, ptr %v145
  %v147 = add i64 %v17, 1
  %v148 = add i64 %v18, 2
  %v149 = mul i64 %v148, %in.sh0
  %v150 = add i64 %v149, %v147
  %v151 = getelementptr inbounds double, ptr %in.ad0, i64 %v150
  %v152 = load double, ptr %v151
  %v153 = add i64 %v17, 2
  %v154 = add i64 %v18, 2
  %v155 = mul i64 %v154, %in.sh0
  %v156 = add i64 %v155, %v153
  %v157 = getelementptr inbounds double, ptr %in.ad0, i64 %v156
  %v158 = load double, ptr %v157
  %v159 = fadd nsz arcp contract afn reassoc double %v24, %v30
  %v160 = fadd nsz arcp contract afn reassoc double %v159, %v35
  %v161 = fadd nsz arcp contract afn reassoc double %v160, %v41
  %v162 = fadd nsz arcp contract afn reassoc double %v161, %v47
  %v163 = fadd nsz arcp contract afn reassoc double %v162, %v53
  %v164 = fadd nsz arcp contract afn reassoc double %v163, %v59
  %v165 = fadd nsz arcp contract afn reassoc double %v164, %v64
  %v166 = fadd nsz arcp contract afn reassoc double %v165, %v70
  %v167 = fadd nsz arcp contract afn reassoc double %v166, %v76
  %v168 = fadd nsz arcp contract afn reassoc double %v167, %v81
  %v169 = fadd nsz arcp contract afn reassoc double %v168, %v86
  %v170 = fadd nsz arcp contract afn reassoc double %v169, %v90
  %v171 = fadd nsz arcp contract afn reassoc double %v170, %v95
  %v172 = fadd nsz arcp contract afn reassoc double %v171, %v100
  %v173 = fadd nsz arcp contract afn reassoc double %v172, %v106
  %v174 = fadd nsz arcp contract afn reassoc double %v173, %v112
  %v175 = fadd nsz arcp contract afn reassoc double %v174, %v117
  %v176 = fadd nsz arcp contract afn reassoc double %v175, %v123
  %v177 = fadd nsz arcp contract afn reassoc double %v176, %v129
  %v178 = fadd nsz arcp contract afn reassoc double %v177, %v135
  %v179 = fadd nsz arcp contract afn reassoc double %v178, %v141
  %v180 = fadd nsz arcp contract afn reassoc double %v179, %v146
  %v181 = fadd nsz arcp contract afn reassoc double %v180, %v152
  %v182 = fadd nsz arcp contract afn reassoc double %v181, %v158
  %v183 = fmul nsz arcp contract afn reassoc double 4.0e-2, %v182
  %v184 = mul i64 %v18, %out.sh0
  %v185 = add i64 %v184, %v17
  %v186 = getelementptr inbounds double, ptr %out.ad0, i64 %v185
  store double %v183, ptr %v186
  %v187 = add i64 %v13, %v4
  %v188 = icmp slt i64 %v187, %v0
  br i1 %v188, label %while1.top, label %while1.exit
while1.exit:
  %v189 = phi i64 [ %v11, %while1.entry ], [ %v187, %while1.top ]
  ret void
}
define private void @accprelude_nanosleep(i32 noundef %0) alwaysinline convergent nounwind {
  tail call void asm sideeffect "nanosleep.u32 $0;", "r"(i32 %0)
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @blur_inside, !"kernel", i32 1}
