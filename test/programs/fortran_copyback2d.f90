! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Heat in a plate: a sweep, and its result copied back. How the arrays come into the subroutine is said by
! ASSUMED (shape, from any caller), CONTIGUOUS, ALLOCATABLE or MODULE; else their shape is explicit. How the sweep
! is written by SECTIONS or CONCURRENT, else it is loops; how the result is copied by WHOLE, SECTIONS or loops.
! STRIDED: the arrays are every other row of larger ones.
module plate
   use iso_c_binding
   implicit none
#if defined MODULE
   real(KIND), allocatable :: a(:, :), b(:, :)
#endif
contains

#if defined ASSUMED || defined CONTIGUOUS || defined ALLOCATABLE
#define SIZES steps, a, b
#elif defined MODULE
#define SIZES steps
#else
#define SIZES n, m, steps, a, b
#endif

   subroutine diffuse(SIZES)
      integer, intent(in) :: steps
#if defined ASSUMED
      real(KIND), intent(inout) :: a(:, :), b(:, :)
#elif defined CONTIGUOUS
      real(KIND), intent(inout), contiguous :: a(:, :), b(:, :)
#elif defined ALLOCATABLE
      real(KIND), intent(inout), allocatable :: a(:, :), b(:, :)
#elif !defined MODULE
      integer, intent(in) :: n, m
      real(KIND), intent(inout) :: a(n, m), b(n, m)
#endif
#if defined ASSUMED || defined CONTIGUOUS || defined ALLOCATABLE || defined MODULE
      integer :: n, m
#endif
      integer :: i, j, t
#if defined ASSUMED || defined CONTIGUOUS || defined ALLOCATABLE || defined MODULE
      n = size(a, 1)
      m = size(a, 2)
#endif
      do t = 1, steps
#if defined SECTIONS
         b(2:n - 1, 2:m - 1) = 0.6_KIND*a(2:n - 1, 2:m - 1) &
                               + 0.1_KIND*(a(1:n - 2, 2:m - 1) + a(3:n, 2:m - 1)) &
                               + 0.09_KIND*(a(2:n - 1, 1:m - 2) + a(2:n - 1, 3:m))
#elif defined CONCURRENT
         do concurrent(j=2:m - 1, i=2:n - 1)
            b(i, j) = 0.6_KIND*a(i, j) + 0.1_KIND*(a(i - 1, j) + a(i + 1, j)) &
                      + 0.09_KIND*(a(i, j - 1) + a(i, j + 1))
         end do
#else
         do j = 2, m - 1
            do i = 2, n - 1
               b(i, j) = 0.6_KIND*a(i, j) + 0.1_KIND*(a(i - 1, j) + a(i + 1, j)) &
                         + 0.09_KIND*(a(i, j - 1) + a(i, j + 1))
            end do
         end do
#endif
#if defined WHOLE
         a = b
#elif defined SECTIONS
         a(2:n - 1, 2:m - 1) = b(2:n - 1, 2:m - 1)
#elif defined CONCURRENT
         do concurrent(j=2:m - 1, i=2:n - 1)
            a(i, j) = b(i, j)
         end do
#else
         do j = 2, m - 1
            do i = 2, n - 1
               a(i, j) = b(i, j)
            end do
         end do
#endif
      end do
   end subroutine

   subroutine heat(n, m, steps, x, y) bind(c)
      integer(c_int), value :: n, m, steps
      real(KIND), intent(inout) :: x(n, m), y(n, m)
#if defined ALLOCATABLE
      real(KIND), allocatable :: a(:, :), b(:, :)
#endif
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
#elif defined STRIDED
      call diffuse(steps, x(1:n:2, :), y(1:n:2, :))
#elif defined ASSUMED || defined CONTIGUOUS
      call diffuse(steps, x, y)
#else
      call diffuse(n, m, steps, x, y)
#endif
   end subroutine
end module
