! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Arrays of one common block follow one another in memory. Another array than the one written is further away than the
! loops are long, however small the arrays are.
! REQUIRES: flang
! RUN: %flang -O2 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not="remark: {{.*}}not offloaded" %s

! CHECK: fortran-common.f90:[[@LINE+4]]:{{[0-9]+}}: remark: 2-D stencil of radius 0, 1 cells read, f32, runs on a GPU
subroutine back
   common /fields/ u(50, 40), v(50, 40)
   do j = 2, 39
      do i = 2, 49
         u(i, j) = v(i, j)
      end do
   end do
end subroutine

! CHECK: fortran-common.f90:[[@LINE+3]]:{{[0-9]+}}: remark: 1-D {{.*}}runs on a GPU
subroutine edges
   common /fields/ u(50, 40), v(50, 40)
   do i = 1, 50
      v(i, 1) = v(i, 2)
      v(i, 40) = v(i, 39)
   end do
end subroutine
