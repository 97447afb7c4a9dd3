! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Arrays of one common block follow one another in memory. Another array than the one written is further away than the
! loops are long, however small the arrays are.
! REQUIRES: flang
! RUN: rm -rf %t && mkdir %t && %flang -O2 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t/o.o 2>&1 | FileCheck --implicit-check-not="remark: {{.*}}not offloaded" %s

! A whole array. The trip counts are constants.
! CHECK: fortran-common.f:[[@LINE+4]]:{{[0-9]+}}: remark: 2-D stencil of radius 0, 1 cells read, f32, runs on a GPU
      subroutine back
      common /fields/ u(50, 40), v(50, 40)
      do 10 j = 2, 39
      do 10 i = 2, 49
   10 u(i, j) = v(i, j)
      end

! Two rows of one array, 40 rows of 50 cells.
! CHECK: fortran-common.f:[[@LINE+3]]:{{[0-9]+}}: remark: 1-D {{.*}}runs on a GPU
      subroutine edges
      common /fields/ u(50, 40), v(50, 40)
      do 20 i = 1, 50
      v(i, 1) = v(i, 2)
   20 v(i, 40) = v(i, 39)
      end
