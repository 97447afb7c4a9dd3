! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A time loop that calls a step of arrays that a module owns. In which order edges are copied depends on the arrays'
! descriptors. Stores to elements and assignments of whole arrays change no other variable if the arrays are allocatable.
! The program tests that: attribute 2, a type of 1 to 28.
! REQUIRES: flang
! RUN: rm -rf %t && mkdir %t && %flang -O2 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -module-dir %t -o %t.o 2>&1 | FileCheck %s
! RUN: %flang -O2 -ffp-contract=off -fpass-plugin=%plugin -S -emit-llvm %s -module-dir %t -o - | FileCheck --check-prefix=IR %s
module plates
   integer :: n, m
   real(8) :: rate
   real(8), allocatable :: a(:, :), b(:, :)
contains

   subroutine step
      integer :: i, j
      do j = 2, m - 1
         do i = 2, n - 1
            b(i, j) = a(i, j) + rate*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4*a(i, j))
         end do
      end do
      b(1, :) = b(2, :)
      b(n, :) = b(n - 1, :)
      b(:, 1) = b(:, 2)
      a = b
   end subroutine

   ! IR-LABEL: define {{.*}}@_QMplatesPheat(
   ! IR-DAG: load i8, ptr getelementptr inbounds nuw (i8, ptr @_QMplatesEb, i64 22)
   ! IR-DAG: load i8, ptr getelementptr inbounds nuw (i8, ptr @_QMplatesEb, i64 21)
   ! IR-DAG: load i8, ptr getelementptr inbounds nuw (i8, ptr @_QMplatesEa, i64 22)
   subroutine heat(steps)
      integer, intent(in) :: steps
      integer :: t
      ! CHECK: fortran-module.f90:[[@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 5 sweeps runs on a GPU
      do t = 1, steps
         call step
      end do
   end subroutine
end module
