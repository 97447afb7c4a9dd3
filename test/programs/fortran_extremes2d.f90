! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The greatest and the least value of an array, of a part of it and of an expression. FIRST, LATER: the first cell, or
! another one, is no number; ALL: none is. ZEROS: zeros of both signs.
subroutine extremes(n, m, a, b, found) bind(c)
   use iso_c_binding
   implicit none
   integer(c_int), value :: n, m
   real(KIND), intent(inout) :: a(n, m), b(n, m), found(4)
#if defined FIRST
   a(1, 1) = sqrt(-1 - abs(a(1, 1)))
#elif defined LATER
   a((n + 1)/2, m) = sqrt(-1 - abs(a(1, 1)))
#elif defined ALL
   a = sqrt(-1 - abs(a))
#elif defined ZEROS
   a = -abs(a)
   a(n, 1) = 0
   a(1, m) = -a(n, 1)
#endif
   found(1) = maxval(a)
   found(2) = minval(a)
   found(3) = maxval(abs(a - b))
   if (n > 2 .and. m > 2) found(4) = minval(b(2:n - 1, 2:m - 1))
end subroutine
