! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A plate whose time loop ends when the greatest change is small, by maxval of an array of changes. PART: of the inner
! cells alone. SPOIL: a cell is no number.
subroutine settle(n, m, steps, a, b, c, out) bind(c)
   use iso_c_binding
   implicit none
   integer(c_int), value :: n, m, steps
   real(KIND), intent(inout) :: a(n, m), b(n, m), c(n, m), out(2)
   real(KIND) :: found
   integer :: i, j, t
   found = 0
   if (n < 1 .or. m < 1) return
#if defined SPOIL
   a((n + 1)/2, m) = sqrt(-1 - abs(a(1, 1)))
#endif
   do t = 1, steps
      do j = 2, m - 1
         do i = 2, n - 1
            b(i, j) = 0.25_KIND*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
         end do
      end do
      c = abs(b - a)
#if defined PART
      found = maxval(c(2:n - 1, 2:m - 1))
#else
      found = maxval(c)
#endif
      a(2:n - 1, 2:m - 1) = b(2:n - 1, 2:m - 1)
      if (found < 0.2_KIND) exit
   end do
   out = [found, real(t, KIND)]
end subroutine
