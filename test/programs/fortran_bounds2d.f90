! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Heat in a plate whose border follows its cells: sections of an array are assigned to sections of the same array, for
! which flang calls its runtime. PERIODIC: from the other side. SHIFTED: sections that overlap, so that one is copied
! upwards and one downwards; PLANES: of two dimensions; ASSUMED: of an array of assumed shape. The arrays are ALLOCATABLE, a MODULE's, or have explicit shape.
! SECTIONS: the sweep is an array expression, too. CALLED: the border has a subroutine of its own that is called twice, and the sweep has an array of its own in each step.
module plate
   use iso_c_binding
   implicit none
#if defined MODULE
   real(KIND), allocatable :: a(:, :), b(:, :)
#endif
contains

   subroutine edges(n, m, a)
      integer, intent(in) :: n, m
#if defined ASSUMED
      real(KIND), intent(inout) :: a(:, :)
#else
      real(KIND), intent(inout) :: a(n, m)
#endif
#if defined PERIODIC
      a(1, :) = a(n - 1, :)
      a(n, :) = a(2, :)
      a(:, 1) = a(:, m - 1)
      a(:, m) = a(:, 2)
#elif defined SHIFTED
      a(2:n, 1) = a(1:n - 1, 1)
      a(1:n - 1, m) = a(2:n, m)
      a(1, 2:m) = a(1, 1:m - 1)
      a(n, 1:m - 1) = a(n, 2:m)
#elif defined PLANES
      a(1:2, :) = a(n - 1:n, :)
      a(:, 1:2) = a(:, m - 1:m)
#else
      a(1, :) = a(2, :)
      a(n, :) = a(n - 1, :)
      a(:, 1) = a(:, 2)
      a(:, m) = a(:, m - 1)
#endif
   end subroutine

   subroutine sweep(n, m, a)
      integer, intent(in) :: n, m
      real(KIND), intent(inout) :: a(n, m)
      real(KIND) :: east(n - 1, m), north(n, m - 1)
      integer :: i, j
      do j = 1, m
         do i = 1, n - 1
            east(i, j) = a(i + 1, j) - a(i, j)
         end do
      end do
      do j = 1, m - 1
         do i = 1, n
            north(i, j) = a(i, j + 1) - a(i, j)
         end do
      end do
      do j = 2, m - 1
         do i = 2, n - 1
            a(i, j) = a(i, j) + 0.11_KIND*(east(i, j) - east(i - 1, j)) + 0.1_KIND*(north(i, j) - north(i, j - 1))
         end do
      end do
   end subroutine

#if defined MODULE
   subroutine diffuse(steps)
#elif defined ALLOCATABLE
   subroutine diffuse(steps, a, b)
      real(KIND), intent(inout), allocatable :: a(:, :), b(:, :)
#else
   subroutine diffuse(n, m, steps, a, b)
      integer, intent(in) :: n, m
      real(KIND), intent(inout) :: a(n, m), b(n, m)
#endif
      integer, intent(in) :: steps
      integer :: i, j, t
#if defined MODULE || defined ALLOCATABLE
      integer :: n, m
      n = size(a, 1)
      m = size(a, 2)
#endif
      do t = 1, steps
#if defined CALLED
         call sweep(n, m, a)
         call edges(n, m, a)
#elif defined SECTIONS
         b(2:n - 1, 2:m - 1) = 0.6_KIND*a(2:n - 1, 2:m - 1) &
                               + 0.1_KIND*(a(1:n - 2, 2:m - 1) + a(3:n, 2:m - 1))
         a(2:n - 1, 2:m - 1) = b(2:n - 1, 2:m - 1)
         call edges(n, m, a)
#else
         do j = 2, m - 1
            do i = 2, n - 1
               b(i, j) = 0.6_KIND*a(i, j) + 0.1_KIND*(a(i - 1, j) + a(i + 1, j)) &
                         + 0.09_KIND*(a(i, j - 1) + a(i, j + 1))
            end do
         end do
         do j = 2, m - 1
            do i = 2, n - 1
               a(i, j) = b(i, j)
            end do
         end do
#if defined MODULE || defined ALLOCATABLE
         a(1, :) = a(2, :)
         a(n, :) = a(n - 1, :)
         a(:, 1) = a(:, 2)
         a(:, m) = a(:, m - 1)
#else
         call edges(n, m, a)
#endif
#endif
      end do
   end subroutine

   subroutine heat(n, m, steps, x, y) bind(c)
      integer(c_int), value :: n, m, steps
      real(KIND), intent(inout) :: x(n, m), y(n, m)
#if defined ALLOCATABLE
      real(KIND), allocatable :: a(:, :), b(:, :)
#endif
      if (n < 3 .or. m < 3) return
#if defined ALLOCATABLE || defined MODULE
      allocate (a(n, m), b(n, m))
      a = x
      b = y
#if defined MODULE
      call diffuse(steps)
#else
      call diffuse(steps, a, b)
#endif
      x = a
      y = b
      deallocate (a, b)
#else
#if defined CALLED
      call edges(n, m, y)
#endif
      call diffuse(n, m, steps, x, y)
#endif
   end subroutine
end module
