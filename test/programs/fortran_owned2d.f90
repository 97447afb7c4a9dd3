! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Heat in a plate whose arrays a module owns, as models in Fortran have them: a subroutine makes the step, assigns the
! edges as sections and the whole array. POINTERS: the arrays are pointers, so that what they point to may be anywhere.
module plates
   use iso_c_binding
   implicit none
   integer :: n, m
   real(KIND) :: rate
#if defined POINTERS
   real(KIND), pointer :: a(:, :), b(:, :)
#else
   real(KIND), allocatable :: a(:, :), b(:, :)
#endif
contains

   subroutine edges
      b(1, :) = b(2, :)
      b(n, :) = b(n - 1, :)
      b(:, 1) = b(:, 2)
      b(:, m) = b(:, m - 1)
   end subroutine

   subroutine step
      integer :: i, j
      do j = 2, m - 1
         do i = 2, n - 1
            b(i, j) = a(i, j) + rate*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4*a(i, j))
         end do
      end do
      call edges
      a = b
   end subroutine

   subroutine heat(rows, columns, steps, x, y) bind(c)
      integer(c_int), value :: rows, columns, steps
      real(KIND), intent(inout) :: x(rows, columns), y(rows, columns)
      integer :: t
      if (rows < 3 .or. columns < 3) return
      n = rows
      m = columns
      rate = 0.11_KIND
      allocate (a(n, m), b(n, m))
      a = x
      b = y
      do t = 1, steps
         call step
      end do
      x = a
      y = b
      deallocate (a, b)
   end subroutine
end module
