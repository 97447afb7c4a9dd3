! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Fluxes and what they make of the heights, each of several outputs in one nest, in each call. The arrays have an
! assumed shape, or are POINTERs that take turns; STRIDED: they are every other row of larger ones.
module shallow
   use iso_c_binding
   implicit none
contains

   subroutine flow(x, y, u, v, h, z)
#if defined POINTERS
      real(KIND), pointer, intent(in) :: x(:, :), y(:, :), u(:, :), v(:, :), h(:, :), z(:, :)
#else
      real(KIND), intent(in) :: x(:, :), y(:, :)
      real(KIND), intent(inout) :: u(:, :), v(:, :), h(:, :), z(:, :)
#endif
      integer :: i, j
      do j = 1, size(x, 2) - 1
         do i = 1, size(x, 1) - 1
            u(i + 1, j) = 0.5_KIND*(x(i + 1, j) + x(i, j))*y(i + 1, j)
            v(i, j + 1) = 0.5_KIND*(x(i, j + 1) + x(i, j))*y(i, j + 1)
         end do
      end do
      do j = 1, size(x, 2) - 1
         do i = 1, size(x, 1) - 1
            h(i, j) = h(i, j) - 0.1_KIND*(u(i + 1, j) - u(i, j))
            z(i, j) = z(i, j) - 0.1_KIND*(v(i, j + 1) - v(i, j))
         end do
      end do
   end subroutine

   subroutine water(n, m, x, y, u, v, h, z) bind(c)
      integer(c_int), value :: n, m
      real(KIND), intent(inout), target :: x(n, m), y(n, m), u(n, m), v(n, m), h(n, m), z(n, m)
#if defined POINTERS
      real(KIND), pointer :: a(:, :), b(:, :), c(:, :), d(:, :), e(:, :), f(:, :)
      a => x; b => y; c => u; d => v; e => h; f => z
      call flow(a, b, c, d, e, f)
#elif defined STRIDED
      call flow(x(1:n:2, :), y(1:n:2, :), u(1:n:2, :), v(1:n:2, :), h(1:n:2, :), z(1:n:2, :))
#else
      call flow(x, y, u, v, h, z)
#endif
   end subroutine
end module
