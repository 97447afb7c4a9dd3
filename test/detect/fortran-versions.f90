! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! At -O3 flang makes a version of a loop for arrays without gaps, in which it divides the distance of a row by the size of
! an element. The whole time loop is taken in that version.
! REQUIRES: flang
! RUN: rm -rf %t && mkdir %t && %flang -O3 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -module-dir %t -o %t.o 2>&1 | FileCheck --implicit-check-not="remark: {{.*}}not offloaded" %s
! RUN: %flang -O3 -ffp-contract=off -fpass-plugin=%plugin -S -emit-llvm %s -module-dir %t -o - | FileCheck --check-prefix=IR %s
module fields
contains
   ! CHECK: fortran-versions.f90:[[@LINE+10]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: one sweep a call
   ! Each row must have a multiple of 8 bytes, and not too many.
   ! IR-LABEL: define {{.*}}@_QMfieldsPonce(
   ! IR: and i64 %{{.*}}, 7
   ! IR: icmp u{{l[et]}} i64 %{{.*}}, 53687091{{[23]}}
   subroutine once(a, b)
      real(8), intent(in) :: a(:, :)
      real(8), intent(inout) :: b(:, :)
      integer :: i, j
      do j = 2, size(a, 2) - 1
         do i = 2, size(a, 1) - 1
            b(i, j) = 0.25d0*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
         end do
      end do
   end subroutine

   ! CHECK: fortran-versions.f90:{{[0-9]+}}:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU
   subroutine steps(a, b, count)
      real(4), intent(inout) :: a(:, :), b(:, :)
      integer, intent(in) :: count
      integer :: i, j, k
      do k = 1, count
         do j = 2, size(a, 2) - 1
            do i = 2, size(a, 1) - 1
               b(i, j) = 0.25*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
            end do
         end do
         do j = 2, size(a, 2) - 1
            do i = 2, size(a, 1) - 1
               a(i, j) = 0.25*(b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1))
            end do
         end do
      end do
   end subroutine
end module
