! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! An array that is assigned an expression of itself: all of that is computed first, into a temporary array. WAVE: the
! new step of a wave, by statements of whole arrays.
subroutine evolve(n, m, steps, a, before) bind(c)
   use iso_c_binding
   implicit none
   integer(c_int), value :: n, m, steps
   real(KIND), intent(inout) :: a(n, m), before(n, m)
   integer :: t
#if defined WAVE
   real(KIND) :: next(n, m)
   next = 0
#endif
   do t = 1, steps
#if defined WAVE
      next(2:n - 1, 2:m - 1) = 2*a(2:n - 1, 2:m - 1) - before(2:n - 1, 2:m - 1) + 0.2_KIND*( &
                               a(1:n - 2, 2:m - 1) + a(3:n, 2:m - 1) + a(2:n - 1, 1:m - 2) + a(2:n - 1, 3:m) &
                               - 4*a(2:n - 1, 2:m - 1))
      before = a
      a = next
#else
      a(2:n - 1, 2:m - 1) = a(2:n - 1, 2:m - 1) + 0.1_KIND*( &
                            a(1:n - 2, 2:m - 1) + a(3:n, 2:m - 1) + a(2:n - 1, 1:m - 2) + a(2:n - 1, 3:m) &
                            - 4*a(2:n - 1, 2:m - 1))
#endif
   end do
end subroutine
