! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
program sweep
  implicit none
  integer, parameter :: n = 64
  real, allocatable :: a(:,:), b(:,:)
  integer :: t
  allocate(a(n, n), b(n, n))
  call random_init(.true., .true.)
  call random_number(a)
  b = a
  do t = 1, 10
    call step(n, a, b)
    call step(n, b, a)
  end do
  print '(Z8.8)', transfer(a(n/2, n/2), 0), transfer(a(2, 3), 0), transfer(sum(a), 0)
contains
  subroutine step(n, from, to)
    integer, intent(in) :: n
    real, intent(in) :: from(n, n)
    real, intent(inout) :: to(n, n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        to(i, j) = 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1))
      end do
    end do
  end subroutine
end program
