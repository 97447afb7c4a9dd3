! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Two fields that take turns: by POINTERS, by an INDEX of 1 and 2 or a BIT that are exchanged, by FIELDS of a type;
! else by the step's remainder. STEP: the sweep is a subroutine of its own, its arrays of assumed shape.
module waves
   use iso_c_binding
   implicit none
   type field
      integer :: n, m
      real(KIND), pointer :: cells(:, :)
   end type
contains

   subroutine smooth(from, to)
      real(KIND), intent(in) :: from(:, :)
      real(KIND), intent(inout) :: to(:, :)
      integer :: i, j
      do j = 2, size(from, 2) - 1
         do i = 2, size(from, 1) - 1
            to(i, j) = 0.5_KIND*from(i, j) + 0.12_KIND*(from(i - 1, j) + from(i, j + 1)) &
                       + 0.13_KIND*(from(i + 1, j) + from(i, j - 1))
         end do
      end do
   end subroutine

#if defined POINTERS || defined FIELDS
   subroutine run(n, m, steps, x, y) bind(c)
      integer(c_int), value :: n, m, steps
      real(KIND), intent(inout), target :: x(n, m), y(n, m)
      integer :: t, i, j
#if defined POINTERS
      real(KIND), pointer :: old(:, :), new(:, :), other(:, :)
      old => x
      new => y
      do t = 1, steps
#if defined STEP
         call smooth(old, new)
#else
         do j = 2, m - 1
            do i = 2, n - 1
               new(i, j) = 0.5_KIND*old(i, j) + 0.12_KIND*(old(i - 1, j) + old(i, j + 1)) &
                           + 0.13_KIND*(old(i + 1, j) + old(i, j - 1))
            end do
         end do
#endif
         other => old
         old => new
         new => other
      end do
#else
      type(field) :: old, new, other
      old%n = n
      old%m = m
      new = old
      old%cells => x
      new%cells => y
      do t = 1, steps
         do j = 2, old%m - 1
            do i = 2, old%n - 1
               new%cells(i, j) = 0.5_KIND*old%cells(i, j) + 0.12_KIND*(old%cells(i - 1, j) + old%cells(i, j + 1)) &
                                 + 0.13_KIND*(old%cells(i + 1, j) + old%cells(i, j - 1))
            end do
         end do
         other = old
         old = new
         new = other
      end do
#endif
   end subroutine
#else
   subroutine run(n, m, steps, u) bind(c)
      integer(c_int), value :: n, m, steps
      real(KIND), intent(inout) :: u(n, m, 0:1)
      integer :: t, old, new
#if !defined STEP
      integer :: i, j
#endif
#if defined INDEX
      integer :: other
      old = 0
      new = 1
#elif defined BIT
      old = 0
#endif
      do t = 0, steps - 1
#if defined BIT
         new = 1 - old
#elif !defined INDEX
         old = mod(t, 2)
         new = mod(t + 1, 2)
#endif
#if defined STEP
         call smooth(u(:, :, old), u(:, :, new))
#else
         do j = 2, m - 1
            do i = 2, n - 1
               u(i, j, new) = 0.5_KIND*u(i, j, old) + 0.12_KIND*(u(i - 1, j, old) + u(i, j + 1, old)) &
                              + 0.13_KIND*(u(i + 1, j, old) + u(i, j - 1, old))
            end do
         end do
#endif
#if defined INDEX
         other = old
         old = new
         new = other
#elif defined BIT
         old = new
#endif
      end do
   end subroutine
#endif
end module
