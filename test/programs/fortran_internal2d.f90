! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Internal procedures that use the indices and temporaries of their host. SHOWN: the host reads one of them afterwards.
module hosts
   use iso_c_binding
   implicit none
contains
   subroutine run(n, m, steps, u, v, shown) bind(c)
      integer(c_int), value :: n, m, steps
      real(KIND), intent(inout) :: u(n, m), v(n, m), shown
      integer :: i, j, t, first, last
      real(KIND) :: across, down
      i = 0
      j = 0
      across = 0
      first = 2
      last = m - 1
      do t = 1, steps
         call smooth(u, v)
         call smooth(v, u)
         if (mod(t, 3) == 0) call scale(u)
         if (mod(t, 5) == 0) call scale(v)
      end do
      shown = 0
#if defined SHOWN
      shown = across + i + j
#endif
   contains
      subroutine smooth(from, to)
         real(KIND) :: from(n, m), to(n, m)
         do j = first, last
            do i = 2, n - 1
               across = from(i - 1, j) + from(i + 1, j)
               down = from(i, j - 1) + from(i, j + 1)
               to(i, j) = 0.25_KIND*(across + down)
            end do
         end do
      end subroutine
      subroutine scale(of)
         real(KIND) :: of(n, m)
         do j = 1, m
            do i = 1, n
               across = of(i, j)*0.5_KIND
               of(i, j) = across
            end do
         end do
      end subroutine
   end subroutine
end module
