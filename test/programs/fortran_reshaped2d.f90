! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Allocatable arrays, of which `a = b` makes one as large as the other, by a column, in the first step.
! UNALLOCATED: a is not even allocated, and the sweep reads another one.
subroutine grow(n, m, steps, x) bind(c)
   use iso_c_binding
   implicit none
   integer(c_int), value :: n, m, steps
   real(KIND), intent(inout) :: x(n, m)
   real(KIND), allocatable :: a(:, :), b(:, :)
   integer :: i, j, t

   allocate (a(n, m), b(n, m + 1))
   a = x
   b(:, 1:m) = x
   b(:, m + 1) = 1
#if defined UNALLOCATED
   deallocate (a)
#endif
   do t = 1, steps
      do j = 2, m - 1
         do i = 2, n - 1
#if defined UNALLOCATED
            b(i, j) = 0.5_KIND*(x(i - 1, j) + x(i + 1, j)) + t
#else
            b(i, j) = 0.25_KIND*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)) + t
#endif
         end do
      end do
      a = b
   end do
   if (steps > 0) x = a(:, 1:m)*size(a, 2)
end subroutine
