! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A plate that is updated until its greatest change is small, as `do while` or, with EXIT, as a loop that is left.
! WHOLE: all of the array is copied back.
subroutine relax(n, m, most_steps, a, b, change, steps) bind(c)
   use iso_c_binding
   implicit none
   integer(c_int), value :: n, m, most_steps
   real(KIND), intent(inout) :: a(n, m), b(n, m)
   real(KIND), intent(out) :: change
   integer(c_int), intent(out) :: steps
   real(KIND), parameter :: tolerance = 0.05_KIND
   real(KIND) :: greatest
   integer :: i, j, t

   greatest = 1000
   t = 0
#if defined EXIT
   do t = 1, most_steps
#else
   do while (greatest >= tolerance .and. t < most_steps)
#endif
      greatest = 0
      do j = 2, m - 1
         do i = 2, n - 1
            b(i, j) = 0.25_KIND*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
            greatest = max(greatest, abs(b(i, j) - a(i, j)))
         end do
      end do
#if defined WHOLE
      a = b
#else
      a(2:n - 1, 2:m - 1) = b(2:n - 1, 2:m - 1)
#endif
#if defined EXIT
      if (greatest < tolerance) exit
#else
      t = t + 1
#endif
   end do
   change = greatest
   steps = t
end subroutine
