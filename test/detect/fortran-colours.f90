! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Red and black cells in Fortran: rows count their iterations down, and beside them edges are set. All run in one region.
! REQUIRES: flang
! RUN: %flang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: %flang -O3 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck %s

subroutine edges(n, m, steps, u, w)
   integer :: n, m, steps, i, j, c, t
   real(8) :: u(n, m), w
   ! CHECK: fortran-colours.f90:{{[0-9]+}}:{{[0-9]+}}: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one
   do t = 1, steps
      do c = 0, 1
         do j = 2, m - 1
            do i = 2 + mod(j + c, 2), n - 1, 2
               u(i, j) = (1 - w)*u(i, j) + w*0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
            end do
         end do
      end do
      do j = 1, m
         u(1, j) = u(2, j)
         u(n, j) = u(n - 1, j)
      end do
      do i = 1, n
         u(i, 1) = u(i, 2)
         u(i, m) = u(i, m - 1)
      end do
   end do
end subroutine

subroutine constant(steps, u)
   integer, parameter :: n = 64
   integer :: steps, i, j, t
   real(8) :: u(n, n)
   ! CHECK: fortran-colours.f90:{{[0-9]+}}:{{[0-9]+}}: remark: 2-D time loop of 3 sweeps runs on a GPU where there is one
   do t = 1, steps
      do j = 2, n - 1
         do i = 2 + mod(j, 2), n - 1, 2
            u(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
         end do
      end do
      do j = 2, n - 1
         do i = 2 + mod(j + 1, 2), n - 1, 2
            u(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
         end do
      end do
      do j = 1, n
         u(1, j) = u(2, j)
      end do
   end do
end subroutine
