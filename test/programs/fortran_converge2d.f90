! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A plate that is updated until its greatest change is small, as `do while` or, with EXIT, as a loop that is left.
! MAXVAL: the change is the maximum of an array expression, which takes a temporary array. WHOLE: all of the array is
! copied back.
subroutine relax(n, m, most_steps, a, b, change, steps) bind(c)
   use iso_c_binding
   implicit none
   integer(c_int), value :: n, m, most_steps
   real(KIND), intent(inout) :: a(n, m), b(n, m)
   real(KIND), intent(out) :: change
   integer(c_int), intent(out) :: steps
   real(KIND), parameter :: tolerance = 0.05_KIND
#if !defined MAXVAL
   integer :: i, j
#endif

   change = 1000
   steps = 0
#if defined EXIT
   do while (steps < most_steps)
#else
   do while (change >= tolerance .and. steps < most_steps)
#endif
#if defined MAXVAL
      b(2:n - 1, 2:m - 1) = 0.25_KIND*(a(1:n - 2, 2:m - 1) + a(3:n, 2:m - 1) + a(2:n - 1, 1:m - 2) + a(2:n - 1, 3:m))
      change = maxval(abs(b(2:n - 1, 2:m - 1) - a(2:n - 1, 2:m - 1)))
#else
      change = 0
      do j = 2, m - 1
         do i = 2, n - 1
            b(i, j) = 0.25_KIND*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
            change = max(change, abs(b(i, j) - a(i, j)))
         end do
      end do
#endif
#if defined WHOLE
      a = b
#else
      a(2:n - 1, 2:m - 1) = b(2:n - 1, 2:m - 1)
#endif
      steps = steps + 1
#if defined EXIT
      if (change < tolerance) exit
#endif
   end do
end subroutine
