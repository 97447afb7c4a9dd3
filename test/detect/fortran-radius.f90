! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The remark tells half of what is read as the radius where nothing says how two arrays lie to each other.
! REQUIRES: flang
! RUN: %flang -O2 -fpass-plugin=%plugin -Rpass=stencil -c %s -o %t.o 2>&1 | FileCheck %s
! CHECK: fortran-radius.f90:[[#@LINE+6]]:{{.*}} 2-D stencil of radius 1, 4 cells read,
subroutine sweep(x, y, n)
  real(8), allocatable, intent(inout) :: x(:,:), y(:,:)
  integer, intent(in) :: n
  integer :: i, j
  do j = 3, n-2
    do i = 3, n-2
      y(i,j) = 0.25d0*(x(i-1,j) + x(i+1,j) + x(i,j-1) + x(i,j+1))
    end do
  end do
end subroutine
