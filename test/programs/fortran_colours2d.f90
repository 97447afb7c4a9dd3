! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Red and black cells one after the other: the first cell of a row depends on the row, which flang makes a number of
! iterations that is counted down. EDGES: rows and columns are set in each step. NESTS: two nests, the first of which has
! a row of 3 - mod(j, 2) first. LARGEST: the largest change of a step ends the time loop. UPTO: the last cell is n - 2.
subroutine relax(n, m, steps, u, f) bind(c)
   use iso_c_binding
   implicit none
   integer(c_int), value :: n, m, steps
   real(KIND), intent(inout) :: u(n, m), f(n, m)
   real(KIND) :: old, change
   integer :: i, j, c, t, last
   last = n - 1
#if defined UPTO
   last = n - 2
#endif
#if defined LARGEST
   t = 0
   change = 1
   do while (t < steps .and. change > 1e-30_KIND)
      t = t + 1
      change = 0
#else
   do t = 1, steps
#endif
#if defined NESTS
      do j = 2, m - 1
         do i = 3 - mod(j, 2), last, 2
            u(i, j) = 0.25_KIND*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
         end do
      end do
      do j = 2, m - 1
         do i = 2 + mod(j, 2), last, 2
            u(i, j) = 0.25_KIND*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
         end do
      end do
#else
      do c = 0, 1
         do j = 2, m - 1
            do i = 2 + mod(j + c, 2), last, 2
               old = u(i, j)
               u(i, j) = 0.25_KIND*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
#if defined LARGEST
               change = max(change, abs(u(i, j) - old))
#endif
            end do
         end do
      end do
#endif
#if defined EDGES
      do j = 1, m
         u(1, j) = u(2, j)
         u(n, j) = u(n - 1, j)
      end do
      do i = 1, n
         u(i, 1) = u(i, 2)
         u(i, m) = u(i, m - 1)
      end do
#endif
   end do
end subroutine
